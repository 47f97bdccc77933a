"""How the browser is started, and what to do where it does not start."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping

from scenthound.core.errors import SettingsError

VARIABLE = "SCENTHOUND_BROWSER"
"""Names the program of the browser, where it is not found by itself."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOT = "the browser runs without its sandbox, as it must for root; use another account if you can"
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # should a request ever get past us, it goes nowhere
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--js-flags=--max-old-space-size=512",
)
_SAID = "[err]"
"""Marks, in Playwright's report, what the program itself has said."""
_TELLING = ("sandbox", "fatal:")
"""What the line with the cause says, where others stand around it; the first one goes first."""
_PLACE = re.compile(r"^\[[^]]*:[^]]*\]\s*")
"""Where in the program a line comes from: ``[1:2:0101/1.2:FATAL:file.cc(3)]``."""


def launch_options(environment: Mapping[str, str]) -> dict[str, object]:
    """How Chromium is started: the one that is named, one on the path, or Playwright's own.

    SettingsError where one is named that is not there. It runs in its sandbox; root has none.
    """
    named = environment.get(VARIABLE)
    if named and shutil.which(named) is None:
        raise SettingsError(
            f"{VARIABLE} names {named!r}, which is no program; give the path of a Chromium."
        )
    path = environment.get("PATH")
    on_path = (shutil.which(name, path=path) for name in NAMES)
    found = named or next(filter(None, on_path), None)
    return {
        "executable_path": found,
        "args": list(_ARGUMENTS),
        "chromium_sandbox": not is_root(),
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def is_root() -> bool:
    """Does this process belong to root? Chromium's sandbox does not work for root."""
    return os.geteuid() == 0


def no_browser(error: str) -> str:
    """What to do about a browser that did not start, in one sentence."""
    if "executable doesn't exist" in error.lower():
        return (
            "--javascript needs a browser and none was found; install Chromium (apt install "
            f"chromium, or: playwright install chromium), or name one in {VARIABLE}."
        )
    why = _cause(error)[:200]
    return f"the browser for --javascript does not start ({why}); try to start it by hand."


def _cause(error: str) -> str:
    """The line that says why, of what the program said; Playwright's own where it said nothing.

    The line with the command names the sandbox too, as something it does without.
    """
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    said = [line.partition(_SAID)[2].strip() for line in lines if _SAID in line]
    telling = (line for mark in _TELLING for line in said if mark in line.lower())
    cause = next(telling, said[-1] if said else next(iter(lines), ""))
    return _PLACE.sub("", cause)

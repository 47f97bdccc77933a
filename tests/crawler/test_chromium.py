"""Which browser is started and how, and what is told where there is none: without any browser."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from scenthound.core.errors import SettingsError
from scenthound.fetch import chromium
from scenthound.fetch.browser import Browser
from scenthound.fetch.chromium import NAMES, VARIABLE, launch_options, no_browser
from scenthound.fetch.subresources import Subresource, SubresourceRequest


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)
    return str(path)


def test_the_one_that_is_named_goes_before_those_on_the_path(tmp_path: Path) -> None:
    first, second = program(tmp_path, NAMES[0]), program(tmp_path, NAMES[1])
    named = program(tmp_path, "mine")
    path = {"PATH": str(tmp_path)}
    assert launch_options({**path, VARIABLE: named})["executable_path"] == named
    assert launch_options(path)["executable_path"] == first
    os.unlink(first)
    assert launch_options(path)["executable_path"] == second
    os.unlink(second)
    assert launch_options(path)["executable_path"] is None  # Playwright's own


def test_a_name_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"SCENTHOUND_BROWSER names '.*none', which is no prog"):
        launch_options({VARIABLE: str(tmp_path / "none")})


@pytest.mark.parametrize("root", [True, False])
def test_only_root_goes_without_the_sandbox(monkeypatch: pytest.MonkeyPatch, root: bool) -> None:
    monkeypatch.setattr(chromium, "is_root", lambda: root)
    assert launch_options({"PATH": ""})["chromium_sandbox"] is not root


def test_why_there_is_no_browser_is_one_sentence() -> None:
    closed = "launch: Target closed\n"
    messages = {
        "BrowserType.launch: Executable doesn't exist at /x": "none was found; install Chromium",
        f"{closed}<launching> x --no-sandbox\n[pid=1][err] no display\n"
        "[pid=1][err] [1:2:0101/1.2:FATAL:zygote.cc(3)] No usable sandbox! Update\n"
        "[pid=1][err] #0 0x12": "not start (No usable sandbox! Update)",
        f"{closed}<launching> x --no-sandbox --headless\n<launched> pid=1\n"
        "[pid=1][err] chromium: [: unexpected operator\n"
        "[pid=1][err] error while loading libnss3.so\nCall log:\n  - <launching> x": (
            "not start (error while loading libnss3.so)"
        ),
        f"{closed}<launching> x --no-sandbox": "not start (launch: Target closed)",
        "launch: Failed\n  logs": "does not start (launch: Failed); try to start it by hand.",
        "": "does not start ()",
    }
    for error, words in messages.items():
        assert words in no_browser(error) and "\n" not in no_browser(error)


async def nothing(wanted: SubresourceRequest) -> Subresource | None:
    raise AssertionError(wanted)


def test_without_playwright_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with pytest.raises(SettingsError, match=r"install it with: pip install 'scenthound\[js\]'\."):
        asyncio.run(Browser(nothing, "x", 1_000).start())

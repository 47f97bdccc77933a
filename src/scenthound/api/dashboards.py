"""The dashboard from Python: crawls in a browser, as they go on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.api.arguments import check_given_path, check_number
from scenthound.core.errors import SettingsError

if TYPE_CHECKING:
    from scenthound.dashboard.server_watch import ServerWatch

HOST, PORT = "127.0.0.1", 8200


def serve_dashboard(
    folders: str | Path | Sequence[str | Path] = (),
    *,
    redis: str | None = None,
    crawl: str | Sequence[str] | None = None,
    host: str = HOST,
    port: int = PORT,
    token: str | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a dashboard of crawls, running or finished, until Ctrl-C.

    Parameters
    ----------
    folders : crawl folders, or folders that crawls lie in, up to three levels deep. One that
        holds none yet is shown as not begun. Folders of the workers of one crawl are shown as one.
    redis : address of a server that workers share, as of :func:`share_crawl`.
    crawl : name of a crawl on that server, or several; shown with all its workers, those on other
        machines too. Pause, resume and stop then go to the server.
    host, port : where to listen; port 0 is any that is free. An address that other machines reach
        needs a token.
    token : what every request must carry. Without one everybody on this machine may read, and
        only the page itself may pause, resume and stop crawls.
    ready : told the address to open, when it can be.

    Raises
    ------
    SettingsError
        It cannot listen there, a token is missing or too short, a folder is none, or the server
        of the workers cannot be used or has no such crawl.
    """
    names = _names(redis, crawl)
    paths = _paths(folders, bool(names))
    _check(host, port, token)
    from scenthound.dashboard.serving import DashboardServer  # the web server is not for all

    with DashboardServer(paths, host, port, token, _watches(redis, names)) as server:
        if ready is not None:
            ready(server.address)
        server.run()


def _names(redis: object, crawl: str | Sequence[str] | None) -> list[str]:
    """The crawls on the server, each once."""
    names = [] if crawl is None else [crawl] if isinstance(crawl, str) else list(crawl)
    for name, value in [("redis", redis or ""), *(("crawl", each) for each in names)]:
        if not isinstance(value, str):
            raise SettingsError(f"{name} takes a text, not a value of type {type(value).__name__}.")
    if names and not redis:
        raise SettingsError(
            "give the address of the server that has the crawl: redis://HOST:6379 (--redis)."
        )
    return list(dict.fromkeys(names))


def _watches(redis: str | None, names: Sequence[str]) -> list[ServerWatch]:
    from scenthound.dashboard.server_watch import ServerWatch  # as the web server

    return [ServerWatch(redis or "", name, time.monotonic) for name in names]


def _paths(folders: str | Path | Sequence[str | Path], may_lack: bool) -> list[Path]:
    given = [folders] if isinstance(folders, str | os.PathLike) else list(folders)
    for each in given:
        check_given_path("folders", each)
    if not given and not may_lack:
        raise SettingsError(
            "a dashboard needs something to show: give the folder of a crawl, or the server and "
            "the name of one (--redis URL --crawl NAME)."
        )
    paths = [Path(each) for each in given]
    for path in paths:
        if path.exists() and not path.is_dir():
            raise SettingsError(f"{path} is a file; give the folder of a crawl.")
    return paths


def _check(host: object, port: object, token: object) -> None:
    check_number("port", port, whole=True)
    for name, value in (("host", host), ("token", token or "")):
        if not isinstance(value, str):
            raise SettingsError(f"{name} takes a text, not a value of type {type(value).__name__}.")
    if not host:
        raise SettingsError("host is empty; leave it out for 127.0.0.1.")

"""The dashboard from Python: crawls in a browser, as they go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from scenthound.api.arguments import check_given_path, check_number
from scenthound.core.errors import SettingsError

HOST, PORT = "127.0.0.1", 8200


def serve_dashboard(
    folders: str | Path | Sequence[str | Path],
    *,
    host: str = HOST,
    port: int = PORT,
    token: str | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a dashboard of crawls, running or finished, until Ctrl-C.

    Parameters
    ----------
    folders : crawl folders, or folders that crawls lie in, up to three levels deep. One that
        holds none yet is shown as not begun.
    host, port : where to listen; port 0 is any that is free. An address that other machines reach
        needs a token.
    token : what every request must carry. Without one everybody on this machine may read, and
        only the page itself may pause, resume and stop crawls.
    ready : told the address to open, when it can be.

    Raises
    ------
    SettingsError
        It cannot listen there, a token is missing or too short, or a folder is none.
    """
    paths = _paths(folders)
    _check(host, port, token)
    from scenthound.dashboard.serving import DashboardServer  # the web server is not for all

    with DashboardServer(paths, host, port, token) as server:
        if ready is not None:
            ready(server.address)
        server.run()


def _paths(folders: str | Path | Sequence[str | Path]) -> list[Path]:
    given = [folders] if isinstance(folders, str | os.PathLike) else list(folders)
    for each in given:
        check_given_path("folders", each)
    if not given:
        raise SettingsError("a dashboard needs something to show: give the folder of a crawl.")
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

"""Serves the dashboard with uvicorn until it is told to end."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import uvicorn
from starlette.types import ASGIApp

from scenthound.core.errors import SettingsError
from scenthound.dashboard.app import build_app
from scenthound.dashboard.connections import Connection
from scenthound.dashboard.roster import Roster
from scenthound.dashboard.security import access, is_wildcard
from scenthound.dashboard.server_watch import ServerWatch
from scenthound.dashboard.views import Views

_LAST_PORT = 65_535
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of nobody, as in books."""
_PATIENCE = 3
"""Seconds that open requests get to end in."""


class DashboardServer:
    """A dashboard that listens; :meth:`run` answers.

    Parameters
    ----------
    folders : crawl folders, or folders of crawls.
    host, port : where to listen; port 0 is any that is free.
    token : what every request must carry; None lets everybody on this machine read, and is
        refused where others could.
    servers : crawls on servers; watched while this runs.

    Raises
    ------
    SettingsError
        It cannot listen there, or a token is missing or too short.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        host: str,
        port: int,
        token: str | None,
        servers: Sequence[ServerWatch] = (),
    ) -> None:
        family, address = _resolved(host, port)
        access(address, port, token)  # refused before anything is open
        self._socket = _listening(family, address, port, host)
        bound = int(self._socket.getsockname()[1])
        reached_at = _own_address(family) if is_wildcard(address) else ""
        self._access = access(address, bound, token, _names(host, address), reached_at)
        self._servers = servers
        views = Views(Roster(folders, time.time, time.monotonic, servers), time.time)
        app = build_app(views, self._access, lambda: self._server.should_exit)
        self._server = uvicorn.Server(_config(app))

    @property
    def address(self) -> str:
        """To be opened in a browser, with the token where reading needs it."""
        return self._access.address

    @property
    def token(self) -> str:
        """What requests that change something carry."""
        return self._access.token

    def run(self) -> None:
        """Answer until :meth:`stop`, or a signal, which is passed on when all is closed."""
        for server in self._servers:
            server.start()
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End soon; from any thread."""
        self._server.should_exit = True

    def close(self) -> None:
        """Listen no more; a second time does nothing."""
        for server in self._servers:
            server.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _config(app: ASGIApp) -> uvicorn.Config:
    """Plain HTTP, nothing optional, nobody's word for where a request comes from."""
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # what strangers send is no news
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )


def _resolved(host: str, port: int) -> tuple[socket.AddressFamily, str]:
    """The address that a name stands for."""
    if not 0 <= port <= _LAST_PORT:
        raise SettingsError(f"--port {port} is no port; give one from 0 to {_LAST_PORT}.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SettingsError(
            f"--host {host} is no address of this machine; leave it out for 127.0.0.1."
        ) from None
    family, *_, where = found[0]
    return family, str(where[0])


def _listening(family: socket.AddressFamily, address: str, port: int, host: str) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"--host {host} --port {port}: {error.strerror}; give another one (--port 0 takes "
            "any that is free)."
        ) from None
    return listening


def _names(host: str, address: str) -> tuple[str, ...]:
    """Names that the dashboard may be asked under besides its address."""
    own = (socket.gethostname(), socket.getfqdn()) if is_wildcard(address) else ()
    return (host, *own)


def _own_address(family: socket.AddressFamily) -> str:
    """The address that this machine would be reached at; "" where it has no network.

    Nothing is sent: a datagram socket only looks up the way.
    """
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((_ELSEWHERE[family], 9))
        except (OSError, KeyError):
            return ""
        return str(asking.getsockname()[0])

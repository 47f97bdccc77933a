"""Serves the dashboard with uvicorn; clients that send or read nothing are disconnected."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from scenthound.core.errors import SettingsError
from scenthound.core.options import Options, Text, Texts, Whole, takes
from scenthound.output.dashboard.app import build_app
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.security import is_wildcard, make_access
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.storage.folder import Folders, folder_paths

_MAX_CONNECTIONS = 200
"""Some systems let a program open 256 files."""
_STALLED_SECONDS = 10.0
"""Connections are looked at so often; one that was stalled both times is aborted."""
_LAST_PORT = 65_535
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are reserved for documentation."""
_SHUTDOWN_SECONDS = 3
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
        servers: Sequence[SharedCrawlMonitor] = (),
    ) -> None:
        family, address = _resolve(host, port)
        make_access(address, port, token)  # refused before anything is open
        self._socket = _listen(family, address, port, host)
        bound = int(self._socket.getsockname()[1])
        names, reached_at = [host], ""
        if is_wildcard(address):  # then it is asked under every name of this machine
            names += [socket.gethostname(), socket.getfqdn()]
            reached_at = _own_address(family)
        self._access = make_access(address, bound, token, names, reached_at)
        self._servers = servers
        crawls = CrawlList(folders, time.time, time.monotonic, servers)
        self._server = uvicorn.Server(_config(build_app(crawls, self._access)))

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for server in self._servers:
            server.close()
        self._socket.close()


class Connection(H11Protocol):
    """One connection; made by uvicorn.

    uvicorn limits only the time between two requests. This is against clients that send the head of
    a request, or read a response, byte by byte: without it some hundred of them lock out everybody.
    """

    _since = 0.0
    _checked: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection; where there are too many, the longest idle one makes room."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self.loop.call_later(_STALLED_SECONDS, self._check)
        if len(self.connections) > _MAX_CONNECTIONS:
            idle = [each for each in cast("set[Connection]", self.connections) if each.is_idle]
            min(idle, key=lambda each: each._since).transport.abort()

    @property
    def is_idle(self) -> bool:
        """Is no request being answered?"""
        return self.cycle is None or self.cycle.response_complete

    def _check(self) -> None:
        if self.transport.is_closing():
            return
        if (self.is_idle or self.flow.write_paused) and self.cycle is self._checked:
            self.transport.abort()
            return
        self._checked = self.cycle
        self.loop.call_later(_STALLED_SECONDS, self._check)


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
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, str]:
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


def _listen(family: socket.AddressFamily, address: str, port: int, host: str) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A dashboard can be started again at once, while old connections are in TIME_WAIT.
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


# The dashboard from Python: crawls in a browser, as they go on.

HOST, PORT = "127.0.0.1", 8200


class DashboardOptions(Options):
    """Options of a dashboard beside its folders; see :func:`serve_dashboard`."""

    host: Text = HOST
    port: Whole = PORT
    token: Text | None = None
    redis: Text | None = None
    crawl: Texts = ()


@takes(DashboardOptions)
def serve_dashboard(
    folders: Folders = (), *, ready: Callable[[str], None] | None = None, **choice: Any
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
    ready : called with the address to open, when it can be.

    Raises
    ------
    SettingsError
        It cannot listen there, a token is missing or too short, a folder is none, or the server
        of the workers cannot be used or has no such crawl.
    """
    options = DashboardOptions.from_arguments(**choice)
    if options.crawl and not options.redis:
        raise SettingsError(
            "give the address of the server that has the crawl: redis://HOST:6379 (--redis)."
        )
    paths = _paths(folders, bool(options.crawl))
    names = dict.fromkeys(options.crawl)
    monitors = [SharedCrawlMonitor(options.redis or "", name, time.monotonic) for name in names]
    with DashboardServer(paths, options.host, options.port, options.token, monitors) as server:
        if ready is not None:
            ready(server.address)
        server.run()


def _paths(folders: Folders, may_lack: bool) -> list[Path]:
    paths = list(folder_paths("folders", folders))
    if not paths and not may_lack:
        raise SettingsError(
            "a dashboard needs something to show: give the folder of a crawl, or the server and "
            "the name of one (--redis URL --crawl NAME)."
        )
    for path in paths:
        if path.exists() and not path.is_dir():
            raise SettingsError(f"{path} is a file; give the folder of a crawl.")
    return paths

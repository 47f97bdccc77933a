"""Real webs on loopback without links that leave them, so that every response is a page.

``python -m benchmarks.distributed.closed_webs ARCHIVE`` serves the campus web in a process of its
own and prints the address of the proxy; it ends when its standard input does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from html import escape, unescape
from pathlib import Path
from zlib import crc32

from benchmarks.live.campus_server import ROOT, pages_as_http
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer

_LINK = re.compile(rb"""(\bhref\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
Place = Callable[[str], str | None]
"""Where a page of the web is now; None for one that is not in it."""


def closed_web(pages: Mapping[str, Response], move: Callable[[str], str]) -> dict[str, Response]:
    """The pages at their new places, with links between them only."""

    def place(url: str) -> str | None:
        return move(url) if url in pages else None

    return {move(url): _moved(page, move(url), place) for url, page in pages.items()}


def _moved(page: Response, url: str, place: Place) -> Response:
    body = rewritten(page.body, page.url, place)
    kept = [pair for pair in page.headers if pair[0].lower() != "content-length"]
    return Response(url, page.status, (*kept, ("Content-Length", str(len(body)))), body)


def rewritten(body: bytes, base: str, place: Place) -> bytes:
    """The page with its links where ``place`` says; links to nowhere lead to the page itself."""

    def link(found: re.Match[bytes]) -> bytes:
        given = next(group for group in found.groups()[1:] if group is not None)
        target = _target(unescape(given.decode("utf-8", "replace")), base)
        there = None if target is None else place(target)
        return found[1] + b'"' + (b"#" if there is None else escape(there).encode()) + b'"'

    return _LINK.sub(link, body)


@lru_cache(maxsize=100_000)
def _target(link: str, base: str) -> str | None:
    try:
        return canonical(link, base)
    except MalformedUrlError:
        return None


def on_hosts(url: str, hosts: int) -> str:
    """The same path on one of so many hosts, by the checksum of the URL."""
    host = host_of(url)
    number = crc32(url.encode()) % hosts
    return url.replace(f"//{host}", f"//s{number:02}.{host}", 1)


@contextmanager
def campus_process(archive: Path) -> Iterator[str]:
    """The address of a proxy that serves the campus web, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.distributed.closed_webs", str(archive)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            if not address:
                raise RuntimeError(f"the server of {archive} did not start")
            yield address
        finally:
            server.stdin.close()


def main() -> None:
    """Serve until standard input ends."""
    pages = closed_web(pages_as_http(Path(sys.argv[1])), lambda url: url)
    with WebServer(pages) as server:
        print(server.proxy, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()

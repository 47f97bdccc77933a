"""The campus web on loopback, in a process of its own so that its work is not counted as ours.

``python -m benchmarks.live.campus_server ARCHIVE`` prints the address of a proxy that has all
pages in memory, and ends when its standard input does. All pages are served as ``http``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.urls import canonical
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.archive import open_archive

ROOT = Path(__file__).parents[2]


@contextmanager
def campus_proxy(archive: Path) -> Iterator[str]:
    """The address of a proxy that serves ``archive``."""
    command = [sys.executable, "-m", "benchmarks.live.campus_server", str(archive)]
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


def pages_as_http(archive: Path) -> dict[str, Response]:
    """Every page of the archive by its ``http`` URL, with links rewritten to ``http``."""
    with open_archive(archive) as opened:
        found = (opened.fetch(url) for url in opened.urls())
        pages = [
            _plain(each.url, each.status, each.headers.get("content-type", ""), each.body)
            for each in found
            if each is not None
        ]
    return {page.url: page for page in pages}


def _plain(url: str, status: int, kind: str, body: bytes) -> Response:
    rewritten = body.replace(b"https://", b"http://")
    headers = (("Content-Type", kind), ("Content-Length", str(len(rewritten))))
    return Response(canonical(url.replace("https://", "http://", 1)), status, headers, rewritten)


def main() -> None:
    """Serve until standard input ends."""
    with WebServer(pages_as_http(Path(sys.argv[1]))) as server:
        print(server.proxy, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()

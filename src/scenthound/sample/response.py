"""One canned answer of the sample web."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.core.urls import canonical, host_of
from scenthound.sample.hosts import SLOW

HTML = "text/html"
SLOW_DELAY = 1.5


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answers for ``url``, which is canonical.

    ``delay`` is the time in seconds a live server should let pass before it answers.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay: float = 0.0

    def header(self, name: str) -> str | None:
        """Value of the first header called ``name``; None where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def is_page(self) -> bool:
        """Is this a page to read: status 200 and HTML?"""
        return self.status == 200 and (self.header("Content-Type") or "").startswith(HTML)


def answer(
    url: str, body: bytes | str, kind: str = f"{HTML}; charset=utf-8", status: int = 200
) -> Response:
    """A response with a body; the slow host answers slowly whatever it is asked."""
    raw = body.encode() if isinstance(body, str) else body
    headers = (("Content-Type", kind), ("Content-Length", str(len(raw))))
    return _response(url, status, headers, raw)


def redirect(url: str, location: str, status: int = 301) -> Response:
    """A redirect; ``location`` is sent as it is given, relative ones too."""
    raw = b"<html><body>Moved.</body></html>"
    headers = (
        ("Content-Type", HTML),
        ("Location", location),
        ("Content-Length", str(len(raw))),
    )
    return _response(url, status, headers, raw)


def _response(url: str, status: int, headers: tuple[tuple[str, str], ...], body: bytes) -> Response:
    address = canonical(url)
    delay = SLOW_DELAY if host_of(address) == SLOW else 0.0
    return Response(address, status, headers, body, delay)

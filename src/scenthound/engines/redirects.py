"""Where a redirect leads: one reading for the replay, for example pages and for labels."""

from __future__ import annotations

from scenthound.archive import Archive, Response
from scenthound.core.crawl import MOST_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical

REDIRECTS = frozenset({301, 302, 303, 307, 308})


def redirect_target(response: Response) -> str | None:
    """Canonical URL a response sends on to; None where it does not, or to no URL."""
    if response.status not in REDIRECTS or not response.headers.get("location"):
        return None
    try:
        return canonical(response.headers["location"], response.url)
    except MalformedUrlError:
        return None


def final_response(archive: Archive, url: str) -> Response | None:
    """What ``url`` leads to in the end; None where the archive has no such page, or a loop."""
    for _ in range(MOST_REDIRECTS + 1):
        response = archive.fetch(url)
        target = None if response is None else redirect_target(response)
        if target is None:
            return response
        url = target
    return None

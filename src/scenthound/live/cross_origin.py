"""Who may read what across origins: the rule of browsers, kept by the crawler itself.

Playwright would let every page read everything: where an answer does not say who may read it, it
says so itself, for the page that asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

ALLOW = "access-control-allow-origin"


def may_read(asker: str, headers: Mapping[str, str]) -> bool:
    """Does an answer with these headers let another origin read it? Names are in lower case.

    No password or cookie goes to another origin, so what is for everybody is for this one.
    """
    return headers.get(ALLOW, "").strip() in ("*", asker)


def closed(url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of an answer from ``url``; one that names nobody is for its own origin alone."""
    parts = urlsplit(url)
    return {ALLOW: f"{parts.scheme}://{parts.netloc}", **headers}

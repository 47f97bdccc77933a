"""URLs as people write them: the scheme may be left out."""

from __future__ import annotations

import re

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import DEFAULT_PORTS, canonical, tidy

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:[/?#]|$))")
"""A scheme, and not a host with its port."""
_PORT = re.compile(r"[^/?#]*:([0-9]+)(?:[/?#]|$)")
_GUESSED = ("https", "http")
"""The likelier one first."""


def is_of_another_scheme(text: str) -> bool:
    """Is it something like ``mailto:me@example.org``?"""
    scheme = _SCHEME.match(tidy(text))
    return scheme is not None and scheme[1].lower() not in DEFAULT_PORTS


def spellings(text: str) -> tuple[str, ...]:
    """The canonical URLs that a text may mean, the likeliest first: two without a scheme.

    Raises
    ------
    MalformedUrlError
        It means none.
    """
    written = tidy(text)
    if is_of_another_scheme(written):
        raise MalformedUrlError("it is not http or https")
    if not written or _SCHEME.match(written):
        return (canonical(written),)
    bare = written.removeprefix("//")
    port = _PORT.match(bare)
    named = [scheme for scheme in _GUESSED if port and int(port[1][:9]) == DEFAULT_PORTS[scheme]]
    return tuple(canonical(f"{scheme}://{bare}") for scheme in dict.fromkeys((*named, *_GUESSED)))

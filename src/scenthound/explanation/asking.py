"""The URL that was asked about, however loosely it was written, and those it may be taken for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.loose_urls import spellings
from scenthound.core.urls import DEFAULT_PORTS

_WWW = "www."
_NUMBER = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for.

    ``spellings`` are the canonical URLs that it says, the likeliest first: more than one without
    a scheme, none for a page's number. ``twins`` differ in the scheme, a ``www.`` or a last slash.
    """

    text: str
    number: int | None = None
    spellings: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()

    @property
    def urls(self) -> tuple[str, ...]:
        """All URLs to look up."""
        return (*self.spellings, *self.twins)


def asked(what: str | int) -> Asked:
    """A URL, with or without its scheme, or the number of a page, as a text too.

    Raises
    ------
    SettingsError
        It is neither.
    """
    if isinstance(what, int) and not isinstance(what, bool):
        if what < 1:
            raise SettingsError(f"pages are numbered from 1 on, so there is no page {what}.")
        return Asked(f"page {what}", number=what)
    if not isinstance(what, str):
        raise SettingsError(f"explain takes a URL or the number of a page, not {what!r}.")
    if _NUMBER.fullmatch(what.strip()):
        return asked(int(what))
    try:
        found = spellings(what)
    except MalformedUrlError as error:
        raise SettingsError(
            f"{what[:200]!r} is not the URL of a page: {error}; give one such as "
            "https://example.org/page."
        ) from None
    twins = dict.fromkeys(twin for url in found for twin in _twins(url))
    return Asked(what, None, found, tuple(url for url in twins if url not in found))


def _twins(url: str) -> Iterator[str]:
    """Itself among them; a host with a port, or an address, has no ``www.``."""
    _, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    bare = host.removeprefix(_WWW)
    hosts = [host] if bare[-1:].isdigit() or ":" in host else [bare, _WWW + bare]
    paths = [path] if "?" in path or not path else [path.rstrip("/"), path.rstrip("/") + "/"]
    for scheme, name, tail in product(DEFAULT_PORTS, hosts, paths):
        yield f"{scheme}://{name}/{tail}"


def tail_of(url: str) -> str:
    """Path and query of a canonical URL, without the first slash; "" for a front page."""
    return url.partition("://")[2].partition("/")[2]

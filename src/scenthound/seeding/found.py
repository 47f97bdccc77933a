"""An address that something knows of, and who can be asked for more of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical

LONGEST_TITLE = 300
LONGEST_SNIPPET = 1_000
_LONGEST_SOURCE = 40
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


class SearchError(Exception):
    """A source of addresses does not answer, or in words we do not read; the others go on."""


@dataclass(frozen=True, slots=True)
class Found:
    """An address, and what was said of it where it was found.

    Parameters
    ----------
    url : canonical.
    source : the name of what knew of it.
    title, snippet : in plain text; empty where none was given.
    rank : place in the answer to a query, from 1; 0 where there is no order.
    modified : when the page last changed (``2024-05-31``), as its site says; empty if unsaid.
    """

    url: str
    source: str
    title: str = ""
    snippet: str = ""
    rank: int = 0
    modified: str = ""


class SearchProvider(Protocol):
    """Something that answers a query with addresses."""

    @property
    def name(self) -> str:
        """What users call it; the ``source`` of what it finds."""
        ...

    def search(self, query: str, count: int) -> Iterable[Found]:
        """Up to ``count`` addresses, best first; none where it knows of none.

        Raises SearchError where it cannot be asked; what came before that is kept.
        """
        ...


class Finder(Protocol):
    """A place to look for addresses."""

    @property
    def name(self) -> str:
        """What users call it."""
        ...

    def find(self) -> Iterable[Found]:
        """The addresses there, one by one, as they are found.

        Raises SearchError where it cannot be asked; what came before that is kept.
        """
        ...


def found_at(
    href: object,
    source: str,
    title: object = "",
    snippet: object = "",
    rank: int = 0,
    modified: object = "",
    base: str | None = None,
) -> Found | None:
    """What strangers say of an address, in bounds; None where it is no http address.

    ``base`` is where the address was read, for relative ones. Values that are no text count as
    empty.
    """
    try:
        url = canonical(_text(href, 100_000), base)
    except MalformedUrlError:
        return None
    date = _DATE.match(_text(modified, 40))
    return Found(
        url,
        source,
        _text(title, LONGEST_TITLE),
        _text(snippet, LONGEST_SNIPPET),
        rank,
        date[0] if date else "",
    )


def checked(given: object, source: str) -> Found | None:
    """What somebody else's provider gave, with its address canonical and all in bounds.

    ``source`` stands in where it names none. None for what is no Found, or no http address.
    """
    if not isinstance(given, Found):
        return None
    named = _text(given.source, _LONGEST_SOURCE) or source
    rank = given.rank if isinstance(given.rank, int) else 0
    return found_at(given.url, named, given.title, given.snippet, rank, given.modified)


def _text(value: object, longest: int) -> str:
    """In one line; a text that is far too long is cut before it is looked at."""
    if not isinstance(value, str):
        return ""
    return " ".join(value[: 10 * longest].split())[:longest]

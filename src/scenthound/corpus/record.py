"""A page of a crawl as the journal tells of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Part
from scenthound.text.pdf import NO_TEXT
from scenthound.text.pdf_sheets import ENCRYPTED, UNREADABLE

NOTHING_TO_READ = frozenset(
    {"empty body", "not a page: binary or media", "no text", NO_TEXT, ENCRYPTED, UNREADABLE}
)
"""Problems of pages that answered well and hold no text: nobody can say what they are about."""
_NO_DOCUMENT = NOTHING_TO_READ | {"noindex"}


@dataclass(frozen=True, slots=True)
class Reference:
    """A page that links here: its number, what its link scored, and the words of the link."""

    source: int
    score: float
    anchor: str


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One fetched page: what led to it and what it was found to be.

    ``priority`` is None for a seed, and where the strategy predicts nothing; ``inlinks`` are the
    best ones, best first, of ``linked_from`` in all. ``copy_of`` is the number of the page whose
    copy this is. ``language`` is set where the page says it is in another one than the topic.
    ``chosen`` is why the policy took it, where the best score does not decide.
    """

    n: int
    at: float
    url: str
    status: int
    title: str
    depth: int
    priority: float | None
    parts: tuple[Part, ...]
    inlinks: tuple[Reference, ...]
    linked_from: int
    similarity: float
    relevant: bool
    redirects: tuple[str, ...]
    problem: str
    copy_of: int | None
    language: str | None = None
    rendered: bool = False
    chosen: str = ""

    @property
    def parent(self) -> int | None:
        """The number of the page with the best link to this one; None for a seed."""
        return self.inlinks[0].source if self.inlinks else None

    @property
    def has_document(self) -> bool:
        """Was there something to read that no earlier page had?"""
        well = 200 <= self.status < 300
        return well and self.copy_of is None and self.problem not in _NO_DOCUMENT


NOT_OURS = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)
"""What reading an event raises that no crawl wrote."""
_LONGEST = 120


def page_record(event: Mapping[str, object], where: str = "a line of the journal") -> PageRecord:
    """What a page event of the journal says; FolderError where it is not one we wrote.

    Parameters
    ----------
    event : of a page.
    where : the line that it stands in, for the message; see :func:`line_of`.
    """
    try:
        return _record(event)
    except NOT_OURS as error:
        raise damaged(where, error) from None


def line_of(path: Path, number: int) -> str:
    """A line of a journal in words."""
    return f"{path}, line {number:,}"


def damaged(where: str, error: Exception) -> FolderError:
    """The error for a line whose event raised another one when it was read."""
    lacks = isinstance(error, KeyError)
    why = f"it has no {error}" if lacks else " ".join(str(error).split())
    return FolderError(
        f"{where} is not what a crawl writes ({why[:_LONGEST]}): put the file back, or crawl again."
    )


def _record(event: Mapping[str, object]) -> PageRecord:
    fields: dict[str, object] = dict(event)
    parts: dict[str, list[float]] = fields.get("parts") or {}  # type: ignore[assignment]
    inlinks: list[list[object]] = fields.get("inlinks") or []  # type: ignore[assignment]
    priority, copy_of = fields.get("priority"), fields.get("copy_of")
    return PageRecord(
        n=_whole(fields, "n"),
        at=_number(fields, "at"),
        url=str(fields["url"]),
        status=_whole(fields, "status"),
        title=str(fields.get("title", "")),
        depth=_whole(fields, "depth"),
        priority=None if priority is None else _number(fields, "priority"),
        parts=tuple(Part(name, float(v), float(w)) for name, (v, w) in parts.items()),
        inlinks=tuple(Reference(int(str(s)), float(str(v)), str(a)) for s, v, a in inlinks),
        linked_from=int(str(fields.get("linked_from", 0))),
        similarity=_number(fields, "similarity"),
        relevant=bool(fields["relevant"]),
        redirects=tuple(map(str, fields.get("redirects") or ())),  # type: ignore[call-overload]
        problem=str(fields.get("problem", "")),
        copy_of=None if copy_of is None else int(str(copy_of)),
        language=None if fields.get("language") is None else str(fields["language"]),
        rendered=bool(fields.get("rendered", False)),
        chosen=str(fields.get("chosen", "")),
    )


def _number(fields: Mapping[str, object], name: str) -> float:
    try:
        value = float(str(fields[name]))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{name} is {fields[name]!r}")
    return value


def _whole(fields: Mapping[str, object], name: str) -> int:
    try:
        return int(str(fields[name]))
    except ValueError:
        raise ValueError(f"{name} is {fields[name]!r}") from None

"""A page of a crawl as the journal tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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


def page_record(event: Mapping[str, object]) -> PageRecord:
    """What a page event of the journal says; FolderError where it is not one we wrote."""
    try:
        return _record(event)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FolderError(f"the journal has a page event that cannot be read: {error!r}.") from None


def _record(event: Mapping[str, object]) -> PageRecord:
    fields: dict[str, object] = dict(event)
    parts: dict[str, list[float]] = fields.get("parts") or {}  # type: ignore[assignment]
    inlinks: list[list[object]] = fields.get("inlinks") or []  # type: ignore[assignment]
    priority, copy_of = fields.get("priority"), fields.get("copy_of")
    return PageRecord(
        n=int(str(fields["n"])),
        at=float(str(fields["at"])),
        url=str(fields["url"]),
        status=int(str(fields["status"])),
        title=str(fields.get("title", "")),
        depth=int(str(fields["depth"])),
        priority=None if priority is None else float(str(priority)),
        parts=tuple(Part(name, float(v), float(w)) for name, (v, w) in parts.items()),
        inlinks=tuple(Reference(int(str(s)), float(str(v)), str(a)) for s, v, a in inlinks),
        linked_from=int(str(fields.get("linked_from", 0))),
        similarity=float(str(fields["similarity"])),
        relevant=bool(fields["relevant"]),
        redirects=tuple(map(str, fields.get("redirects") or ())),  # type: ignore[call-overload]
        problem=str(fields.get("problem", "")),
        copy_of=None if copy_of is None else int(str(copy_of)),
        language=None if fields.get("language") is None else str(fields["language"]),
        rendered=bool(fields.get("rendered", False)),
        chosen=str(fields.get("chosen", "")),
    )

"""What is taken from a PDF: runs of text with their places, links with theirs, whole sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

FACT_CHARACTERS = 2_000
"""Kept of anything that a PDF says of itself or of a link."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text on a sheet: where it stands in the sheet's text, where it begins, its size."""

    start: int
    end: int
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Annotation:
    """A link drawn over a sheet: its address, its rectangle, what it says of itself."""

    href: str
    left: float
    bottom: float
    right: float
    top: float
    said: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a PDF, called a sheet here, since the whole PDF is a page to a crawler."""

    text: str
    pieces: tuple[Piece, ...] = ()
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheets:
    """What was read of a PDF. ``facts`` are what it says of itself; ``problem`` may be empty."""

    sheets: tuple[Sheet, ...] = ()
    count: int = 0
    facts: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


def placed_piece(
    start: int, end: int, cm: Iterable[float], tm: Iterable[float], size: float
) -> Piece:
    """Where the piece begins on the sheet: the text matrix seen through the current one."""
    a, b, c, d, e, f = cm
    _, up_x, _, up_y, x, y = tm
    scale = abs(up_y * d) or abs(up_x * c) or 1.0
    return Piece(start, end, x * a + y * c + e, x * b + y * d + f, abs(size) * scale)


def link_annotation(found: Any) -> Annotation | None:
    """The link in an annotation; None where it is none, or leads within the file."""
    action = resolved(found.get("/A")) or {}
    href = resolved(action.get("/URI"))
    if not href:
        return None
    text = href.decode("utf-8", "replace") if isinstance(href, bytes) else str(href)
    a, b, c, d = (float(each) for each in resolved(found["/Rect"]))
    said = str(resolved(found.get("/Contents")) or "")[:FACT_CHARACTERS]
    return Annotation(text, min(a, c), min(b, d), max(a, c), max(b, d), said)


def resolved(value: Any) -> Any:
    """What an object of pypdf refers to; None stays None."""
    return value if value is None else value.get_object()

"""Links of a PDF by position in its text: those drawn over it, and those written in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from scenthound.text.pdf_values import Annotation, Piece, Sheet
from scenthound.text.walk import MAX_LINKS, Anchor

_LETTER = 0.5
"""Mean width of a letter, in sizes of the font: near enough to find the words at a place."""
_WRITTEN = re.compile(r"https?://[^\s<>\"{}|\\^`]{4,2000}", re.IGNORECASE)
_NOT_AT_THE_END = ".,;:!?'*\u2019\u201d\u00bb"
_LONGEST_WORD = 100
_MOST_WRITTEN = 1_000
"""Written addresses that are taken from one sheet."""
_CLOSING = {")": "(", "]": "["}


def anchors_of(sheets: Sequence[Sheet]) -> tuple[str, list[Anchor]]:
    """The text of all sheets, one after the other, and the links with their places in it.

    A context does not reach beyond its sheet. A link over no text has neither anchor nor context.
    """
    texts: list[str] = []
    anchors: list[Anchor] = []
    at = 0
    for sheet in sheets:
        block = (at, at + len(sheet.text))
        drawn = [_drawn(each, sheet, block) for each in sheet.annotations]
        anchors += drawn
        anchors += _written(sheet.text, block, {each.href for each in drawn})
        texts.append(sheet.text)
        at = block[1] + 1
    return "\n".join(texts), anchors[:MAX_LINKS]


def _drawn(annotation: Annotation, sheet: Sheet, block: tuple[int, int]) -> Anchor:
    first = block[0]
    place = words_under(annotation, sheet)
    if place is None:
        return Anchor(annotation.href, "", first, first, (first, first), annotation.said)
    start, end = place
    return Anchor(annotation.href, "", first + start, first + end, block, annotation.said)


def words_under(annotation: Annotation, sheet: Sheet) -> tuple[int, int] | None:
    """Where in the sheet's text the words under the rectangle stand; None where it covers none.

    How wide the letters are is not known, only where a run of them begins; so a word more or
    less may be taken.
    """
    spans = [
        span
        for piece in sheet.pieces
        if annotation.bottom <= piece.y + piece.size / 4 and piece.y <= annotation.top
        and (span := _span(annotation, piece)) is not None
    ]  # fmt: skip
    if not spans:
        return None
    return _whole_words(sheet.text, min(spans)[0], max(end for _, end in spans))


def _span(annotation: Annotation, piece: Piece) -> tuple[int, int] | None:
    """The letters of a piece between the left and the right of the rectangle."""
    width = max(piece.size * _LETTER, 0.1)
    last = piece.end - piece.start
    first = (annotation.left - piece.x) / width
    end = (annotation.right - piece.x) / width
    if first >= last or end <= 0:
        return None
    return piece.start + int(max(0, first)), piece.start + int(min(last, end + 1))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    first, last = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while start > first and not text[start - 1].isspace():
        start -= 1
    while end < last and not text[end].isspace():
        end += 1
    return start, end


def _written(text: str, block: tuple[int, int], drawn: set[str]) -> Iterator[Anchor]:
    """Addresses written out, but for those that a drawn link has, perhaps over two lines."""
    for found in islice(_WRITTEN.finditer(text), _MOST_WRITTEN):
        href = _trimmed(found[0])
        if not any(known.startswith(href) for known in drawn):
            start = block[0] + found.start()
            yield Anchor(href, "", start, start + len(href), block)


def _trimmed(href: str) -> str:
    """Without the full stop or the bracket of the sentence that it stands in."""
    while href[-1] in _NOT_AT_THE_END or _closes(href):
        href = href[:-1]
    return href


def _closes(href: str) -> bool:
    opening = _CLOSING.get(href[-1])
    return opening is not None and href.count(opening) < href.count(href[-1])

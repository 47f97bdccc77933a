"""PDF to what a focused crawler reads: title, text, links with anchors and contexts, facts.

:mod:`scenthound.text.pdf_pages` reads the pages; here a document is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.util import find_spec
from itertools import islice

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, Link
from scenthound.text.extract import (
    MAX_LINKS,
    Anchor,
    base_of,
    collapse_whitespace,
    links_of,
    media_type,
)
from scenthound.text.pdf_pages import Annotation, PdfContent, PdfPage, read_pdf_pages


def can_read_pdf() -> bool:
    """Is the library that reads PDFs installed?"""
    return find_spec("pypdf") is not None


def require_pdf() -> None:
    """Raise SettingsError where the library that reads PDFs is not installed."""
    if not can_read_pdf():
        raise SettingsError("pypdf is missing; install it with: pip install 'scenthound[pdf]'")


# The document: what the file states of itself, text, links.

_PROGRAM = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel|office word)|powerpoint presentation) *-? *",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\S+\.(?:docx?|dotx?|rtf|odt|indd|tex|dvi|ps|pdf|pptx?|xlsx?|qxd|fm)", re.IGNORECASE
)
_NO_TITLE = frozenset({"untitled", "untitled document", "title", "document", "none", "slide 1"})
_DATE = re.compile(r"(?:D:)?(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?")


def stated_title(stated: str) -> str:
    """The stated title, or nothing where a program has put the name of a file in its place."""
    title = _PROGRAM.sub("", stated.strip()).strip()
    if title.lower() in _NO_TITLE or _FILE_NAME.fullmatch(title):
        return ""
    return title if any(map(str.isalpha, title)) else ""


def iso_date(stated: str) -> str:
    """``2024-03-01`` of ``D:20240301120000+01'00'``; nothing for what is no date.

    A year or a month alone stay what they are.
    """
    match = _DATE.match(stated.strip())
    if match is None:
        return ""
    year, month, day = match.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    return "-".join(part for part in (year, month, day) if part)


# Links of a PDF: annotations over its text, and URLs written in it.

_LETTER = 0.5
"""Mean width of a letter, in sizes of the font: near enough to find the words at a place."""
_URL_IN_TEXT = re.compile(r"https?://[^\s<>\"{}|\\^`]{4,2000}", re.IGNORECASE)
_TRAILING_PUNCTUATION = ".,;:!?'*\u2019\u201d\u00bb"
_LONGEST_WORD = 100
_MAX_URLS_IN_TEXT = 1_000
"""Written addresses that are taken from one sheet."""
_CLOSING = {")": "(", "]": "["}


def anchors_of(sheets: Sequence[PdfPage]) -> tuple[str, list[Anchor]]:
    """The text of all sheets, one after the other, and the links with their places in it.

    A context does not reach beyond its sheet. A link over no text has neither anchor nor context.
    """
    texts: list[str] = []
    anchors: list[Anchor] = []
    at = 0
    for sheet in sheets:
        block = (at, at + len(sheet.text))
        drawn = []
        for link in sheet.annotations:
            start, end = words_under(link, sheet) or (0, 0)
            around = block if end else (at, at)
            drawn.append(Anchor(link.href, "", at + start, at + end, around, link.description))
        anchors += drawn
        for found in islice(_URL_IN_TEXT.finditer(sheet.text), _MAX_URLS_IN_TEXT):
            href = _trimmed(found[0])
            # A drawn link may have the rest of an address that is broken over two lines.
            if not any(each.href.startswith(href) for each in drawn):
                start = at + found.start()
                anchors.append(Anchor(href, "", start, start + len(href), block))
        texts.append(sheet.text)
        at = block[1] + 1
    return "\n".join(texts), anchors[:MAX_LINKS]


def words_under(annotation: Annotation, sheet: PdfPage) -> tuple[int, int] | None:
    """Where in the sheet's text the words under the rectangle stand; None where it covers none.

    How wide the letters are is not known, only where a run of them begins; so a word more or
    less may be taken.
    """
    spans = []
    for piece in sheet.pieces:
        if annotation.bottom <= piece.y + piece.size / 4 and piece.y <= annotation.top:
            width, letters = max(piece.size * _LETTER, 0.1), piece.end - piece.start
            first = (annotation.left - piece.x) / width
            last = (annotation.right - piece.x) / width
            if first < letters and last > 0:
                start = piece.start + int(max(0, first))
                spans.append((start, piece.start + int(min(letters, last + 1))))
    if not spans:
        return None
    text, start, end = sheet.text, min(spans)[0], max(end for _, end in spans)
    # The span is widened to whole words, however long the text has no blank.
    first, last = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while start > first and not text[start - 1].isspace():
        start -= 1
    while end < last and not text[end].isspace():
        end += 1
    return start, end


def _trimmed(href: str) -> str:
    """Without the full stop or the bracket of the sentence that it stands in."""
    while (last := href[-1]) in _TRAILING_PUNCTUATION or (
        last in _CLOSING and href.count(_CLOSING[last]) < href.count(last)
    ):
        href = href[:-1]
    return href


# The extraction of a PDF.

PDF_TYPES = frozenset({"application/pdf", "application/x-pdf"})
"""Media types of a PDF."""
NO_TEXT = "PDF without text"
"""Mostly a scan: pictures of pages without text recognition."""
_TITLE_CHARACTERS = 200
_SIGNATURE_WITHIN = 1024
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HYPHENATED = re.compile("(?<=[a-z])[-\u00ad\u2010]\n(?=[a-z])")
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)


@dataclass(frozen=True, slots=True)
class ReadPdf:
    """What one PDF says and where it points.

    ``author`` and ``date`` (as ``2024-03-01``) are as the file states them, empty where it does
    not. ``problem`` says why there is less to read than one expects, if so.
    """

    document: Document = field(default_factory=Document)
    links: tuple[Link, ...] = ()
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    author: str = ""
    date: str = ""
    problem: str = ""


def is_pdf(body: bytes, content_type: str = "") -> bool:
    """Is ``body`` a PDF? What it begins with decides; a declared type helps a late beginning."""
    if body.startswith(b"%PDF-"):
        return True
    return media_type(content_type) in PDF_TYPES and b"%PDF-" in body[:_SIGNATURE_WITHIN]


def type_but_pdf(content_type: str) -> str:
    """The type of a body that is no PDF: one that was declared as a PDF is of an unknown type.

    What stands behind the type, such as ``charset``, is kept.
    """
    declared, _, rest = content_type.partition(";")
    return rest if media_type(declared) in PDF_TYPES else content_type


def read_pdf(body: bytes, url: str = "http://example.invalid/") -> ReadPdf:
    """Read the PDF ``body`` found at the canonical ``url``.

    The title is the stated one or else the first line; links are the annotations with an address
    and the addresses written in the text. An encrypted or unreadable file gives an empty document
    and a problem; nothing a file contains makes this raise.
    """
    found = read_pdf_pages(body)
    text, anchors = anchors_of(found.sheets)
    text = _CONTROL.sub(" ", text)
    links, unusable = links_of(anchors, text, base_of(url, ""))
    document = _document(found, _repair_text(text).strip())
    return ReadPdf(
        document=document,
        links=tuple(
            replace(link, anchor=_repair_text(link.anchor), context=_repair_text(link.context))
            for link in links
        ),
        unusable=unusable,
        author=_clean(found.facts.get("/Author", "")),
        date=iso_date(found.facts.get("/CreationDate", "") or found.facts.get("/ModDate", "")),
        problem=found.problem or ("" if document.text else NO_TEXT),
    )


def _document(found: PdfContent, text: str) -> Document:
    facts = {name: _clean(fact) for name, fact in found.facts.items()}
    lines = (line for line in map(collapse_whitespace, text.splitlines()) if line)
    title = stated_title(facts.get("/Title", "")) or next(lines, "")[:_TITLE_CHARACTERS]
    subject, keywords = facts.get("/Subject", ""), facts.get("/Keywords", "")
    groups = {"title": collapse_whitespace(f"{title} {keywords} {subject}"), "body": text}
    language = facts.get("/Lang", "").lower() or None
    return Document(title, text, subject, groups, language)


def _repair_text(text: str) -> str:
    """Words as written: without ligatures, and whole where a line end has broken them."""
    return _HYPHENATED.sub("", text.translate(_LIGATURES))


def _clean(text: str) -> str:
    return collapse_whitespace(_CONTROL.sub(" ", text))

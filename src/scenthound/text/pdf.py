"""PDF to what a focused crawler reads: title, text, links with anchors and contexts, facts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scenthound.core.model import Document, Link
from scenthound.text.decode import media_type
from scenthound.text.head import squeeze
from scenthound.text.links import base_of, links_of
from scenthound.text.pdf_facts import iso_date, stated_title
from scenthound.text.pdf_links import anchors_of
from scenthound.text.pdf_sheets import can_read_pdf, read_sheets, require_pdf
from scenthound.text.pdf_values import Sheets

__all__ = [
    "PDF_TYPES", "ReadPdf", "can_read_pdf", "is_pdf", "read_pdf", "require_pdf", "type_but_pdf",
]  # fmt: skip

PDF_TYPES = frozenset({"application/pdf", "application/x-pdf"})
"""Media types of a PDF."""
NO_TEXT = "PDF without text"
"""Mostly a scan: pictures of pages, which nobody has read into letters."""

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
    not. ``sheets`` is how many pages it has. ``problem`` says why there is less to read than one
    expects, if so.
    """

    document: Document = field(default_factory=Document)
    links: tuple[Link, ...] = ()
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    author: str = ""
    date: str = ""
    sheets: int = 0
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
    found = read_sheets(body)
    text, anchors = anchors_of(found.sheets)
    text = _CONTROL.sub(" ", text)
    links, unusable = links_of(anchors, text, base_of(url, ""))
    document = _document(found, _mended(text).strip())
    return ReadPdf(
        document=document,
        links=tuple(map(_mended_link, links)),
        unusable=unusable,
        author=squeeze(_clean(found.facts.get("/Author", ""))),
        date=iso_date(found.facts.get("/CreationDate", "") or found.facts.get("/ModDate", "")),
        sheets=found.count,
        problem=found.problem or ("" if document.text else NO_TEXT),
    )


def _document(found: Sheets, text: str) -> Document:
    facts = {name: squeeze(_clean(fact)) for name, fact in found.facts.items()}
    lines = (line for line in map(squeeze, text.splitlines()) if line)
    title = stated_title(facts.get("/Title", "")) or next(lines, "")[:_TITLE_CHARACTERS]
    subject, keywords = facts.get("/Subject", ""), facts.get("/Keywords", "")
    groups = {"title": squeeze(f"{title} {keywords} {subject}"), "body": text}
    language = facts.get("/Lang", "").lower() or None
    return Document(title, text, subject, groups, language)


def _mended_link(link: Link) -> Link:
    return replace(link, anchor=_mended(link.anchor), context=_mended(link.context))


def _mended(text: str) -> str:
    """Words as written: without ligatures, and whole where a line end has broken them."""
    return _HYPHENATED.sub("", text.translate(_LIGATURES))


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text)

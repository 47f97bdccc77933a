"""What a page is about: its main text without menus and footers, its language, date and author.

For what is written out after a crawl: finding the main text takes ten times as long as reading the
page, and a page can be made to break it. So it happens in a process apart (``text_process``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scenthound.core.model import Document
from scenthound.text.decode import decode, is_text, media_type
from scenthound.text.detection import Detected, detect
from scenthound.text.extract import extract
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf, type_but_pdf

MAIN, VISIBLE, PDF = "main", "visible", "pdf"
LONGEST_PAGE = 3_000_000
"""Characters of markup; a longer page is a dump, in which no main text is looked for."""
_DATES = {"extensive_search": False, "original_date": True}
"""Only a date that the page gives itself: a year somewhere in the text is none."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST_FACT = 1_000


@dataclass(frozen=True, slots=True)
class PageText:
    """What was read on a page; None where it says nothing.

    ``source`` tells which text it is: ``main``, ``visible`` (all of it) or ``pdf``; None for none.
    ``failed`` says that looking for the main text failed, so that it is the visible one;
    ``needs_pdf`` that it is a PDF, and the extra that reads those is not installed.
    """

    title: str = ""
    text: str = ""
    source: str | None = None
    language: str | None = None
    confidence: float = 0.0
    date: str | None = None
    author: str | None = None
    description: str | None = None
    failed: bool = False
    needs_pdf: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """What the library finds."""

    text: str
    date: str | None
    author: str | None


def read_text(
    body: bytes, url: str, content_type: str = "", language: str = "", *, main: bool = True
) -> PageText:
    """What can be read on a page.

    Parameters
    ----------
    body : as the server sent it, content encoding undone; an empty or binary one has no text.
    url : its canonical address.
    content_type, language : the server's ``Content-Type`` and ``Content-Language``.
    main : look for the main text; without it the visible one is taken.
    """
    if is_pdf(body, content_type):
        return _pdf(body, url, language) if can_read_pdf() else PageText(needs_pdf=True)
    content_type = type_but_pdf(content_type)
    document = extract(body, url, content_type).document
    found, failed = _main(body, url, content_type) if main else (None, False)
    text, source = (found.text, MAIN) if found and found.text else (document.text, VISIBLE)
    detected = detect(text or document.title, document.language or language)
    date, author = (found.date, found.author) if found else (None, None)
    return _page_text(document, text, source, detected, date, author, failed)


def _pdf(body: bytes, url: str, language: str) -> PageText:
    read = read_pdf(body, url)
    document = read.document
    detected = detect(document.text, document.language or language)
    return _page_text(document, document.text, PDF, detected, read.date, read.author)


def _page_text(
    document: Document,
    text: str,
    source: str,
    detected: Detected,
    date: str | None,
    author: str | None,
    failed: bool = False,
) -> PageText:
    return PageText(
        title=document.title[:_LONGEST_FACT],
        text=text,
        source=source if text else None,
        language=detected.language,
        confidence=round(detected.confidence, 4),
        date=date if date and _DATE.fullmatch(date) else None,
        author=(author or "")[:_LONGEST_FACT] or None,
        description=document.description[:_LONGEST_FACT] or None,
        failed=failed,
    )


def _main(body: bytes, url: str, content_type: str) -> tuple[_Found | None, bool]:
    """The main text, and whether looking for it failed; None where there is none to find."""
    if not body or not is_text(body, content_type) or media_type(content_type) == "text/plain":
        return None, False
    html = decode(body, content_type).replace("\x00", "")
    if len(html) > LONGEST_PAGE:
        return None, True
    try:
        return _found(html, url), False
    except Exception:  # noqa: BLE001  whatever a hostile page makes the library raise
        return None, True


def _found(html: str, url: str) -> _Found | None:
    """Loaded when first used: a quarter of a second."""
    from trafilatura import bare_extraction
    from trafilatura.settings import Document as Extracted

    found = bare_extraction(
        html, url=url, with_metadata=True, include_comments=False, date_extraction_params=_DATES
    )
    if not isinstance(found, Extracted):
        return None
    return _Found((found.text or "").strip(), found.date, found.author)

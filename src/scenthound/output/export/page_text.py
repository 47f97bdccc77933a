"""The text of a page: its main text without menus and footers, its language, date and author;
also as a process that reads pages.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection

from scenthound.text.extract import decode, extract, is_text, media_type
from scenthound.text.languages import detect, primary_language
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf, type_but_pdf

MAIN, VISIBLE, PDF = "main", "visible", "pdf"
LONGEST_PAGE = 3_000_000
"""Characters of markup; a longer page is a dump, in which no main text is looked for."""
_DATES = {"extensive_search": False, "original_date": True}
"""Take only dates that the page states, not any year in the text."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST_FACT = 1_000


@dataclass(frozen=True, slots=True)
class PageText:
    """Text and metadata of a page; None for what it does not state.

    ``source`` is the kind of text: ``main``, ``visible`` (all of it) or ``pdf``; None for none.
    ``is_expected`` says whether the language is the topic's, where both are known;
    ``failed`` that extracting the main text failed, so that it is the visible one;
    ``needs_pdf`` that it is a PDF, and the extra that reads those is not installed.
    """

    title: str = ""
    text: str = ""
    source: str | None = None
    language: str | None = None
    confidence: float = 0.0
    is_expected: bool | None = None
    date: str | None = None
    author: str | None = None
    description: str | None = None
    failed: bool = False
    needs_pdf: bool = False


def read_text(
    body: bytes,
    url: str,
    content_type: str = "",
    language: str = "",
    *,
    main: bool = True,
    expected: str = "",
) -> PageText:
    """Text and metadata of a page.

    Parameters
    ----------
    body : as the server sent it, content encoding undone; an empty or binary one has no text.
    url : its canonical address.
    content_type, language : the server's ``Content-Type`` and ``Content-Language``.
    main : extract the main text; otherwise the visible one is taken.
    expected : language of the topic.
    """
    failed = False
    text: str
    date: str | None
    author: str | None
    if is_pdf(body, content_type):
        if not can_read_pdf():
            return PageText(needs_pdf=True)
        pdf = read_pdf(body, url)
        document, source = pdf.document, PDF
        text, date, author = document.text, pdf.date, pdf.author
    else:
        content_type = type_but_pdf(content_type)
        document = extract(body, url, content_type).document
        extracted, failed = _main_text(body, url, content_type) if main else (_NOTHING, False)
        text, date, author = extracted
        source, text = MAIN if text else VISIBLE, text or document.text
    detected = detect(text or document.title, document.language or language)
    is_expected = None
    if detected.language is not None and expected:
        is_expected = _macrolanguage(detected.language) == _macrolanguage(
            primary_language(expected)
        )
    return PageText(
        title=document.title[:_LONGEST_FACT],
        text=text,
        source=source if text else None,
        language=detected.language,
        confidence=round(detected.confidence, 4),
        is_expected=is_expected,
        date=date if date and _DATE.fullmatch(date) else None,
        author=(author or "")[:_LONGEST_FACT] or None,
        description=document.description[:_LONGEST_FACT] or None,
        failed=failed,
    )


def _macrolanguage(language: str | None) -> str | None:
    """Nynorsk and Bokmål are both Norwegian, which pages and topics call ``no``."""
    return "no" if language == "nn" else language


_Extracted = tuple[str, str | None, str | None]  # main text, date and author
_NOTHING: _Extracted = ("", None, None)


def _main_text(body: bytes, url: str, content_type: str) -> tuple[_Extracted, bool]:
    """The result of the library, and whether it failed."""
    if not body or not is_text(body, content_type) or media_type(content_type) == "text/plain":
        return _NOTHING, False
    html = decode(body, content_type).replace("\x00", "")  # lxml takes no zero bytes
    if len(html) > LONGEST_PAGE:
        return _NOTHING, True
    try:
        return _extract_main(html, url), False
    except Exception:  # noqa: BLE001  whatever a hostile page makes the library raise
        return _NOTHING, True


def _extract_main(html: str, url: str) -> _Extracted:
    # The library is loaded when first used: that takes a quarter of a second.
    from trafilatura import bare_extraction
    from trafilatura.settings import Document as Extracted

    result = bare_extraction(
        html, url=url, with_metadata=True, include_comments=False, date_extraction_params=_DATES
    )
    if not isinstance(result, Extracted):
        return _NOTHING
    return (result.text or "").strip(), result.date, result.author


# A process that reads the text of pages.
#
# ``python -m scenthound.output.export.page_text N`` reads pages from a connection, the file of
# number N: the metadata as JSON, then the body. It ends when the other side closes it, so it never
# outlives the export. A page that hangs or kills a parser ends this process, not the export.
# Nothing is pickled, since pages are not trusted.


def serve(pages: Connection) -> None:
    """Read pages until the connection closes; the first message says that it is ready."""
    pages.send_bytes(b"{}")
    while True:
        try:
            head, body = json.loads(pages.recv_bytes()), pages.recv_bytes()
        except EOFError:
            return
        pages.send_bytes(json.dumps(asdict(read_text(body, **head))).encode("ascii"))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # the export itself counts what fails
    serve(Connection(int(sys.argv[1])))

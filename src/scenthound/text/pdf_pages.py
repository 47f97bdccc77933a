"""The pages of a PDF, read with pypdf: text with its places, links drawn over it, stated facts.

pypdf is plain Python and has limits for everything a file can blow up: what a stream unpacks to,
how much of it is parsed, how deep and how often forms and pages refer to each other. Work is
counted here, so that a file within those limits costs only so much.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader


FACT_CHARACTERS = 2_000
"""Kept of anything that a PDF says of itself or of a link."""


@dataclass(frozen=True, slots=True)
class TextRun:
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
    description: str = ""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page of a PDF, called a sheet here, since the whole PDF is a page to a crawler."""

    text: str
    pieces: tuple[TextRun, ...] = ()
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What was read of a PDF. ``facts`` are what it says of itself; ``problem`` may be empty."""

    sheets: tuple[PdfPage, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


def link_annotation(found: Any) -> Annotation | None:
    """The link in an annotation; None where it is none, or leads within the file."""
    action = resolved(found.get("/A")) or {}
    href = resolved(action.get("/URI"))
    if not href:
        return None
    text = href.decode("utf-8", "replace") if isinstance(href, bytes) else str(href)
    a, b, c, d = (float(each) for each in resolved(found["/Rect"]))
    description = str(resolved(found.get("/Contents")) or "")[:FACT_CHARACTERS]
    return Annotation(text, min(a, c), min(b, d), max(a, c), max(b, d), description)


def resolved(value: Any) -> Any:
    """What an object of pypdf refers to; None stays None."""
    return value if value is None else value.get_object()


MAX_PDF_PAGES = 500
"""Sheets that are read of one PDF."""
MOST_CHARACTERS = 1_000_000
MAX_ANNOTATIONS = 5_000
MAX_TEXT_RUNS = 5_000
"""Runs of text that are kept of a sheet, to find the words under a link."""
ENCRYPTED = "PDF is encrypted"
UNREADABLE = "PDF cannot be read"
IN_PART = "PDF read in part"
_MOST_WORK = 500_000
"""Operations of all sheets together; about a quarter of a million take a second."""
_FORM_WORK = 1_000
"""A form is drawn by one operation and may hold many."""
_MAX_CONTENT = 30_000_000
"""Bytes of what is drawn on all sheets together, unpacked."""
_MAX_FAILED = 50
"""So many sheets that cannot be read are enough to give the others up."""
_STREAM = 5_000_000

_LIMITS: Mapping[str, Any] = {
    **{
        f"{kind}_maximum_output_length": _STREAM
        for kind in ("zlib", "lzw", "run_length", "brotli", "array_based_stream")
    },
    "stream_decoding_work_maximum_length": 4 * _STREAM,
    "stream_parsing_work_maximum_count": 1_000_000,
    "xform_maximum_invocations_per_extraction": 100,
    "xmp_maximum_input_length": 1_000_000,
}

_FACTS = ("/Title", "/Author", "/Subject", "/Keywords", "/CreationDate", "/ModDate")


class _WorkLimitError(Exception):
    """The work for one PDF is used up."""


def read_pdf_pages(body: bytes) -> PdfContent:
    """The sheets of the PDF in ``body``; none, with a problem, where it cannot be read.

    Nothing in a file makes this raise. An encrypted file opens with the empty password or not
    at all.
    """
    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import DependencyError

    with apply_configuration(**_LIMITS), _silence():
        try:
            reader = PdfReader(io.BytesIO(body))
            if reader.is_encrypted and not reader.decrypt(""):
                return PdfContent(problem=ENCRYPTED)
            return _PdfPageReader(reader).all()
        except DependencyError:  # a cipher that is not installed
            return PdfContent(problem=ENCRYPTED)
        except Exception:  # noqa: BLE001  whatever a hostile file makes pypdf raise
            return PdfContent(problem=UNREADABLE)


class _PdfPageReader:
    """Reads the sheets of one PDF until there are no more, or until it has cost enough."""

    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader
        self._work = self._content = self._failed = self._characters = self._annotations = 0

    def all(self) -> PdfContent:
        count = len(self._reader.pages)
        sheets: list[PdfPage] = []
        with suppress(_WorkLimitError):
            for number in range(min(count, MAX_PDF_PAGES)):
                sheets.append(self._sheet(number))
        whole = len(sheets) == count and not self._failed
        problem = "" if whole else IN_PART if len(sheets) > self._failed else UNREADABLE
        return PdfContent(tuple(sheets), self._facts(), problem)

    def _sheet(self, number: int) -> PdfPage:
        collected = _TextCollector()
        if self._characters > MOST_CHARACTERS:
            raise _WorkLimitError
        try:
            page = self._reader.pages[number]
            contents = page.get_contents()
            self._content += 0 if contents is None else len(contents.get_data())
            if self._content > _MAX_CONTENT:
                raise _WorkLimitError
            page.extract_text(visitor_text=collected.take, visitor_operand_before=self._count)
            annotations = tuple(self._links(page))
        except _WorkLimitError:
            raise
        except Exception:  # noqa: BLE001  one bad sheet does not cost the others
            self._failed += 1
            if self._failed > _MAX_FAILED:
                raise _WorkLimitError from None
            annotations = ()
        self._characters += collected.length
        return PdfPage("".join(collected.texts).rstrip(), tuple(collected.pieces), annotations)

    def _count(self, operator: Any, *_: Any) -> None:
        self._work += _FORM_WORK if operator == b"Do" else 1
        if self._work > _MOST_WORK:
            raise _WorkLimitError

    def _links(self, page: PageObject) -> Iterator[Annotation]:
        for each in resolved(page.get("/Annots")) or ():
            self._annotations += 1
            if self._annotations > MAX_ANNOTATIONS:
                return
            with suppress(AttributeError, KeyError, TypeError, ValueError):
                annotation = link_annotation(resolved(each))
                if annotation is not None:
                    yield annotation

    def _facts(self) -> dict[str, str]:
        """What the file says of itself; nothing where that is damaged."""
        found: dict[str, str] = {}
        with suppress(Exception):
            root: Any = self._reader.trailer["/Root"].get_object()
            found["/Lang"] = str(root.get("/Lang", ""))[:20]
        with suppress(Exception):
            stated: Mapping[str, object] = self._reader.metadata or {}
            found |= {name: str(stated.get(name, ""))[:FACT_CHARACTERS] for name in _FACTS}
        return found


class _TextCollector:
    """The text of a sheet as pypdf comes upon it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[TextRun] = []
        self.length = 0

    def take(self, text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if not text:
            return
        start, self.length = self.length, self.length + len(text)
        self.texts.append(text)
        if not text.isspace() and len(self.pieces) < MAX_TEXT_RUNS:
            # Where the run begins on the sheet: the text matrix seen through the current one.
            a, b, c, d, e, f = cm
            _, up_x, _, up_y, x, y = tm
            scale = abs(up_y * d) or abs(up_x * c) or 1.0
            place = (x * a + y * c + e, x * b + y * d + f)
            self.pieces.append(TextRun(start, self.length, *place, abs(size) * scale))
        if self.length > MOST_CHARACTERS:
            raise _WorkLimitError


@contextmanager
def _silence() -> Iterator[None]:
    """Silence pypdf, which logs everything odd in a file: a hostile one would fill the log."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)

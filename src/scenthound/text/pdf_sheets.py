"""The sheets of a PDF: text with positions, link annotations, facts. Only this file knows pypdf.

pypdf because it is plain Python with limits for everything a file can blow up: what a stream
unpacks to, how much of it is parsed, how deep and how often forms and pages refer to each other.
A file within those limits still costs only so much, because work is counted here.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from scenthound.core.errors import SettingsError
from scenthound.text.pdf_values import (
    FACT_CHARACTERS,
    Annotation,
    Piece,
    Sheet,
    Sheets,
    link_annotation,
    placed_piece,
    resolved,
)

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MOST_SHEETS = 500
"""Sheets that are read of one PDF."""
MOST_CHARACTERS = 1_000_000
MOST_ANNOTATIONS = 5_000
MOST_PIECES = 5_000
"""Runs of text that are kept of a sheet, to find the words under a link."""
ENCRYPTED = "PDF is encrypted"
UNREADABLE = "PDF cannot be read"
IN_PART = "PDF read in part"

_MOST_WORK = 500_000
"""Operations of all sheets together; about a quarter of a million take a second."""
_FORM_WORK = 1_000
"""A form is drawn by one operation and may hold many."""
_MOST_CONTENT = 30_000_000
"""Bytes of what is drawn on all sheets together, unpacked."""
_MOST_FAILED = 50
"""So many sheets that cannot be read are enough to give the others up."""
_STREAM = 5_000_000
_LIMITS: Mapping[str, Any] = {
    "zlib_maximum_output_length": _STREAM,
    "lzw_maximum_output_length": _STREAM,
    "run_length_maximum_output_length": _STREAM,
    "brotli_maximum_output_length": _STREAM,
    "array_based_stream_maximum_output_length": _STREAM,
    "stream_decoding_work_maximum_length": 4 * _STREAM,
    "stream_parsing_work_maximum_count": 1_000_000,
    "xform_maximum_invocations_per_extraction": 100,
    "xmp_maximum_input_length": 1_000_000,
}
_FACTS = ("/Title", "/Author", "/Subject", "/Keywords", "/CreationDate", "/ModDate")


class _EnoughError(Exception):
    """The work for one PDF is used up."""


def can_read_pdf() -> bool:
    """Is the library that reads PDFs installed?"""
    return find_spec("pypdf") is not None


def require_pdf() -> None:
    """Raise SettingsError where the library that reads PDFs is not installed."""
    if not can_read_pdf():
        raise SettingsError(
            "PDFs cannot be read yet: pypdf is missing; "
            "install it with: pip install 'scenthound[pdf]'"
        )


def read_sheets(body: bytes) -> Sheets:
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
                return Sheets(problem=ENCRYPTED)
            return _Reading(reader).all()
        except DependencyError:  # a cipher that is not installed
            return Sheets(problem=ENCRYPTED)
        except Exception:  # noqa: BLE001  whatever a hostile file makes pypdf raise
            return Sheets(problem=UNREADABLE)


class _Reading:
    """Reads the sheets of one PDF until there are no more, or until it has cost enough."""

    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader
        self._work = 0
        self._content = 0
        self._failed = 0
        self._characters = 0
        self._annotations = 0

    def all(self) -> Sheets:
        count = len(self._reader.pages)
        sheets: list[Sheet] = []
        with suppress(_EnoughError):
            for number in range(min(count, MOST_SHEETS)):
                sheets.append(self._sheet(number))
        whole = len(sheets) == count and not self._failed
        problem = "" if whole else IN_PART if len(sheets) > self._failed else UNREADABLE
        return Sheets(tuple(sheets), count, self._facts(), problem)

    def _sheet(self, number: int) -> Sheet:
        collected = _Collected()
        if self._characters > MOST_CHARACTERS:
            raise _EnoughError
        try:
            page = self._reader.pages[number]
            self._weigh(page)
            page.extract_text(visitor_text=collected.take, visitor_operand_before=self._count)
            annotations = tuple(self._links(page))
        except _EnoughError:
            raise
        except Exception:  # noqa: BLE001  one bad sheet does not cost the others
            self._failed += 1
            if self._failed > _MOST_FAILED:
                raise _EnoughError from None
            annotations = ()
        self._characters += collected.length
        return Sheet("".join(collected.texts).rstrip(), tuple(collected.pieces), annotations)

    def _weigh(self, page: PageObject) -> None:
        contents = page.get_contents()
        self._content += 0 if contents is None else len(contents.get_data())
        if self._content > _MOST_CONTENT:
            raise _EnoughError

    def _count(self, operator: Any, *_: Any) -> None:
        self._work += _FORM_WORK if operator == b"Do" else 1
        if self._work > _MOST_WORK:
            raise _EnoughError

    def _links(self, page: PageObject) -> Iterator[Annotation]:
        for each in resolved(page.get("/Annots")) or ():
            self._annotations += 1
            if self._annotations > MOST_ANNOTATIONS:
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


class _Collected:
    """The text of a sheet as pypdf comes upon it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[Piece] = []
        self.length = 0

    def take(self, text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if not text:
            return
        start, self.length = self.length, self.length + len(text)
        self.texts.append(text)
        if not text.isspace() and len(self.pieces) < MOST_PIECES:
            self.pieces.append(placed_piece(start, self.length, cm, tm, size))
        if self.length > MOST_CHARACTERS:
            raise _EnoughError


@contextmanager
def _silence() -> Iterator[None]:
    """pypdf tells the log of everything odd in a file, and a hostile one is odd throughout."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)

"""The records of WARC files one by one: what each is about, and the bytes it lies in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scenthound.archive.byte_streams import Pieces
from scenthound.archive.warc_pages import MAX_HTTP_HEAD
from scenthound.archive.warc_reader import BrokenRecordError, Record, Window, parse_headers
from scenthound.core.errors import ArchiveError
from scenthound.text.decode import media_type

RESPONSE, REVISIT, RESOURCE = "response", "revisit", "resource"
CAPTURES = frozenset({RESPONSE, REVISIT, RESOURCE})
"""Records that hold a page, or say that it is the same as another."""
_HTTP = frozenset({RESPONSE, REVISIT})
_BLANKS = 64


@dataclass(frozen=True, slots=True)
class NamedWarc:
    """A WARC file to copy from: a name without folders, unlike all others, and its bytes."""

    name: str
    window: Window


@dataclass(frozen=True, slots=True)
class RecordHead:
    """What a record says of itself, and where it lies.

    ``status`` and ``mime`` are those of the answer it holds, empty where there is none;
    ``refers_to`` is the address that a revisit repeats.
    """

    kind: str
    url: str
    date: str
    digest: str
    refers_to: str
    status: str
    mime: str
    offset: int
    length: int


def record_heads(file: NamedWarc) -> Iterator[RecordHead]:
    """All records of a file in order.

    Raises
    ------
    ArchiveError
        The file is truncated, damaged, or not compressed record by record.
    """
    offset = 0
    try:
        while (offset := _after_blank_lines(file.window, offset)) < file.window.size:
            record = Record(file.window, offset)
            status, mime = _answer(record)
            end = record.finish()
            if record.headers:  # not of an empty gzip member, which some writers leave
                yield _head(record.headers, status, mime, offset, end - offset)
            offset = end
    except BrokenRecordError as broken:
        raise ArchiveError(
            f"{file.name} {broken.problem} at byte {offset}: {broken.advice}."
        ) from None


def _head(
    headers: Mapping[str, str], status: str, mime: str, offset: int, length: int
) -> RecordHead:
    return RecordHead(
        kind=headers.get("warc-type", "").lower(),
        url=headers.get("warc-target-uri", "").strip("<> "),
        date=headers.get("warc-date", ""),
        digest=headers.get("warc-payload-digest", ""),
        refers_to=headers.get("warc-refers-to-target-uri", "").strip("<> "),
        status=status,
        mime=mime,
        offset=offset,
        length=length,
    )


def _after_blank_lines(window: Window, offset: int) -> int:
    """Some writers put more of them between records than they should."""
    while (block := window.read_at(offset, _BLANKS)) and not block.strip(b"\r\n"):
        offset += len(block)
    return offset + len(block) - len(block.lstrip(b"\r\n"))


def _answer(record: Record) -> tuple[str, str]:
    """Status and media type of the answer in a record; empty where it holds none."""
    kind = record.headers.get("warc-type", "").lower()
    if kind == RESOURCE:
        return "200", media_type(record.headers.get("content-type", ""))
    if kind not in _HTTP:
        return "", ""
    line, headers = parse_headers(Pieces(record.content()).head(MAX_HTTP_HEAD))
    words = line.split(" ")
    status = words[1] if len(words) > 1 and words[1].isdigit() else ""
    return status, media_type(headers.get("content-type", ""))

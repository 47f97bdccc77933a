"""The records of WARC files one by one: what each is about, and the bytes it lies in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scenthound.archive.byte_streams import Pieces
from scenthound.archive.warc_pages import MAX_HTTP_HEAD
from scenthound.archive.warc_reader import BrokenRecordError, Record, Window, parse_headers
from scenthound.corpus.losses import Losses
from scenthound.text.decode import media_type

RESPONSE, REVISIT, RESOURCE = "response", "revisit", "resource"
CAPTURES = frozenset({RESPONSE, REVISIT, RESOURCE})
"""Records that hold a page, or say that it is the same as another."""
_HTTP = frozenset({RESPONSE, REVISIT})
_BLANKS = 64


@dataclass(frozen=True, slots=True)
class NamedWarc:
    """A WARC file to copy from: a name without folders, unlike all others, and its bytes.

    ``starts`` gives, in order, bytes at which records are known to begin; it is asked after damage.
    """

    name: str
    window: Window
    starts: Callable[[], Sequence[int]] = tuple


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


def record_heads(file: NamedWarc, losses: Losses) -> Iterator[RecordHead]:
    """All whole records of a file in order; ``losses`` is told of damage.

    After that it goes on where the next record is known to begin, and otherwise ends.
    """
    offset = 0
    while (offset := _after_blank_lines(file.window, offset)) < file.window.size:
        try:
            head, end = _read(file.window, offset)
        except BrokenRecordError as broken:
            losses.met(f"{file.name} {broken.problem} at byte {offset}: put it back as it was.")
            offset = _next_start(file, offset)
            continue
        if head is not None:
            yield head
        offset = end


def _read(window: Window, offset: int) -> tuple[RecordHead | None, int]:
    """The record at a byte, and where it ends; None for an empty gzip member, as some write."""
    record = Record(window, offset)
    status, mime = _answer(record)
    end = record.finish()
    if not record.headers:
        return None, end
    return _head(record.headers, status, mime, offset, end - offset), end


def _next_start(file: NamedWarc, offset: int) -> int:
    """Where the next record is known to begin; else the end.

    It is not searched for: what looks like a record may be part of a page that somebody wrote.
    """
    starts = file.starts()
    place = bisect_right(starts, offset)
    return starts[place] if place < len(starts) else file.window.size


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

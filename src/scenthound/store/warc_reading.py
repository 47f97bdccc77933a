"""Reads single pages back from the WARC files of a crawl, by where they lie."""

from __future__ import annotations

import zlib
from dataclasses import replace
from datetime import datetime
from io import FileIO
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.exchange import OF_THE_BODY, RENDERED_TYPE, Position, Stored
from scenthound.store.segments import segment_path

_GZIP_BITS = 31
_EMPTY_LINE = b"\r\n\r\n"
_CONVERSION = b"WARC/1.1\r\nWARC-Type: conversion\r\n"
_HEAD = 2048
"""Bytes to read of the next record before one knows what it is."""
_PIECE = 1024 * 1024


def read_position(folder: Path, position: Position) -> Stored:
    """The page that :meth:`WarcWriter.write` put at ``position``, as the crawl read it.

    An exact copy (a revisit) has no body of its own: None. Of a page that a browser had to show
    the body is what it showed: the conversion record behind the response.

    Raises
    ------
    FolderError
        There is no page at that position, or the file cannot be read.
    """
    path = segment_path(folder, position.segment)
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(position.offset)
            stored = _stored(zlib.decompress(file.read(position.length), _GZIP_BITS))
            rendered = _rendered(file)
    except OSError as error:
        raise FolderError(f"{_meant(path)} cannot be read: {error.strerror}.") from None
    except (zlib.error, ValueError, KeyError):
        raise FolderError(
            f"{_meant(path)} holds no page at byte {position.offset}: the file was changed; "
            "put it back, or start a new crawl."
        ) from None
    if rendered is None:
        return stored
    headers = {name: v for name, v in stored.headers.items() if name not in OF_THE_BODY}
    return replace(
        stored, headers={**headers, "content-type": RENDERED_TYPE}, body=rendered, rendered=True
    )


def _meant(path: Path) -> Path:
    """The file itself where the segment is a link to it."""
    return path.readlink() if path.is_symlink() else path


def _rendered(file: FileIO) -> bytes | None:
    """The block of the next record, if that is a conversion; most often it is a request.

    Damage to a request is none to the page before it.
    """
    member = zlib.decompressobj(_GZIP_BITS)
    try:
        record = member.decompress(file.read(_HEAD), _HEAD)
    except zlib.error:
        return None
    if not record.startswith(_CONVERSION):
        return None
    pieces = [record, member.decompress(member.unconsumed_tail)]
    while not member.eof:
        if not (piece := file.read(_PIECE)):
            raise ValueError("the record is cut")
        pieces.append(member.decompress(piece))
    head, _, rest = b"".join(pieces).partition(_EMPTY_LINE)
    return rest[: int(_parsed(head)[1]["content-length"])]


def _stored(record: bytes) -> Stored:
    warc_head, _, rest = record.partition(_EMPTY_LINE)
    _, about = _parsed(warc_head)
    content = rest[: int(about["content-length"])]
    http_head, _, body = content.partition(_EMPTY_LINE)
    line, headers = _parsed(http_head)
    return Stored(
        url=about["warc-target-uri"],
        at=datetime.fromisoformat(about["warc-date"]).timestamp(),
        status=int(line.split(" ")[1]),
        headers=headers,
        body=None if about["warc-type"] == "revisit" else body,
    )


def _parsed(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return first, {name.lower(): value.strip(" ") for name, _, value in pairs}

"""Reads single pages back from the WARC files of a crawl, by where they lie."""

from __future__ import annotations

import zlib
from datetime import datetime
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.exchange import Position, Stored
from scenthound.store.segments import segment_path

_GZIP_BITS = 31
_EMPTY_LINE = b"\r\n\r\n"


def read_position(folder: Path, position: Position) -> Stored:
    """The page that :meth:`WarcWriter.write` put at ``position``.

    An exact copy (a revisit) has no body of its own: None.

    Raises
    ------
    FolderError
        There is no page at that position, or the file cannot be read.
    """
    path = segment_path(folder, position.segment)
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(position.offset)
            return _stored(zlib.decompress(file.read(position.length), _GZIP_BITS))
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}.") from None
    except (zlib.error, ValueError, KeyError):
        raise FolderError(
            f"{path} holds no page at byte {position.offset}: the file was changed; "
            "put it back, or start a new crawl."
        ) from None


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

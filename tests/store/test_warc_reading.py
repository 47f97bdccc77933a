"""A page comes back from where it was written."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store.exchange import Position, Stored
from scenthound.store.warc import WarcWriter
from scenthound.store.warc_reading import read_position
from store.warc_making import ABOUT, exchange


def test_pages_come_back_in_any_order(tmp_path: Path) -> None:
    bodies = [b"", b"\r\n\r\n<p>storm", b"\x00\xff" * 5_000, b"x" * 400]
    with closing(WarcWriter.open(tmp_path, None, ABOUT, segment_bytes=1_500)) as writer:
        positions = [writer.write(exchange(n, body), ()) for n, body in enumerate(bodies)]
    assert positions[-1].segment > 1
    for n in (3, 1, 0, 2):
        assert read_position(tmp_path, positions[n]) == Stored(
            url=exchange(n).url,
            at=exchange(n).at,
            status=200,
            headers={
                "content-type": "text/html", "server": "x", "content-length": str(len(bodies[n])),
            },
            body=bodies[n],
        )  # fmt: skip


def test_header_bytes_come_back_as_latin_1(tmp_path: Path) -> None:
    headers = [("X-A", "first"), ("x-a", "Stürme: é")]
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        position = writer.write(replace(exchange(), response_headers=headers), ())
    assert read_position(tmp_path, position).headers["x-a"] == "Stürme: é"


def test_a_copy_has_no_body_of_its_own(tmp_path: Path) -> None:
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        writer.write(exchange(1), ())
        position = writer.write(exchange(2), (), (exchange(1).url, exchange(1).at))
    stored = read_position(tmp_path, position)
    assert (stored.url, stored.status, stored.body) == (exchange(2).url, 200, None)


@pytest.mark.parametrize("shift", [(0, 1, 0), (0, 0, -1), (0, -1, 0), (0, 10**6, 0)])
def test_another_place_holds_no_page(tmp_path: Path, shift: tuple[int, int, int]) -> None:
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        position = writer.write(exchange(), ())
    moved = Position(*(a + b for a, b in zip(position, shift, strict=True)))
    with pytest.raises(FolderError, match="holds no page at byte"):
        read_position(tmp_path, moved)


def test_the_record_at_the_start_is_no_page(tmp_path: Path) -> None:
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        info = Position(1, 0, writer.end.offset)
    with pytest.raises(FolderError, match="holds no page at byte 0"):
        read_position(tmp_path, info)


def test_a_missing_segment_is_told(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"pages-00003\.warc\.gz cannot be read: No such file"):
        read_position(tmp_path, Position(3, 0, 10))

"""A page comes back from where it was written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.storage.warc_reader import read_response
from scenthound.storage.warc_writer import (
    Exchange,
    HeaderPairs,
    Original,
    StoredResponse,
    WarcPosition,
    WarcWriter,
    WarcWriterThread,
)
from storage.warc_making import ABOUT, check, exchange, files_limited_to, pages


def test_pages_come_back_in_any_order(tmp_path: Path) -> None:
    bodies = [b"", b"\r\n\r\n<p>storm", b"\x00\xff" * 5_000, b"x" * 400]
    with closing(WarcWriter.open(tmp_path, None, ABOUT, segment_bytes=1_500)) as writer:
        positions = [writer.write(exchange(n, body), ()) for n, body in enumerate(bodies)]
    assert positions[-1].segment > 1
    for n in (3, 1, 0, 2):
        assert read_response(tmp_path, positions[n]) == StoredResponse(
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
    assert read_response(tmp_path, position).headers["x-a"] == "Stürme: é"


def test_a_copy_has_no_body_of_its_own(tmp_path: Path) -> None:
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        writer.write(exchange(1), ())
        position = writer.write(exchange(2), (), (exchange(1).url, exchange(1).at))
    stored = read_response(tmp_path, position)
    assert (stored.url, stored.status, stored.body) == (exchange(2).url, 200, None)


def test_another_place_holds_no_page(tmp_path: Path) -> None:
    with closing(WarcWriter.open(tmp_path, None, ABOUT)) as writer:
        info = WarcPosition(1, 0, writer.end.offset)
        position = writer.write(exchange(), ())
    with pytest.raises(FolderError, match="holds no page at byte 0"):
        read_response(tmp_path, info)
    for shift in [(0, 1, 0), (0, 0, -1), (0, -1, 0), (0, 10**6, 0)]:
        moved = WarcPosition(*(a + b for a, b in zip(position, shift, strict=True)))
        with pytest.raises(FolderError, match="holds no page at byte"):
            read_response(tmp_path, moved)


def test_a_missing_segment_is_told(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"pages-00003\.warc\.gz cannot be read: No such file"):
        read_response(tmp_path, WarcPosition(3, 0, 10))


# Pages are written behind the crawl, in order, and no error is lost on the way.


LONG_S = 30.0
"""Nothing waits this long unless it is stuck."""


class GatedWriter(WarcWriter):
    """Writes nothing before its gate is opened; fails as it is told."""

    gate: threading.Event
    failure: BaseException | None = None

    def write(
        self, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> WarcPosition:
        assert self.gate.wait(LONG_S)
        if self.failure is not None:
            raise self.failure
        return super().write(exchange, fields, copy_of)


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[GatedWriter]:
    writer = GatedWriter.open(tmp_path, None, ABOUT)
    writer.gate = threading.Event()
    yield writer
    writer.gate.set()
    writer.close()


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except FolderError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


def test_pages_are_written_in_order_and_found_by_number(tmp_path: Path) -> None:
    with closing(WarcWriterThread(WarcWriter.open(tmp_path, None, ABOUT))) as writing:
        for number in range(1, 6):
            writing.put(number, exchange(number), [("score", "1")])
        flushed = writing.flush()
        assert [number for number, _ in flushed.positions] == [1, 2, 3, 4, 5]
        for number, position in flushed.positions:
            assert read_response(tmp_path, position).url == exchange(number).url
        assert flushed.end == (1, (tmp_path / "pages-00001.warc.gz").stat().st_size)
        assert writing.flush().positions == ()
        writing.put(6, exchange(6), (), (exchange(1).url, exchange(1).at))
        ((number, position),) = writing.flush().positions
        assert number == 6
        assert read_response(tmp_path, position).body is None
    assert pages(tmp_path) == [exchange(n).url for n in range(1, 7)]
    assert check(tmp_path) == 0


def test_closing_writes_what_waits(tmp_path: Path, gated: GatedWriter) -> None:
    writing = WarcWriterThread(gated)
    for number in range(3):
        writing.put(number, exchange(number), ())
    gated.gate.set()
    writing.close()
    writing.close()
    assert len(pages(tmp_path)) == 3
    with pytest.raises(RuntimeError):
        writing.put(4, exchange(4), ())


def test_a_full_queue_blocks_until_there_is_room(gated: GatedWriter) -> None:
    with closing(WarcWriterThread(gated, most=2)) as writing:
        writing.put(1, exchange(1), ())
        writing.put(2, exchange(2), ())
        third, raised = in_thread(lambda: writing.put(3, exchange(3), ()))
        third.join(0.05)
        assert third.is_alive()
        gated.gate.set()
        third.join(LONG_S)
        assert not third.is_alive()
        assert raised == []
        assert len(writing.flush().positions) == 3


def test_a_flush_can_be_waited_for_later(gated: GatedWriter) -> None:
    with closing(WarcWriterThread(gated)) as writing:
        writing.put(1, exchange(1), ())
        first = writing.flush_later()
        writing.put(2, exchange(2), ())
        assert not first.done()
        gated.gate.set()
        assert [number for number, _ in first.result(LONG_S).positions] == [1]
        assert [number for number, _ in writing.flush().positions] == [2]


def test_an_error_reaches_every_later_call_and_frees_whoever_waits(
    tmp_path: Path, gated: GatedWriter
) -> None:
    gated.failure = FolderError("no room")
    with closing(WarcWriterThread(gated, most=1)) as writing:
        writing.put(1, exchange(1), ())
        blocked, _ = in_thread(lambda: writing.put(2, exchange(2), ()))
        gated.gate.set()
        blocked.join(LONG_S)
        assert not blocked.is_alive()
        for _ in range(3):
            with pytest.raises(FolderError, match="no room"):
                writing.flush()
            with pytest.raises(FolderError, match="no room"):
                writing.put(3, exchange(3), ())
    assert pages(tmp_path) == []


def test_an_error_nobody_was_told_is_raised_at_the_end(gated: GatedWriter) -> None:
    gated.failure = MemoryError()
    gated.gate.set()
    writing = WarcWriterThread(gated)
    writing.put(1, exchange(1), ())
    with pytest.raises(MemoryError):
        writing.close()
    writing.close()


def test_a_full_disk_is_told_and_nothing_more_is_written(tmp_path: Path) -> None:
    with closing(WarcWriterThread(WarcWriter.open(tmp_path, None, ABOUT))) as writing:
        writing.put(1, exchange(1), ())
        end = writing.flush().end
        with files_limited_to(end.offset + 100):
            writing.put(2, exchange(2), ())
            with pytest.raises(FolderError, match=f"cannot be written to {tmp_path}: File too"):
                writing.flush()
        with pytest.raises(FolderError):
            writing.put(3, exchange(3), ())
    assert pages(tmp_path) == [exchange(1).url]
    assert check(tmp_path) == 0

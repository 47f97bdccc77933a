"""A page comes back from where it was written."""

from __future__ import annotations

import gzip
import random
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import MonkeyPatch

from scenthound.core.errors import FolderError
from scenthound.crawler.checkpoint import WarcWriterThread
from scenthound.storage import warc_writer
from scenthound.storage.files import segment_path
from scenthound.storage.pages import decode_body
from scenthound.storage.warc_reader import read_response
from scenthound.storage.warc_writer import WarcPosition, WarcWriter
from storage.warc_making import ABOUT, check, exchange, files_limited_to, pages, records


def test_pages_come_back_in_any_order_and_header_bytes_as_latin_1(tmp_path: Path) -> None:
    bodies = [b"", b"\r\n\r\n<p>storm", b"\x00\xff" * 5_000, b"x" * 400]
    with closing(WarcWriter(tmp_path, None, ABOUT, segment_bytes=1_500)) as writer:
        positions = [writer.write(exchange(n, body), ()) for n, body in enumerate(bodies)]
    assert positions[-1].segment > 1
    for n in (3, 1, 0, 2):
        assert read_response(tmp_path, positions[n]) == warc_writer.StoredResponse(
            url=exchange(n).url,
            at=exchange(n).at,
            status=200,
            headers={
                "content-type": "text/html", "server": "x", "content-length": str(len(bodies[n])),
            },
            body=bodies[n],
        )  # fmt: skip
    folder = tmp_path / "headers"
    folder.mkdir()
    headers = [("X-A", "first"), ("x-a", "Stürme: é")]
    with closing(WarcWriter(folder, None, ABOUT)) as writer:
        position = writer.write(replace(exchange(1), response_headers=headers), ())
        copy = writer.write(exchange(2), (), (exchange(1).url, exchange(1).at))
    assert read_response(folder, position).headers["x-a"] == "Stürme: é"
    stored = read_response(folder, copy)
    assert (stored.url, stored.status, stored.body) == (exchange(2).url, 200, None)


def test_another_place_holds_no_page(tmp_path: Path) -> None:
    with closing(WarcWriter(tmp_path, None, ABOUT)) as writer:
        info = WarcPosition(1, 0, writer.end.offset)
        position = writer.write(exchange(), ())
    with pytest.raises(FolderError, match="holds no page at byte 0"):
        read_response(tmp_path, info)
    for shift in [(0, 1, 0), (0, 0, -1), (0, -1, 0), (0, 10**6, 0)]:
        moved = WarcPosition(*(a + b for a, b in zip(position, shift, strict=True)))
        with pytest.raises(FolderError, match="holds no page at byte"):
            read_response(tmp_path, moved)
    with pytest.raises(FolderError, match=r"pages-00003\.warc\.gz cannot be read: No such file"):
        read_response(tmp_path, WarcPosition(3, 0, 10))


# Pages are written behind the crawl, in order, and no error is lost on the way.


LONG_S = 30.0
"""Nothing waits this long unless it is stuck."""


class GatedWriter(WarcWriter):
    """Writes nothing before its gate is opened; fails as it is set to."""

    gate: threading.Event
    failure: BaseException | None = None

    def write(
        self,
        exchange: warc_writer.Exchange,
        fields: warc_writer.HeaderPairs,
        copy_of: warc_writer.Original | None = None,
    ) -> WarcPosition:
        assert self.gate.wait(LONG_S)
        if self.failure is not None:
            raise self.failure
        return super().write(exchange, fields, copy_of)


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[GatedWriter]:
    writer = GatedWriter(tmp_path, None, ABOUT)
    writer.gate = threading.Event()
    yield writer
    writer.gate.set()
    writer.close()


def in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_pages_are_written_in_order_and_found_by_number(tmp_path: Path) -> None:
    with closing(WarcWriterThread(WarcWriter(tmp_path, None, ABOUT))) as writing:
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
        third = in_thread(lambda: writing.put(3, exchange(3), ()))
        third.join(0.05)
        assert third.is_alive()
        gated.gate.set()
        third.join(LONG_S)
        assert not third.is_alive()
        assert len(writing.flush().positions) == 3


def test_an_error_reaches_later_calls_and_who_waits(tmp_path: Path, gated: GatedWriter) -> None:
    gated.failure = FolderError("no room")
    with closing(WarcWriterThread(gated, most=1)) as writing:
        writing.put(1, exchange(1), ())

        def blocks() -> None:
            with suppress(FolderError):
                writing.put(2, exchange(2), ())

        blocked = in_thread(blocks)
        gated.gate.set()
        blocked.join(LONG_S)
        assert not blocked.is_alive()
        for _ in range(3):
            with pytest.raises(FolderError, match="no room"):
                writing.flush()
            with pytest.raises(FolderError, match="no room"):
                writing.put(3, exchange(3), ())
    assert pages(tmp_path) == []


def test_a_full_disk_is_reported_and_nothing_more_is_written(tmp_path: Path) -> None:
    with closing(WarcWriterThread(WarcWriter(tmp_path, None, ABOUT))) as writing:
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


TEXT = b"<p>The same words, and the same words again. " * 50
LIMIT = 1_000_000


def packed(data: bytes) -> bytes:
    """Without the time of day: the bytes name tests, which all processes must name alike."""
    return gzip.compress(data, mtime=0)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, size: int = 100) -> bytes:
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    return b"".join(b"%x;e=1\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"


def decoded(
    data: bytes, encoding: str = "", transfer: str = "", limit: int = LIMIT, step: int = 7
) -> tuple[bytes, bool]:
    blocks = (data[i : i + step] for i in range(0, len(data), step))
    return decode_body(blocks, {"content-encoding": encoding, "transfer-encoding": transfer}, limit)


@pytest.mark.parametrize("transfer", ["", "Chunked"])
@pytest.mark.parametrize("step", [1, 100_000])
def test_encodings_are_undone(transfer: str, step: int) -> None:
    encoded = [
        ("", TEXT),
        ("identity", TEXT),
        ("utf-8", TEXT),
        ("X-GZIP", packed(TEXT)),
        ("gzip", packed(TEXT[:40]) + packed(TEXT[40:])),
        ("gzip", packed(TEXT) + b"trailing dirt"),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("deflate, gzip", packed(zlib.compress(TEXT))),
    ]
    for encoding, data in encoded:
        sent = chunked(data) if transfer else data
        assert decoded(sent, encoding, transfer, step=step) == (TEXT, False), encoding


def test_brotli_is_undone_where_there_is_a_safe_one(monkeypatch: MonkeyPatch) -> None:
    brotli = pytest.importorskip("brotli", minversion="1.2")
    assert decoded(brotli.compress(TEXT), "br") == (TEXT, False)
    assert decoded(brotli.compress(TEXT)[:-5], "br")[1]
    assert decoded(TEXT, "br") == (TEXT, False)
    bomb = brotli.compress(bytes(10**7), quality=1)
    assert decoded(bomb, "br", limit=1000) == (bytes(1000), True)
    monkeypatch.setitem(sys.modules, "brotli", None)
    assert decoded(b"anything", "br") == (b"", True)


def test_what_was_decoded_is_kept_what_cannot_be_is_empty_and_a_cut_gives_its_beginning() -> None:
    for encoding in ["gzip", "deflate"]:
        assert decoded(TEXT, encoding, "chunked") == (TEXT, False)
        assert decoded(b"", encoding, "chunked") == (b"", False)
    for encoding in ["zstd", "compress", "gzip, gzip, gzip, gzip, gzip"]:
        assert decoded(TEXT, encoding) == (b"", True)
    noise = random.Random(1).randbytes(1000)
    body, truncated = decoded(packed(noise)[:500], "gzip")
    assert truncated and noise.startswith(body) and body
    assert decoded(chunked(TEXT)[:250], transfer="chunked")[1]
    assert decoded(b"3\r\nabc\r\nzz\r\n", transfer="chunked") == (b"abc", True)


def test_the_limit_is_exact_and_a_bomb_uses_no_more_memory() -> None:
    for size, cut in [(99, False), (100, False), (101, True)]:
        assert decoded(bytes(size), limit=100) == (bytes(min(size, 100)), cut)
    bomb = packed(packed(bytes(50_000_000)))
    tracemalloc.start()
    body, truncated = decoded(bomb, "gzip, gzip", step=len(bomb))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(body), truncated) == (LIMIT, True)
    assert peak < 4 * LIMIT


@given(
    start=st.sampled_from([b"", packed(TEXT)[:60], zlib.compress(TEXT)[:40], b"5\r\n"]),
    dirt=st.binary(max_size=300),
    encodings=st.lists(st.sampled_from(["gzip", "deflate", "br", "zstd", "x"]), max_size=3),
    transfer=st.sampled_from(["", "chunked"]),
)
def test_no_dirt_raises(start: bytes, dirt: bytes, encodings: Sequence[str], transfer: str) -> None:
    body, _ = decoded(start + dirt, ",".join(encodings), transfer, limit=5000)
    assert len(body) <= 5000


# A page that a browser had to show: both are in the WARC file, and the shown one is read back.


SHOWN = "<h1>Stürme</h1>\r\n\r\n<p>WARC/1.1".encode()
LARGE = random.Random(0).randbytes(3_000_000)
"""It does not become smaller: reading it takes several pieces."""


def written(folder: Path, *rendered: bytes | None) -> list[WarcPosition]:
    writer = WarcWriter(folder, None, ABOUT)
    positions = [
        writer.write(replace(exchange(n), rendered=each), [("page", str(n))])
        for n, each in enumerate(rendered, start=1)
    ]
    writer.close()
    return positions


def test_the_records_and_how_they_belong_together(tmp_path: Path) -> None:
    written(tmp_path, SHOWN)
    info, response, shown, request, metadata = records(segment_path(tmp_path, 1))
    assert [info.kind, response.kind, shown.kind] == ["warcinfo", "response", "conversion"]
    assert [request.kind, metadata.kind] == ["request", "metadata"]
    assert response.content == exchange().body
    assert shown.content == SHOWN
    assert shown.warc["WARC-Refers-To"] == response.warc["WARC-Record-ID"]
    assert shown.warc["WARC-Target-URI"] == response.warc["WARC-Target-URI"]
    assert shown.warc["Content-Type"] == "text/html; charset=utf-8"
    assert check(tmp_path) == 0


@pytest.mark.parametrize("shown", [b"", LARGE], ids=["empty", "large"])
def test_what_was_shown_is_read_back_with_headers_that_fit(tmp_path: Path, shown: bytes) -> None:
    folder = tmp_path
    positions = written(folder, None, shown, None)
    plain, page, last = (read_response(folder, each) for each in positions)
    assert (page.body, page.rendered) == (shown, True)
    assert page.headers == {"content-type": "text/html; charset=utf-8", "server": "x"}
    assert (plain.body, plain.rendered) == (exchange().body, False)
    assert (last.body, last.rendered) == (exchange().body, False)
    if shown is LARGE:  # a file that was cut in it is reported
        path, end = segment_path(folder, 1), positions[1].offset + positions[1].length
        path.write_bytes(path.read_bytes()[: end + 1_000_000])
        with pytest.raises(FolderError, match="the file was changed"):
            read_response(folder, positions[1])

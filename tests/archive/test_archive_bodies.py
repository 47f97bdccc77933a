"""Encodings are undone; broken ones and bombs give what could be decoded."""

from __future__ import annotations

import gzip
import random
import sys
import tracemalloc
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.archive.http_body import decode

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
    return decode(blocks, {"content-encoding": encoding, "transfer-encoding": transfer}, limit)


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("utf-8", TEXT),
        ("gzip", packed(TEXT)),
        ("X-GZIP", packed(TEXT)),
        ("gzip", packed(TEXT[:40]) + packed(TEXT[40:])),
        ("gzip", packed(TEXT) + b"trailing dirt"),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("deflate, gzip", packed(zlib.compress(TEXT))),
    ],
)
@pytest.mark.parametrize("transfer", ["", "Chunked"])
@pytest.mark.parametrize("step", [1, 100_000])
def test_encodings_are_undone(encoding: str, data: bytes, transfer: str, step: int) -> None:
    sent = chunked(data) if transfer else data
    assert decoded(sent, encoding, transfer, step=step) == (TEXT, False)


def test_brotli_is_undone() -> None:
    brotli = pytest.importorskip("brotli", minversion="1.2")
    assert decoded(brotli.compress(TEXT), "br") == (TEXT, False)
    assert decoded(brotli.compress(TEXT)[:-5], "br")[1]
    assert decoded(TEXT, "br") == (TEXT, False)
    bomb = brotli.compress(bytes(10**7), quality=1)
    assert decoded(bomb, "br", limit=1000) == (bytes(1000), True)


def test_without_a_safe_brotli_nothing_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "brotli", None)
    assert decoded(b"anything", "br") == (b"", True)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_body_that_was_decoded_before_archiving_is_kept(encoding: str) -> None:
    assert decoded(TEXT, encoding, "chunked") == (TEXT, False)
    assert decoded(b"", encoding, "chunked") == (b"", False)


@pytest.mark.parametrize("encoding", ["zstd", "compress", "gzip, gzip, gzip, gzip, gzip"])
def test_what_cannot_be_undone_is_empty_and_cut(encoding: str) -> None:
    assert decoded(TEXT, encoding) == (b"", True)


def test_a_stream_that_stops_early_gives_its_beginning() -> None:
    noise = random.Random(1).randbytes(1000)
    body, truncated = decoded(packed(noise)[:500], "gzip")
    assert truncated and noise.startswith(body) and body
    assert decoded(chunked(TEXT)[:250], transfer="chunked")[1]
    assert decoded(b"3\r\nabc\r\nzz\r\n", transfer="chunked") == (b"abc", True)


@pytest.mark.parametrize(("size", "cut"), [(99, False), (100, False), (101, True)])
def test_the_limit_is_exact(size: int, cut: bool) -> None:
    assert decoded(bytes(size), limit=100) == (bytes(min(size, 100)), cut)


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip"])
def test_a_bomb_uses_no_more_memory_than_its_limit(encoding: str) -> None:
    bomb = packed(bytes(200_000_000))
    if "," in encoding:
        bomb = packed(bomb)
    tracemalloc.start()
    body, truncated = decoded(bomb, encoding, step=len(bomb))
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
def test_dirt_never_raises(
    start: bytes, dirt: bytes, encodings: Sequence[str], transfer: str
) -> None:
    body, _ = decoded(start + dirt, ",".join(encodings), transfer, limit=5000)
    assert len(body) <= 5000

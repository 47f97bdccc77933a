"""WARC files that every reader understands, and that go on where the last commit was."""

from __future__ import annotations

import gzip
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import FolderError
from scenthound.storage.archive import open_archive
from scenthound.storage.pages import Response as StoredPage
from scenthound.storage.warc_writer import WARC_START, Exchange, HeaderPairs, WarcEnd, WarcWriter
from storage.warc_making import ABOUT, check, exchange, files_limited_to, pages, records

FIELDS = [("score", "0.5"), ("via", "http://a.test/")]
NAME = "pages-00001.warc.gz"


def written(folder: Path, *exchanges: Exchange, fields: HeaderPairs = FIELDS) -> list[WarcEnd]:
    """Where the file ended before the first page and after each."""
    with closing(WarcWriter(folder, None, ABOUT)) as writer:
        return [writer.end, *((writer.write(one, fields), writer.end)[1] for one in exchanges)]


def read_back(folder: Path, url: str = "http://a.test/1?q=storm") -> StoredPage:
    """The page as our reader of archives has it."""
    with open_archive(folder / NAME, cache=folder / "cache") as archive:
        page = archive.fetch(url)
    assert page is not None
    return page


def test_a_page_is_a_response_a_request_and_metadata(tmp_path: Path) -> None:
    written(tmp_path, exchange())
    info, response, request, metadata = records(tmp_path / NAME)
    assert [info.kind, response.kind, request.kind, metadata.kind] == [
        "warcinfo", "response", "request", "metadata",
    ]  # fmt: skip
    assert info.content.decode() == "".join(f"{k}: {v}\r\n" for k, v in ABOUT.items())
    assert info.warc["WARC-Filename"] == NAME
    assert response.content == b"<p>storm"
    assert response.line == "HTTP/1.1 200 OK"
    assert response.http == [
        ("Content-Type", "text/html"), ("Server", "x"), ("Content-Length", "8"),
    ]  # fmt: skip
    assert request.line == "GET /1?q=storm HTTP/1.1"
    assert request.http[0] == ("Host", "a.test")
    assert metadata.content == b"score: 0.5\r\nvia: http://a.test/\r\n"
    # They point at its response.
    identity = response.warc["WARC-Record-ID"]
    assert request.warc["WARC-Concurrent-To"] == identity
    assert metadata.warc["WARC-Concurrent-To"] == metadata.warc["WARC-Refers-To"] == identity
    for record in (response, request, metadata):
        assert record.warc["WARC-Target-URI"] == "http://a.test/1?q=storm"
        assert record.warc["WARC-Date"] == "2023-11-14T22:13:21.125000Z"
    assert response.warc["WARC-IP-Address"] == "192.0.2.7"
    assert response.warc["WARC-Payload-Digest"].startswith("sha1:")


def test_the_transfer_encoding_goes_the_content_encoding_stays(tmp_path: Path) -> None:
    packed = gzip.compress(b"<p>storm" * 50)
    headers = [
        ("transfer-encoding", "chunked"), ("Content-length", "7"), ("Content-Encoding", "gzip"),
        ("Set-Cookie", "a"), ("Content-Length", "9"), ("Set-Cookie", "b"),
    ]  # fmt: skip
    written(tmp_path, replace(exchange(), response_headers=headers, body=packed))
    response = records(tmp_path / NAME)[1]
    assert response.http == [
        ("Content-Length", str(len(packed))), ("Content-Encoding", "gzip"),
        ("Set-Cookie", "a"), ("Set-Cookie", "b"),
    ]  # fmt: skip
    assert response.content == packed
    page = read_back(tmp_path)
    assert (page.body, page.truncated) == (b"<p>storm" * 50, False)


def test_an_exact_copy_is_a_revisit_that_reads_as_the_original(tmp_path: Path) -> None:
    first, second = exchange(1), replace(exchange(2), status=203)
    with closing(WarcWriter(tmp_path, None, ABOUT)) as writer:
        writer.write(first, FIELDS)
        writer.write(second, FIELDS, (first.url, first.at))
    original, copy = (r for r in records(tmp_path / NAME) if r.kind in ("response", "revisit"))
    assert copy.kind == "revisit"
    assert copy.content == b""
    assert copy.warc["WARC-Profile"].endswith("/revisit/identical-payload-digest")
    assert copy.warc["WARC-Payload-Digest"] == original.warc["WARC-Payload-Digest"]
    assert copy.warc["WARC-Refers-To-Target-URI"] == original.warc["WARC-Target-URI"]
    assert copy.warc["WARC-Refers-To-Date"] == original.warc["WARC-Date"]
    page = read_back(tmp_path, second.url)
    assert (page.status, page.body) == (203, b"<p>storm")


def test_hostile_values_cannot_break_out(tmp_path: Path) -> None:
    evil = "a\r\n\r\nWARC/1.1\r\nWARC-Type: response\x00\x85\u2028b\ud800"
    hostile = replace(
        exchange(), reason=evil, ip=evil, method=evil, request_headers=[(evil, evil)],
        response_headers=[(evil, evil), ("", "x"), ("Transfer-Encoding\r\n", evil)],
    )  # fmt: skip
    written(tmp_path, hostile, fields=[(evil, evil), ("", "x"), ("next", "1")])
    kinds = [record.kind for record in records(tmp_path / NAME)]
    assert kinds == ["warcinfo", "response", "request", "metadata"]
    _, response, request, metadata = records(tmp_path / NAME)
    assert (len(response.http), len(request.http)) == (3, 2)
    assert len(metadata.content.decode().splitlines()) == 2
    assert check(tmp_path) == 0


def test_requests_hold_path_and_query_no_password_and_a_cut_says_why(tmp_path: Path) -> None:
    secret = [("Host", "b.test"), ("Proxy-Authorization", "Basic secret")]
    written(
        tmp_path,
        replace(exchange(), request_headers=secret, truncated="length"),
        replace(exchange(), url="https://b.test:8443"),
        replace(exchange(), url="http://b.test?x=1"),
        replace(exchange(), url="http://b.test/sturm und drang/ü#part"),
    )
    found = records(tmp_path / NAME)
    assert found[1].warc["WARC-Truncated"] == "length" and read_back(tmp_path).truncated
    secretive, *requests = (record for record in found if record.kind == "request")
    assert secretive.http == [("Host", "b.test")]
    assert [(record.line.split()[1], record.http[0]) for record in requests] == [
        ("/", ("Host", "b.test:8443")),
        ("/?x=1", ("Host", "b.test")),
        ("/sturm%20und%20drang/%C3%BC", ("Host", "b.test")),
    ]


header_names = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["Content-Length", "Transfer-Encoding", "X-A", "Content-Type"]
)
headers = st.lists(st.tuples(header_names, st.text(max_size=20)), max_size=6).filter(
    lambda pairs: all("content-encoding" not in name.lower() for name, _ in pairs)
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(headers, headers, st.binary(max_size=300), headers), max_size=4),
    st.integers(100, 599),
)
def test_whatever_comes_is_read_back(
    drawn: list[tuple[HeaderPairs, HeaderPairs, bytes, HeaderPairs]], status: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exchanges = [
            replace(exchange(n, body), request_headers=a, response_headers=b, status=status)
            for n, (a, b, body, _) in enumerate(drawn)
        ]
        with closing(WarcWriter(folder, None, ABOUT)) as writer:
            for one, (*_, fields) in zip(exchanges, drawn, strict=True):
                writer.write(one, fields)
        found = [r for r in records(folder / NAME) if r.kind == "response"]
        assert [r.content for r in found] == [one.body for one in exchanges]
        for record, one in zip(found, exchanges, strict=True):
            lengths = [value for name, value in record.http if name.lower() == "content-length"]
            assert lengths == [str(len(one.body))]
            assert all(name.lower() != "transfer-encoding" for name, _ in record.http)
        assert check(folder) == 0
        for one in exchanges:
            page = read_back(folder, one.url)
            assert (page.status, page.body) == (one.status, one.body)


@given(st.lists(st.tuples(st.sampled_from(["A", "b-C", "X_1"]), st.binary(max_size=12))))
@settings(max_examples=40, deadline=None)
def test_header_bytes_of_the_wire_are_kept(wire: list[tuple[str, bytes]]) -> None:
    pairs = [
        (name, value.translate(None, bytes(range(33)) + b"\x7f").decode("latin-1"))
        for name, value in wire
    ]
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder), replace(exchange(body=b""), response_headers=pairs))
        raw = gzip.decompress((Path(folder) / NAME).read_bytes())
    for name, value in pairs:
        assert b"\r\n" + f"{name}: {value}".encode("latin-1") + b"\r\n" in raw


def test_a_full_segment_is_followed_by_another(tmp_path: Path) -> None:
    opened = WarcWriter(tmp_path, None, ABOUT, segment_bytes=3_000)
    with closing(opened) as writer:
        positions = [writer.write(exchange(n), FIELDS) for n in range(12)]
        end = writer.end
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"pages-0000{n}.warc.gz" for n in range(1, end.segment + 1)]
    assert 2 < end.segment < 12
    assert end.offset == (tmp_path / names[-1]).stat().st_size
    for name in names:
        found = records(tmp_path / name)
        assert [r.kind for r in found[:2]] == ["warcinfo", "response"]
        assert found[0].warc["WARC-Filename"] == name
    assert [p.segment for p in positions] == sorted(p.segment for p in positions)
    assert pages(tmp_path) == [exchange(n).url for n in range(12)]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 4), st.floats(0, 1))
def test_wherever_a_crash_cut_a_file_resuming_makes_it_valid(committed: int, share: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ends = written(folder, *(exchange(n) for n in range(4)))
        end = ends[committed]
        _cut(folder / NAME, end.offset + round(share * (ends[-1].offset - end.offset)))
        (folder / "pages-00002.warc.gz").write_bytes(b"\x1f\x8b half a record")
        with closing(WarcWriter(folder, end, ABOUT)) as writer:
            assert writer.end == end
            writer.write(exchange(9), FIELDS)
        assert pages(folder) == [exchange(n).url for n in (*range(committed), 9)]
        assert len(list(folder.iterdir())) == 1
        assert check(folder) == 0


def _cut(path: Path, length: int) -> None:
    with path.open("r+b") as file:
        file.truncate(length)


def test_lost_pages_are_reported_and_a_new_crawl_leaves_old_ones_alone(tmp_path: Path) -> None:
    end = written(tmp_path, exchange())[-1]
    with pytest.raises(FolderError, match="holds the pages of a crawl; choose another"):
        WarcWriter(tmp_path, None, ABOUT)
    _cut(tmp_path / NAME, end.offset - 1)
    with pytest.raises(FolderError, match=f"has {end.offset - 1} bytes, but {end.offset} were"):
        WarcWriter(tmp_path, end, ABOUT)
    (tmp_path / NAME).unlink()
    with pytest.raises(FolderError, match="is not there: put it back, or start a new crawl"):
        WarcWriter(tmp_path, end, ABOUT)
    with pytest.raises(FolderError, match=r"cannot be written to .*No such file"):
        WarcWriter(tmp_path / "none", None, ABOUT)


def test_a_full_disk_leaves_whole_records_also_from_the_start(tmp_path: Path) -> None:
    with closing(WarcWriter(tmp_path, None, ABOUT)) as writer:
        writer.write(exchange(1), FIELDS)
        end = writer.end
        with (
            files_limited_to(end.offset + 200),
            pytest.raises(FolderError, match="put that right, then go on"),
        ):
            writer.write(exchange(2), FIELDS)
        assert writer.end == end
        assert (tmp_path / NAME).stat().st_size == end.offset
        writer.write(exchange(3), FIELDS)
    assert pages(tmp_path) == [exchange(1).url, exchange(3).url]
    assert check(tmp_path) == 0
    folder = tmp_path / "new"
    folder.mkdir()
    with files_limited_to(10), pytest.raises(FolderError, match="pages cannot be written"):
        WarcWriter(folder, None, ABOUT)
    for there in [b"", b"\x1f\x8b half"]:  # nothing was committed yet
        (folder / NAME).write_bytes(there)
        with closing(WarcWriter(folder, WARC_START, ABOUT)) as writer:
            writer.write(exchange(), FIELDS)
        assert pages(folder) == [exchange().url]
        assert check(folder) == 0

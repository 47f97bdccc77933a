"""Archives that are cut, damaged or no archives at all: always one sentence, never a crash."""

from __future__ import annotations

import gzip as gzip_module
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warc_building import other, raw_record, response, revisit, warc_bytes, write_zip
from warcio.archiveiterator import ArchiveIterator

from scenthound.archive.opening import open_archive
from scenthound.core.errors import ArchiveError

A = "http://a.test/"
RECORDS = (
    other("warcinfo", "", b"software: x"),
    response(A, b"some text"),
    other("request", A, b"GET / HTTP/1.1\r\n\r\n", "application/http"),
    revisit("http://b.test/", A, "200 OK"),
    response("http://c.test/", b"\r\n\r\n"),
)


def test_warcio_passes_over_a_cut_which_is_why_we_read_ourselves(tmp_path: Path) -> None:
    """A plain record, cut in its body: warcio gives what is left, and no error."""
    whole = warc_bytes(response(A, b"some text"), gzip=False)
    path = tmp_path / "cut.warc"
    path.write_bytes(whole[: whole.index(b"some text") + 4])
    with path.open("rb") as file:
        assert [r.content_stream().read() for r in ArchiveIterator(file)] == [b"some"]
    with pytest.raises(ArchiveError, match="truncated"):
        open_archive(path, cache=tmp_path / "cache")


def pages_in(path: Path, cache: Path) -> int:
    with open_archive(path, cache=cache) as archive:
        return len(archive)


@pytest.mark.parametrize("gzip", [True, False], ids=["gzip", "plain"])
def test_a_cut_anywhere_is_found(tmp_path: Path, gzip: bool) -> None:
    parts = [warc_bytes(record, gzip=gzip) for record in RECORDS]
    whole = b"".join(parts)
    boundaries = {sum(map(len, parts[:n])): n for n in range(6)}
    path = tmp_path / "cut"
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        if boundaries.get(size, 0) >= 2:
            assert pages_in(path, tmp_path / "cache")
            continue
        with pytest.raises(ArchiveError) as caught:
            pages_in(path, tmp_path / "cache")
        begun = max(b for b in boundaries if b <= size)
        if size > 5 and size not in boundaries:
            message = f"is truncated after {boundaries[begun]} records (byte {begun})"
            assert message in str(caught.value)


def test_the_message_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "cut.warc.gz"
    path.write_bytes(warc_bytes(response(A)) + warc_bytes(response(A))[:50])
    with pytest.raises(ArchiveError, match=r"cut\.warc\.gz is truncated after 1 .*download"):
        open_archive(path, cache=tmp_path)


def test_garbage_between_records_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for gzip in (True, False):
        for garbage in (b"garbage", b"\x1f", b"\x00" * 100, b"WARC/1.0\r\n\r\n"):
            record = warc_bytes(response(A), gzip=gzip)
            path.write_bytes(record + garbage + record)
            with pytest.raises(ArchiveError, match="after 1 records"):
                open_archive(path, cache=tmp_path)


def test_every_damaged_byte_of_a_gzip_file_is_harmless(tmp_path: Path) -> None:
    whole = warc_bytes(response(A), response("http://b.test/"))
    path = tmp_path / "x"
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        try:
            # Flags and times in a gzip header are not covered by its CRC.
            assert pages_in(path, tmp_path / "cache") == 2
        except ArchiveError:
            continue


def test_one_gzip_stream_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(gzip_module.compress(warc_bytes(*RECORDS, gzip=False)))
    with pytest.raises(ArchiveError, match="warcio recompress"):
        open_archive(path, cache=tmp_path)


def test_a_member_shorter_than_its_record_is_damaged(tmp_path: Path) -> None:
    record = raw_record([("WARC-Type", "response")], b"HTTP/1.1 200 OK\r\n\r\n")
    path = tmp_path / "x.warc.gz"
    path.write_bytes(gzip_module.compress(record[:-10]))
    with pytest.raises(ArchiveError, match="is damaged after 0 records"):
        open_archive(path, cache=tmp_path)


@pytest.mark.parametrize("length", ["", "-1", "x", "1" * 30, "\u0663"])
def test_a_length_that_is_no_length_is_damage(tmp_path: Path, length: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(f"WARC/1.0\r\nContent-Length: {length}\r\n\r\n\r\n\r\n".encode())
    with pytest.raises(ArchiveError, match="damaged"):
        open_archive(path, cache=tmp_path)


def test_an_empty_gzip_member_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(
        gzip_module.compress(b"") + warc_bytes(response(A)) + gzip_module.compress(b"")
    )
    assert pages_in(path, tmp_path / "cache") == 1


def test_what_is_no_archive_is_named(tmp_path: Path) -> None:
    files = {"empty.warc": b"", "text.warc.gz": b"hello", "tar.gz": gzip_module.compress(b"tar")}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    write_zip(tmp_path / "zip", {"pages/pages.jsonl": b"{}"})
    os.mkfifo(tmp_path / "pipe")
    for name in [*files, "folder", "zip", "pipe", "missing.warc", "n" * 300]:
        with pytest.raises(ArchiveError, match=name):
            open_archive(tmp_path / name, cache=tmp_path / "cache")


def test_an_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.warc"
    path.write_bytes(warc_bytes(response(A)))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ArchiveError, match=r"secret\.warc cannot be read: Permission denied"):
        open_archive(path, cache=tmp_path)


def test_an_archive_that_changes_under_way_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(warc_bytes(response(A)))
    with open_archive(path, cache=tmp_path / "cache") as archive:
        path.write_bytes(b"something else")
        with pytest.raises(ArchiveError, match="has changed"):
            archive.fetch(A)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_dirt_never_crashes(tmp_path: Path, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["gzip", "plain", "stored", "deflated"]))
    whole = bytearray(_sample(tmp_path, kind))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "dirty"
    path.write_bytes(
        whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole
    )
    try:
        with open_archive(path, cache=tmp_path / "cache") as archive:
            assert all(archive.fetch(url) for url in archive.urls())
    except ArchiveError as error:
        assert str(path) in str(error)


def _sample(folder: Path, kind: str) -> bytes:
    warc = warc_bytes(*RECORDS, gzip=kind != "plain")
    if kind in ("gzip", "plain"):
        return warc
    method = {"stored": 0, "deflated": 8}[kind]
    return write_zip(folder / "sample", {"archive/x.warc.gz": warc}, method).read_bytes()

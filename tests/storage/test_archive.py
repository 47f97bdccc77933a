"""Archives and their index: one that is cut, damaged or none gives one sentence, never a crash."""

from __future__ import annotations

import gzip as gzip_module
import hashlib
import os
import random
import sqlite3
import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch
from warcio.archiveiterator import ArchiveIterator

from scenthound.core.errors import ArchiveError
from scenthound.storage import archive_index
from scenthound.storage.archive import open_archive, urls_of
from scenthound.storage.archive_index import DEFAULT_MAX_BODY, Skipped
from storage.warc_making import (
    other,
    raw_record,
    response,
    revisit,
    warc_bytes,
    write_warc,
    write_zip,
)

A, B = "http://a.test/", "http://b.test/"
RECORDS = (
    other("warcinfo", "", b"software: x"),
    response(A, b"some text"),
    other("request", A, b"GET / HTTP/1.1\r\n\r\n", "application/http"),
    revisit(B, A, "200 OK"),
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
    for size in sorted({*range(0, len(whole), 11), *boundaries} - {len(whole)}):
        path.write_bytes(whole[:size])
        if boundaries.get(size, 0) >= 2:
            assert pages_in(path, tmp_path / "cache")
            continue
        with pytest.raises(ArchiveError) as caught:
            pages_in(path, tmp_path / "cache")
        begun = max(b for b in boundaries if b <= size)
        if size > 5 and size not in boundaries:
            message = f"{path} is truncated after {boundaries[begun]} records (byte {begun})"
            assert message in str(caught.value) and "download" in str(caught.value)


def test_garbage_between_records_and_damage_of_each_kind_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for gzip in (True, False):
        for garbage in (b"garbage", b"\x1f", b"\x00" * 100, b"WARC/1.0\r\n\r\n"):
            record = warc_bytes(response(A), gzip=gzip)
            path.write_bytes(record + garbage + record)
            with pytest.raises(ArchiveError, match="after 1 records"):
                open_archive(path, cache=tmp_path)
    short = raw_record([("WARC-Type", "response")], b"HTTP/1.1 200 OK\r\n\r\n")
    lengths = ["", "-1", "x", "1" * 30, "\u0663"]  # that are none
    head = "WARC/1.0\r\nContent-Length: {}\r\n\r\n\r\n\r\n"
    for content, reported in [
        (gzip_module.compress(warc_bytes(*RECORDS, gzip=False)), "warcio recompress"),  # one stream
        (gzip_module.compress(short[:-10]), "is damaged after 0 records"),  # shorter than it says
        *((head.format(length).encode(), "damaged") for length in lengths),
    ]:
        path.write_bytes(content)
        with pytest.raises(ArchiveError, match=reported):
            open_archive(path, cache=tmp_path)


def test_damaged_bytes_and_empty_members_of_a_gzip_file_are_harmless(tmp_path: Path) -> None:
    whole = warc_bytes(response(A), response("http://b.test/"))
    path = tmp_path / "x"
    for position in range(0, len(whole), 7):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        try:
            # Flags and times in a gzip header are not covered by its CRC.
            assert pages_in(path, tmp_path / "cache") == 2
        except ArchiveError:
            continue
    empty = gzip_module.compress(b"")  # a member that is passed over
    path.write_bytes(empty + warc_bytes(response(A)) + empty)
    assert pages_in(path, tmp_path / "cache") == 1


def test_what_is_no_readable_archive_is_named(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    files = {"empty.warc": b"", "text.warc.gz": b"hello", "tar.gz": gzip_module.compress(b"tar")}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    write_zip(tmp_path / "zip", {"pages/pages.jsonl": b"{}"})
    os.mkfifo(tmp_path / "pipe")
    for name in [*files, "folder", "zip", "pipe", "missing.warc", "n" * 300]:
        with pytest.raises(ArchiveError, match=name):
            open_archive(tmp_path / name, cache=tmp_path / "cache")
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


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def write(folder: Path, *names: str, body: bytes = b"<html>text") -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return folder


def test_the_path_is_the_url() -> None:
    for name, urls in [
        ("a.test/page.html", ["http://a.test/page.html"]),
        ("a.test/index.html", ["http://a.test/index.html", "http://a.test/"]),
        ("a.test/x/index.htm", ["http://a.test/x/index.htm", "http://a.test/x/"]),
        ("A.test:8080/x", ["http://a.test:8080/x"]),
        ("index.html", ["http://folder.test/index.html", "http://folder.test/"]),
        ("nodot/page.html", ["http://folder.test/nodot/page.html"]),
        ("a.test/p.php?id=1&x=a b", ["http://a.test/p.php?id=1&x=a%20b"]),
        ("a.test/a?b/c#d", ["http://a.test/a%3Fb/c%23d"]),
        ("a.test/100% (sure)", ["http://a.test/100%25%20%28sure%29"]),
        ("a.test/a%2Fb", ["http://a.test/a%2Fb"]),
        ("a.test/caf\u00e9", ["http://a.test/caf%C3%A9"]),
        (os.fsdecode(b"a.test/caf\xe9"), ["http://a.test/caf%E9"]),
    ]:
        assert urls_of(Path(name)) == urls


def test_files_are_pages_unless_they_are_gone_and_a_folder_needs_html(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    folder = write(tmp_path / "web", "a.test/index.html", "a.test/p.php?id=1", "a.test/s.css?v=2")
    write(folder, "a.test/data.bin2", body=b"\x00\x01")
    (folder / os.fsdecode(b"a.test/caf\xe9.html")).write_bytes(b"latin")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        pages = {url: archive.fetch(url) for url in archive.urls()}
        assert {url: page and page.headers["content-type"] for url, page in pages.items()} == {
            "http://a.test/caf%E9.html": "text/html",
            "http://a.test/data.bin2": "application/octet-stream",
            "http://a.test/index.html": "text/html",
            "http://a.test/": "text/html",
            "http://a.test/p.php?id=1": "text/html",
            "http://a.test/s.css?v=2": "text/css",
        }
        assert len(archive) == 6
        page = pages["http://a.test/"]
        assert page is not None
        assert (page.url, page.status, page.body) == ("http://a.test/", 200, b"<html>text")
        moved = archive.fetch("https://a.test/")  # files do not say by which they were fetched
        assert moved is not None
        assert (moved.status, moved.headers) == (301, {"location": "http://a.test/"})
        assert "https://a.test/" in archive and "https://a.test/other" not in archive
        assert archive.fetch("https://a.test/other") is None
    for limit, truncated in [(9, True), (10, False)]:
        monkeypatch.setattr("scenthound.storage.archive.DEFAULT_MAX_BODY", limit)
        with open_archive(folder, cache=tmp_path / "cache") as archive:
            page = archive.fetch("http://a.test/")
            assert page is not None
            assert (page.body, page.truncated) == (b"<html>text"[:limit], truncated)
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        (folder / "a.test" / "index.html").unlink()
        with pytest.raises(ArchiveError, match=r"index\.html cannot be read"):
            archive.fetch("http://a.test/")
    folder = write(tmp_path / "other", "notes.txt", "data/x.csv", body=b"text")
    with pytest.raises(ArchiveError, match="holds no HTML"):
        open_archive(folder, cache=tmp_path / "cache")


def test_symlinks_outside_and_others_are_skipped(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    folder = write(tmp_path / "web", "inside.html")
    outside = write(tmp_path / "outside", "secret.html")
    (folder / "file.html").symlink_to(outside / "secret.html")
    (folder / "folder").symlink_to(outside)
    (folder / "circle").symlink_to(folder)
    (folder / "self").symlink_to(folder / "self")
    (folder / "alias.html").symlink_to(folder / "inside.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert list(archive.urls()) == [
            "http://folder.test/alias.html",
            "http://folder.test/inside.html",
        ]
        assert archive.skipped == {
            "symlink that leads outside the folder": Skipped(1, ("file.html",))
        }
    folder = write(tmp_path / "other", "a.html", "b.html", "-not.a-host-/x.html")
    monkeypatch.setattr(os, "access", lambda file, mode: file.name != "b.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert archive.skipped == {
            "unusable URL": Skipped(1, ("-not.a-host-/x.html",)),
            "unreadable file": Skipped(1, ("b.html",)),
        }
        assert list(archive.urls()) == ["http://folder.test/a.html"]


PAGE = 20_000


def write_pages(path: Path, count: int, gzip: bool) -> Path:
    noise = random.Random(7).randbytes(PAGE)
    with path.open("wb") as file:
        for i in range(count):
            file.write(warc_bytes(response(f"http://a.test/{i}", noise), gzip=gzip))
    return path


def peak_of_reading(path: Path, cache: Path, most: int = PAGE) -> int:
    """Peak of Python's memory while the archive is read through, so much of each page."""
    tracemalloc.start()
    try:
        with pytest.MonkeyPatch.context() as patch, open_archive(path, cache=cache) as archive:
            patch.setattr("scenthound.storage.archive.DEFAULT_MAX_BODY", most)
            for url in archive.urls():
                page = archive.fetch(url)
                assert page is not None and len(page.body) == most
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("gzip", [True, False], ids=["gzip", "plain"])
def test_ten_times_the_pages_need_no_more_memory(tmp_path: Path, gzip: bool) -> None:
    warm_up = write_pages(tmp_path / "warm-up", 20, gzip)
    peak_of_reading(warm_up, tmp_path / "cache")
    few = peak_of_reading(write_pages(tmp_path / "few", 20, gzip), tmp_path / "cache")
    many = peak_of_reading(write_pages(tmp_path / "many", 200, gzip), tmp_path / "cache")
    assert many < few + 200_000  # the bodies are 3.6 MB more


def test_one_huge_record_needs_no_more_memory_than_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.write_bytes(warc_bytes(response(A, bytes(30_000_000))))
    assert peak_of_reading(path, tmp_path / "cache", 100_000) < 2_000_000
    with open_archive(path, cache=tmp_path / "cache") as archive:
        page = archive.fetch(A)
        assert page is not None and page.truncated and len(page.body) == DEFAULT_MAX_BODY


# The index is reused when it is whole and fits, and rebuilt or put elsewhere when not.


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    return write_warc(tmp_path / "x.warc.gz", response(A, b"a"), response("bad:url"), response(B))


def builds(path: Path, cache: Path | None) -> bool:
    """Open the archive, check that it works, and tell whether an index was built."""
    calls: list[tuple[int, int]] = []
    with open_archive(path, cache=cache, progress=lambda *call: calls.append(call)) as archive:
        page = archive.fetch(A)
        assert page is not None and page.body == b"a"
        assert archive.skipped["unusable URL"].count == 1
    return bool(calls)


def test_the_index_is_reused_until_the_archive_changes_and_old_ones_go(
    warc: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "deep" / "cache"
    assert builds(warc, cache)
    assert not builds(warc, cache)
    assert len(list(cache.iterdir())) == 1
    os.utime(warc, ns=(1, 1))
    assert builds(warc, cache)
    warc = warc.rename(tmp_path / "y.warc.gz")
    assert builds(warc, cache)
    for index in cache.iterdir():
        index.unlink()
    names = ("archive-old.part", "archive-new.part", "other.part", "archive-forgotten.sqlite")
    for name in names:
        (cache / name).write_bytes(b"")
        if "new" not in name:
            os.utime(cache / name, (1, 1))
    assert builds(warc, cache)
    assert {file.name for file in cache.glob("*.part")} == {"archive-new.part", "other.part"}
    (index,) = cache.glob("*.sqlite")
    os.utime(index, (1, 1))
    assert not builds(warc, cache)
    assert index.stat().st_mtime > 1


def test_a_corrupt_index_is_rebuilt_silently(warc: Path, tmp_path: Path) -> None:
    for damage in ["empty", "garbage", "cut", "middle", "unfinished", "folder"]:
        cache = tmp_path / damage
        assert builds(warc, cache)
        (index,) = cache.iterdir()
        whole = index.read_bytes()
        index.unlink()
        match damage:
            case "folder":
                index.mkdir()
            case "unfinished":
                sqlite3.connect(index).close()
            case _:
                cut = {"empty": b"", "garbage": b"x" * 5000, "cut": whole[:5000]}
                index.write_bytes(cut.get(damage, whole[:4096] + b"x" * 4096 + whole[8192:]))
        assert builds(warc, cache)


def test_a_cache_that_is_not_writable(warc: Path, tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    (tmp_path / "file").write_bytes(b"in the way")
    assert builds(warc, tmp_path / "file" / "cache")
    assert builds(warc, tmp_path / "file")
    assert list(scratch.iterdir()) == []

    def fail(path: Path) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(archive_index, "IndexWriter", fail)
    with pytest.raises(ArchiveError, match=r"index of .*x\.warc\.gz cannot be written: disk"):
        open_archive(warc, cache=tmp_path / "cache")


def test_the_default_is_a_users_cache(warc: Path, tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert builds(warc, None)
    assert len(list((tmp_path / "xdg" / "scenthound").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert archive_index.default_cache() == tmp_path / "home" / ".cache" / "scenthound"


def test_progress_reaches_the_size_and_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "x", *(response(f"http://a.test/{i}") for i in range(500)))
    calls: list[tuple[int, int]] = []
    open_archive(path, cache=tmp_path, progress=lambda *call: calls.append(call)).close()
    size = path.stat().st_size
    assert calls == sorted(calls)
    assert calls[-1] == (size, size)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_archive(path, cache=tmp_path / "cache", progress=interrupt)
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_fingerprint_depends_on_names_and_contents(tmp_path: Path) -> None:
    def fingerprint(name: str, *files: tuple[str, bytes]) -> str:
        for file, content in files:
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / file).write_bytes(content)
        with open_archive(tmp_path / name, cache=tmp_path / "cache") as archive:
            return archive.fingerprint

    one = fingerprint("1", ("a.html", b"<html>"), ("b.html", b""))
    assert one == fingerprint("2", ("b.html", b""), ("a.html", b"<html>"))
    assert one != fingerprint("3", ("a.html", b"<html>"), ("c.html", b""))
    assert one != fingerprint("4", ("a.html", b"<html>"), ("b.html", b"x"))
    path = write_warc(tmp_path / "x.warc.gz", response(A))
    archive = open_archive(path, cache=tmp_path / "cache")
    assert archive.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()
    archive.close()
    archive.close()  # a second time does nothing

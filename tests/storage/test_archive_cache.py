"""The index is reused when it is whole and fits, and rebuilt or put elsewhere when not."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from pathlib import Path

import pytest

from scenthound.core.errors import ArchiveError
from scenthound.storage import archive_index
from scenthound.storage.archive import open_archive
from storage.warc_building import response, write_warc

A, B = "http://a.test/", "http://b.test/"


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


def test_the_index_is_reused_until_the_archive_changes(warc: Path, tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache"
    assert builds(warc, cache)
    assert not builds(warc, cache)
    assert len(list(cache.iterdir())) == 1
    os.utime(warc, ns=(1, 1))
    assert builds(warc, cache)
    moved = warc.rename(tmp_path / "y.warc.gz")
    assert builds(moved, cache)


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


def test_a_cache_that_cannot_be_written_is_done_without(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    (tmp_path / "file").write_bytes(b"in the way")
    assert builds(warc, tmp_path / "file" / "cache")
    assert builds(warc, tmp_path / "file")
    assert list(scratch.iterdir()) == []


def test_where_no_index_can_be_written_the_error_says_so(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(archive_index, "IndexWriter", fail)
    with pytest.raises(ArchiveError, match=r"index of .*x\.warc\.gz cannot be written: disk"):
        open_archive(warc, cache=tmp_path / "cache")


def test_an_interrupted_build_leaves_nothing(warc: Path, tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_archive(warc, cache=tmp_path / "cache", progress=interrupt)
    assert list((tmp_path / "cache").iterdir()) == []


def test_what_a_killed_build_left_is_removed_after_a_day_and_old_indexes_after_months(
    warc: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
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


def test_the_default_cache_is_the_users(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert builds(warc, None)
    assert len(list((tmp_path / "xdg" / "scenthound").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert archive_index.default_cache() == tmp_path / "home" / ".cache" / "scenthound"


def test_progress_goes_up_to_the_size_of_the_archive(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "x", *(response(f"http://a.test/{i}") for i in range(500)))
    calls: list[tuple[int, int]] = []
    open_archive(path, cache=tmp_path, progress=lambda *call: calls.append(call)).close()
    size = path.stat().st_size
    assert calls == sorted(calls)
    assert calls[-1] == (size, size)
    assert 50 < len(calls) <= 101


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

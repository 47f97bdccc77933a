"""WACZ files and folders of WARCs."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

import pytest
from warc_building import response, warc_bytes, write_warc, write_zip

from scenthound.archive.opening import open_archive
from scenthound.core.errors import ArchiveError

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go during the test."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def members() -> dict[str, bytes]:
    return {
        "datapackage.json": b"{}",
        "archive/2.warc": warc_bytes(response(A, b"second"), response(B, b"b"), gzip=False),
        "archive/1.warc.gz": warc_bytes(response(A, b"first")),
        "archive/readme.txt": b"not a WARC",
        "elsewhere/3.warc": warc_bytes(response(C), gzip=False),
    }


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_all_warcs_of_a_wacz_are_read_by_name(tmp_path: Path, scratch: Path, method: int) -> None:
    path = write_zip(tmp_path / "named anyhow", members(), method)
    for _ in range(2):  # the second time with the index of the first
        with open_archive(path, cache=tmp_path / "cache") as archive:
            assert list(archive.urls()) == [A, B]
            first, second = archive.fetch(A), archive.fetch(B)
            assert first is not None and second is not None
            assert (first.body, second.body) == (b"first", b"b")
            extracted = [file for file in scratch.rglob("*.warc") if file.is_file()]
            assert len(extracted) == (0 if method == zipfile.ZIP_STORED else 2)
        assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_cut_wacz_is_refused(tmp_path: Path, method: int) -> None:
    whole = write_zip(tmp_path / "whole", members(), method).read_bytes()
    path = tmp_path / "cut.wacz"
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(ArchiveError, match=r"cut\.wacz"):
            open_archive(path, cache=tmp_path / "cache")


def test_a_cut_warc_in_a_whole_wacz_is_named(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.wacz", {"archive/cut.warc.gz": warc_bytes(response(A))[:-3]})
    with pytest.raises(ArchiveError, match=r"x\.wacz \(archive/cut\.warc\.gz\) is truncated"):
        open_archive(path, cache=tmp_path / "cache")


def test_a_folder_of_warcs_is_one_archive(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_warc(folder / "b.warc", response(A, b"late"), response(B), gzip=False)
    write_warc(folder / "a" / "x.WARC.GZ", response(A, b"early"))
    write_zip(folder / "c.wacz", {"archive/x.warc.gz": warc_bytes(response(C))})
    (folder / "index.html").write_bytes(b"<html>")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert list(archive.urls()) == [A, B, C]
        page = archive.fetch(A)
        assert page is not None and page.body == b"early"


def test_a_broken_file_in_a_folder_is_named(tmp_path: Path) -> None:
    write_warc(tmp_path / "web" / "a.warc.gz", response(A))
    (tmp_path / "web" / "b.warc.gz").write_bytes(b"")
    with pytest.raises(ArchiveError, match=r"b\.warc\.gz is empty"):
        open_archive(tmp_path / "web", cache=tmp_path / "cache")


def test_more_files_than_may_be_open_at_once(tmp_path: Path) -> None:
    for i in range(50):
        write_warc(tmp_path / "web" / f"{i:02}.warc", response(f"http://{i}.test/", b"%d" % i))
    with open_archive(tmp_path / "web", cache=tmp_path / "cache") as archive:
        for i in [*range(50), *range(0, 50, 7)]:
            page = archive.fetch(f"http://{i}.test/")
            assert page is not None and page.body == b"%d" % i

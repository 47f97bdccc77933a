"""Folders of HTML files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenthound.archive.html_folder import urls_of
from scenthound.archive.opening import Skipped, open_archive
from scenthound.core.errors import ArchiveError


def write(folder: Path, *names: str, body: bytes = b"<html>text") -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return folder


@pytest.mark.parametrize(
    ("name", "urls"),
    [
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
    ],
)
def test_the_path_is_the_url(name: str, urls: list[str]) -> None:
    assert urls_of(Path(name)) == urls


def test_files_are_pages(tmp_path: Path) -> None:
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


def test_bodies_are_cut(tmp_path: Path) -> None:
    folder = write(tmp_path / "web", "x.html", body=b"12345")
    for limit, truncated in [(4, True), (5, False)]:
        with open_archive(folder, cache=tmp_path / "cache", max_body=limit) as archive:
            page = archive.fetch("http://folder.test/x.html")
            assert page is not None
            assert (page.body, page.truncated) == (b"12345"[:limit], truncated)


def test_symlinks_never_lead_outside(tmp_path: Path) -> None:
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


def test_a_name_that_makes_no_url_is_counted(tmp_path: Path) -> None:
    folder = write(tmp_path / "web", "a.test/x.html", "-not.a-host-/x.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert archive.skipped == {"unusable URL": Skipped(1, ("-not.a-host-/x.html",))}


def test_a_folder_without_html_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "web", "notes.txt", "data/x.csv", body=b"text")
    with pytest.raises(ArchiveError, match="holds no HTML"):
        open_archive(folder, cache=tmp_path / "cache")


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "web", "x.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        (folder / "x.html").unlink()
        with pytest.raises(ArchiveError, match=r"x\.html cannot be read"):
            archive.fetch("http://folder.test/x.html")


def test_an_unreadable_file_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "web", "a.html", "b.html")
    monkeypatch.setattr(os, "access", lambda file, mode: file.name == "a.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert archive.skipped == {"unreadable file": Skipped(1, ("b.html",))}
        assert list(archive.urls()) == ["http://folder.test/a.html"]


def test_https_leads_to_the_file(tmp_path: Path) -> None:
    """Files do not say by which of the two they were fetched."""
    folder = write(tmp_path / "web", "a.test/index.html")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        answer = archive.fetch("https://a.test/")
        assert answer is not None
        assert (answer.status, answer.headers) == (301, {"location": "http://a.test/"})
        assert "https://a.test/" in archive
        assert archive.fetch("https://a.test/other") is None
        assert "https://a.test/other" not in archive

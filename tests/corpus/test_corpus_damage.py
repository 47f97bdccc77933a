"""A crawl that is damaged: what can be read is exported, and the rest is told."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

import scenthound
from corpus.corpus_making import article, html_folder, replay_of
from scenthound.archive import open_archive
from scenthound.core.errors import ArchiveError, FolderError, SettingsError
from scenthound.corpus.bodies import Place
from scenthound.corpus.choosing import NO_RECORD
from scenthound.corpus.losses import LOST
from scenthound.corpus.stored_crawl import open_crawl

WARC = "pages-00001.warc.gz"


@pytest.fixture
def folder(live_crawl: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(live_crawl, tmp_path / "crawl" / "storms"))


def places(folder: Path) -> dict[int, Place]:
    """Where the pages with a text lie, by their numbers."""
    with open_crawl(folder) as stored:
        found = {page.n: stored.bodies.place(page) for page in stored.pages() if page.has_document}
    return {n: place for n, place in found.items() if place is not None}


def zero(folder: Path, place: Place) -> None:
    """Fifty bytes in the middle of a record."""
    path = folder / place.file
    content = bytearray(path.read_bytes())
    middle = place.offset + place.length // 2
    content[middle : middle + 50] = bytes(50)
    path.write_bytes(content)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def listed(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        pages = archive.read("pages/pages.jsonl").decode().splitlines()[1:]
    return [str(json.loads(line)["url"]) for line in pages]


@pytest.mark.parametrize("text", [True, False])
def test_a_damaged_record_costs_its_page_alone(folder: Path, tmp_path: Path, text: bool) -> None:
    n, place = list(places(folder).items())[1]
    zero(folder, place)
    done = scenthound.export(folder, tmp_path / "x.jsonl", text=text, jobs=1)
    rows = lines(tmp_path / "x.jsonl")
    assert (done.rows, done.lost) == (len(rows), 1) == (4, 1)
    assert f"holds no page at byte {place.offset}" in done.damage
    (lost,) = [row for row in rows if row["problem"] == LOST]
    assert (lost["n"], lost["size"], lost["warc_offset"]) == (n, None, place.offset)
    assert not lost.get("text") and lost["title"]
    assert all(row["size"] and (not text or row["text"]) for row in rows if row is not lost)


def test_a_file_that_was_cut_costs_what_was_behind(folder: Path, tmp_path: Path) -> None:
    second = list(places(folder).values())[1]
    path = folder / second.file
    path.write_bytes(path.read_bytes()[: second.offset + 20])
    done = scenthound.export(folder, tmp_path / "x.jsonl", jobs=1)
    assert (done.rows, done.lost) == (4, 3)
    assert [bool(row["text"]) for row in lines(tmp_path / "x.jsonl")] == [True, False, False, False]


def test_without_its_file_the_journal_is_left(folder: Path, tmp_path: Path) -> None:
    (folder / WARC).unlink()
    done = scenthound.export(folder, tmp_path / "x.jsonl", text=False)
    assert (done.rows, done.lost) == (4, 4) and f"{WARC} cannot be read" in done.damage
    fields = ["n", "url", "relevance"]
    whole = scenthound.export(folder, tmp_path / "y.jsonl", fields=fields)
    assert (whole.rows, whole.lost, whole.damage) == (4, 0, "")


@pytest.mark.parametrize("text", [True, False])
def test_a_wacz_leaves_out_what_is_lost(folder: Path, tmp_path: Path, text: bool) -> None:
    with open_crawl(folder) as stored:
        urls = {page.n: page.url for page in stored.pages()}
    n, place = list(places(folder).items())[1]
    zero(folder, place)
    out = tmp_path / "x.wacz"
    done = scenthound.export(folder, out, text=text, jobs=1)
    assert (done.rows, done.lost, done.left_out[NO_RECORD]) == (3, 1, 1)
    assert done.damage == f"{WARC} is damaged at byte {place.offset}: put it back as it was."
    pages = listed(out)
    assert urls[n] not in pages and len(pages) == 3
    with open_archive(out, cache=tmp_path) as archive:
        assert archive.fetch(urls[n]) is None
        assert all(archive.fetch(url) is not None for url in pages)


def test_damage_to_no_page_is_told_as_well(folder: Path, tmp_path: Path) -> None:
    first = next(iter(places(folder).values()))
    request = Place(first.file, first.offset + first.length, 200)
    zero(folder, request)
    table = scenthound.export(folder, tmp_path / "x.jsonl", jobs=1)
    assert (table.lost, table.damage) == (0, "")
    archive = scenthound.export(folder, tmp_path / "x.wacz", text=False)
    assert (archive.rows, archive.lost) == (4, 0) and "is damaged" in archive.damage


def test_an_undamaged_crawl_has_no_damage(live_crawl: Path, tmp_path: Path) -> None:
    for format_ in ("jsonl", "wacz"):
        done = scenthound.export(live_crawl, tmp_path / f"x.{format_}", text=False)
        assert (done.lost, done.damage) == (0, "")


def test_a_replay_without_its_archive_has_what_the_journal_knows(tmp_path: Path) -> None:
    replay = html_folder(tmp_path, {"index.html": article("Storm")})
    (tmp_path / "web").rename(tmp_path / "moved")
    gone = r"web, which was replayed, is gone: put it back, or do without texts \(--no-text\)\.$"
    with pytest.raises(ArchiveError, match=gone):
        scenthound.export(replay, tmp_path / "x.jsonl", jobs=1)
    with pytest.raises(ArchiveError, match=r"is gone: put it back\.$"):
        scenthound.export(replay, tmp_path / "x.wacz")
    assert not (tmp_path / "x.jsonl").exists() and not (tmp_path / "x.wacz").exists()
    done = scenthound.export(replay, tmp_path / "x.jsonl", text=False)
    assert (done.rows, done.lost) == (1, 1) and done.damage.endswith("is gone: put it back.")


def test_an_archive_that_has_changed_is_told_as_such(live_crawl: Path, tmp_path: Path) -> None:
    archive = tmp_path / "web.warc.gz"
    shutil.copy(live_crawl / WARC, archive)
    with open_crawl(live_crawl) as stored:
        seed = next(stored.pages()).url
    replay = replay_of(archive, tmp_path / "replay", seed, 3)
    archive.write_bytes(archive.read_bytes()[:-50])
    with pytest.raises(ArchiveError, match=r"that was replayed has changed: .*truncated"):
        scenthound.export(replay, tmp_path / "x.jsonl", jobs=1)


@pytest.mark.parametrize("crawl", ["live_crawl", "replayed"])
def test_an_empty_journal(crawl: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(request.getfixturevalue(crawl), tmp_path / "empty"))
    (folder / "journal.jsonl").write_bytes(b"")
    with pytest.raises(FolderError, match=r"journal\.jsonl is empty: put it back"):
        scenthound.export(folder, tmp_path / "x.jsonl")


def test_the_journal_of_a_live_crawl_has_what_was_committed(folder: Path, tmp_path: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-30])
    with pytest.raises(FolderError, match="is shorter than it was"):
        scenthound.export(folder, tmp_path / "x.jsonl")


def test_the_journal_of_a_replay_may_be_cut(replayed: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(replayed, tmp_path / "cut"))
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'"event":"page"') + 20])
    done = scenthound.export(folder, tmp_path / "x.jsonl", text=False)
    assert (done.rows, done.lost) == (1, 0)
    assert done.damage == f"{journal} is cut: later pages are missing."


@pytest.mark.parametrize("name", ["x.jsonl", "x.wacz", "journal.jsonl", "sub/x.csv"])
def test_nothing_is_written_into_the_crawl_folder(folder: Path, name: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "sub").mkdir()
    with pytest.raises(SettingsError, match="is in the crawl folder"):
        scenthound.export(folder, folder / name, text=False, force=True)
    (folder / "sub").rmdir()
    names = {name for name in before if not name.endswith(("-wal", "-shm"))}
    assert {name: (folder / name).read_bytes() for name in names} == {
        name: before[name] for name in names
    }


def test_nor_over_the_archive_that_was_replayed(live_crawl: Path, tmp_path: Path) -> None:
    archive = tmp_path / "web.wacz"
    scenthound.export(live_crawl, archive, text=False)
    before = archive.read_bytes()
    replay = replay_of(archive, tmp_path / "replay", listed(archive)[0], 2)
    with pytest.raises(SettingsError, match="is the archive that was replayed"):
        scenthound.export(replay, archive, text=False, force=True)
    assert archive.read_bytes() == before

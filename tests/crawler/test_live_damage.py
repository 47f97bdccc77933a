"""A folder that is not as the crawl left it, and a disk that is full: one clear sentence each."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawler.live_running import again, check_kept, crawl, events
from crawler.live_web import MemoryWeb
from scenthound.core.errors import FolderError
from scenthound.storage import warc_writer
from storage.warc_making import files_limited_to

Damage = Callable[[Path], object]
WARC, DATABASE = "pages-00001.warc.gz", "frontier.sqlite"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A crawl that has fetched ten of its twenty pages; its web is served as long."""
    with MemoryWeb() as web:
        urls = web.add_linked(pages=20, hosts=2)
        out = tmp_path_factory.mktemp("begun") / "out"
        crawl(out, urls[:1], max_pages=10)
        yield out


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Path:
    """A copy of that crawl."""
    return Path(shutil.copytree(begun, tmp_path / "out"))


def cut(name: str, size: int = 100) -> Damage:
    return lambda folder: os.truncate(folder / name, size)


def gone(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def written(name: str, content: bytes) -> Damage:
    return lambda folder: (folder / name).write_bytes(content)


def of_version(number: int) -> Damage:
    def damage(folder: Path) -> None:
        with closing(sqlite3.connect(folder / DATABASE)) as database:
            database.execute(f"PRAGMA user_version = {number}")

    return damage


def with_spec(**changes: object) -> Damage:
    def damage(folder: Path) -> None:
        crawl_spec = json.loads((folder / "crawl.json").read_text())
        (folder / "crawl.json").write_text(json.dumps({**crawl_spec, **changes}))

    return damage


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut("journal.jsonl"), "has 100 bytes, but"),
        (gone("journal.jsonl"), "has 0 bytes, but"),
        (cut(WARC), "has 100 bytes, but"),
        (gone(WARC), "is not there: put it back"),
        (of_version(99), "format version 99"),
        (written(DATABASE, b"no database at all" * 100), "is not a database of Scenthound"),
        (cut(DATABASE, 8192), "is damaged"),
        (gone(DATABASE), "frontier.sqlite is gone: put it back"),
        (written("topic.json", b"{}"), "is damaged"),
        (gone("crawl.json"), "there is no crawl.json"),
        (with_spec(version=99), "format version 99"),
    ],
)
def test_damage_is_told_in_one_sentence(folder: Path, damage: Damage, words: str) -> None:
    damage(folder)
    with pytest.raises(FolderError, match=words) as told:
        again(folder, max_pages=20)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("damage", [gone("state.npz"), written("state.npz", b"nonsense")])
def test_what_can_be_made_again_may_be_missing(folder: Path, damage: Damage) -> None:
    damage(folder)
    gone("results.json")(folder)
    assert again(folder, max_pages=20).run.fetched == 20
    assert len(check_kept(folder)) == 20


def test_what_was_written_after_the_last_commit_is_cut_off(folder: Path) -> None:
    with (folder / WARC).open("ab") as file:
        file.write(b"half a record")
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"event":"page","n":11,"url":"http://nowhere.test/"}\n{"ev')
    (folder / "pages-00002.warc.gz").write_bytes(b"a segment that was never committed")
    assert again(folder, max_pages=20).run.fetched == 20
    assert "http://nowhere.test/" not in check_kept(folder)


def test_a_page_that_cannot_be_written_ends_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(range(15))

    def full(file: object, content: bytes) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        original(file, content)  # type: ignore[arg-type]

    original = warc_writer._write_all
    with MemoryWeb() as web:
        urls = web.add_linked(pages=20, hosts=2)
        with monkeypatch.context() as patched:
            patched.setattr(warc_writer, "_write_all", full)
            with pytest.raises(FolderError, match="No space left on device"):
                crawl(tmp_path / "out", urls[:1])
        stopped = events(tmp_path / "out")[-1]
        kept = again(tmp_path / "out")
    assert stopped["event"] == "stopped"
    assert stopped["reason"].startswith("error: FolderError: pages cannot be written")
    assert kept.stopped == "frontier empty"
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)


def test_a_full_disk_leaves_a_crawl_that_can_go_on(tmp_path: Path) -> None:
    """No file may grow beyond a size: the database, the journal or the pages are the first."""
    with MemoryWeb() as web:
        urls = web.add_linked(pages=120, hosts=2)
        crawl(tmp_path / "out", urls[:1], max_pages=5)
        with files_limited_to(60_000), pytest.raises(FolderError) as told:
            again(tmp_path / "out", max_pages=2_000)
        assert "\n" not in str(told.value)
        kept = again(tmp_path / "out", max_pages=2_000)
    assert kept.stopped == "frontier empty"
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)

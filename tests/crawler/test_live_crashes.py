"""Killed at any moment, damaged, or without room on the disk, a crawl goes on or says why not."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.live.crashes import aftermath, asks_for_more, endure, is_running_after

from crawler.live_replies import late
from crawler.live_running import (
    AtPage,
    again,
    check_kept,
    crawl,
    crawling,
    events,
    job,
    prepare,
    stored,
)
from crawler.live_web import LiveWeb, MemoryWeb, ok, page
from scenthound.core.errors import FolderError
from scenthound.core.model import Candidate, FetchedPage, Score
from scenthound.core.protocols import State
from scenthound.storage import warc_writer
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.pages import Response, read_page
from scenthound.storage.state import read_topic_profile
from storage.warc_making import Found, files_limited_to

STRATEGY = "soft-sdvsm"


def test_many_kills_change_nothing(tmp_path: Path) -> None:
    with LiveWeb(hosts=10) as web:
        urls = web.add_linked(pages=70, hosts=10, seed=6)
        prepare(tmp_path / "out", urls[:1], strategy=STRATEGY)
        kills = endure(tmp_path / "out", web, 2, random.Random(6))
    assert kills >= 1
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)
    left = aftermath(tmp_path / "out")
    assert left.consistent and left.warc_valid and left.duplicates == 0
    assert events(tmp_path / "out")[-1]["reason"] == "frontier empty"
    assert _learned(tmp_path / "out") == _learned_from_the_same_pages(tmp_path / "out", urls[:1])


def test_a_kill_while_examples_are_fetched(tmp_path: Path) -> None:
    """Nothing has been committed by then: the examples are fetched again, and stored once."""
    with LiveWeb(hosts=3) as web:
        examples = [
            web.add(1, f"/example/{n}", late(ok(page(f"E{n}", f"A storm {n}.", ["/on"])), 0.05))
            for n in range(8)
        ]
        on = web.add(1, "/on", page("On", "A hurricane."))
        prepare(tmp_path / "out", [], examples=tuple(examples), keywords=(), per_host=1)
        for count in (0, 5):
            with crawling(tmp_path / "out") as process:
                assert asks_for_more(process, web, count)
        kept = again(tmp_path / "out")
    assert kept.stopped == "frontier empty"
    assert sorted(check_kept(tmp_path / "out")) == sorted([*examples, on])


def test_a_kill_while_the_crawl_is_closed(tmp_path: Path) -> None:
    """Everything has been fetched; what was not committed is fetched again."""
    with LiveWeb(hosts=4) as web:
        urls = web.add_linked(pages=20, hosts=4, seed=7)
        prepare(tmp_path / "out", urls[:1], strategy=STRATEGY)
        with crawling(tmp_path / "out") as process:
            while not set(urls) <= set(web.requested()):
                assert asks_for_more(process, web, 1)
            is_running_after(process, 0.03)
        kept = again(tmp_path / "out")
    assert kept.stopped == "frontier empty"
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)
    assert _learned(tmp_path / "out") == _learned_from_the_same_pages(tmp_path / "out", urls[:1])


def test_a_downloader_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """Its process may be killed alone, for want of memory say: the crawl goes on."""
    killed: list[int] = []

    def kill() -> None:
        ours = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        for child in map(int, ours):
            if b"scenthound.fetch.downloader" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                killed.append(child)

    with LiveWeb(hosts=4) as web:
        urls = web.add_linked(pages=20, hosts=4, seed=9)
        kept = crawl(tmp_path / "out", urls[:1], watcher=AtPage(8, kill))
    assert len(killed) == 1 and kept.stopped == "frontier empty"
    assert sorted(check_kept(kept.folder)) == sorted(urls)


def _learned(folder: Path) -> dict[str, object]:
    """What the strategy had learned when the crawl was closed."""
    return _counts(CrawlFolder(folder).load_state())


def _learned_from_the_same_pages(folder: Path, seeds: list[str]) -> dict[str, object]:
    """What a fresh strategy learns that observes the pages of the journal in their order."""
    fresh = job(seeds, strategy=STRATEGY)
    profile = read_topic_profile(folder)
    assert profile is not None
    strategy = fresh.strategy(profile, fresh.analyzer())
    found = {record.warc["WARC-Target-URI"]: record for record in stored(folder)}
    for event in events(folder):
        if event["event"] == "page":
            strategy.scorer.observe(_observed(found[event["url"]]))
    return _counts(strategy.state())


def _observed(record: Found) -> FetchedPage:
    headers = {name.lower(): value for name, value in record.http}
    response = Response(record.warc["WARC-Target-URI"], 200, headers, record.content)
    page = read_page(response, (), 0.0)
    return FetchedPage(Candidate(page.url, Score(0.0), 1), page)


def _counts(state: State) -> dict[str, object]:
    """Pages seen and pages with each word; the order of the words means nothing."""
    scorer: Any = state["scorer"]
    seen, topic = scorer["frequencies"], scorer["topic"]
    counts = dict(zip(seen["terms"], seen["counts"].tolist(), strict=True))
    weights = np.round(topic["weights"], 9).tolist()
    return {
        "documents": seen["documents"],
        "counts": {term: count for term, count in counts.items() if count},
        "topic": dict(zip(topic["terms"], weights, strict=True)),
    }


# A folder that is not as the crawl left it, and a disk that is full: one clear sentence each.


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
def test_damage_is_reported_in_one_sentence(folder: Path, damage: Damage, words: str) -> None:
    damage(folder)
    with pytest.raises(FolderError, match=words) as reported:
        again(folder, max_pages=20)
    assert "\n" not in str(reported.value)


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


def test_a_page_not_written_ends_the_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter(range(15))

    def full(file: object, content: bytes) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        original(file, content)  # type: ignore[arg-type]

    original = warc_writer.write_whole
    with MemoryWeb() as web:
        urls = web.add_linked(pages=20, hosts=2)
        with monkeypatch.context() as patched:
            patched.setattr(warc_writer, "write_whole", full)
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
        with files_limited_to(60_000), pytest.raises(FolderError) as reported:
            again(tmp_path / "out", max_pages=2_000)
        assert "\n" not in str(reported.value)
        kept = again(tmp_path / "out", max_pages=2_000)
    assert kept.stopped == "frontier empty"
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)

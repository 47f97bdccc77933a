"""Options by their long names that other tests write shorter, or have no need of."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Command
from cli.live_making import FakeEngine
from output.corpus_making import live_folder
from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import Topic
from scenthound.crawler import seeds, session
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE

TOPIC = Topic("storms", ("storm",), ("http://a.test/",))


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://a.test/"]\n')
    return path


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()

    def resume(folder: Path, job: LiveJob, watcher: Any) -> object:
        warn_caller("something")
        logging.getLogger("scenthound").debug("a line of the log")
        return fake.start(job, folder, watcher)

    monkeypatch.setattr(session, "start_crawl", fake.start)
    monkeypatch.setattr(session, "resume_crawl", resume)
    return fake


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = CrawlFolder.create(
        tmp_path / "c", LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions()).order()
    )
    with made.journal():
        return made.path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_folder(tmp_path_factory.mktemp("small") / "storms")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[CrawlOptions]]:
    """The options that a search for seeds is asked with; it is then broken off."""
    found: list[CrawlOptions] = []

    def find_seeds(*given: Any, options: CrawlOptions, warn: Any, **others: Any) -> None:
        found.append(options)
        warn("something")
        raise SettingsError("that is enough.")

    monkeypatch.setattr(seeds, "find_seeds", find_seeds)
    yield found
    assert found


def test_the_strategy_of_a_crawl(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--strategy", "shark")
    assert answer.code == 0, answer.err
    assert engine.jobs[0].spec.name == "shark"


def test_a_crawl_goes_on_in_silence(scenthound: Command, engine: FakeEngine, folder: Path) -> None:
    assert "warning: something" in scenthound("resume", folder).err
    answer = scenthound("resume", folder, "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_a_crawl_goes_on_with_a_log(scenthound: Command, engine: FakeEngine, folder: Path) -> None:
    said = [scenthound("resume", folder, "--log-level", level).err for level in ("debug", "error")]
    assert ["a line of the log" in each for each in said] == [True, False]


def test_an_export_in_silence(scenthound: Command, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    answer = scenthound("export", pages, "--out", out, "--no-text", "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "") and out.exists()


def test_a_search_for_seeds_in_silence(
    scenthound: Command, asked: list[CrawlOptions], topic: Path
) -> None:
    assert "warning: something" in scenthound("seeds", topic).err
    assert scenthound("seeds", topic, "--quiet").err == "error: that is enough.\n"


def test_a_search_for_seeds_heeds_what_a_crawl_does(
    scenthound: Command, asked: list[CrawlOptions], topic: Path
) -> None:
    scenthound("seeds", topic, "--pdf", "--stay")
    scenthound("seeds", topic, "--set", "crawl.stay=true", "--follow-external")
    assert [(each.pdf, each.stay) for each in asked] == [(True, True), (False, False)]

"""``--cache`` and ``--cache-limit`` of the commands that score, and ``scenthound cache``."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.commands import Command, Words, refused
from cli.live_making import FakeEngine
from scenthound.cli import listings, replay
from scenthound.core.registry import Registry
from scenthound.crawler.caches import CacheChoice
from scenthound.crawler.replay import run_job
from scenthound.storage.archive import open_archive
from scenthound.storage.cache import FILE, PageCache, VectorCache
from scenthound.strategies.catalogue import CATALOGUE


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where caches are kept as a rule: in a folder of each test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch) -> list[VectorCache | None]:
    """The cache of every job that is replayed."""
    found: list[VectorCache | None] = []

    def noted(archive: Any, job: Any, on_page: Any) -> Any:
        found.append(job.plan.equipment.cache)
        return run_job(archive, job, on_page)

    monkeypatch.setattr(replay, "run_job", noted)
    return found


def fill(folder: Path, count: int, model: str = "m") -> None:
    with VectorCache(folder) as cache:
        cache.keep(
            model, {n.to_bytes(16, "big"): np.ones(8, dtype=np.float16) for n in range(count)}
        )


def test_a_replay_hands_the_cache_on(
    cli: Command, storms: Words, tmp_path: Path, caches: list[VectorCache | None]
) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[replay]\ncache = "by file"\ncache_limit = "3MB"\n')
    replay = cli.begun("replay", *storms, "-s", "vsm", "--budget", "5")
    replay.ok("--cache", tmp_path / "mine", "--cache-limit", "5MB")
    replay.ok("--config", config)
    replay.ok()
    replay.ok("--config", config, "--cache", "none")
    *three, none = caches
    assert none is None
    folders = [cache.folder for cache in three if cache is not None]
    assert folders == [tmp_path / "mine", tmp_path / "by file", tmp_path / "cache" / "scenthound"]
    assert not (tmp_path / "mine").exists() and not (tmp_path / "by file").exists()
    assert not (folders[-1] / FILE).exists()  # without vectors nothing is made


def test_a_crawl_keeps_it(cli: Command, engine: FakeEngine, topic: Path, tmp_path: Path) -> None:
    engine.writes = True
    out, mine, other = tmp_path / "out", tmp_path / "mine", tmp_path / "other"
    more = ("--cache", mine, "--cache-limit", "5MB")
    cli.ok("crawl", "-t", topic, "--out", out, "-s", "vsm", *more)
    settings = json.loads((out / "crawl.json").read_text())["settings"]
    assert (settings["cache"], settings["cache_limit"]) == (str(mine), 5_000_000)
    cli.ok("resume", out)
    cli.ok("resume", out, "--cache", other, "--cache-limit", "7MB")
    cli.ok("resume", out, "--cache", "none")
    assert [job.cache for job in engine.jobs] == [
        CacheChoice(str(mine), 5_000_000), CacheChoice(str(mine), 5_000_000),
        CacheChoice(str(other), 7_000_000), CacheChoice("none", 7_000_000),
    ]  # fmt: skip
    kept = [job.equipment.cache for job in engine.jobs]
    assert kept[-1] is None and isinstance(kept[0], VectorCache) and kept[0].folder == mine
    assert not mine.exists() and not other.exists()


def test_tune_takes_a_cache(cli: Command, storms: Words, tmp_path: Path) -> None:
    tune = cli.begun("tune", *storms, "-m", "vsm", "--links", "50", "-q")
    tune.ok("--cache", tmp_path / "c", "--cache-limit", "5MB")
    assert not (tmp_path / "c").exists()
    (tmp_path / "links.csv").touch()
    given = cli("tune", tmp_path / "links.csv", "--cache", "none")
    refused(given, "--cache would not be used")


def test_bad_input(cli: Command, engine: FakeEngine, storms: Words, topic: Path) -> None:
    cli.monkeypatch.chdir(topic.parent)
    for more, message in [
        (("--cache-limit", "abc"), "'abc' is no size for a cache; give one such as 500MB, 2GB"),
        (("--cache", ""), "--cache takes the path of a folder"),
        (("--cache", "t.toml"), 't.toml is no folder; give another, or "none"'),
    ]:
        refused(cli("crawl", "-t", topic, "--out", "out", *more), message)
        refused(cli("replay", *storms, *more), message)
        refused(cli("tune", *storms, *more), message)
        assert engine.jobs == [] and not Path("out").exists()


def test_what_it_holds_is_shown_and_emptied(cli: Command, sample: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    cache = cli.begun("cache", "--cache", folder)
    answer = cache.ok()
    assert (answer.out, answer.err) == (f"{folder}: 0 B\nthe cache is empty\n", "")
    assert not folder.exists()
    fill(folder, 1_500, "minilm\x1b[31m")
    fill(folder, 3, "word2vec")
    with PageCache(folder) as kept:
        for number in range(1_200):
            kept.keep(number.to_bytes(16, "big"), b"page")
    lines = cache.ok().out.splitlines()
    assert "\x1b" not in "".join(lines) and "kB" in lines[0]
    assert [line.split() for line in lines[-4:-1]] == [
        ["minilm", "[31m", "1,500"], ["word2vec", "3"], ["pages", "read", "1,200"],
    ]  # fmt: skip
    assert lines[-1].startswith("pages take ") and lines[-1].endswith("kB")
    shown = json.loads(cache("--json").out)
    assert shown["pages"] == 1_200
    assert shown["entries"]["word2vec"] == 3 and shown["bytes"] > 20_000
    assert 0 < shown["page_bytes"] < shown["bytes"]
    assert "the cache is empty" in cache.ok("--clear").out
    folder = tmp_path / "d"
    folder.mkdir()
    for name in ("archive-2020.sqlite", f"archive-{'0' * 32}.part"):
        (folder / name).write_text("of somebody else")
    cache = cli.begun("cache", "--cache", folder)
    with open_archive(sample / "sample.warc.gz", cache=folder) as archive:
        lines = cache().out.splitlines()
        assert lines[-2].split() == ["archives", "indexed", "1"]
        assert lines[-1].startswith("indexes of archives take ")
        shown = json.loads(cache("--json").out)
        assert shown["indexes"] == 1 and 0 < shown["index_bytes"] == shown["bytes"]
        assert "the cache is empty" in cache.ok("--clear").out
        urls = list(islice(archive.urls(), 3))  # it is open
        assert len(urls) == 3 and archive.fetch(urls[0]) is not None
    assert len(list(folder.iterdir())) == 2


def test_warned_once(cli: Command, storms: Words, tmp_path: Path, worker_processes: None) -> None:
    """Once, though each of the two workers finds out."""
    (tmp_path / "file").touch()
    cache = tmp_path / "file" / "c"
    archive, _, topic = storms
    answer = cli.ok(
        "compare", archive, topic, "-s", "breadth-first", "-s", "shark", "--budget", "3",
        "--workers", "2", "--out", tmp_path / "out", "--cache", cache,
    )  # fmt: skip
    assert answer.err.count("goes on without it") == 1, answer.err
    assert str(cache) in answer.err.replace("\n", "")


def test_a_cache_of_ones_own_and_one_that_cannot_be_shown(cli: Command, tmp_path: Path) -> None:
    fill(tmp_path / "cache" / "scenthound", 2)
    assert json.loads(cli("cache", "--json").out)["entries"] == {"m": 2}
    refused(cli("cache", "--cache", "none"), 'cache "none" is no folder')
    (tmp_path / "file").touch()
    for more in ((), ("--clear",), ("--json",)):
        answer = cli("cache", "--cache", tmp_path / "file", *more)
        refused(answer, "file is no folder; give the folder of a cache, or leave it out.")
    (tmp_path / FILE).write_text("no database" * 1_000)
    refused(
        cli("cache", "--cache", tmp_path), "file is not a database; end what uses it, or delete"
    )


def test_the_extra_is_reported(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = replace(CATALOGUE["vsm"], name="heavy", summary="by meaning", extra="neural")
    own = Registry("strategy", (CATALOGUE["vsm"], CATALOGUE["shark"], heavy))
    monkeypatch.setattr(listings, "STRATEGIES", own)
    lines = cli("strategies").out.splitlines()
    reported = {line.split()[0]: line for line in lines if line.startswith(("vsm ", "heavy "))}
    assert (
        "by meaning; needs the extra neural" in reported["heavy"] and "extra" not in reported["vsm"]
    )
    rows = json.loads(cli("strategies", "--json").out)
    assert [row["extra"] for row in rows] == [None, None, "neural"]

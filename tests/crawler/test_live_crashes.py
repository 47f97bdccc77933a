"""Killed at any moment, a crawl goes on where it was: nothing is lost, nothing stored twice."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Any

import numpy as np
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
from crawler.live_web import LiveWeb, ok, page
from scenthound.core.model import Candidate, FetchedPage, Score
from scenthound.core.protocols import State
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.pages import Response, read_page
from scenthound.storage.state import read_topic_profile
from storage.warc_making import Found

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
    assert _learnt(tmp_path / "out") == _learnt_from_the_same_pages(tmp_path / "out", urls[:1])


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
    assert _learnt(tmp_path / "out") == _learnt_from_the_same_pages(tmp_path / "out", urls[:1])


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


def _learnt(folder: Path) -> dict[str, object]:
    """What the strategy had learnt when the crawl was closed."""
    return _counts(CrawlFolder(folder).load_state())


def _learnt_from_the_same_pages(folder: Path, seeds: list[str]) -> dict[str, object]:
    """What a fresh strategy learns that observes the pages of the journal in their order."""
    fresh = job(seeds, strategy=STRATEGY)
    briefing = read_topic_profile(folder)
    assert briefing is not None
    strategy = fresh.strategy(briefing, fresh.analyzer())
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

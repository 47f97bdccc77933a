"""Strategies that walk from page to page, over the wire: complete, polite, stopped and resumed."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.live_replies import in_turn, moved, no, ok
from crawler.live_running import AtPage, again, check_kept, crawl, events
from crawler.live_web import MemoryWeb, page
from scenthound.core.errors import SettingsError
from scenthound.storage.folder import CrawlFolder

STEP = re.compile(r"ant (\d+), step (\d+) of 9 in cycle (\d+)")


@pytest.fixture
def given(tmp_path: Path) -> dict[str, Any]:
    """A topic with an ontology, for those that use one."""
    text = "# topic: storm\nstorm\n  hurricane\n  weather\n    wind\n  flood (induced-by)\n"
    (tmp_path / "storms.txt").write_text(text)
    return {"ontology": str(tmp_path / "storms.txt")}


def state_of(folder: Path) -> Any:
    """What the strategy has saved."""
    return CrawlFolder(folder).load_state()


def mapped_pages(state: Any) -> list[int]:
    """The pages on the map, in the order they were fetched."""
    found: list[int] = state["scorer"]["map"]["graph"]["pages"].tolist()
    return found


def test_everything_is_fetched_once(tmp_path: Path, given: dict[str, Any]) -> None:
    with MemoryWeb() as web:
        urls = web.add_linked(pages=30, hosts=6, seed=3)
        kept = crawl(tmp_path / "out", urls[:1], strategy="wseo", concurrency=1, **given)
        asked = web.requested_pages()
    assert kept.stopped == "frontier empty"
    assert sorted(asked) == sorted(check_kept(kept.folder)) == sorted(urls)
    assert all(event["chosen"] for event in kept.pages[1:])


@pytest.mark.parametrize("strategy", ["moaco", "olmode"])
def test_stopped_and_resumed(tmp_path: Path, given: dict[str, Any], strategy: str) -> None:
    out = tmp_path / "out"
    with MemoryWeb() as web:
        urls = web.add_linked(pages=40, hosts=6, seed=5)
        first = crawl(out, urls[:1], strategy=strategy, max_pages=15, **given)
        assert first.stopped == "budget spent" and first.run.fetched == 15
        before = mapped_pages(state_of(out))
        second = again(out, max_pages=2_000)
    assert second.stopped == "frontier empty"
    assert sorted(check_kept(out)) == sorted(urls)
    after = mapped_pages(state_of(out))
    assert after[:15] == before and len(after) == 40


def test_a_resume_that_is_refused_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise SettingsError("a part of the strategy is missing.")

    out = tmp_path / "out"
    with MemoryWeb() as web:
        crawl(out, web.add_linked(pages=20, hosts=3, seed=5)[:1], strategy="vsm", max_pages=5)
        before = (out / "crawl.json").read_bytes()
        monkeypatch.setattr("scenthound.crawler.session.LiveCrawl", refuse)
        with pytest.raises(SettingsError):
            again(out, max_pages=20)
    assert (out / "crawl.json").read_bytes() == before


def test_pheromones_cycles_and_tabu_come_back(tmp_path: Path) -> None:
    """With one request at a time a crawl that was stopped takes the pages that it would have."""
    with MemoryWeb() as web:
        urls = web.add_linked(pages=50, hosts=1, seed=6)
        small: dict[str, Any] = {"parameters": {"ants": 3, "steps": 2}, "concurrency": 1}
        whole = crawl(tmp_path / "whole", urls[:1], strategy="moaco", **small)
        out = tmp_path / "out"
        crawl(out, urls[:1], strategy="moaco", max_pages=21, **small)
        state = state_of(out)["policy"]
        resumed = again(out, max_pages=2_000)
    assert state["cycle"] > 1 and len(state["ants"]) == 3
    assert len(state["trails"]["tabu"]) and len(state["trails"]["pheromones"]["values"])
    assert np.unique(state["trails"]["pheromones"]["values"]).size > 1
    assert resumed.urls == whole.urls
    reported = [[event.get("chosen") for event in each.pages] for each in (resumed, whole)]
    assert reported[0] == reported[1]


def test_a_crawl_goes_on_from_files_of_any_moment(tmp_path: Path, given: dict[str, Any]) -> None:
    """A copy of the folder while it is written is what a kill leaves behind."""
    with MemoryWeb() as web:
        urls = web.add_linked(pages=60, hosts=10, seed=6)
        at_start = urls[:1]
        for page_number in (10, 30):
            out, left = tmp_path / f"out-{page_number}", tmp_path / f"left-{page_number}"
            watcher = AtPage(page_number, partial(shutil.copytree, out, left))
            crawl(out, at_start, strategy="olmoaco", watcher=watcher, **given)
            assert len(events(left)) < len(events(out))
            assert again(left).stopped == "frontier empty"
            assert sorted(check_kept(left)) == sorted(urls)


def test_ant_goes_on_over_redirects(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        seed = web.add(1, "/", page("Storm", "A storm.", [("/old", "storm")]))
        web.add(1, "/old", moved("/hop"))
        web.add(1, "/hop", moved("/new"))
        new = web.add(1, "/new", page("New", "A hurricane came.", [("/on", "storm"), "/old"]))
        on = web.add(1, "/on", page("On", "The weather after it.", ["/new", "/"]))
        kept = crawl(tmp_path / "out", [seed], strategy="moaco")
    assert kept.urls == [seed, new, on]
    steps = [STEP.match(event["chosen"]) for event in kept.pages[1:]]
    assert [m and m.groups() for m in steps] == [("1", "1", "1"), ("1", "2", "1")]


def test_errors_retries_and_refusals_hold_nothing_up(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        web.add(1, "/robots.txt", ok("User-agent: *\nDisallow: /secret\n"))
        links = ["/busy", "/gone", "/secret", "/file", web.url(2, "/"), "/poor"]
        seed = web.add(1, "/", page("Storm", "A storm.", [(path, "storm") for path in links]))
        busy = web.add(1, "/busy", in_turn(no(503), ok(page("Busy", "A hurricane, late."))))
        web.add(1, "/file", ok("GIF89a", {"Content-Type": "image/gif"}))
        poor = web.add(1, "/poor", page("Poor", "Nothing of it."))
        other = web.add(2, "/", page("Other", "Weather elsewhere."))
        kept = crawl(tmp_path / "out", [seed], strategy="moaco")
    assert kept.stopped == "frontier empty"
    assert set(kept.urls) == {seed, busy, poor, other, web.url(1, "/gone")}


def test_one_polite_host_and_few_pages_of_each(tmp_path: Path) -> None:
    """Links to hosts that have had their pages are on the map, but not in the frontier."""
    with MemoryWeb() as web:
        urls = web.add_linked(pages=40, hosts=4, seed=9)
        kept = crawl(
            tmp_path / "out", urls[:1], strategy="moaco", per_host=1, delay=0.02, pages_per_host=3
        )
    assert kept.stopped == "frontier empty"
    assert kept.run.fetched == 12

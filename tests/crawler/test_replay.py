"""Nothing may be read before it is fetched: strategies that try, and fail."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from core.crawl_building import rig
from crawler.object_walk import reachable, secrets, texts
from crawler.web_building import Plant, at, page
from scenthound.core.errors import PeekError
from scenthound.core.model import Candidate, Combination, FetchedPage, Link, Page, Score
from scenthound.core.protocols import Frontier, Scorer, State
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_loop import LeasedArchive
from scenthound.sample.responses import Response
from scenthound.storage.archive import Archive
from scenthound.storage.archived_pages import ArchivedPages
from scenthound.strategies.spec import StrategyContext, StrategySpec


@dataclass
class Spy:
    """A scorer and a policy that keep everything they are handed, and search it each time."""

    handed: list[object] = field(default_factory=list)
    fetched: set[int] = field(default_factory=set)
    found: list[tuple[set[int], set[int]]] = field(default_factory=list)
    """At each look: the pages fetched so far, and those that could be read."""
    archives: int = 0
    predicts: bool = False

    def scorer(self, strategy_context: StrategyContext) -> Spy:
        self.handed.append(strategy_context)
        self.look()
        return self

    def policy(self, rng: random.Random, scorer: Scorer) -> Spy:
        self.handed.append(scorer)
        self.handed.append(rng)
        return self

    def look(self) -> None:
        self.found.append((set(self.fetched), secrets(*self.handed)))
        self.archives += any(isinstance(thing, Archive) for thing in reachable(*self.handed))

    def observe(self, visit: FetchedPage) -> None:
        self.handed.append(visit)
        self.fetched.add(int(visit.page.url.rpartition("/")[2]))
        self.look()

    def score(self, visit: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        self.handed.extend((visit, links))
        self.look()
        return [Score(0.0)] * len(links)

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        self.handed.append(frontier)
        self.look()
        leased = frontier.lease(1, now)
        self.handed.extend(leased)
        return leased[0] if leased else None

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        del state

    def spec(self, needs_labels: bool = False) -> StrategySpec:
        return StrategySpec(
            "spy", self.scorer, self.policy, Combination.MAX, "none", "cheats", needs_labels
        )


def ring(pages: int = 6) -> list[Response]:
    """Pages in a ring; each has a secret text, a secret anchor and a link of its own."""
    return [
        page(
            f"/{n}",
            (f"/{(n + 1) % pages}", f"secret{n}"),
            f"/onlyfrom{n}",
            text=f"storm secret{n} " * 200,
        )
        for n in range(pages)
    ]


def test_strategy_can_read_the_fetched_pages_and_reach_no_archive(plant: Plant) -> None:
    spy = Spy()
    crawl = plant(*ring(3)).crawl(spy.spec(), seeds=["/0"])
    assert len(crawl.paths) == 3
    assert len(spy.found) > 6
    assert all(read == fetched for fetched, read in spy.found)
    assert spy.archives == 0


def test_the_search_would_find_a_leak(plant: Plant) -> None:
    archive = plant(*ring()).archive

    def leak(url: str = at("/3")) -> Response | None:
        return archive.fetch(url)  # type: ignore[return-value]

    assert any(isinstance(thing, Archive) for thing in reachable({"hidden": [leak]}))
    assert secrets(({"deep": leak()},)) == {3}


def test_example_page_shows_its_text_and_neither_links_nor_address(plant: Plant) -> None:
    spy = Spy()
    field = plant(*ring())
    run_job(field.archive, field.job(spy.spec(), seeds=["/0"], examples=[at("/4")], budget="2"))
    known = texts(*spy.handed)
    assert "storm secret4" in known
    assert "onlyfrom4" not in known
    assert at("/4") not in known


def test_no_strategy_tells_an_example_page_from_a_page_with_the_same_words(plant: Plant) -> None:
    """The example is one of two pages that differ in their address only."""
    twins = [
        page("/", ("/a", "x"), ("/b", "x")),
        page("/a", text="storm"),
        page("/b", text="storm"),
    ]
    web = plant(*twins)
    for strategy in ("best-first", "vsm", "vsm-mean", "vsm-four", "fish", "shark"):
        crawls = [web.crawl(strategy, examples=[at(path)]) for path in ("/a", "/b")]
        first, second = ([e["priority"] for e in c.events("page")] for c in crawls)
        assert first == second
        assert crawls[0].paths == crawls[1].paths == ["/", "/a", "/b"]


def test_only_a_leased_url_is_answered_and_once(plant: Plant) -> None:
    crawl, archive = rig(at("/0"), at("/gone")).crawl, plant(*ring()).archive
    pages = LeasedArchive(archive, crawl, ArchivedPages(archive))
    with pytest.raises(PeekError, match="before it was leased"):
        pages.fetch(at("/0"), 0.0)
    assert crawl.next() is not None
    with pytest.raises(PeekError):
        pages.fetch(at("/1"), 0.0)
    assert isinstance(pages.fetch(at("/0"), 0.0), Page)
    assert crawl.next() is not None
    assert pages.fetch(at("/gone"), 0.0) is None
    crawl.missing(at("/gone"))
    with pytest.raises(PeekError):
        pages.fetch(at("/gone"), 0.0)

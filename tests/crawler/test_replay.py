"""What an archive may answer in a replay, and that nothing may be read before it is fetched."""

from __future__ import annotations

import contextlib
import gc
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import CodeType, FunctionType, ModuleType

import pytest

from core.crawl_building import rig
from crawler.web_building import HTML, Plant, at, labelled, moved, page, raw
from scenthound.core.errors import PeekError
from scenthound.core.model import Candidate, Combination, FetchedPage, Link, Page, Score
from scenthound.core.protocols import Frontier, Scorer, State
from scenthound.crawler.replay import fetch_leased, run_job
from scenthound.sample.responses import Response
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.storage.archive import Archive
from scenthound.storage.archived_pages import ArchivedPages
from scenthound.strategies.spec import StrategyContext, StrategySpec
from scenthound.text.analyzer import Phrases
from scenthound.text.wordnet import WordNet

# Everything that can be reached from an object, as a strategy that wants to cheat would try.


SHIPPED = (WordNet, TaxonomySimilarity, Phrases)
"""WordNet and what is made from it: as much of the program, and as large as 100 crawls."""


def reachable(*roots: object) -> Iterator[object]:
    """All objects behind ``roots``: fields, items, closures, defaults, computed attributes.

    Modules, classes, the globals of functions and WordNet are passed: they are the program,
    which everybody can import, and not something that was handed over.
    """
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (ModuleType, type, CodeType, *SHIPPED)):
            continue
        seen[id(thing)] = thing
        yield thing
        waiting.extend(_behind(thing))


def _behind(thing: object) -> Iterator[object]:
    if isinstance(thing, FunctionType):
        yield from thing.__closure__ or ()
        yield from thing.__defaults__ or ()
        yield from (thing.__kwdefaults__ or {}).values()
        yield vars(thing)
        return
    yield from gc.get_referents(thing)
    if type(thing).__module__.startswith("scenthound"):
        for name in dir(thing):
            if not name.startswith("__"):
                with contextlib.suppress(Exception):
                    yield getattr(thing, name)


def texts(*roots: object) -> str:
    """All texts and bytes that can be reached, one a line."""
    found = []
    for thing in reachable(*roots):
        if isinstance(thing, str):
            found.append(thing)
        elif isinstance(thing, bytes):
            found.append(thing.decode("latin-1"))
    return "\n".join(found)


def secrets(*roots: object) -> set[int]:
    """Numbers of the pages whose text, anchors or link targets can be reached."""
    return {int(number) for number in re.findall(r"(?:secret|onlyfrom)(\d+)", texts(*roots))}


# Strategies that try, and fail.


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


def ring(pages: int = 6, first: int = 0) -> list[Response]:
    """Pages in a ring; each has a secret text, a secret anchor and a link of its own."""
    return [
        page(
            f"/{n}",
            (f"/{first + (n - first + 1) % pages}", f"secret{n}"),
            f"/onlyfrom{n}",
            text=f"storm secret{n} " * 200,
        )
        for n in range(first, first + pages)
    ]


def test_strategy_can_read_the_fetched_pages_and_reach_no_archive(plant: Plant) -> None:
    spy = Spy()
    # Numbers of its own: WordNet, shared in a process, remembers the words of other tests.
    own = {70, 71, 72}
    crawl = plant(*ring(3, first=70)).crawl(spy.spec(), seeds=["/70"])
    assert len(crawl.paths) == 3
    assert len(spy.found) > 6
    assert all(read & own == fetched for fetched, read in spy.found)
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
    fetch = partial(fetch_leased, archive, crawl, ArchivedPages(archive), now=0.0)
    with pytest.raises(PeekError, match="before it was leased"):
        fetch(at("/0"))
    assert crawl.next() is not None
    with pytest.raises(PeekError):
        fetch(at("/1"))
    assert isinstance(fetch(at("/0")), Page)
    assert crawl.next() is not None
    assert fetch(at("/gone")) is None
    with pytest.raises(PeekError):
        fetch(at("/gone"))


# What an archive may answer, and that the same crawl is the same crawl.


def test_missing_targets_and_archived_errors(plant: Plant) -> None:
    web = plant(page("/", "/gone", "/a"), page("/a"))
    crawl = web.crawl(budget="2")
    assert (crawl.paths, crawl.run.missing) == (["/", "/a"], 1)
    assert crawl.events("missing") == [{"event": "missing", "count": 1, "urls": [at("/gone")]}]
    charged = web.crawl(budget="2", count_missing=True)
    assert (charged.paths, charged.run.missing) == (["/"], 1)
    assert charged.run.stopped == "budget spent"
    web = plant(page("/", "/bad", "/a"), page("/bad", "/b", status=404), page("/a"), page("/b"))
    crawl = web.crawl(budget="2")
    assert (crawl.paths, crawl.run.failed) == (["/", "/bad"], 1)
    assert web.crawl().paths == ["/", "/bad", "/a"]


def test_odd_body_is_a_fetch_and_the_crawl_goes_on(plant: Plant) -> None:
    cases: list[tuple[bytes, str]] = [
        (b"", "text/html"),
        (b"%PDF-1.4 storm", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\x00", "text/html"),
        (b"\x00\xff" * 5_000, ""),
        (b"<a href=x>" * 20_000 + b"<b>" * 20_000, "text/html"),
        (b"storm " * 200_000, "text/html"),
    ]
    for body, kind in cases:
        web = plant(page("/", "/odd", "/a"), raw("/odd", body, kind), page("/a"))
        assert web.crawl("vsm").paths == ["/", "/odd", "/a"]


def test_nofollow_and_excluded_links_are_dropped_and_counted(plant: Plant) -> None:
    tag = (*HTML, ("X-Robots-Tag", "nofollow"))
    crawl = plant(page("/", "/a", headers=tag), page("/a")).crawl()
    assert crawl.paths == ["/"]
    assert crawl.events("page")[0]["dropped"] == {"nofollow": [1, [at("/a")]]}
    crawl = plant(page("/", "/a", "/b"), page("/a"), page("/b")).crawl(exclude=["*/a"])
    assert crawl.paths == ["/", "/b"]
    assert crawl.events("page")[0]["dropped"] == {"excluded": [1, [at("/a")]]}


def test_the_seed_decides_the_order_and_the_bytes_of_the_journal(plant: Plant) -> None:
    # Twenty pages, each with a word of its own, that all link to each other.
    links = [(f"/{n}", f"word{n}") for n in range(20)]
    mesh = [page(f"/{n}", *links, text=f"storm word{n}") for n in range(20)]
    web = plant(*mesh)
    for strategy in ("random", "vsm-mean", "shark"):
        first = web.crawl(strategy, seeds=["/0"], seed=7)
        second = plant(*mesh).crawl(strategy, seeds=["/0"], seed=7)
        assert len(first.paths) == 20
        assert first.paths == second.paths
        assert first.journal == second.journal
    orders = {tuple(web.crawl("random", seeds=["/0"], seed=seed).paths) for seed in range(4)}
    assert len(orders) == 4


# A redirect's hop costs nothing, its target one fetch, and no page is fetched twice.


def test_hops_are_free_and_the_target_costs_one_fetch(plant: Plant) -> None:
    web = plant(page("/", "/old"), moved("/old", at("/new")), page("/new", "/last"), page("/last"))
    crawl = web.crawl(budget="2")
    assert crawl.paths == ["/", "/new"]
    assert crawl.run.stopped == "budget spent"
    assert crawl.events("page")[1]["redirects"] == [at("/old")]
    web = plant(
        page("/", "/a/one"), moved("/a/one", "two"), moved("/a/two", "../three"), page("/three")
    )
    crawl = web.crawl()
    assert crawl.paths == ["/", "/three"]
    assert crawl.events("page")[1]["redirects"] == [at("/a/one"), at("/a/two")]


def test_redirects_that_lead_to_no_page_are_one_failed_fetch(plant: Plant) -> None:
    loop = [moved("/one", "/two"), moved("/two", "/one")]
    endless = [moved("/one", "/2"), *(moved(f"/{n}", f"/{n + 1}") for n in range(2, 30))]
    nowhere = [moved("/one", "mailto:me@w.test")]
    for hops, last in ((loop, "/two"), (endless, "/11"), (nowhere, "/one")):
        crawl = plant(page("/", "/one", "/z"), *hops, page("/z")).crawl()
        assert crawl.paths == ["/", last, "/z"]
        assert (crawl.run.fetched, crawl.run.failed) == (3, 1)


def test_target_fetched_before_costs_nothing_and_is_journalled(plant: Plant) -> None:
    web = plant(page("/", "/new", "/old", "/z"), page("/new"), moved("/old", "/new"), page("/z"))
    crawl = web.crawl(budget="3")
    assert crawl.paths == ["/", "/new", "/z"]
    assert crawl.events("redirect") == [
        {"event": "redirect", "url": at("/old"), "target": at("/new"), "reason": "fetched before"}
    ]


def test_redirects_out_of_the_archive_or_into_what_is_excluded(plant: Plant) -> None:
    crawl = plant(page("/", "/a"), moved("/a", "http://elsewhere.test/")).crawl()
    assert (crawl.paths, crawl.run.missing) == (["/"], 1)
    web = plant(page("/", "/old"), moved("/old", "/secret/page"), page("/secret/page"))
    crawl = web.crawl("breadth-first", exclude=["*/secret/*"])
    assert crawl.paths == ["/"]
    assert [e["reason"] for e in crawl.events("redirect")] == ["excluded"]


def test_label_on_a_redirect_is_one_on_its_target(plant: Plant) -> None:
    for links in (("/new", "/old"), ("/old",)):
        web = plant(page("/", *links), page("/new"), moved("/old", "/new"))
        for labels in (labelled("/old"), labelled("/old", "/new")):
            run = web.crawl(labels=labels, budget="2").run
            assert (run.labelled_pages, run.final.labelled) == (1, 1)
            assert (run.final.target_recall, run.final.labelled_harvest) == (1.0, 0.5)
    web = plant(page("/", "/dull", "/old"), page("/dull"), moved("/old", "/new"), page("/new"))
    assert web.crawl("oracle", labels=labelled("/old")).paths == ["/", "/new", "/dull"]

"""Policies that walk a map, with several requests under way, stopped and resumed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.core.model import Combination, Page
from scenthound.core.parameters import Value
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.papers.olmoaco.walking import MAX_WAIT_SECONDS
from scenthound.storage.state import load_state, save_state
from scenthound.strategies.catalogue import CATALOGUE
from strategies.scoring import strategy_context
from strategies.walking import DAY, Walk, page, walk

pytestmark = pytest.mark.filterwarnings("ignore::scenthound.core.errors.ScenthoundWarning")
"""Models trained on a few words say that they know little; that has tests of its own."""

WALKING = ["moaco", "wseo", "olmode"]
"""One of each policy that walks; olmoaco walks as moaco does."""
A, B = "http://a.test/", "http://b.test/"


def tangle(pages: int, hosts: int = 5) -> dict[str, Page]:
    """Every page links to the next and to three others."""
    rng = random.Random(0)
    urls = [f"http://h{n % hosts}.test/{n}" for n in range(pages)]
    made = {}
    for n, url in enumerate(urls):
        others = rng.sample(urls, 3)
        links = [(target, rng.choice(["storm", "cake"])) for target in (*others, urls[n - 1])]
        made[url] = page(url, *links, text=rng.choice(["storm", "tea"]))
    return made


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def polite(database: sqlite3.Connection, politeness: PolitenessPolicy) -> SqliteFrontier:
    return SqliteFrontier(database, Combination.MEAN, politeness, lease_seconds=DAY)


@pytest.mark.parametrize("name", WALKING)
def test_answers_in_any_order(name: str) -> None:
    """Some fail and are tried again, some are never asked for, some redirect."""
    rng = random.Random(0)
    web = tangle(25)
    first = next(iter(web))
    made = walk(first, name=name)
    under_way: list[str] = []
    asked: list[str] = []
    moved: dict[str, str] = {}
    while made.crawl.stop_reason is None:
        candidate = made.crawl.next() if len(under_way) < 8 else None
        if candidate is not None:
            assert candidate.url not in under_way
            under_way.append(candidate.url)
            continue
        if not under_way:
            made.now += 10.0
            continue
        url = under_way.pop(rng.randrange(len(under_way)))
        kind = rng.random()
        if kind < 0.1:
            made.crawl.failed(url, "no answer", made.now + 5.0)
        elif kind < 0.2:
            made.crawl.release(url)
            made.frontier.fail(url, made.now)
        elif kind < 0.3 and url in web:
            new = f"{url}/moved"
            moved[new] = url
            assert made.crawl.redirected(url, new) == "followed"
        else:
            asked.append(url)
            found = web[moved.get(url, url)]
            made.crawl.observe(url, Page(url, 200, found.document, found.links))
    assert made.crawl.stop_reason == "frontier empty"
    assert len(asked) == len(set(asked)) == len(made.events)
    assert {moved.get(url, url) for url in asked} == set(web)


@pytest.mark.parametrize("name", WALKING)
def test_nothing_is_asked_for_while_all_wait_and_what_is_given_up_holds_up_no_other(
    name: str,
) -> None:
    made = walk(A, name=name)
    assert made.all_now() == [A]
    made.answer(page(A, f"{A}1", f"{A}2"))
    first = made.all_now()
    assert first and made.crawl.stop_reason is None
    assert made.crawl.next() is None
    for url in first:
        made.answer(page(url))
    assert len(made.all_now()) == 2 - len(first)
    made = walk(A, name=name)
    made.all_now()
    links = [f"{A}{n}" for n in range(1, 6)]
    made.answer(page(A, *links))
    seen = []
    while made.crawl.stop_reason is None:
        for url in made.all_now():
            seen.append(url)
            if len(seen) % 2:
                made.crawl.rejected(url, "robots.txt forbids it")
            else:
                made.crawl.failed(url, "no answer", None)
    assert sorted(seen) == links


def test_seeds_that_answer_late_have_an_ant_which_goes_on_where_a_redirect_leads() -> None:
    made = walk(f"{A}1", f"{A}2", f"{A}3")
    assert len(made.all_now()) == 3
    for _ in range(5):
        assert made.crawl.next() is None  # and no cycle has begun
    made.answer(page(f"{A}2", f"{A}20", f"{A}30"))
    assert made.next().chosen.startswith("ant 1, step 1 of 9 in cycle 1: ")
    made.answer(page(f"{A}1", f"{A}10"))
    later = made.next()
    assert later.url == f"{A}10" and later.chosen.startswith("ant 2, step 1 of 9 in cycle 1: ")
    made.answer(page(f"{A}10", f"{A}100"))
    assert made.next().chosen.startswith("ant 2, step 2 of 9 in cycle 1: ")
    # It passes over a link to a seed under way, and may go there once that is answered.
    made = walk(f"{A}1", f"{A}2", xi=50.0)
    made.all_now()
    made.answer(page(f"{A}1", f"{A}2", (f"{A}3", "cake")))
    found = made.next()
    assert found.url == f"{A}3" and found.chosen.startswith("ant 1, step 1 of 9 in cycle 1: ")
    made.answer(page(f"{A}2", f"{A}20"), page(f"{A}3"))
    assert made.next().chosen.startswith("ant 2, step 1 of 9 in cycle 1: ")
    made = walk(A)
    made.all_now()
    made.answer(page(A, f"{A}old"))
    assert made.all_now() == [f"{A}old"]
    assert made.crawl.redirected(f"{A}old", f"{A}new") == "followed"
    again = made.next()
    assert again.url == f"{A}new" and again.chosen.startswith("ant 1, step 1 of 9 in cycle 1")
    made.answer(page(f"{A}new", f"{A}2"))
    assert made.next().chosen.startswith("ant 1, step 2 of 9 in cycle 1")


@pytest.mark.parametrize("name", WALKING)
def test_hosts_that_rest_do_not_hold_up_the_others(database: sqlite3.Connection, name: str) -> None:
    """Everything good is on one slow host; after a while links of others are fetched meanwhile."""
    made = walk(A, name=name, frontier=polite(database, PolitenessPolicy(delay=60.0, per_host=1)))
    made.all_now()
    others = [(f"http://c{n}.test/", "cake") for n in range(30)]
    made.frontier.record_response(A, 0.0)  # type: ignore[attr-defined]
    made.answer(page(A, f"{A}1", f"{A}2", *others))
    wanted = made.all_now()
    assert not wanted or name == "wseo"  # its bank takes in what is far from all others
    made.now = MAX_WAIT_SECONDS
    asked = [*wanted, *made.all_now()]
    assert asked and not any(url.startswith(A) for url in asked)
    for url in asked:
        made.frontier.record_response(url, 0.0)  # type: ignore[attr-defined]
        made.answer(page(url, text="tea"))
    made.now = 61.0
    assert any(url.startswith(A) for url in made.all_now())


def test_ant_turns_to_another_link_where_many_others_could_be_asked(
    database: sqlite3.Connection,
) -> None:
    """It stands on a page with one good link, to a host that rests all day, and one poor link."""
    other = "http://x.test/"
    made = walk(A, other, ants=1, frontier=polite(database, PolitenessPolicy()))
    made.all_now()
    made.answer(page(A, f"{B}1", ("http://poor.test/", "cake")))
    made.answer(page(other, *(f"http://c{n}.test/" for n in range(40)), text="tea"))
    made.frontier.rest("b.test", DAY)  # type: ignore[attr-defined]
    assert made.crawl.next() is None
    made.now = MAX_WAIT_SECONDS
    why = {}
    while not (found := made.next()).chosen.startswith("ant"):
        why[found.url] = found.chosen
        made.answer(page(found.url, text="tea"))
    assert set(why.values()) == {"no ant could go on: the best link that may be asked for now"}
    assert (len(why), found.url) == (21, "http://poor.test/")
    assert found.chosen.startswith("ant 1, step 1 of 9 in cycle 1: ")
    made.answer(page(found.url, text="tea"))
    made.now = 2 * DAY
    rest = {url for _ in range(50) for url in answered(made)}
    assert f"{B}1" in rest and made.crawl.stop_reason == "frontier empty"


def answered(made: Walk) -> list[str]:
    """All that may be asked for now, answered by pages without links."""
    asked = made.all_now()
    made.answer(*(page(url, text="tea") for url in asked))
    return asked


@pytest.mark.parametrize("name", WALKING)
def test_links_to_hosts_that_have_had_all_their_pages_are_forgotten(
    database: sqlite3.Connection, name: str
) -> None:
    """They are on the map, since the page that names them is; the frontier does not keep them."""
    made = walk(A, name=name, frontier=polite(database, PolitenessPolicy(pages_per_host=2)))
    web = {
        A: page(A, f"{A}1", f"{B}1", *(f"{A}more/{n}" for n in range(40))),
        f"{A}1": page(f"{A}1", *(f"{A}most/{n}" for n in range(40))),
        f"{B}1": page(f"{B}1", f"{B}2", *(f"{A}again/{n}" for n in range(40))),
        f"{B}2": page(f"{B}2", f"{B}3"),
    }
    while made.crawl.stop_reason is None:
        for url in made.all_now():
            made.answer(web.get(url, page(url)))
    assert made.crawl.stop_reason == "frontier empty"
    assert len(made.events) == 4


CRAWLERS: dict[str, tuple[str, dict[str, Value]]] = {
    "moaco": ("moaco", {"ants": 3, "steps": 2}),
    "lookahead": ("moaco", {"ants": 2, "steps": 3, "lookahead": True}),
    "olmoaco": ("olmoaco", {"ants": 4, "steps": 4, "concepts": 5}),
    "wseo": ("wseo", {"bank": 4, "concepts": 5}),
    "olmode": ("olmode", {"population": 4, "concepts": 5}),
    "annealing": ("annealing", {}),
    "best-first-ontology": ("best-first-ontology", {"concepts": 5}),
}


WEB = tangle(12, hosts=1)
PAGES = len(WEB)
SEEDS = list(WEB)[:2]


def begun(crawler: str) -> Walk:
    name, parameters = CRAWLERS[crawler]
    frontier = MemoryFrontier(Combination.MEAN, lease_seconds=DAY)
    return Walk(CATALOGUE[name].build(strategy_context(), parameters), frontier, SEEDS)


def go_on(crawl: Walk, pages: int) -> list[str]:
    """So many pages more, each URL with the reason why it was chosen."""
    order: list[str] = []
    while len(order) < pages and (candidate := crawl.crawl.next()) is not None:
        order.append(f"{candidate.url} {candidate.chosen}")
        crawl.answer(WEB[candidate.url])
    return order


def resumed(crawler: str, before: Walk, path: Path) -> Walk:
    """The same crawl with a fresh strategy that only has what was saved."""
    name, parameters = CRAWLERS[crawler]
    save_state(before.strategy.state(), path)
    fresh = CATALOGUE[name].build(strategy_context(), parameters)
    fresh.restore(load_state(path))
    return Walk(fresh, before.frontier, SEEDS, so_far=before.crawl.summary)


@pytest.mark.parametrize("crawler", list(CRAWLERS))
def test_stopped_at_every_page_and_while_a_request_is_under_way(
    crawler: str, tmp_path: Path
) -> None:
    """A request is lost with the process: its URL waits again, and nothing else changes."""
    crawl, order = begun(crawler), []
    for n in range(PAGES):
        order += go_on(crawl, 1)
        crawl = resumed(crawler, crawl, tmp_path / f"{n}.npz")
    assert order == go_on(begun(crawler), PAGES)
    before = begun(crawler)
    go_on(before, 5)
    lost = before.next()
    before.frontier.fail(lost.url, 0.0)
    after = resumed(crawler, before, tmp_path / "state.npz")
    rest = [each.split(" ")[0] for each in go_on(after, PAGES)]
    assert lost.url in rest and len(set(rest)) == len(rest) == PAGES - 5

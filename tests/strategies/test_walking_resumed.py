"""A crawl that is stopped at any page and gone on with takes the same pages as one that is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scenthound.core.model import Page
from scenthound.core.parameters import Value
from scenthound.frontier.combination import Combination
from scenthound.frontier.memory import MemoryFrontier
from scenthound.store.state import load_state, save_state
from scenthound.strategies.catalogue import CATALOGUE
from strategies.scoring import ingredients
from strategies.walking import DAY, Walk, page

PAGES = 45
CRAWLERS: dict[str, tuple[str, dict[str, Value]]] = {
    "moaco": ("moaco", {"ants": 3, "steps": 2}),
    "lookahead": ("moaco", {"ants": 2, "steps": 3, "lookahead": True}),
    "olmoaco": ("olmoaco", {"ants": 4, "steps": 4, "concepts": 5}),
    "wseo": ("wseo", {"bank": 4, "concepts": 5}),
    "olmode": ("olmode", {"population": 4, "concepts": 5}),
    "annealing": ("annealing", {}),
    "best-first-ontology": ("best-first-ontology", {"concepts": 5}),
}


def web() -> dict[str, Page]:
    rng = random.Random(5)
    words = ("storm", "flood", "cake", "wind")
    urls = [f"http://w.test/{n}" for n in range(PAGES)]
    return {
        url: page(
            url,
            *((target, rng.choice(words)) for target in (*rng.sample(urls, 3), urls[n - 1])),
            text=f"{rng.choice(words)} and {rng.choice(words)}",
        )
        for n, url in enumerate(urls)
    }


WEB = web()
SEEDS = list(WEB)[:2]


def begun(crawler: str) -> Walk:
    name, parameters = CRAWLERS[crawler]
    frontier = MemoryFrontier(Combination.MEAN, lease_seconds=DAY)
    return Walk(CATALOGUE[name].build(ingredients(), parameters), frontier, SEEDS)


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
    fresh = CATALOGUE[name].build(ingredients(), parameters)
    fresh.restore(load_state(path))
    return Walk(fresh, before.frontier, SEEDS, so_far=before.crawl.summary)


@pytest.mark.parametrize("crawler", list(CRAWLERS))
def test_stopped_at_any_page(crawler: str, tmp_path: Path) -> None:
    whole = go_on(begun(crawler), PAGES)
    assert len(whole) == PAGES
    for stop in range(1, PAGES, 4):
        before = begun(crawler)
        first = go_on(before, stop)
        after = resumed(crawler, before, tmp_path / f"{stop}.npz")
        assert first + go_on(after, PAGES) == whole, stop


@pytest.mark.parametrize("crawler", list(CRAWLERS))
def test_stopped_at_every_page(crawler: str, tmp_path: Path) -> None:
    crawl, order = begun(crawler), []
    for n in range(PAGES):
        order += go_on(crawl, 1)
        crawl = resumed(crawler, crawl, tmp_path / f"{n}.npz")
    assert order == go_on(begun(crawler), PAGES)


@pytest.mark.parametrize("crawler", list(CRAWLERS))
def test_what_was_under_way_is_asked_for_again(crawler: str, tmp_path: Path) -> None:
    """The requests are lost with the process: their URLs wait again, and nothing else changes."""
    before = begun(crawler)
    go_on(before, 12)
    lost = before.crawl.next()
    assert lost is not None
    before.frontier.fail(lost.url, 0.0)
    after = resumed(crawler, before, tmp_path / "state.npz")
    rest = [each.split(" ")[0] for each in go_on(after, PAGES)]
    assert lost.url in rest and len(set(rest)) == len(rest) == PAGES - 12

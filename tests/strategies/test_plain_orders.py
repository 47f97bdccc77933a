"""Strategies that do not read: breadth-first, random, oracle."""

from __future__ import annotations

import random
from collections import Counter, deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.crawl_building import ListJournal, TitleJudge
from core.crawl_building import page as bare_page
from engines.web_building import Plant, labelled, page
from scenthound.core.crawl import Crawl
from scenthound.core.errors import SettingsError
from scenthound.core.model import Budget, Page, Sighting
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.policies import Greedy, Uniform
from strategies.scoring import URL, ingredients, link, scores, strategy, visit

GRAPH = {"/": "ab", "/a": "cd", "/b": "de", "/c": "", "/d": "f", "/e": "a", "/f": ""}


def web_of(graph: dict[str, str]) -> list[Page]:
    return [bare_page(URL[:-1] + p, *(URL + t for t in targets)) for p, targets in graph.items()]


def queue_order(graph: dict[str, str], start: str) -> list[str]:
    """Textbook breadth-first search."""
    waiting, seen, order = deque([start]), {start}, []
    while waiting:
        order.append(waiting.popleft())
        for target in graph[order[-1]]:
            if f"/{target}" not in seen:
                seen.add(f"/{target}")
                waiting.append(f"/{target}")
    return order


def test_breadth_first_order_by_hand(plant: Plant) -> None:
    web = plant(*(page(path, *(f"/{t}" for t in targets)) for path, targets in GRAPH.items()))
    assert web.crawl("breadth-first").paths == ["/", "/a", "/b", "/c", "/d", "/e", "/f"]


@given(st.lists(st.text("abcdefgh", max_size=5), min_size=9, max_size=9))
def test_breadth_first_is_a_queue_on_any_graph(targets: list[str]) -> None:
    graph = dict(zip(["/", *(f"/{c}" for c in "abcdefgh")], targets, strict=True))
    assert bare_order(graph) == queue_order(graph, "/")


def bare_order(graph: dict[str, str]) -> list[str]:
    """The order of a crawl with nothing around it."""
    crawl = Crawl(
        topic="t",
        strategy=strategy("breadth-first"),
        frontier=MemoryFrontier(),
        budget=Budget(100),
        seeds=[URL],
        judge=TitleJudge(),
        journal=ListJournal(),
        clock=lambda: 0.0,
    )
    pages = {page.url: page for page in web_of(graph)}
    order = []
    while (candidate := crawl.next()) is not None:
        order.append(candidate.url.removeprefix(URL[:-1]))
        crawl.observe(candidate.url, pages[candidate.url])
    return order


def frontier(urls: str) -> MemoryFrontier:
    filled = MemoryFrontier()
    filled.add([Sighting(URL + u, 1) for u in urls])
    return filled


def drawn(seed: int) -> str:
    candidate = Uniform(random.Random(seed)).choose(frontier("abcd"), 0.0)
    assert candidate is not None
    return candidate.url[-1]


def test_random_draws_each_waiting_link_as_often_as_another() -> None:
    """400 draws of 4: 100 each, with a standard deviation of 8.7."""
    counts = Counter(map(drawn, range(400)))
    assert sorted(counts) == list("abcd")
    assert all(65 <= n <= 135 for n in counts.values())


def test_random_draws_on_from_a_saved_state() -> None:
    policy = Uniform(random.Random(3))
    policy.choose(frontier("abcdefgh"), 0.0)
    other = Uniform(random.Random(99))
    other.restore(policy.state())
    for _ in range(10):
        assert policy.choose(frontier("abcdefgh"), 0.0) == other.choose(frontier("abcdefgh"), 0.0)


@pytest.mark.parametrize("policy", [Greedy, Uniform])
def test_empty_frontier_gives_nothing(policy: type[Greedy] | type[Uniform]) -> None:
    assert policy(random.Random(0)).choose(MemoryFrontier(), 0.0) is None


def test_oracle_takes_labelled_links_first_each_group_in_order_of_discovery(plant: Plant) -> None:
    web = plant(
        page("/", "/a", "/x", "/b", "/y"),
        page("/x", "/z"),
        *(page(f"/{name}") for name in "abyz"),
    )
    crawl = web.crawl("oracle", labels=labelled("/x", "/y", "/z"))
    assert crawl.paths == ["/", "/x", "/y", "/z", "/a", "/b"]


def test_oracle_scores() -> None:
    oracle = strategy("oracle", ingredients(labels=[URL + "good"]))
    good, bad = scores(oracle, visit(""), link(path="good"), link(path="bad"))
    assert (good.value, bad.value) == (1.0, 0.0)


def test_oracle_needs_labels(plant: Plant) -> None:
    with pytest.raises(SettingsError, match=r"'oracle' .* needs labelled pages: give --labels"):
        plant(page("/")).crawl("oracle")

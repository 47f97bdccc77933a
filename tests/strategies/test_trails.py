"""Which links lie open to an ant, and how often each is drawn."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from scenthound.strategies.link_map import LinkMap
from scenthound.strategies.pheromones import Pheromones
from scenthound.strategies.trails import HEURISTIC_ANCHOR, Trails


def trails(links: LinkMap, psi: float = 1.0, xi: float = 1.0) -> Trails:
    return Trails(links, Pheromones(links.graph, 1.0, 0.5), psi, xi)


def mapped() -> LinkMap:
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (0.6, 0.6), "c": (0.2, 0.2), "d": (0.0, 0.0)})
    return links


def ends(links: LinkMap, of: Trails, page: str = "a") -> list[str]:
    return links.urls(of.open(links.graph.number(page)).ends.tolist())


def test_all_links_of_a_page_lie_open() -> None:
    links = mapped()
    assert ends(links, trails(links)) == ["b", "c", "d"]
    assert ends(links, trails(links), "b") == []


def test_tabu_and_gone_do_not() -> None:
    links = mapped()
    made = trails(links)
    made.tabu.add(links.graph.number("c"))
    links.close(links.graph.number("d"))
    assert ends(links, made) == ["b"]


def test_redirect_is_open_as_the_page_it_leads_to() -> None:
    links = mapped()
    links.moved("b", "e")
    made = trails(links)
    open_ = made.open(links.graph.number("a"))
    assert links.urls(open_.links.tolist()) == ["b", "c", "d"]
    assert links.urls(open_.ends.tolist()) == ["e", "c", "d"]
    made.tabu.add(links.graph.number("e"))
    assert ends(links, made) == ["c", "d"]


def test_draws_are_as_likely_as_eq_16_says() -> None:
    """Anchor and target are alike here: 0.6 : 0.2 : 0, whatever their weights."""
    links = mapped()
    made, rng = trails(links), random.Random(3)
    open_ = made.open(links.graph.number("a"))
    drawn = Counter(links.graph.url(made.draw(open_, rng).end) for _ in range(4_000))
    assert set(drawn) == {"b", "c"}
    assert drawn["b"] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_anchor_weighs_0_706_and_target_0_294() -> None:
    """0.6 : 0.25, together 1. One link has only its anchor, the other only what it promises."""
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (1.0, 0.0), "c": (0.0, 1.0)})
    made, rng = trails(links), random.Random(0)
    open_ = made.open(links.graph.number("a"))
    drawn = (made.draw(open_, rng) for _ in range(50))
    told = {links.graph.url(each.end): each.why for each in drawn}
    assert told["b"].startswith("chance 0.71 by anchor 1.00, target 0.00")
    assert told["c"].startswith("chance 0.29 by anchor 0.00, target 1.00")
    assert pytest.approx(0.706, abs=5e-4) == HEURISTIC_ANCHOR


def test_reason_tells_what_decided() -> None:
    links = mapped()
    links.add_page("b", 0.9, {})
    made = trails(links, xi=2.0)
    drawn = made.draw(made.open(links.graph.number("a")), random.Random(0))
    worth = 0.706 * 0.6 + 0.294 * 0.9
    chance = worth**2 / (worth**2 + 0.2**2)
    assert links.graph.url(drawn.end) == "b"
    assert drawn.why == f"chance {chance:.2f} by anchor 0.60, target 0.90 and pheromone 1.00"


def test_end_of_a_cycle_frees_what_was_tabu_and_leaves_pheromone_where_ants_went() -> None:
    links = mapped()
    links.add_page("b", 0.5, {"c": (0.1, 0.1)})
    made = trails(links)
    a, b, c = (links.graph.number(url) for url in "abc")
    assert made.open(a).pheromone.tolist() == [1.0, 1.0, 1.0]
    made.tabu.update((b, c))
    made.end_cycle([[(a, b), (b, c)]])
    assert made.tabu == set()
    assert made.open(a).pheromone.tolist() == pytest.approx([0.5 + 0.5 / 2, 0.5, 0.5])
    assert made.open(b).pheromone.tolist() == pytest.approx([0.5])  # c was never found


def test_state_goes_on() -> None:
    links = mapped()
    made, fresh = trails(links), trails(links)
    a, b = links.graph.number("a"), links.graph.number("b")
    made.open(a)
    made.end_cycle([])
    made.tabu.add(b)
    fresh.restore(made.state())
    assert fresh.tabu == {b}
    assert fresh.open(a).pheromone.tolist() == made.open(a).pheromone.tolist() == [0.5, 0.5]


def test_a_page_that_was_looked_at_is_passed_by_if_it_is_not_above_eta() -> None:
    """Eq. 10 as printed: .6 x .1 + .15 x 1 + .25 x relevance of the target."""
    links = LinkMap()
    links.add_page("a", 1.0, {"b": (0.1, 0.1), "c": (0.1, 0.1), "d": (0.1, 0.1)})
    links.add_page("b", 0.0, {})  # .21
    links.add_page("c", 0.4, {})  # .31
    made = Trails(links, Pheromones(links.graph, 1.0, 0.1), 1.0, 1.0, eta=0.3)
    assert links.urls(made.open(links.graph.number("a")).ends.tolist()) == ["c", "d"]

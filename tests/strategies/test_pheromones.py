"""How ants choose and what they leave behind (olmoaco Eq. 16-17), by hand and by a slow twin."""

from __future__ import annotations

import random

import numpy as np
import pytest

from scenthound.linkgraph.graph import LinkGraph
from scenthound.strategies.pheromones import Pheromones, chances, heuristic, left_behind


def graph() -> LinkGraph:
    made = LinkGraph()
    made.add_page("a", ["b", "c", "d"], [0.1, 0.2, 0.3])
    made.add_page("b", ["a", "c"], [0.1, 0.2])
    return made


def test_heuristic_weighs_anchor_and_target() -> None:
    found = heuristic(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.6 / 0.85)
    assert found.tolist() == pytest.approx([0.6 / 0.85, 0.25 / 0.85])


def test_chances_by_hand() -> None:
    """1 x 0.2^2 = 0.04, 2 x 0.1^2 = 0.02, 1 x 0^2 = 0."""
    found = chances(np.array([1.0, 2.0, 1.0]), np.array([0.2, 0.1, 0.0]), 1.0, 2.0)
    assert found.tolist() == pytest.approx([2 / 3, 1 / 3, 0.0])


def test_chances_without_relevance_follow_the_pheromone() -> None:
    found = chances(np.array([3.0, 1.0]), np.array([0.9, 0.1]), 1.0, 0.0)
    assert found.tolist() == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize(
    ("pheromone", "worth"), [([1.0, 1.0], [0.0, 0.0]), ([0.0, 0.0], [0.5, 0.1])]
)
def test_where_nothing_is_worth_anything_all_are_alike(
    pheromone: list[float], worth: list[float]
) -> None:
    found = chances(np.array(pheromone), np.array(worth), 1.0, 5.0)
    assert found.tolist() == [0.5, 0.5]


def test_no_links_have_no_chances() -> None:
    assert chances(np.empty(0), np.empty(0), 1.0, 1.0).tolist() == []


def test_one_ant_leaves_relevance_over_length() -> None:
    assert left_behind(0.6, 3) == pytest.approx(0.2)
    assert left_behind(0.6, 0) == 0.0


def test_evaporation_and_deposit_by_hand() -> None:
    """0.9 x 1 + 0.6 / 2 + 0.3 / 1 on a -> b, 0.9 + 0.4 / 2 on b -> c; then 0.9 times that."""
    pheromones = Pheromones(graph(), 1.0, 0.1)
    assert [pheromones.on(0).tolist(), pheromones.on(1).tolist()] == [[1.0] * 3, [1.0] * 2]
    pheromones.end_cycle([[(0, 1, 0.6), (1, 2, 0.4)], [(0, 1, 0.3)], []])
    assert pheromones.on(0).tolist() == pytest.approx([1.5, 0.9, 0.9])
    assert pheromones.on(1).tolist() == pytest.approx([0.9, 0.9 + 0.2])
    pheromones.end_cycle([])
    assert pheromones.on(0).tolist() == pytest.approx([1.35, 0.81, 0.81])


def test_link_that_is_new_has_the_first_pheromone_in_any_cycle() -> None:
    known = graph()
    pheromones = Pheromones(known, 2.0, 0.5)
    pheromones.on(0)
    pheromones.end_cycle([])
    page = known.add_page("c", ["a"], [0.5])
    assert pheromones.on(page).tolist() == [2.0]
    assert pheromones.on(0).tolist() == [1.0, 1.0, 1.0]


class Eager:
    """Eq. 17 as it is printed: every link that is known evaporates at every cycle."""

    def __init__(self, known: LinkGraph, start: float, evaporation: float) -> None:
        self._graph, self._start, self._kept = known, start, 1.0 - evaporation
        self._links: dict[tuple[int, int], float] = {}

    def on(self, page: int) -> list[float]:
        edges = [(page, target) for target in self._graph.links(page).targets.tolist()]
        return [self._links.setdefault(edge, self._start) for edge in edges]

    def end_cycle(self, paths: list[list[tuple[int, int, float]]]) -> None:
        for page in range(len(self._graph)):
            self.on(page)
        for edge in self._links:
            self._links[edge] *= self._kept
        for path in paths:
            for page, target, relevance in path:
                self._links[page, target] += relevance / len(path)


def test_lazy_evaporation_is_eager_evaporation() -> None:
    rng = random.Random(7)
    known = LinkGraph()

    def fetch(page: int) -> int:
        targets = [f"p{rng.randrange(30)}" for _ in range(4)]
        return known.add_page(f"p{page}", targets, [0.5] * 4)

    pages = [fetch(page) for page in range(12)]
    lazy, eager = Pheromones(known, 0.7, 0.2), Eager(known, 0.7, 0.2)
    for _ in range(15):
        paths = []
        for _ in range(rng.randrange(4)):
            path = []
            for page in rng.sample(pages, rng.randrange(1, 4)):
                assert lazy.on(page).tolist() == pytest.approx(eager.on(page))
                targets = known.links(page).targets.tolist()
                if targets:
                    path.append((page, rng.choice(targets), rng.random()))
            paths.append(path)
        lazy.end_cycle(paths)
        eager.end_cycle(paths)
        pages.append(fetch(len(pages)))  # and the web grows
        if rng.random() < 0.3:  # and nothing is lost by saving it
            lazy, saved = Pheromones(known, 0.7, 0.2), lazy
            lazy.restore(saved.state())
    for page in pages:
        assert lazy.on(page).tolist() == pytest.approx(eager.on(page))


def test_nothing_can_be_saved() -> None:
    fresh = Pheromones(graph(), 1.0, 0.1)
    fresh.restore(Pheromones(graph(), 1.0, 0.1).state())
    assert fresh.on(0).tolist() == [1.0, 1.0, 1.0]

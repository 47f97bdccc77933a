"""Ants: how they choose, what they leave behind, and what they fetch in which order."""

from __future__ import annotations

import random
import re
from collections import Counter

import numpy as np
import pytest

from crawler.web_building import Field, Outcome, Plant, moved
from crawler.web_building import page as archived
from scenthound.papers.olmoaco.objectives import LinkMap
from scenthound.papers.olmoaco.pheromones import (
    HEURISTIC_ANCHOR,
    Trails,
    heuristic,
    probabilities,
)
from scenthound.sample.responses import Response

WALKING = ["moaco", "wseo", "olmode"]
WORDS = ("storm", "flood", "cake", "tea", "wind")
STEP = re.compile(
    r"ant (\d+), step (\d+) of (\d+) in cycle (\d+): chance \d\.\d\d by anchor \d\.\d\d, "
    r"target \d\.\d\d and pheromone \d\.\d\d"
)
START = re.compile(r"start of ant (\d+) in cycle (\d+): (best \w+|far from those chosen)")


def tangle(pages: int, seed: int = 0) -> list[Response]:
    """Pages with links anywhere: to redirects, to errors, and to pages that are not there."""
    rng = random.Random(seed)
    made = []
    for n in range(pages):
        targets = [f"/{rng.randrange(pages)}" for _ in range(3)]
        targets += [f"/old/{rng.randrange(pages)}", "/broken", f"/none/{rng.randrange(5)}"]
        targets += [f"/{n + 1}" if n + 1 < pages else "/0", f"/{n}"]
        links = [(target, rng.choice(WORDS)) for target in targets]
        made.append(archived(f"/{n}", *links, text=f"{rng.choice(WORDS)} page {n}"))
        made.append(moved(f"/old/{n}", f"/{n}"))
    return [*made, archived("/broken", "/never", status=404)]


def chosen(outcome: Outcome) -> list[str]:
    return [str(event.get("chosen", "")) for event in outcome.events("page")]


def crawl(field: Field, name: str = "moaco", **given: object) -> Outcome:
    return field.crawl(name, **{"seeds": ("/0",), **given})


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((name, {}) for name in WALKING),
        *(("moaco", colony) for colony in ({"ants": 1}, {"steps": 1}, {"ants": 2, "steps": 2})),
        ("moaco", {"lookahead": True}),
    ],
)
def test_nothing_that_can_be_reached_is_lost_or_fetched_twice(
    plant: Plant, name: str, parameters: dict[str, int]
) -> None:
    outcome = crawl(plant(*tangle(25)), name, budget="1000", parameters=parameters)
    assert sorted(outcome.paths) == sorted([*(f"/{n}" for n in range(25)), "/broken"])
    assert outcome.run.stopped == "frontier empty"
    assert outcome.run.missing == 5


@pytest.mark.parametrize("name", WALKING)
def test_empty_web_and_page_without_links(plant: Plant, name: str) -> None:
    error = [archived("/", "/1", status=404), archived("/1")]
    alone, to_itself = archived("/", text="storm"), archived("/", "/", "/#a", text="storm")
    for pages in (error, [alone], [to_itself]):
        outcome = plant(*pages).crawl(name)
        assert (outcome.paths, outcome.run.stopped) == (["/"], "frontier empty")


@pytest.mark.parametrize("name", ["moaco", "olmode"])
def test_same_seed_same_order_other_seed_other_order(plant: Plant, name: str) -> None:
    field = plant(*tangle(25))
    first, same, other = (crawl(field, name, budget="15", seed=seed).paths for seed in (1, 1, 2))
    assert first == same != other


def test_ants_start_on_the_seeds_move_in_turn_and_stop_after_their_steps(plant: Plant) -> None:
    field = plant(*tangle(60))
    outcome = crawl(field, seeds=("/0", "/20", "/40"), budget="30")
    why = chosen(outcome)
    assert why[:3] == ["", "", ""]
    steps = [STEP.fullmatch(each) for each in why]
    first = [m for m in steps if m is not None and m[4] == "1"]
    assert {m[1] for m in first} == {"1", "2", "3"}
    assert all(1 <= int(m[2]) <= int(m[3]) == 9 for m in first)
    assert all(m or START.match(each) for m, each in zip(steps[3:], why[3:], strict=True))
    # Three chains without a crossing: each ant fetches its own, a page at a time.
    chains = [
        archived(f"/{name}{n}", f"/{name}{n + 1}", text="storm") for name in "abc" for n in range(5)
    ]
    outcome = plant(*chains).crawl("moaco", seeds=("/a0", "/b0", "/c0"), budget="12")
    assert outcome.paths == [f"/{name}{n}" for n in range(4) for name in "abc"]
    chain = [archived(f"/{n}", f"/{n + 1}", text="storm") for n in range(10)]
    outcome = crawl(plant(*chain), parameters={"steps": 2})
    cycles = [re.search(r"in cycle (\d+)", each) for each in chosen(outcome)]
    assert [m and int(m[1]) for m in cycles] == [None, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [each.split(" ")[0] for each in chosen(outcome)[1:]] == (
        ["ant", "ant", "start", "ant", "ant", "start", "ant", "ant", "start"]
    )


def test_ants_turn_back_to_other_links_and_look_ahead(plant: Plant) -> None:
    """The ant has its step left, and takes another link of the same page."""
    field = plant(
        archived("/0", ("/none", "storm"), ("/1", "cake"), text="storm"), archived("/1", "/2"),
        archived("/2"),
    )  # fmt: skip
    outcome = crawl(field)
    assert outcome.paths == ["/0", "/1", "/2"] and outcome.run.missing == 1
    steps = [m[2] for m in map(STEP.fullmatch, chosen(outcome)) if m is not None]
    assert steps == ["1", "2"]
    field = plant(
        archived("/0", "/1", "/2", "/3", text="storm"),
        *(archived(f"/{n}", f"/{n}0", text="storm") for n in (1, 2, 3)),
        *(archived(f"/{n}0", text="storm") for n in (1, 2, 3)),
    )
    outcome = crawl(field, parameters={"lookahead": True, "ants": 1})
    assert outcome.paths[:4] == ["/0", "/1", "/2", "/3"]
    assert set(chosen(outcome)[1:4]) == {"ant 1 looks at all links of its page before it chooses"}
    assert len(outcome.paths) == 7
    outcome = crawl(plant(*tangle(30)), budget="7", parameters={"lookahead": True})
    assert outcome.run.fetched == len(outcome.events("page")) == len(set(outcome.paths)) == 7


def trails(links: LinkMap, psi: float = 1.0, xi: float = 1.0) -> Trails:
    return Trails(links, psi, xi, 1.0, 0.5)


def mapped() -> LinkMap:
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (0.6, 0.6), "c": (0.2, 0.2), "d": (0.0, 0.0)})
    return links


def ends(links: LinkMap, of: Trails, page: str = "a") -> list[str]:
    return links.urls(of.open(links.graph.number(page)).ends.tolist())


def test_which_links_are_open() -> None:
    links = mapped()
    made = trails(links)
    made.tabu.add(links.graph.number("c"))
    links.close(links.graph.number("d"))
    assert ends(links, made) == ["b"]
    links = mapped()
    links.moved("b", "e")
    made = trails(links)
    open_ = made.open(links.graph.number("a"))
    assert links.urls(open_.links.tolist()) == ["b", "c", "d"]
    assert links.urls(open_.ends.tolist()) == ["e", "c", "d"]
    made.tabu.add(links.graph.number("e"))
    assert ends(links, made) == ["c", "d"]
    # Eq. 10 as printed: .6 x .1 + .15 x 1 + .25 x relevance of the target.
    links = LinkMap()
    links.add_page("a", 1.0, {"b": (0.1, 0.1), "c": (0.1, 0.1), "d": (0.1, 0.1)})
    links.add_page("b", 0.0, {})  # .21
    links.add_page("c", 0.4, {})  # .31
    made = Trails(links, 1.0, 1.0, 1.0, 0.1, eta=0.3)
    assert links.urls(made.open(links.graph.number("a")).ends.tolist()) == ["c", "d"]


def test_draws_are_as_likely_as_eq_16_says() -> None:
    """Anchor and target are alike here: 0.6 : 0.2 : 0, whatever their weights.

    These are 0.6 : 0.25, together 1: of two links one has only its anchor, the other only what it
    promises.
    """
    links = mapped()
    made, rng = trails(links), random.Random(3)
    open_ = made.open(links.graph.number("a"))
    drawn = Counter(links.graph.url(made.draw(open_, rng)[1]) for _ in range(4_000))
    assert set(drawn) == {"b", "c"}
    assert drawn["b"] / 4_000 == pytest.approx(0.75, abs=0.03)
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (1.0, 0.0), "c": (0.0, 1.0)})
    made = trails(links)
    open_ = made.open(links.graph.number("a"))
    each = [made.draw(open_, rng) for _ in range(50)]
    reported = {links.graph.url(end): why for _, end, why in each}
    assert reported["b"].startswith("chance 0.71 by anchor 1.00, target 0.00")
    assert reported["c"].startswith("chance 0.29 by anchor 0.00, target 1.00")
    assert pytest.approx(0.706, abs=5e-4) == HEURISTIC_ANCHOR


def test_chances_evaporation_and_the_end_of_a_cycle_by_hand() -> None:
    """1 x 0.2^2 = 0.04, 2 x 0.1^2 = 0.02, 1 x 0^2 = 0; where nothing is worth anything, alike."""
    worth = heuristic(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.6 / 0.85)
    assert worth.tolist() == pytest.approx([0.6 / 0.85, 0.25 / 0.85])
    found = probabilities(np.array([1.0, 2.0, 1.0]), np.array([0.2, 0.1, 0.0]), 1.0, 2.0)
    assert found.tolist() == pytest.approx([2 / 3, 1 / 3, 0.0])
    for pheromone, nothing in [([1.0, 1.0], [0.0, 0.0]), ([0.0, 0.0], [0.5, 0.1])]:
        found = probabilities(np.array(pheromone), np.array(nothing), 1.0, 5.0)
        assert found.tolist() == [0.5, 0.5]
    # 0.9 x 1 + 0.6 / 2 + 0.6 / 1 on a -> b, 0.9 + 0.4 / 2 on b -> c; then 0.9 times that.
    links = mapped()
    links.add_page("b", 0.6, {"a": (0.1, 0.1), "c": (0.2, 0.2)})
    links.add_page("c", 0.4, {})
    made = Trails(links, 1.0, 1.0, 1.0, 0.1)
    assert [made.pheromone(0).tolist(), made.pheromone(1).tolist()] == [[1.0] * 3, [1.0] * 2]
    made.end_cycle([[(0, 1), (1, 2)], [(0, 1)], []])
    assert made.pheromone(0).tolist() == pytest.approx([1.8, 0.9, 0.9])
    assert made.pheromone(1).tolist() == pytest.approx([0.9, 0.9 + 0.2])
    made.end_cycle([])
    assert made.pheromone(0).tolist() == pytest.approx([1.62, 0.81, 0.81])
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


class Eager:
    """Eq. 17 as it is printed: every link that is known evaporates at every cycle."""

    def __init__(self, known: LinkMap, start: float, evaporation: float) -> None:
        self._map, self._start, self._kept = known, start, 1.0 - evaporation
        self._links: dict[tuple[int, int], float] = {}

    def pheromone(self, page: int) -> list[float]:
        edges = [(page, target) for target in self._map.graph.links(page).targets.tolist()]
        return [self._links.setdefault(edge, self._start) for edge in edges]

    def end_cycle(self, paths: list[list[tuple[int, int]]]) -> None:
        for page in range(len(self._map.graph)):
            self.pheromone(page)
        for edge in self._links:
            self._links[edge] *= self._kept
        for path in paths:
            for page, target in path:
                relevance = self._map.relevance(target) or 0.0
                self._links[page, target] += relevance / len(path)


def test_lazy_evaporation_is_eager_evaporation() -> None:
    rng = random.Random(7)
    known = LinkMap()

    def fetch(page: int) -> int:
        evidence = {f"p{rng.randrange(30)}": (0.5, 0.5) for _ in range(4)}
        return known.add_page(f"p{page}", rng.random(), evidence)

    pages = [fetch(page) for page in range(12)]
    lazy, eager = Trails(known, 1.0, 1.0, 0.7, 0.2), Eager(known, 0.7, 0.2)
    for _ in range(15):
        paths = []
        for _ in range(rng.randrange(4)):
            path = []
            for page in rng.sample(pages, rng.randrange(1, 4)):
                assert lazy.pheromone(page).tolist() == pytest.approx(eager.pheromone(page))
                targets = known.graph.links(page).targets.tolist()
                if targets:
                    path.append((page, rng.choice(targets)))
            paths.append(path)
        lazy.end_cycle(paths)
        eager.end_cycle(paths)
        pages.append(fetch(len(pages)))  # and the web grows
        if rng.random() < 0.3:  # and nothing is lost by saving it
            lazy, saved = Trails(known, 1.0, 1.0, 0.7, 0.2), lazy
            lazy.restore(saved.state())
    for page in pages:
        assert lazy.pheromone(page).tolist() == pytest.approx(eager.pheromone(page))

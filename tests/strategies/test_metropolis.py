"""Simulated annealing: which links are taken, and how it cools down."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from engines.web_building import Plant
from engines.web_building import page as archived
from scenthound.core.errors import SettingsError
from scenthound.core.model import Inlink, Score, Sighting
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.metropolis import Metropolis, acceptance, cooling_over
from strategies.scoring import ingredients, strategy


def frontier(*values: float) -> MemoryFrontier:
    made = MemoryFrontier()
    made.add([Sighting(f"u{n}", 1, Inlink(1, Score(v))) for n, v in enumerate(values)])
    return made


@pytest.mark.parametrize(
    ("score", "last", "temperature", "chance"),
    [
        (0.5, 0.5, 0.1, 1.0),
        (0.9, 0.5, 0.005, 1.0),
        (0.4, 0.5, 0.1, math.exp(-1.0)),
        (0.0, 1.0, 0.15, math.exp(-1 / 0.15)),
        (0.0, 1.0, 0.001, 0.0),
    ],
)
def test_rule_of_metropolis(score: float, last: float, temperature: float, chance: float) -> None:
    assert acceptance(score, last, temperature) == pytest.approx(chance)


def test_link_as_good_as_the_last_is_taken() -> None:
    policy = Metropolis(random.Random(0))
    chosen = policy.choose(frontier(0.4), 0.0)
    assert chosen is not None
    assert chosen.chosen == "drawn at random; chance 1.00 at temperature 0.150"


def test_worse_link_is_taken_as_often_as_the_rule_says() -> None:
    """After one of 0.5 each of two is drawn first as often; the worse one is then taken 37 in 100
    times, the better one always: the worse is first in 0.184 / (1 - 0.316) of all cases."""
    taken: Counter[str] = Counter()
    for seed in range(1_500):
        policy = Metropolis(random.Random(seed), temperature=0.1, cooling=1.0)
        policy.restore({**policy.state(), "last": 0.5})
        chosen = policy.choose(frontier(0.4, 0.5), 0.0)
        assert chosen is not None
        taken[chosen.url] += 1
    worse = 0.5 * math.exp(-1.0)
    assert taken["u0"] / 1_500 == pytest.approx(worse / (0.5 + worse), abs=0.04)


def test_after_too_many_refusals_the_best_is_taken() -> None:
    policy = Metropolis(random.Random(0), temperature=0.001, coldest=0.001, refusals=3)
    policy.restore({**policy.state(), "last": 1.0})
    chosen = policy.choose(frontier(0.1, 0.3, 0.2), 0.0)
    assert chosen is not None
    assert chosen.url == "u1"
    assert chosen.chosen == "the best one, after 3 that were drawn and refused"


def test_temperature_falls_with_every_page_to_the_coldest() -> None:
    policy = Metropolis(random.Random(0), temperature=0.2, cooling=0.5, coldest=0.04)
    waiting = frontier(0.1, 0.2, 0.3, 0.4)
    found = []
    while policy.choose(waiting, 0.0) is not None:
        found.append(policy.state()["temperature"])
    assert found == pytest.approx([0.1, 0.05, 0.04, 0.04])


def test_coldest_is_reached_after_a_quarter_of_the_pages() -> None:
    """From 0.16 to 0.01 in 100 of 400 pages: a sixteenth, so a half after each 25 of them."""
    cooling = cooling_over(400, 0.16, 0.01)
    assert cooling**25 == pytest.approx(0.5)
    assert 0.16 * cooling**100 == pytest.approx(0.01)


@pytest.mark.parametrize(("pages", "coldest"), [(None, 0.01), (400, 0.16), (400, 0.2)])
def test_cooling_where_there_is_nothing_to_go_by(pages: int | None, coldest: float) -> None:
    assert cooling_over(pages, 0.16, coldest) == 0.999


@pytest.mark.parametrize(("cooling", "second"), [(0.0, 0.02), (0.5, 0.08)])
def test_pages_of_the_crawl_cool_unless_a_factor_is_given(cooling: float, second: float) -> None:
    """Four pages may be fetched: the temperature is at its coldest after the first."""
    scorer = strategy("annealing", replace(ingredients(), pages=4)).scorer
    policy = Metropolis(
        random.Random(0), scorer, temperature=0.16, cooling=cooling, coldest=0.02
    )  # fmt: skip
    assert policy.choose(frontier(0.1, 0.2), 0.0) is not None
    assert policy.state()["temperature"] == pytest.approx(second)


def test_nothing_waits() -> None:
    assert Metropolis(random.Random(0)).choose(MemoryFrontier(), 0.0) is None


def test_what_waits_for_a_retry_is_not_drawn() -> None:
    waiting = frontier(0.9, 0.1)
    waiting.take("u0", 0.0)
    waiting.fail("u0", 100.0)
    policy = Metropolis(random.Random(0))
    first, then = policy.choose(waiting, 0.0), policy.choose(waiting, 0.0)
    assert first is not None and first.url == "u1" and then is None


@pytest.mark.parametrize(
    ("key", "value"),
    [("temperature", 0.0), ("coldest", 2.0), ("cooling", -0.5), ("cooling", 1.5), ("refusals", 0)],
)
def test_parameters_out_of_bounds(key: str, value: float) -> None:
    with pytest.raises(SettingsError, match=key):
        Metropolis(random.Random(0), **{key: value})  # type: ignore[arg-type]


def test_crawl_fetches_everything_with_budget_enough(plant: Plant) -> None:
    links = [(f"/{n}", "storm" if n % 3 else "tea") for n in range(1, 30)]
    field = plant(archived("/", *links, text="storm"), *(archived(p, text=p) for p, _ in links))
    first, same, other = (field.crawl("annealing", seed=seed).paths for seed in (1, 1, 2))
    assert sorted(first) == sorted(["/", *(path for path, _ in links)])
    assert first == same != other

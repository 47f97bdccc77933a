"""Web space evolution on small archives and maps: its bank, generation after generation."""

from __future__ import annotations

import re

import pytest

from engines.web_building import Plant
from engines.web_building import page as archived
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.linkgraph.graph import Numbers
from scenthound.strategies import evolution
from scenthound.strategies.bank import Bank, generation
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.link_map import LinkMap
from strategies.scoring import ingredients
from strategies.walking import Walk, page, walk

A = "http://a.test/"
GENERATION = re.compile(r"generation (\d+): member of the bank, (.*)")


def chosen(made: Walk) -> list[tuple[int, str]]:
    found = [GENERATION.fullmatch(event.chosen) for event in made.events]
    return [(int(m[1]), m[2]) for m in found if m is not None]


def test_bank_begins_with_the_seeds_and_their_links_come_in() -> None:
    made = walk(A, name="wseo", bank=2)
    made.all_now()
    made.answer(page(A, f"{A}good", (f"{A}poor", "cake"), text="storm"))
    first = made.next()
    assert first.url == f"{A}good"
    assert first.chosen.startswith("generation 1: member of the bank, far from all others")


def test_next_generation_begins_when_all_members_are_answered() -> None:
    made = walk(A, name="wseo")
    made.all_now()
    made.answer(page(A, f"{A}1", (f"{A}2", "cake")))
    both = made.all_now()
    assert len(both) == 2
    made.answer(page(both[0], f"{A}3"))
    assert made.crawl.next() is None
    made.answer(page(both[1]))
    assert made.next().url == f"{A}3"
    assert {generation for generation, _ in chosen(made)} == {1}


def test_bank_that_no_link_comes_into_is_filled_from_the_front() -> None:
    """Members without links: what else waits is taken, the best of each objective first."""
    made = walk(A, name="wseo", bank=1)
    made.all_now()
    made.answer(page(A, f"{A}1", (f"{A}2", "cake"), (f"{A}3", "tea")))
    for _ in range(3):
        made.answer(page(made.next().url, text="tea"))
    told = [why for _, why in chosen(made)]
    assert any(why.startswith("from the front: best") for why in told[1:])


def test_nothing_is_left_to_chance(plant: Plant) -> None:
    links = [(f"/{n}", "storm" if n % 2 else "cake") for n in range(1, 15)]
    field = plant(archived("/", *links, text="storm"), *(archived(p, text=p) for p, _ in links))
    orders = {tuple(field.crawl("wseo", seed=seed).paths) for seed in range(3)}
    assert len(orders) == 1 and len(orders.pop()) == 15


@pytest.mark.parametrize(
    ("parameters", "said"), [({"bank": 0}, "bank must be 1"), ({"growth": -1}, "growth must be 0")]
)
def test_parameters_that_cannot_be(parameters: dict[str, Value], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        CATALOGUE["wseo"].build(ingredients(), parameters)


def test_circles_grow_with_the_pages_that_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The radius is told to the bank as a part of the mean distance: a half, then the whole."""
    parts: list[float] = []

    def noted(links: LinkMap, members: Numbers, tests: Numbers, most: int, part: float) -> Bank:
        parts.append(part)
        return generation(links, members, tests, most, part)

    monkeypatch.setattr(evolution, "generation", noted)
    made = walk(A, name="wseo", growth=10)
    made.all_now()
    made.answer(page(A, f"{A}0"))
    for number in range(20):
        made.answer(page(made.next().url, f"{A}{number + 1}"))
    assert parts[0] == pytest.approx(0.55) and parts[-1] == 1.0
    assert parts == sorted(parts)

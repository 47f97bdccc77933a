"""Ants on small archives: what they fetch, in which order, and why."""

from __future__ import annotations

import random
import re

import pytest

from engines.web_building import Field, Outcome, Plant, at, moved
from engines.web_building import page as archived
from scenthound.sample import Response

WALKING = ["moaco", "wseo", "olmode"]
WORDS = ("storm", "flood", "cake", "tea", "wind")
STEP = re.compile(
    r"ant (\d+), step (\d+) of (\d+) in cycle (\d+): chance \d\.\d\d by anchor \d\.\d\d, "
    r"target \d\.\d\d and pheromone \d\.\d\d"
)
START = re.compile(r"start of ant (\d+) in cycle (\d+): (best \w+|far from those chosen)")
STRAY = "no ant could go on: the best link that may be asked for now"


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
    return field.crawl(name, **{"seeds": ("/0",), **given})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WALKING)
@pytest.mark.parametrize("budget", [1, 7, 40])
def test_every_fetch_is_counted(plant: Plant, name: str, budget: int) -> None:
    outcome = crawl(plant(*tangle(60)), name, budget=str(budget))
    assert outcome.run.fetched == len(outcome.events("page")) == len(outcome.paths) == budget
    assert outcome.run.stopped == "budget spent"


@pytest.mark.parametrize("budget", [1, 7, 40, 500])
def test_every_look_ahead_is_counted(plant: Plant, budget: int) -> None:
    outcome = crawl(plant(*tangle(60)), budget=str(budget), parameters={"lookahead": True})
    assert outcome.run.fetched == len(outcome.events("page")) == min(budget, 61)
    assert len(set(outcome.paths)) == len(outcome.paths)


@pytest.mark.parametrize("name", WALKING)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_can_be_reached_is_lost_or_fetched_twice(
    plant: Plant, name: str, seed: int
) -> None:
    outcome = crawl(plant(*tangle(40, seed)), name, budget="1000", seed=seed)
    assert sorted(outcome.paths) == sorted([*(f"/{n}" for n in range(40)), "/broken"])
    assert outcome.run.stopped == "frontier empty"
    assert outcome.run.missing == 5


@pytest.mark.parametrize(
    "parameters", [{"ants": 1}, {"steps": 1}, {"ants": 2, "steps": 2}, {"lookahead": True}]
)
def test_nothing_is_lost_whatever_the_colony(plant: Plant, parameters: dict[str, int]) -> None:
    outcome = crawl(plant(*tangle(40)), budget="1000", parameters=parameters)
    assert len(outcome.paths) == len(set(outcome.paths)) == 41


@pytest.mark.parametrize("name", WALKING)
def test_empty_web_and_page_without_links(plant: Plant, name: str) -> None:
    error = plant(archived("/", "/1", status=404), archived("/1")).crawl(name)
    assert (error.paths, error.run.stopped) == (["/"], "frontier empty")
    alone = plant(archived("/", text="storm")).crawl(name)
    assert (alone.paths, alone.run.stopped) == (["/"], "frontier empty")
    to_itself = plant(archived("/", "/", "/#a", text="storm")).crawl(name)
    assert (to_itself.paths, to_itself.run.stopped) == (["/"], "frontier empty")


@pytest.mark.parametrize("name", WALKING)
def test_seed_that_redirects_and_seed_that_is_missing(plant: Plant, name: str) -> None:
    field = plant(moved("/", "/new"), archived("/new", "/1", text="storm"), archived("/1"))
    assert field.crawl(name, seeds=("/none", "/")).paths == ["/new", "/1"]


@pytest.mark.parametrize("name", ["moaco", "olmode"])
def test_same_seed_same_order_other_seed_other_order(plant: Plant, name: str) -> None:
    field = plant(*tangle(60))
    first, same, *others = (crawl(field, name, seed=seed).paths for seed in (1, 1, 2, 3))
    assert first == same
    assert any(first != other for other in others)


def test_first_ants_stand_on_the_seeds_and_the_reasons_are_told(plant: Plant) -> None:
    field = plant(*tangle(60))
    outcome = crawl(field, seeds=("/0", "/20", "/40"), budget="30")
    why = chosen(outcome)
    assert why[:3] == ["", "", ""]
    steps = [STEP.fullmatch(each) for each in why]
    first = [m for m in steps if m is not None and m[4] == "1"]
    assert {m[1] for m in first} == {"1", "2", "3"}
    assert all(1 <= int(m[2]) <= int(m[3]) == 9 for m in first)
    assert all(m or START.match(each) for m, each in zip(steps[3:], why[3:], strict=True))


def test_ants_move_in_turn(plant: Plant) -> None:
    """Three chains without a crossing: each ant fetches its own, a page at a time."""
    chains = [
        archived(f"/{name}{n}", f"/{name}{n + 1}", text="storm") for name in "abc" for n in range(5)
    ]
    outcome = plant(*chains).crawl("moaco", seeds=("/a0", "/b0", "/c0"), budget="12")
    assert outcome.paths == [f"/{name}{n}" for n in range(4) for name in "abc"]


def test_too_many_seeds_for_the_ants(plant: Plant) -> None:
    """The most relevant have an ant; links of the others wait for the next cycle."""
    field = plant(
        archived("/poor", "/p1", text="cake"),
        archived("/good", "/g1", text="storm"),
        archived("/p1", "/p2"),
        archived("/g1", "/g2"),
        archived("/g2"),
        archived("/p2"),
    )
    outcome = field.crawl("moaco", seeds=("/poor", "/good"), parameters={"ants": 1})
    assert outcome.paths == ["/poor", "/good", "/g1", "/g2", "/p1", "/p2"]
    assert chosen(outcome)[4].startswith("start of ant 1 in cycle 2: best")


def test_ant_stops_after_its_steps_and_the_next_starts_on_the_front(plant: Plant) -> None:
    chain = [archived(f"/{n}", f"/{n + 1}", text="storm") for n in range(10)]
    outcome = crawl(plant(*chain), parameters={"steps": 2})
    cycles = [re.search(r"in cycle (\d+)", each) for each in chosen(outcome)]
    assert [m and int(m[1]) for m in cycles] == [None, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [each.split(" ")[0] for each in chosen(outcome)[1:]] == (
        ["ant", "ant", "start", "ant", "ant", "start", "ant", "ant", "start"]
    )


def test_fetched_page_is_walked_over_for_nothing(plant: Plant) -> None:
    """In the first cycle the ant comes to the page of its third step; the next begins beyond."""
    field = plant(
        archived("/0", "/1", text="storm"),
        archived("/1", "/2", text="storm"),
        archived("/2", "/3", text="storm"),
        archived("/3", "/1", "/4", text="storm"),
        archived("/4", text="storm"),
    )
    outcome = crawl(field, parameters={"steps": 3, "ants": 1})
    # cycle 1: /1 /2 /3; cycle 2 starts on /4 and ends there
    assert outcome.paths == ["/0", "/1", "/2", "/3", "/4"]
    assert chosen(outcome)[4].startswith("start of ant 1 in cycle 2: best anchor, best page")


def test_step_over_a_known_page_counts_as_a_step(plant: Plant) -> None:
    """Where the first ant went to /1 and /2, the second starts on /3 and goes over /0, which costs
    a step and no fetch; from there it may fetch /9 in its second."""
    field = plant(
        archived("/0", "/1", "/9", text="storm"),
        archived("/1", ("/2", "storm"), text="storm"),
        archived("/2", ("/3", "storm"), text="storm"),
        archived("/3", "/0", text="storm"),
        archived("/9", text="storm"),
    )
    parameters = {"ants": 1, "steps": 2, "xi": 0.0}
    outcomes = [crawl(field, seed=n, parameters=parameters) for n in range(20)]
    told = [chosen(each)[4] for each in outcomes if each.paths[:3] == ["/0", "/1", "/2"]]
    kinds = {each.split(": ")[0] for each in told}
    assert kinds == {"ant 1, step 2 of 2 in cycle 2", "start of ant 1 in cycle 3"}


def test_no_page_is_visited_twice_in_a_cycle(plant: Plant) -> None:
    """A circle of three pages: an ant with many steps goes round once."""
    ring = [archived(f"/{n}", f"/{(n + 1) % 3}", text="storm") for n in range(3)]
    outcome = crawl(plant(*ring), parameters={"steps": 100})
    assert outcome.paths == ["/0", "/1", "/2"]
    assert outcome.run.stopped == "frontier empty"


def test_ants_follow_the_better_links(plant: Plant) -> None:
    links = [(f"/{n}", "storm" if n % 2 else "cake") for n in range(1, 21)]
    field = plant(
        archived("/0", *links, text="tea"), *(archived(path, "/0", text=path) for path, _ in links)
    )
    found = crawl(field, budget="11", parameters={"ants": 3}).paths[1:]
    assert sum(int(path[1:]) % 2 for path in found) == 10


def test_targets_that_are_missing_turn_ants_back_to_other_links(plant: Plant) -> None:
    """The ant has its step left, and takes another link of the same page."""
    field = plant(
        archived("/0", ("/none", "storm"), ("/1", "cake"), text="storm"), archived("/1", "/2"),
        archived("/2"),
    )  # fmt: skip
    outcome = crawl(field)
    assert outcome.paths == ["/0", "/1", "/2"] and outcome.run.missing == 1
    steps = [m[2] for m in map(STEP.fullmatch, chosen(outcome)) if m is not None]
    assert steps == ["1", "2"]


def test_ant_goes_on_from_where_a_redirect_leads(plant: Plant) -> None:
    field = plant(
        archived("/0", ("/old", "storm"), text="storm"), moved("/old", "/hop"), moved("/hop", "/1"),
        archived("/1", "/2"), archived("/2", "/old", "/1"),
    )  # fmt: skip
    outcome = crawl(field)
    assert outcome.paths == ["/0", "/1", "/2"]
    assert [m[2] for m in map(STEP.fullmatch, chosen(outcome)[1:]) if m] == ["1", "2"]


def test_redirect_to_a_page_that_is_known_ends_there(plant: Plant) -> None:
    field = plant(
        archived("/0", ("/back", "storm"), ("/1", "cake"), text="storm"), moved("/back", "/0"),
        archived("/1", text="storm"),
    )  # fmt: skip
    outcome = crawl(field)
    assert outcome.paths == ["/0", "/1"]
    assert [event["reason"] for event in outcome.events("redirect")] == ["fetched before"]


def test_errors_are_fetched_and_lead_nowhere(plant: Plant) -> None:
    field = plant(
        archived("/0", ("/gone", "storm"), ("/1", "cake"), text="storm"),
        archived("/gone", "/2", status=404),
        archived("/1"),
        archived("/2"),
    )
    outcome = crawl(field)
    assert sorted(outcome.paths) == ["/0", "/1", "/gone"]


def test_eta_that_no_link_is_above_ends_the_crawl(plant: Plant) -> None:
    field = plant(archived("/0", ("/1", "cake"), ("/2", "tea"), text="cake"), archived("/1"))
    outcome = crawl(field, parameters={"eta": 0.5})
    assert (outcome.paths, outcome.run.stopped) == (["/0"], "frontier empty")
    dropped = outcome.events("page")[0]["dropped"]
    assert dropped == {"priority not above eta": [2, [at("/1"), at("/2")]]}


def test_look_ahead_fetches_the_links_of_a_page_before_the_ant_goes_on(plant: Plant) -> None:
    field = plant(
        archived("/0", "/1", "/2", "/3", text="storm"),
        *(archived(f"/{n}", f"/{n}0", text="storm") for n in (1, 2, 3)),
        *(archived(f"/{n}0", text="storm") for n in (1, 2, 3)),
    )
    outcome = crawl(field, parameters={"lookahead": True, "ants": 1})
    assert outcome.paths[:4] == ["/0", "/1", "/2", "/3"]
    assert set(chosen(outcome)[1:4]) == {"ant 1 looks at all links of its page before it chooses"}
    assert len(outcome.paths) == 7


@pytest.mark.parametrize("name", WALKING)
def test_strays_are_rare_where_nobody_has_to_wait(plant: Plant, name: str) -> None:
    why = chosen(crawl(plant(*tangle(60)), name, budget="1000"))
    assert sum("the best link that may" in each for each in why) <= 1

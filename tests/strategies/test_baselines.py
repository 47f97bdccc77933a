"""Breadth-first, random, oracle, vsm, best-first, fish and shark, worked out by hand."""

from __future__ import annotations

import math
import random
from collections import Counter, deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.crawl_building import page as bare_page
from crawler.web_building import Plant, at, labelled, page
from crawler.web_building import page as archived
from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import SettingsError
from scenthound.core.model import Part, Rejection, ScoredLink
from scenthound.core.protocols import Scorer
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.baselines import context_score, inherited_score
from scenthound.strategies.spec import Uniform
from strategies.scoring import URL, link, parts, scores, strategy, strategy_context, visit
from strategies.walking import Walk


@given(st.lists(st.text("abcdefgh", max_size=5), min_size=9, max_size=9))
def test_breadth_first_is_a_queue_on_any_graph(targets: list[str]) -> None:
    graph = dict(zip(["/", *(f"/{c}" for c in "abcdefgh")], targets, strict=True))
    made, order = Walk(strategy("breadth-first"), MemoryFrontier(), [URL]), []
    while (candidate := made.crawl.next()) is not None:
        order.append(candidate.url.removeprefix(URL[:-1]))
        made.answer(bare_page(candidate.url, *(URL + target for target in graph[order[-1]])))
    waiting, seen, expected = deque("/"), {"/"}, []  # textbook breadth-first search
    while waiting:
        expected.append(waiting.popleft())
        for target in graph[expected[-1]]:
            if f"/{target}" not in seen:
                seen.add(f"/{target}")
                waiting.append(f"/{target}")
    assert order == expected


def frontier(urls: str) -> MemoryFrontier:
    filled = MemoryFrontier()
    filled.add([ScoredLink(URL + u, 1) for u in urls])
    return filled


def test_random_draws_each_waiting_link_as_often_as_another_and_on_from_a_saved_state() -> None:
    """400 draws of 4: 100 each, with a standard deviation of 8.7."""
    policies = [Uniform(random.Random(seed)) for seed in range(400)]
    chosen = [policy.choose(frontier("abcd"), 0.0) for policy in policies]
    counts = Counter(each.url[-1] for each in chosen if each is not None)
    assert sorted(counts) == list("abcd")
    assert all(65 <= n <= 135 for n in counts.values())
    for policy in (Greedy(random.Random(0)), policies[0]):
        assert policy.choose(MemoryFrontier(), 0.0) is None
    first, other = policies[0], Uniform(random.Random(999))
    other.restore(first.state())
    for _ in range(10):
        assert first.choose(frontier("abcdefgh"), 0.0) == other.choose(frontier("abcdefgh"), 0.0)


def test_oracle_takes_labelled_links_first_and_needs_labels(plant: Plant) -> None:
    web = plant(
        page("/", "/a", "/x", "/b", "/y"), page("/x", "/z"), *(page(f"/{name}") for name in "abyz")
    )
    crawl = web.crawl("oracle", labels=labelled("/x", "/y", "/z"))
    assert crawl.paths == ["/", "/x", "/y", "/z", "/a", "/b"]
    oracle = strategy("oracle", strategy_context(labels=[URL + "good"]))
    good, bad = scores(oracle, visit(""), link(path="good"), link(path="bad"))
    assert (good.value, bad.value) == (1.0, 0.0)
    with pytest.raises(SettingsError, match=r"'oracle' .* needs labelled pages: give --labels"):
        plant(page("/")).crawl("oracle")


HALF = 1 / math.sqrt(2)  # similarity of "storm" to a text of "storm" and one other word


def test_vsm_weighs_texts_alike_and_best_first_reads_the_page_alone() -> None:
    for name in ["vsm", "vsm-mean"]:
        where = visit("wind", title="storm")
        two, none = scores(strategy(name), where, link("storm", "storm"), link("cake", "storm"))
        assert parts(two) == {"full": (pytest.approx(HALF), 0.5), "anchor": (1.0, 0.5)}
        assert two.value == pytest.approx(0.5 * HALF + 0.5)
        assert none.value == pytest.approx(0.5 * HALF)
    (score,) = scores(strategy("vsm-four"), visit("wind", "storm"), link("storm", "storm cake"))
    half = pytest.approx(HALF)
    values = {"full": half, "anchor": 1.0, "title": 1.0, "context": half}
    assert parts(score) == {name: (value, 0.25) for name, value in values.items()}
    assert score.value == pytest.approx((2 + 2 * HALF) / 4)
    one, other = scores(strategy("best-first"), visit("storm wind"), link("storm"), link())
    assert one == other
    assert one.value == pytest.approx(HALF)
    assert parts(one) == {"page": (pytest.approx(HALF), 1.0)}
    vsm = strategy("vsm")
    for _ in range(3):  # which changes what the word weighs
        vsm.scorer.observe(visit("wind"))
    assert scores(vsm, visit("storm wind"), link("storm"))[0].value > 0.5 * HALF + 0.5


def two_inlinks(plant: Plant, strategy: str) -> tuple[float, list[float]]:
    """Priority of a page with two inlinks, and what the inlinks scored."""
    web = plant(
        archived("/", ("/a", "storm"), ("/t", "cake"), text="storm"),
        archived("/a", ("/t", "storm"), text="bread"),
        archived("/t"),
    )
    event = web.crawl(strategy).events("page")[-1]
    assert event["url"] == "http://w.test/t"
    inlinks, priority = event["inlinks"], event["priority"]
    assert isinstance(inlinks, list) and isinstance(priority, float)
    return priority, [inlink[1] for inlink in inlinks]


def test_vsm_takes_the_best_inlink_and_the_others_the_mean(plant: Plant) -> None:
    priority, (best, other) = two_inlinks(plant, "vsm")
    assert priority == best > other
    for name in ("vsm-mean", "vsm-four"):
        priority, inlinks = two_inlinks(plant, name)
        assert inlinks[0] != inlinks[1]
        assert priority == pytest.approx(sum(inlinks) / 2, abs=1e-5)


def left(steps: float) -> tuple[Part, ...]:
    """The parts of a candidate with so many steps left."""
    return (Part("page", 0.0, 0.0), Part("steps", steps, 1 / 3))


def test_fish_gives_links_of_relevant_pages_all_steps_and_others_one_less(plant: Plant) -> None:
    (score,) = scores(strategy("fish"), visit("storm", parts=left(1)), link())
    assert (score.value, score.part("steps", 0.0)) == (1.0, 3)
    for steps in [3, 2]:
        (score,) = scores(strategy("fish"), visit("cake", parts=left(steps)), link("storm"))
        assert score.part("steps", 0.0) == steps - 1
        assert score.value == pytest.approx((steps - 1) / 3)
    answers = strategy("fish").scorer.score(visit("cake", parts=left(1)), [link(), link()])
    assert answers == [Rejection("no steps left")] * 2
    chain = [archived(f"/{n}", f"/{n + 1}", text="cake") for n in range(5)]
    crawl = plant(*chain).crawl("fish", seeds=["/0"])
    assert crawl.paths == ["/0", "/1", "/2"]
    assert crawl.events("page")[2]["dropped"] == {"no steps left": [1, [at("/3")]]}
    # A tenth without examples: one word in 64 has a cosine of 1/8, one in 121 of 1/11. With an
    # example it is the similarity of that, here 1: a page with a word more is below.
    fish = strategy("fish").scorer
    assert relevant(fish, "storm " + " ".join(f"word{n}" for n in range(63)))
    assert not relevant(fish, "storm " + " ".join(f"word{n}" for n in range(120)))
    given = strategy_context((), ["storm flood"])
    fish = strategy("fish", given).scorer
    assert relevant(fish, "flood storm")
    assert not relevant(fish, "flood storm cake")
    assert relevant(strategy("fish", given, threshold=0.5).scorer, "flood storm cake")


def relevant(fish: Scorer, text: str) -> bool:
    (answer,) = fish.score(visit(text, parts=left(1)), [link()])
    return not isinstance(answer, Rejection)


def test_shark_inherits_half_of_the_page_and_weighs_anchor_and_context() -> None:
    assert inherited_score(0.6, 0.9, 0.5) == pytest.approx(0.3)
    assert inherited_score(0.0, 0.9, 0.5) == pytest.approx(0.45)
    assert inherited_score(0.0, 0.0, 0.5) == 0.0
    where = visit("cake", parts=(Part("inherited", 0.4, 0.5), Part("anchor", 0.9, 0.4)))
    (score,) = scores(strategy("shark"), where, link("cake", "cake"))
    assert score.part("inherited", -1.0) == pytest.approx(0.2)
    assert score.value == pytest.approx(0.1)
    # Page 0.707107, inherited 0.353553; neighbourhood 0.8 + 0.2 = 1; score 0.676777.
    (score,) = scores(strategy("shark"), visit("storm wind"), link("storm", "cake"))
    assert parts(score) == {
        "inherited": (pytest.approx(0.353553, abs=1e-6), 0.5),
        "anchor": (pytest.approx(1.0), pytest.approx(0.4)),
        "context": (1.0, pytest.approx(0.1)),
    }
    assert score.value == pytest.approx(0.676777, abs=1e-6)
    # An anchor that says anything speaks for its context.
    assert context_score(0.5, 0.0) == 1.0
    assert context_score(0.0, 0.6) == 0.6
    assert context_score(0.0, 0.0) == 0.0
    shark = strategy("shark", None, decay=1.0, inherited_weight=0.25, anchor_weight=0.5)
    (score,) = scores(shark, visit("storm"), link("cake", "storm"))
    assert score.value == pytest.approx(0.25 * 1.0 + 0.75 * 0.5)

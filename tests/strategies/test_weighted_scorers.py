"""vsm, vsm-mean, vsm-four and best-first by hand. No page was learnt, so every idf is 1."""

from __future__ import annotations

import math

import pytest

from engines.web_building import Plant
from engines.web_building import page as archived
from strategies.scoring import link, parts, scores, strategy, visit

HALF = 1 / math.sqrt(2)  # similarity of "storm" to a text of "storm" and one other word


@pytest.mark.parametrize("name", ["vsm", "vsm-mean"])
def test_full_text_and_anchor_weigh_a_half_each(name: str) -> None:
    where = visit("wind", title="storm")
    two, none = scores(strategy(name), where, link("storm", "storm"), link("cake", "storm"))
    assert parts(two) == {"full": (pytest.approx(HALF), 0.5), "anchor": (1.0, 0.5)}
    assert two.value == pytest.approx(0.5 * HALF + 0.5)
    assert none.value == pytest.approx(0.5 * HALF)


def test_four_texts_weigh_a_quarter_each() -> None:
    (score,) = scores(strategy("vsm-four"), visit("wind", "storm"), link("storm", "storm cake"))
    assert parts(score) == {
        "full": (pytest.approx(HALF), 0.25),
        "anchor": (1.0, 0.25),
        "title": (1.0, 0.25),
        "context": (pytest.approx(HALF), 0.25),
    }
    assert score.value == pytest.approx((2 + 2 * HALF) / 4)


def test_best_first_gives_every_link_the_similarity_of_its_page() -> None:
    first, second = scores(strategy("best-first"), visit("storm wind"), link("storm"), link())
    assert first == second
    assert first.value == pytest.approx(HALF)
    assert parts(first) == {"page": (pytest.approx(HALF), 1.0)}


def test_learning_a_page_changes_the_weights_of_its_words() -> None:
    vsm = strategy("vsm")
    where = visit("storm wind")
    for _ in range(3):
        vsm.scorer.observe(visit("wind"))
    assert scores(vsm, where, link("storm"))[0].value > 0.5 * HALF + 0.5


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


def test_vsm_takes_the_best_inlink(plant: Plant) -> None:
    priority, (best, other) = two_inlinks(plant, "vsm")
    assert best > other
    assert priority == best


@pytest.mark.parametrize("name", ["vsm-mean", "vsm-four"])
def test_mean_over_the_inlinks(plant: Plant, name: str) -> None:
    priority, inlinks = two_inlinks(plant, name)
    assert inlinks[0] != inlinks[1]
    assert priority == pytest.approx(sum(inlinks) / 2, abs=1e-5)

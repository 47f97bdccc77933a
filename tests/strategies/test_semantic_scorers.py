"""Crawlers that compare by meaning: what they see that the cosine does not, and their settings."""

from __future__ import annotations

import random

import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Briefing
from scenthound.core.parameters import Value
from scenthound.strategies.ingredients import Ingredients
from scenthound.text.analyzer import Analyzer
from strategies.scoring import ingredients, link, parts, scores, strategy, visit

WORDNET = ["ssrm", "ssvsm", "svsm", "soft-svsm", "sdvsm", "soft-sdvsm"]
TWO_TEXTS = ["ssrm", "ssvsm", "sdvsm"]
FLOORED = ["ssrm", "soft-svsm", "soft-sdvsm"]
VEHICLES = "truck bus taxi van jeep ambulance limousine minivan sedan coupe"
CARS = (["jaguar", "car"], [f"jaguar jaguar car engine {VEHICLES}", "jaguar roadster jaguar"])
"""WordNet knows the jaguar as an animal alone."""
JUNGLE = ["jaguar cub", "jaguar prey", "jaguar claw forest", "jaguar forest", "jaguar car"]


def anchor(name: str, text: str, given: Ingredients | None = None, **settings: Value) -> float:
    """Similarity of an anchor on an empty page."""
    (score,) = scores(strategy(name, given, **settings), visit(""), link(text))
    return score.part("anchor", -1.0)


@pytest.mark.parametrize("name", [name for name in WORDNET if name != "soft-sdvsm"])
def test_a_synonym_is_as_good_as_the_word(name: str) -> None:
    assert anchor(name, "tempest") == pytest.approx(anchor(name, "storm")) == pytest.approx(1.0)
    assert anchor("vsm", "tempest") == 0.0


@pytest.mark.parametrize("name", ["ssrm", "soft-svsm"])
def test_a_near_relative_lies_between_the_word_and_a_stranger(name: str) -> None:
    """A blizzard is a storm; cake is none."""
    stranger, relative = anchor(name, "cake"), anchor(name, "blizzard")
    assert 0.0 <= stranger < relative < 1.0


def test_without_company_every_sense_counts() -> None:
    """A "car" alone may be that of an airship: there is nobody to ask."""
    alone = ingredients(["car"])
    assert anchor("soft-sdvsm", "gondola", alone) == anchor("soft-svsm", "gondola", alone) > 0.5


@pytest.mark.parametrize("name", ["ssvsm", "svsm", "sdvsm"])
def test_svsm_takes_a_stranger_for_the_word_itself(name: str) -> None:
    """Its known flaw, on one word and one topic term."""
    assert anchor("ssrm", "cake") < 0.3
    assert anchor(name, "cake") == pytest.approx(1.0)


@pytest.mark.parametrize("name", WORDNET)
def test_words_that_wordnet_does_not_have_meet_themselves_alone(name: str) -> None:
    topic = ingredients(["zzyzx"])
    assert anchor(name, "zzyzx", topic) == pytest.approx(1.0)
    assert anchor(name, "qwxyq", topic) == anchor(name, "storm", topic) == 0.0


@pytest.mark.parametrize("name", TWO_TEXTS)
def test_full_text_and_anchor_weigh_a_half_each(name: str) -> None:
    (score,) = scores(strategy(name), visit("storm"), link("tempest", "cake"))
    assert parts(score) == {"full": (pytest.approx(1.0), 0.5), "anchor": (pytest.approx(1.0), 0.5)}


@pytest.mark.parametrize("name", TWO_TEXTS)
def test_the_balance_is_a_parameter(name: str) -> None:
    (score,) = scores(strategy(name, balance=0.2), visit("storm"), link("zzyzx"))
    assert score.value == pytest.approx(0.2)


def test_svsm_reads_four_texts_of_a_quarter_each() -> None:
    (score,) = scores(strategy("svsm"), visit("storm", "tempest"), link("storm", "zzyzx"))
    assert parts(score) == {
        "full": (pytest.approx(1.0), 0.25),
        "anchor": (pytest.approx(1.0), 0.25),
        "title": (pytest.approx(1.0), 0.25),
        "context": (0.0, 0.25),
    }


@pytest.mark.parametrize("name", ["soft-svsm", "soft-sdvsm"])
def test_ours_read_three_texts_of_a_third_each(name: str) -> None:
    (score,) = scores(strategy(name), visit("storm", "cake"), link("storm", "zzyzx"))
    assert [(part.name, part.weight) for part in score.parts] == [
        ("full", 1 / 3), ("anchor", 1 / 3), ("context", 1 / 3),
    ]  # fmt: skip


def test_to_a_topic_of_cars_lions_are_no_relatives_of_the_jaguar() -> None:
    """Where the other words are not asked, the animal leads to lions."""
    topic = ingredients(*CARS)
    for name, misled in (("soft-svsm", True), ("soft-sdvsm", False)):
        lions, convertible = (anchor(name, x, topic) for x in ("lions and tigers", "convertible"))
        assert convertible > 0.0
        assert (lions > 0.0) is misled, name


@pytest.mark.parametrize("name", ["soft-svsm", "soft-sdvsm"])
def test_the_word_itself_still_matches(name: str) -> None:
    assert anchor(name, "Jaguars", ingredients(*CARS)) > 0.5


def test_to_a_topic_of_big_cats_they_are() -> None:
    topic = ingredients(["jaguar", "lion", "leopard"])
    assert anchor("soft-sdvsm", "tiger", topic) == pytest.approx(
        anchor("soft-svsm", "tiger", topic)
    )
    assert anchor("soft-sdvsm", "tiger", topic) > 0.5


def in_the_jungle(name: str, text: str) -> tuple[float, float]:
    """Full text and a link "jaguar" on a page, to a topic of cars that has met the animal."""
    made = strategy(name, ingredients(["jaguar", "car"], ["jaguar car engine", "jaguar roadster"]))
    for each in JUNGLE:
        made.scorer.observe(visit(each))
    (score,) = scores(made, visit(text), link("jaguar"))
    return score.part("full", -1.0), score.part("anchor", -1.0)


def test_sdvsm_hears_of_no_jaguar_on_a_page_without_cars() -> None:
    assert in_the_jungle("ssvsm", "jaguar forest")[1] > 0.5
    assert in_the_jungle("sdvsm", "jaguar forest")[1] == 0.0
    assert in_the_jungle("sdvsm", "jaguar car engine roadster")[1] > 0.5


def test_ours_leaves_it_out_of_the_page_and_reads_the_link_as_it_stands() -> None:
    without, _ = in_the_jungle("soft-svsm", "jaguar forest")
    forest, anchor_there = in_the_jungle("soft-sdvsm", "jaguar forest")
    garage, anchor_here = in_the_jungle("soft-sdvsm", "jaguar car engine roadster")
    assert forest == 0.0 < without < 0.9 < garage
    assert anchor_there == anchor_here > 0.3


def test_a_floor_cuts_faint_similarities_off() -> None:
    """Storm and cake are 0.08 similar: both are something."""
    assert anchor("ssrm", "cake") > 0.0
    assert anchor("ssrm", "cake", floor=0.5) == 0.0
    assert anchor("ssrm", "tempest", floor=0.5) == pytest.approx(1.0)


def test_by_pages_the_nearest_page_counts() -> None:
    topic = ingredients((), ["storm", "cake"])
    assert anchor("ssrm", "cake", topic, topic="pages") == pytest.approx(1.0)
    assert anchor("ssrm", "cake", topic) < 0.7


@pytest.mark.parametrize("name", WORDNET)
def test_the_number_of_terms_is_a_parameter(name: str) -> None:
    """A topic of one term keeps the heavier one."""
    topic = ingredients((), ["zzyzx zzyzx qwxyq"])
    assert anchor(name, "qwxyq", topic) > 0.0
    assert anchor(name, "qwxyq", topic, terms=1) == 0.0


@pytest.mark.parametrize("name", WORDNET)
def test_a_language_that_wordnet_does_not_describe_is_compared_by_its_words(name: str) -> None:
    briefing = Briefing("t", ("tempête",), ())
    french = Ingredients(briefing, Analyzer("fr"), random.Random(0))
    assert anchor(name, "tempête", french) == pytest.approx(1.0)
    assert anchor(name, "tempest", french) == anchor(name, "", french) == 0.0


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *((name, {"balance": value}) for name in TWO_TEXTS for value in (-0.1, 1.1, float("nan"))),
        *((name, {"floor": value}) for name in FLOORED for value in (-0.1, 1.1, float("nan"))),
        *((name, {"power": value}) for name in FLOORED[1:] for value in (0.0, -1.0, float("inf"))),
        *(("soft-sdvsm", {"least": value}) for value in (-0.1, float("nan"), float("inf"))),
        ("sdvsm", {"results": 0}),
        *((name, {"terms": 0}) for name in WORDNET),
        *((name, {"topic": "page"}) for name in WORDNET),
    ],
)
def test_settings_out_of_range(name: str, bad: dict[str, Value]) -> None:
    with pytest.raises(SettingsError):
        strategy(name, None, **bad)


@pytest.mark.parametrize("name", WORDNET)
@pytest.mark.parametrize("key", ["measure", "lso"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_unknown_measures(name: str, key: str, language: str) -> None:
    """Also where the language has no lexicon to measure by."""
    given = Ingredients(Briefing("t", ("image",), ()), Analyzer(language), random.Random(0))
    with pytest.raises(UnknownNameError, match="lim"):
        strategy(name, given, **{key: "lim"})

"""What two workers learn of half the pages each is what one learns of all."""

from __future__ import annotations

import random
from typing import Protocol, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.core.model import Part, Score, Visit
from scenthound.core.protocols import Scorer
from scenthound.core.sharing import Counting, Fitted, Fitting, Tally
from scenthound.optimise.problem import Moments
from scenthound.relevance.concept_model import ConceptModel
from scenthound.strategies.sharing import counting_of, fitting_of
from scenthound.strategies.weight_learning import WeightLearner
from scenthound.text.analyzer import Analyzer
from scenthound.text.weights import DocumentFrequencies
from strategies.scoring import ingredients, link, strategy, visit

EXAMPLES = ("storm rain wind", "storm sea flood")
TEXTS = ("storm over the sea", "rain and cake", "a cup of tea", "cake and storm", "the wind")
LINKS = [link("storm", "a storm at sea"), link("cake"), link("tea", "wind")]
COUNTED = [
    "vsm",
    "vsm-mean",
    "best-first",
    "fish",
    "shark",
    "soft-svsm",
    "sdvsm",
    "annealing",
    "scent",
]
FITTED = ["mcoa", "soft-svsm-mcoa", "scent"]


class Learner(Fitting, Scorer, Protocol):
    """A scorer whose weights are fitted."""


def counting(name: str) -> tuple[Counting, Scorer]:
    made = strategy(name, ingredients(["storm"], EXAMPLES))
    found = counting_of(made.scorer)
    assert found is not None
    found.share()
    return found, made.scorer


def fitting(name: str) -> Learner:
    found = fitting_of(strategy(name, ingredients(["storm"], EXAMPLES)).scorer)
    assert found is not None
    found.share()
    return cast(Learner, found)


def followed(scorer: Learner, rng: random.Random) -> Visit:
    """A page, and what spoke for the link to it: the anchor, or nothing."""
    relevant = rng.random() < 0.5
    values = {name: rng.random() for name in scorer.weights}
    for name in values:
        if "anchor" in name:
            values[name] = 0.9 if relevant else 0.1
    parts = tuple(Part(name, value, scorer.weights[name]) for name, value in values.items())
    return visit("storm rain wind" if relevant else "cake tea", parts=parts)


def learn(scorer: Learner, visits: list[Visit]) -> None:
    for each in visits:
        scorer.observe(each)
        scorer.score(each, ())


def values(scorer: Scorer, page: Visit) -> list[float]:
    answers = scorer.score(page, LINKS)
    return [answer.value if isinstance(answer, Score) else -1.0 for answer in answers]


@pytest.mark.parametrize("name", COUNTED)
def test_two_workers_count_what_one_does(name: str) -> None:
    (alone, single), (one, first), (two, second) = (counting(name) for _ in range(3))
    visits = [visit(text) for text in TEXTS]
    for each in visits:
        single.observe(each)
    for each in visits[:2]:
        first.observe(each)
    for each in visits[2:]:
        second.observe(each)
    all_of_it, of_one, of_two = (each.counted_here() for each in (alone, one, two))
    assert (all_of_it.documents, of_one.documents, of_two.documents) == (5, 2, 3)
    assert of_one.counts["storm"] == 1 and of_two.counts["storm"] == 1
    assert {
        term: of_one.counts.get(term, 0) + of_two.counts.get(term, 0)
        for term in {*of_one.counts, *of_two.counts}
    } == all_of_it.counts
    assert one.counted_here() == Tally()
    one.count_elsewhere(of_two)
    assert one.counted_by_all() == all_of_it
    if name != "sdvsm":  # its graph is each worker's own
        page = visit("storm and tea")
        assert values(first, page) == pytest.approx(values(single, page), abs=0.05)


@pytest.mark.parametrize("name", ["vsm", "soft-svsm", "scent"])
def test_a_newcomer_with_the_sum_knows_what_the_others_do(name: str) -> None:
    (old, experienced), (new, newcomer) = counting(name), counting(name)
    for text in TEXTS:
        experienced.observe(visit(text))
    newcomer.observe(visit("a page of its own"))
    told = old.counted_here()
    new.count_from(told)
    new.count_from(told)  # a second time it is no more
    old.count_elsewhere(new.counted_here())
    old.count_from(Tally(6, {**told.counts, "page": 1, "own": 1}))
    page = visit("storm and tea")
    assert values(newcomer, page) == pytest.approx(values(experienced, page))


def test_frequencies_by_hand() -> None:
    analyzer = Analyzer()
    bags = {text: analyzer.bag(text) for text in ("storm rain", "storm tea", "rain")}
    found = DocumentFrequencies(analyzer.vocabulary)
    found.add(bags["storm rain"])  # before anything is shared
    found.share()
    found.add(bags["storm tea"])
    found.share()
    found.count_elsewhere(Tally(10, {"rain": 4, "flood": 2}))
    assert (found.documents, found["storm"], found["rain"], found["flood"]) == (12, 2, 5, 2)
    found.count_from([bags["rain"]], Tally(3, {"storm": 3}))
    assert (found.documents, found["storm"], found["rain"], found["tea"]) == (5, 4, 1, 1)
    assert found.counted_by_all([bags["rain"]]) == Tally(3, {"storm": 3})
    assert found.counted_here() == Tally(1, {"storm": 1, "tea": 1})
    assert found.counted_here() == Tally()
    assert DocumentFrequencies(analyzer.vocabulary).counted_here() == Tally()


def test_pages_that_name_concepts_are_counted_together() -> None:
    (one, first), (two, _) = counting("moaco"), counting("moaco")
    first.observe(visit("storm over the sea"))
    first.observe(visit("tea"))
    told = one.counted_here()
    assert told == Tally(2, {"storm": 1})
    two.count_elsewhere(told)
    two.count_from(told)
    assert two.counted_by_all() == told
    assert two.counted_here() == Tally() == one.counted_here()
    for model in (one, two):
        assert isinstance(model, ConceptModel) and model.pages == 2
        assert model.state()["containing"] == pytest.approx([1.0])


rows = st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), max_size=6)


@given(rows, st.integers(0, 6))
def test_moments_of_two_are_those_of_one(table: list[list[float]], cut: int) -> None:
    def moments(some: list[list[float]]) -> Moments:
        return Moments.of(np.array(some).reshape(-1, 3)[:, :2], [row[2] for row in some])

    added = moments(table[:cut]).in_a_row() + moments(table[cut:]).in_a_row()
    again = Moments.of_row(added, 2)
    assert again.count == len(table) and again.texts == 2
    assert again.in_a_row() == pytest.approx(moments(table).in_a_row())
    with pytest.raises(InputError, match="9 sums are not those of links with 3 texts"):
        Moments.of_row(added, 3)


@pytest.mark.parametrize("name", FITTED)
def test_weights_fitted_to_the_links_of_two_are_those_of_one(name: str) -> None:
    alone, one, two = (fitting(name) for _ in range(3))
    rng = random.Random(4)
    visits = [followed(alone, rng) for _ in range(80)]
    learn(alone, visits)
    learn(one, visits[::2])
    learn(two, visits[1::2])
    assert two.revise() is None  # it is not time by its own pages
    sums = one.links_here() + two.links_here()
    assert sums[:2].tolist() == [80.0, 80.0]  # pages, links
    one.fit_to(sums)
    first, second = alone.revise(), one.revise()
    assert first is not None and second is not None
    assert second.links == 80
    if name != "scent":  # which judges a page by words whose counts differ
        assert second.weights == pytest.approx(first.weights)
    two.follow(one.fitted())
    assert two.weights == one.weights
    two.fit_to(sums)
    assert two.revise() is None  # the next learner goes on from there
    two.follow(None)
    assert two.weights == fitting(name).weights


def test_what_is_kept_apart_counts_beside_the_sums() -> None:
    learner = WeightLearner({"a": 0.5, "b": 0.5})
    learner.share()
    learner.count_page()
    learner.add([1.0, 0.0], 1.0)
    told = learner.links_here()
    assert told.tolist() == [1, 1, 1, 1, 1, 0, 1, 0, 0, 0]  # pages, count, y, yy, xy, xx
    learner.count_page()
    learner.add([0.0, 1.0], 0.5)
    learner.fit_to(3 * told)  # two other workers have learnt the same
    assert learner.links == 4
    assert learner.links_here().tolist() == [1, 1, 0.5, 0.25, 0, 0.5, 0, 0, 0, 1]


@pytest.mark.parametrize("name", FITTED)
def test_new_weights_hold_only_where_they_can_be_published(name: str) -> None:
    scorer = fitting(name)
    told: list[Fitted] = []
    answers = [True, False]

    def publish(fitted: Fitted) -> bool:
        told.append(fitted)
        return answers.pop()

    scorer.publish = publish
    rng = random.Random(4)
    learn(scorer, [followed(scorer, rng) for _ in range(60)])
    assert scorer.revise() is None and len(told) == 1
    scorer.weigh_again()
    revision = scorer.revise()
    assert revision is not None and revision.weights == scorer.weights
    assert len(told) == 2 and scorer.revise() is None


def test_scent_shares_on_after_its_state_was_restored() -> None:
    old, new = fitting("scent"), fitting("scent")
    learn(old, [followed(old, random.Random(1))])
    new.restore(old.state())
    learn(new, [followed(new, random.Random(2))])
    assert new.links_here()[:2].tolist() == [1.0, 1.0]

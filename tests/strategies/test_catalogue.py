"""What two workers learn of half the pages each is what one learns of all."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core import protocols
from scenthound.core.command_options import INLINK_RULES
from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Combination, FetchedPage, Link, Score
from scenthound.core.parameters import Value
from scenthound.papers.concept_model import ConceptModel
from scenthound.papers.weight_problem import Moments
from scenthound.similarity import link_priority
from scenthound.similarity.link_priority import LinkStructure, TextModel, WeightedTexts, host_record
from scenthound.strategies import catalogue
from scenthound.strategies.baselines import Unscored
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.text_model_builders import TEXT_MODELS
from scenthound.strategies.weight_learning import WeightFitter, WeightLearner
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import DocumentFrequencies
from strategies.scoring import followed, link, scores, strategy, strategy_context, visit

EXAMPLES = ("storm rain wind", "storm sea flood")
TEXTS = ("storm over the sea", "rain and cake", "a cup of tea", "cake and storm", "the wind")
LINKS = [link("storm", "a storm at sea"), link("cake"), link("tea", "wind")]
COUNTED = ["vsm", "fish", "soft-svsm", "sdvsm", "scent"]
FITTED = ["mcoa", "soft-svsm-mcoa", "scent"]


class Learner(WeightFitter, protocols.Scorer):
    """A scorer whose weights are fitted."""


def counting(name: str) -> tuple[protocols.SharesTermCounts, protocols.Scorer]:
    made = strategy(name, strategy_context(["storm"], EXAMPLES))
    found = catalogue.term_counter(made.scorer)
    assert found is not None
    found.share()
    return found, made.scorer


def fitting(name: str) -> Learner:
    found = catalogue.weight_fitter(strategy(name, strategy_context(["storm"], EXAMPLES)).scorer)
    assert found is not None
    found.share()
    return cast(Learner, found)


def learn(scorer: Learner, visits: list[FetchedPage]) -> None:
    for each in visits:
        scorer.observe(each)
        scorer.score(each, ())


def values(scorer: protocols.Scorer, page: FetchedPage) -> list[float]:
    answers = scorer.score(page, LINKS)
    return [answer.value if isinstance(answer, Score) else -1.0 for answer in answers]


@pytest.mark.parametrize("name", COUNTED)
def test_two_workers_count_what_one_does(name: str) -> None:
    (alone, single), (one, first), (two, second) = (counting(name) for _ in range(3))
    visits = [visit(text) for text in TEXTS]
    for scorer, seen in ((single, visits), (first, visits[:2]), (second, visits[2:])):
        for each in seen:
            scorer.observe(each)
    all_of_it, of_one, of_two = (each.local_counts() for each in (alone, one, two))
    assert (all_of_it.documents, of_one.documents, of_two.documents) == (5, 2, 3)
    assert of_one.counts["storm"] == 1 and of_two.counts["storm"] == 1
    assert {
        term: of_one.counts.get(term, 0) + of_two.counts.get(term, 0)
        for term in {*of_one.counts, *of_two.counts}
    } == all_of_it.counts
    assert one.local_counts() == protocols.TermCounts()
    one.add_counts(of_two)
    assert one.total_counts() == all_of_it
    if name != "sdvsm":  # its graph is each worker's own
        page = visit("storm and tea")
        assert values(first, page) == pytest.approx(values(single, page), abs=0.05)


def test_frequencies_by_hand_and_of_pages_that_name_concepts() -> None:
    analyzer = Analyzer()
    bags = {text: analyzer.bag(text) for text in ("storm rain", "storm tea", "rain")}
    found = DocumentFrequencies(analyzer.vocabulary)
    found.add(bags["storm rain"])  # before anything is shared
    found.share()
    found.add(bags["storm tea"])
    found.share()
    found.add_counts(protocols.TermCounts(10, {"rain": 4, "flood": 2}))
    assert (found.documents, found["storm"], found["rain"], found["flood"]) == (12, 2, 5, 2)
    found.replace_counts([bags["rain"]], protocols.TermCounts(3, {"storm": 3}))
    assert (found.documents, found["storm"], found["rain"], found["tea"]) == (5, 4, 1, 1)
    assert found.total_counts([bags["rain"]]) == protocols.TermCounts(3, {"storm": 3})
    assert found.local_counts() == protocols.TermCounts(1, {"storm": 1, "tea": 1})
    assert found.local_counts() == protocols.TermCounts()
    assert DocumentFrequencies(analyzer.vocabulary).local_counts() == protocols.TermCounts()
    (one, first), (two, _) = counting("moaco"), counting("moaco")
    first.observe(visit("storm over the sea"))
    first.observe(visit("tea"))
    reported = one.local_counts()
    assert reported == protocols.TermCounts(2, {"storm": 1})
    two.add_counts(reported)
    two.replace_counts(reported)
    assert two.total_counts() == reported
    assert two.local_counts() == protocols.TermCounts() == one.local_counts()
    for model in (one, two):
        assert isinstance(model, ConceptModel) and model.pages == 2
        assert model.state()["containing"] == pytest.approx([1.0])


rows = st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), max_size=6)


@given(rows, st.integers(0, 6))
def test_moments_of_two_are_those_of_one(table: list[list[float]], cut: int) -> None:
    def moments(some: list[list[float]]) -> Moments:
        return Moments.of(np.array(some).reshape(-1, 3)[:, :2], [row[2] for row in some])

    added = moments(table[:cut]).to_row() + moments(table[cut:]).to_row()
    again = Moments.from_row(added, 2)
    assert again.count == len(table) and again.texts == 2
    assert again.to_row() == pytest.approx(moments(table).to_row())
    with pytest.raises(InputError, match="9 sums are not those of links with 3 texts"):
        Moments.from_row(added, 3)


@pytest.mark.parametrize("name", FITTED)
def test_weights_fitted_to_the_links_of_two_are_those_of_one(name: str) -> None:
    alone, one, two = (fitting(name) for _ in range(3))
    rng = random.Random(4)
    visits = [followed(alone.weights, rng) for _ in range(80)]
    learn(alone, visits)
    learn(one, visits[::2])
    learn(two, visits[1::2])
    assert two.revise() is None  # it is not time by its own pages
    sums = one.local_link_sums() + two.local_link_sums()
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
    reported = learner.local_link_sums()
    assert reported.tolist() == [1, 1, 1, 1, 1, 0, 1, 0, 0, 0]  # pages, count, y, yy, xy, xx
    learner.count_page()
    learner.add([0.0, 1.0], 0.5)
    learner.fit_to(3 * reported)  # two other workers have learned the same
    assert learner.links == 4
    assert learner.local_link_sums().tolist() == [1, 1, 0.5, 0.25, 0, 0.5, 0, 0, 0, 1]


@pytest.mark.parametrize("name", FITTED)
def test_new_weights_hold_only_where_they_can_be_published(name: str) -> None:
    scorer = fitting(name)
    reported: list[protocols.FittedWeights] = []
    answers = [True, False]

    def publish(fitted: protocols.FittedWeights) -> bool:
        reported.append(fitted)
        return answers.pop()

    scorer.publish = publish
    rng = random.Random(4)
    learn(scorer, [followed(scorer.weights, rng) for _ in range(60)])
    assert scorer.revise() is None and len(reported) == 1
    scorer.request_rescore()
    revision = scorer.revise()
    assert revision is not None and revision.weights == scorer.weights
    assert len(reported) == 2 and scorer.revise() is None
    restored = fitting(name)  # and shares on
    restored.restore(scorer.state())
    learn(restored, [followed(restored.weights, rng)])
    assert restored.local_link_sums()[:2].tolist() == [1.0, 1.0]


WALKERS = {"wseo", "moaco", "olmoaco", "olmode"}
ALONE = {"annealing", "sdvsm", "soft-sdvsm", "word2vec", "elmo"}


class Foreign(Unscored):
    """A strategy that somebody else wrote."""


class Telling(Foreign):
    """One that says what it counts."""

    def local_counts(self) -> None:
        """Nothing."""


def foreign(scorer: type[Foreign]) -> StrategySpec:
    return StrategySpec("theirs", scorer, Greedy, Combination.MAX, "", "")


def test_a_scorer_of_a_plug_in_fits_weights_by_its_methods() -> None:
    methods = "revise share local_link_sums fit_to fitted follow request_rescore".split()
    theirs = cast(Learner, SimpleNamespace(**dict.fromkeys(methods, print)))
    assert catalogue.weight_fitter(theirs) is theirs
    del theirs.fit_to
    assert catalogue.weight_fitter(theirs) is None


def test_strategies_that_walk_a_map_are_refused_and_no_others() -> None:
    for name in catalogue.CATALOGUE:
        spec = catalogue.CATALOGUE[name]
        if name in WALKERS:
            with pytest.raises(SettingsError, match=f"{name!r} walks a map of all links.* scent"):
                catalogue.check_can_share(spec)
        else:
            catalogue.check_can_share(spec)
            assert (catalogue.sharing_advice(spec) is not None) == (name in ALONE)
    assert "--set vectors=FILE" in (catalogue.sharing_advice(catalogue.CATALOGUE["word2vec"]) or "")
    assert (
        catalogue.sharing_advice(catalogue.CATALOGUE["word2vec"], {"vectors": "glove.txt"}) is None
    )
    catalogue.check_can_share(foreign(Foreign))  # of a plug-in
    assert "each learns from its own pages" in (catalogue.sharing_advice(foreign(Foreign)) or "")
    assert catalogue.sharing_advice(foreign(Telling)) is None
    for name in ("breadth-first", "random", "sentences-light"):  # which learn nothing
        scorer = strategy(name).scorer
        assert catalogue.term_counter(scorer) is None and catalogue.weight_fitter(scorer) is None
    assert catalogue.weight_fitter(strategy("vsm").scorer) is None


# Weights that a user gives, link structure, and the rule for inlinks.

GIVEN = LinkWeights({"anchor": 0.75, "context": 0.5}, "vsm", "weights.toml")
TOPIC = strategy_context(["storm"], ["storm rain", "storm sea"])


def test_weights_that_cannot_be_and_weights_as_json() -> None:
    bad: list[object] = [-0.1, 1.1, math.nan, "much", True, None]
    cases: list[tuple[Any, str]] = [
        *(({"full": value}, "weight of 'full' must be within 0 and 1") for value in bad),
        ({"full": 0.0, "anchor": 0}, "all weights are 0"),
        ({}, "table of names and numbers"),
        ([("full", 1.0)], "table of names and numbers"),
        ({"ancor": 0.5}, r"evidence 'ancor'.*did you mean 'anchor'"),
    ]
    for values, sentence in cases:
        with pytest.raises(InputError, match=sentence):
            LinkWeights(values)
    for weights in (OF_VSM, ANY):
        assert LinkWeights.from_json(weights.to_json()) == weights
    with pytest.raises(KeyError):
        LinkWeights.from_json({"values": VALUES})
    stored: list[tuple[dict[str, object], type[Exception]]] = [
        ({"values": [1]}, TypeError),
        ({"model": 7}, TypeError),
        ({"values": {"colour": 0.5}}, UnknownNameError),
        ({"values": {"full": 7}}, SettingsError),
    ]
    for changed, error in stored:
        with pytest.raises(error):
            LinkWeights.from_json({**OF_VSM.to_json(), **changed})


def test_given_weights_take_the_place_of_the_strategys_own() -> None:
    for name in ["vsm", "vsm-four", "mcoa"]:
        made = strategy(name, replace(TOPIC, weights=GIVEN))
        (score,) = scores(made, visit("rain"), link("storm", "storm at sea"))
        assert {part.name: part.weight for part in score.parts} == {"anchor": 0.75, "context": 0.5}
    numpy = LinkWeights({"inlinks": np.float32(0.5), "source": 0.5, "full": 0.2})  # type: ignore[dict-item]
    made = strategy("vsm", replace(TOPIC, weights=numpy))
    (score,) = scores(made, visit("storm rain"), link())
    assert [part.name for part in score.parts] == ["full", "source", "inlinks"]
    assert 0.0 < score.part("source", 0.0) <= 1.0  # by the judge


VALUES = {"full": 0.3, "anchor": 0.9}
ANY = LinkWeights(VALUES)
OF_VSM = LinkWeights(VALUES, "vsm", "w.toml")
SILENT = ("scent", "breadth-first", "random", "best-first", "fish", "shark", "oracle")


def refused(name: str, weights: LinkWeights, **parameters: Value) -> str:
    with pytest.raises(SettingsError) as caught:
        catalogue.check_user_weights(catalogue.CATALOGUE[name], weights, parameters)
    message = str(caught.value)
    assert "\n" not in message and message.endswith(".")
    return message


def test_weights_are_for_strategies_with_their_text_model_or_for_all_that_weigh() -> None:
    models = {name: catalogue.text_model_name(spec) for name, spec in catalogue.CATALOGUE.items()}
    assert {name for name, model in models.items() if model is None} == set(SILENT)
    shared = (models["vsm-four"], models["ssvsm"], models["soft-svsm-mcoa"])
    assert shared == ("vsm", "svsm", "soft-svsm")
    for name in SILENT:
        message = refused(name, ANY)
        assert message.startswith(f"strategy {name!r} takes no weights, and there are weights")
        named = message.partition("(")[2].partition(")")[0].split(", ")
        assert named == [each for each in catalogue.CATALOGUE if each not in SILENT]
        assert "can use them (vsm, vsm-mean, vsm-four, mcoa, annealing)" in refused(name, OF_VSM)
    assert refused("soft-svsm", OF_VSM) == (
        "strategy 'soft-svsm' has the text model 'soft-svsm', and there are weights from w.toml "
        "for the text model 'vsm'; choose a strategy that can use them (vsm, vsm-mean, vsm-four, "
        "mcoa, annealing), or tune again with --model soft-svsm."
    )
    assert refused("ssrm", ANY, balance=0.3).startswith("ssrm.balance has no effect")
    assert "mcoa.structure" in refused("mcoa", OF_VSM, structure=True)
    given = replace(strategy_context(examples=["storm and rain"]), weights=ANY)
    for name in ("vsm-four", "ssrm", "soft-svsm-mcoa", "sentences-light", "olmoaco"):
        catalogue.check_user_weights(catalogue.CATALOGUE[name], ANY)
        made = catalogue.CATALOGUE[name].build(given, {})
        assert made.scorer.weights == VALUES  # type: ignore[attr-defined]
    for name in catalogue.CATALOGUE:
        catalogue.check_user_weights(catalogue.CATALOGUE[name], None, {"balance": 0.3})
    catalogue.check_user_weights(catalogue.CATALOGUE["mcoa"], OF_VSM, {"every": 20})


A, B = "http://a.test/1", "http://b.test/1"


def model() -> TextModel:
    return TEXT_MODELS["vsm"].model(strategy_context(["storm"], ["storm rain", "storm sea"]), {})


def test_records_of_hosts_and_structure_beside_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host without pages is worth the mean, and one with many its own."""
    assert host_record(0, 0.0, 0.3) == pytest.approx(0.3)
    assert host_record(5, 4.0, 0.2) == pytest.approx(0.5)  # (4 + 5 x 0.2) / 10
    assert host_record(995, 995.0, 0.0) == pytest.approx(0.995)
    monkeypatch.setattr(link_priority, "MAX_HOSTS", 2)
    structure = LinkStructure()
    assert structure.of_hosts([Link(A)]) == [0.0]
    structure.observe(A, 0.8)
    structure.observe(B, 0.2)  # mean 0.5
    found = structure.of_hosts([Link(A), Link(B), Link("http://c.test/")])
    assert found == pytest.approx([(0.8 + 2.5) / 6, (0.2 + 2.5) / 6, 0.5])
    for url in (A, "http://c.test/"):  # B, the oldest now, is forgotten
        structure.observe(url, 1.0)
    assert structure.state()["hosts"] == ["a.test", "c.test"]
    weights = {"anchor": 0.5, "host": 0.1, "source": 0.2, "inlinks": 0.4}
    made, again = (WeightedTexts(model(), weights, lambda document: 0.6) for _ in range(2))
    made.observe(visit("rain"))
    (score,) = made.score(visit("rain"), [link("storm")])
    values = {part.name: part.value for part in score.parts}
    assert list(values) == ["anchor", "host", "source", "inlinks"]
    assert values["source"] == values["host"] == pytest.approx(0.6)
    assert values["inlinks"] == 0.5
    expected = 0.5 * values["anchor"] + 0.1 * 0.6 + 0.2 * 0.6 + 0.4 * 0.5
    assert score.value == pytest.approx(expected)
    again.restore(made.state())
    assert again.score(visit("rain"), [link("storm")]) == [score]
    scorer = WeightedTexts(model(), {"anchor": 1.0}, relevance=lambda document: pytest.fail())
    scorer.observe(visit("rain"))
    (score,) = scorer.score(visit("rain"), [link("storm")])
    assert [part.name for part in score.parts] == ["anchor"]


def test_any_strategy_that_scores_takes_any_inlink_rule() -> None:
    assert {catalogue.parse_inlink_rule(name) for name in INLINK_RULES} == set(Combination)
    with pytest.raises(SettingsError, match="inlinks must be max, mean, last, not 'sum'"):
        catalogue.parse_inlink_rule("sum")
    for inlinks in INLINK_RULES:
        for spec in catalogue.CATALOGUE.values():
            if spec.name in {"breadth-first", "random", "oracle"}:
                with pytest.raises(SettingsError, match=f"'{spec.name}' scores all links"):
                    catalogue.with_inlink_rule(spec, inlinks)
            else:
                changed = catalogue.with_inlink_rule(spec, inlinks)
                assert (changed.name, changed.combination.value) == (spec.name, inlinks)
            assert catalogue.with_inlink_rule(spec, None) is spec

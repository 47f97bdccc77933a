"""The judge by an ontology: olmoaco Eq. 5-6 by hand, its strict threshold, its parts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document, TopicProfile
from scenthound.papers.concept_model import DEFAULT_SIGMA, OntologyJudge
from scenthound.text.analyzer import Analyzer

CONCEPTS = {"storm": 1.0, "storm surge": 0.75, "flood": 0.5, "wind": 0.25}
LENGTH = math.sqrt(1.0 + 0.5625 + 0.25 + 0.0625)
WORDS = st.lists(st.sampled_from([*CONCEPTS, "rain", "cake", "the"]), max_size=12)
TEXTS = WORDS.map(" . ".join)


def judge(*examples: str, threshold: float | None = None) -> OntologyJudge:
    documents = tuple(Document(text=text) for text in examples)
    return OntologyJudge(CONCEPTS, TopicProfile("t", (), documents), Analyzer(), threshold)


def relevance(text: str, title: str = "", of: OntologyJudge | None = None) -> float:
    return (of or judge()).similarity(Document(title, text))


def naive(text: str) -> float:
    """Every concept that stands in the body weighs 1, however often (Eq. 5 as printed)."""
    named = [CONCEPTS[word] for word in set(text.split(" . ")) if word in CONCEPTS]
    return sum(named) / LENGTH / math.sqrt(len(named)) if named else 0.0


@given(TEXTS)
def test_relevance_is_the_cosine_with_the_topic(text: str) -> None:
    value = relevance(text)
    assert value == pytest.approx(naive(text), abs=1e-12)
    assert 0.0 <= value <= 1.0


def test_a_page_without_a_concept_is_not_relevant_whatever_sigma() -> None:
    lenient = judge(threshold=0.0)
    assert relevance("cake and tea", of=lenient) == 0.0 < lenient.threshold
    assert relevance("wind", of=lenient) >= lenient.threshold


def test_a_page_at_sigma_is_not_above_it() -> None:
    """olmoaco asks for R(P) > sigma; a record asks for at least the threshold."""
    sigma = relevance("storm")
    strict, below = judge(threshold=sigma), judge(threshold=math.nextafter(sigma, 0.0))
    assert not relevance("storm", of=strict) >= strict.threshold
    assert relevance("storm", of=below) >= below.threshold
    assert (strict.calibration.value, strict.calibration.origin) == (sigma, "given")


def test_sigma_of_two_examples_by_hand() -> None:
    """R of "storm" is 1 / 1.369306 = 0.730297, of "flood" 0.365148; rank 0.05 between them."""
    calibration = judge("storm", "flood").calibration
    assert calibration.value == pytest.approx(0.365148 + 0.05 * 0.365148, abs=1e-6)
    assert calibration.origin == "5th percentile of 2 example pages"


@given(TEXTS.filter(lambda text: naive(text) > 0.0))
def test_copies_of_an_example_are_relevant(text: str) -> None:
    alike = judge(text, text)
    assert relevance(text, of=alike) >= alike.threshold


def test_the_default_where_nothing_can_be_calibrated() -> None:
    cases: list[tuple[tuple[str, ...], str]] = [
        ((), "fewer than two example pages"),
        (("storm",), "fewer than two example pages"),
        (("storm", " "), "fewer than two example pages"),
        (("cake", "tea"), "example pages name no concept of the ontology"),
    ]
    for examples, why in cases:
        calibration = judge(*examples).calibration
        assert (calibration.value, calibration.origin) == (DEFAULT_SIGMA, f"default: {why}")


@given(TEXTS)
def test_the_concepts_add_up_to_the_relevance(text: str) -> None:
    found = judge().judgement(Document(text=text))
    contributions = [share.contribution for share in found.terms]
    assert found.similarity == relevance(text)
    assert sum(contributions) == pytest.approx(found.similarity, abs=1e-12)
    assert contributions == sorted(contributions, reverse=True)
    assert found.nearest is None
    words = text.split(" . ")
    assert {share.term: share.count for share in found.terms} == {
        word: words.count(word) for word in words if word in CONCEPTS
    }


def test_a_page_in_another_language_is_told() -> None:
    english, page = judge(), "Der Sturm und die Flut haben die Küste in der Nacht erreicht. " * 3
    assert english.language(Document(text=page, language="de")) == "de"
    assert english.language(Document(text="storm")) is None

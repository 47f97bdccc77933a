"""Judges of pages: by example pages, with a threshold of their own, and by an ontology."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document, TopicProfile
from scenthound.papers.concept_model import DEFAULT_SIGMA, OntologyJudge
from scenthound.similarity.judge import SimilarityJudge, calibrated_threshold, leave_one_out
from scenthound.text.analyzer import Analyzer


def test_each_page_is_compared_with_the_nearest_other() -> None:
    """Columns a, b, c with cos(a, b) = 0.6, cos(a, c) = 0, cos(b, c) = 0.8."""
    columns = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 1.0]])
    assert leave_one_out(columns) == pytest.approx([0.6, 0.8, 0.8])
    assert leave_one_out(np.zeros((1, 0))) == leave_one_out(np.ones((1, 1))) == []
    # Rank 0.05 * 2 = 0.1 between 0.6 and 0.8.
    assert calibrated_threshold([0.8, 0.6, 0.8]) == pytest.approx(0.62)
    assert calibrated_threshold([0.4]) == pytest.approx(0.4)


# The judge against a slow reference, and its threshold by hand.

VOCABULARY = "storm flood rain wind hail cake bread castle".split()
"""No two of them make a phrase of WordNet, which the reference does not know."""
TEXTS = st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)


def judge(
    *examples: str, keywords: tuple[str, ...] = (), threshold: float | None = None
) -> SimilarityJudge:
    documents = tuple(Document(text=text) for text in examples)
    return SimilarityJudge(TopicProfile("t", keywords, documents), Analyzer(), threshold)


def similarity(of: SimilarityJudge, text: str, title: str = "") -> float:
    return of.similarity(Document(title, text))


def naive(examples: list[str], text: str) -> float:
    """Maximum of the cosines with the example pages, idf over these, term by term."""
    pages = [example.split() for example in examples if example]
    terms = sorted({*text.split(), *(word for page in pages for word in page)})
    idf = {t: math.log((len(pages) + 1) / (sum(t in p for p in pages) + 1)) + 1 for t in terms}

    def vector(words: list[str]) -> list[float]:
        counts = Counter(words)
        return [counts[t] / max(counts.values()) * idf[t] for t in terms]

    def cosine(x: list[float], y: list[float]) -> float:
        return sum(a * b for a, b in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)

    return max(cosine(vector(text.split()), vector(p)) for p in pages) if text else 0.0


@given(st.lists(TEXTS, min_size=1, max_size=5).filter(any), TEXTS)
def test_similarity_is_the_maximum_over_the_examples(examples: list[str], text: str) -> None:
    value = similarity(judge(*examples), text)
    assert value == pytest.approx(naive(examples, text), abs=1e-9)
    assert 0.0 <= value <= 1.0


@given(TEXTS.filter(bool), TEXTS)
def test_copies_of_an_example_are_relevant_even_at_a_threshold_of_1(text: str, other: str) -> None:
    """Two equal examples, each left out in turn: the threshold is 1."""
    strict = judge(text, text)
    assert strict.threshold == pytest.approx(1.0)
    assert similarity(strict, text) >= strict.threshold
    assert similarity(strict, f"{text} {other} zebra") < strict.threshold


def test_without_examples_the_keywords_are_the_page() -> None:
    """(1, 1, 0) and (1, 0, 1), the unseen word with idf ln 2 + 1 = 1.693147."""
    of_keywords = judge(keywords=("storm", "flood"))
    assert similarity(of_keywords, "storm flood") == pytest.approx(1.0)
    expected = 1 / math.sqrt(2) / math.sqrt(1 + 1.693147**2)
    assert similarity(of_keywords, "storm cake") == pytest.approx(expected, abs=1e-6)
    assert [similarity(judge("storm"), text) for text in ("", "the of and", "cake")] == [0.0] * 3


def test_threshold_of_three_examples_by_hand() -> None:
    """storm and flood are in two pages each, so their idf are equal: (1, 0), (1, 3), (0, 1).

    Nearest others 0.316228, 0.948683, 0.948683; 5th percentile at rank 0.1: 0.379473.
    """
    calibration = judge("storm", "storm flood flood flood", "flood").calibration
    assert calibration.value == pytest.approx(0.379473, abs=1e-6)
    assert calibration.origin == "5th percentile of 3 example pages, each left out in turn"


def test_default_threshold_where_nothing_can_be_calibrated() -> None:
    """Fewer than two example pages, and two with no word in common."""
    cases: list[tuple[str, ...]] = [(), ("storm",), ("storm", "the of"), ("storm", "flood")]
    for examples in cases:
        calibration = judge(*examples, keywords=("storm",)).calibration
        assert (calibration.value, calibration.origin[:7]) == (0.1, "default")
    given_one = judge("storm", "storm flood", threshold=0.25)
    assert (given_one.threshold, given_one.calibration.origin) == (0.25, "given")


# A similarity taken apart: the terms add up, the nearest example is named.


@given(st.lists(TEXTS, min_size=1, max_size=5).filter(any), TEXTS)
def test_the_shared_terms_add_up_to_the_similarity(examples: list[str], text: str) -> None:
    of_examples = judge(*examples)
    found = of_examples.judgement(Document(text=text))
    assert found.similarity == of_examples.similarity(Document(text=text))
    contributions = [share.contribution for share in found.terms]
    assert sum(contributions) == pytest.approx(found.similarity, abs=1e-9)
    assert contributions == sorted(contributions, reverse=True)
    counts = Analyzer().count(text)
    nearest = "" if found.nearest is None else examples[found.nearest]
    shared = counts.keys() & Analyzer().count(nearest).keys()
    assert {share.term: share.count for share in found.terms} == {t: counts[t] for t in shared}


def test_two_shared_terms_by_hand() -> None:
    """All idf are 1: the page is (2, 1) / sqrt 5, the example (1, 1) / sqrt 2."""
    found = judge("storm flood").judgement(Document(text="storm storm flood"))
    storm, flood = found.terms
    assert (storm.term, storm.count, flood.term, flood.count) == ("storm", 2, "flood", 1)
    assert storm.on_page == pytest.approx(2 / math.sqrt(5))
    assert storm.in_example == pytest.approx(1 / math.sqrt(2))
    assert storm.contribution == pytest.approx(2 / math.sqrt(10))
    third = judge("cake", "the of", "storm").judgement(Document(text="storm"))
    assert third.nearest == 2  # an example without words keeps its place
    none = judge("storm").judgement(Document(text="the of"))
    assert (none.similarity, none.nearest, none.terms) == (0.0, None, ())


# The judge by an ontology: olmoaco Eq. 5-6 by hand, its strict threshold, its parts.

CONCEPTS = {"storm": 1.0, "storm surge": 0.75, "flood": 0.5, "wind": 0.25}
LENGTH = math.sqrt(1.0 + 0.5625 + 0.25 + 0.0625)
NAMED = st.lists(st.sampled_from([*CONCEPTS, "rain", "cake", "the"]), max_size=12)
NAMINGS = NAMED.map(" . ".join)


def by_ontology(*examples: str, threshold: float | None = None) -> OntologyJudge:
    documents = tuple(Document(text=text) for text in examples)
    return OntologyJudge(CONCEPTS, TopicProfile("t", (), documents), Analyzer(), threshold)


def relevance(text: str, title: str = "", of: OntologyJudge | None = None) -> float:
    return (of or by_ontology()).similarity(Document(title, text))


def naive_relevance(text: str) -> float:
    """Every concept that stands in the body weighs 1, however often (Eq. 5 as printed)."""
    named = [CONCEPTS[word] for word in set(text.split(" . ")) if word in CONCEPTS]
    return sum(named) / LENGTH / math.sqrt(len(named)) if named else 0.0


@given(NAMINGS)
def test_relevance_is_the_cosine_with_the_topic_and_the_concepts_add_up_to_it(text: str) -> None:
    value, found = relevance(text), by_ontology().judgement(Document(text=text))
    assert value == pytest.approx(naive_relevance(text), abs=1e-12)
    assert 0.0 <= value <= 1.0
    contributions = [share.contribution for share in found.terms]
    assert (found.similarity, found.nearest) == (value, None)
    assert sum(contributions) == pytest.approx(value, abs=1e-12)
    assert contributions == sorted(contributions, reverse=True)
    words = text.split(" . ")
    assert {share.term: share.count for share in found.terms} == {
        word: words.count(word) for word in words if word in CONCEPTS
    }


def test_a_page_at_sigma_is_not_above_it() -> None:
    """olmoaco asks for R(P) > sigma; a record asks for at least the threshold."""
    sigma = relevance("storm")
    strict, below = by_ontology(threshold=sigma), by_ontology(threshold=math.nextafter(sigma, 0.0))
    assert not relevance("storm", of=strict) >= strict.threshold
    assert relevance("storm", of=below) >= below.threshold
    assert (strict.calibration.value, strict.calibration.origin) == (sigma, "given")
    lenient = by_ontology(threshold=0.0)
    assert relevance("cake and tea", of=lenient) == 0.0 < lenient.threshold
    assert relevance("wind", of=lenient) >= lenient.threshold


def test_sigma_of_two_examples_by_hand_and_by_default() -> None:
    """R of "storm" is 1 / 1.369306 = 0.730297, of "flood" 0.365148; rank 0.05 between them."""
    calibration = by_ontology("storm", "flood").calibration
    assert calibration.value == pytest.approx(0.365148 + 0.05 * 0.365148, abs=1e-6)
    assert calibration.origin == "5th percentile of 2 example pages"
    cases: list[tuple[tuple[str, ...], str]] = [
        ((), "fewer than two example pages"),
        (("storm",), "fewer than two example pages"),
        (("storm", " "), "fewer than two example pages"),
        (("cake", "tea"), "example pages name no concept of the ontology"),
    ]
    for examples, why in cases:
        calibration = by_ontology(*examples).calibration
        assert (calibration.value, calibration.origin) == (DEFAULT_SIGMA, f"default: {why}")


@given(NAMINGS.filter(lambda text: naive_relevance(text) > 0.0))
def test_copies_of_an_example_are_relevant(text: str) -> None:
    alike = by_ontology(text, text)
    assert relevance(text, of=alike) >= alike.threshold


def test_a_page_in_another_language_is_reported() -> None:
    english = by_ontology()
    page = "Der Sturm und die Flut haben die Küste in der Nacht erreicht. " * 3
    assert english.language(Document(text=page, language="de")) == "de"
    assert english.language(Document(text="storm")) is None

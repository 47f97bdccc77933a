"""Cosines against a slow reference, and the vector space model on a few words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relevance.weighing import Vector, similarities, texts
from scenthound.core.model import Briefing, Document
from scenthound.relevance.vsm import Cosine, VectorSpaceModel, cosines
from scenthound.text.analyzer import Analyzer
from scenthound.text.vocabulary import Vocabulary

TERMS = st.sampled_from("abcdefghij")
VECTORS = st.dictionaries(TERMS, st.floats(1e-3, 1e3), max_size=8)
NO_PAGE = Document()


def naive(first: Vector, second: Vector) -> float:
    """As the formula is printed, over all terms of either."""
    terms = sorted(set(first) | set(second))
    x = [first.get(t, 0.0) for t in terms]
    y = [second.get(t, 0.0) for t in terms]
    lengths = math.sqrt(math.fsum(v * v for v in x)) * math.sqrt(math.fsum(v * v for v in y))
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths else 0.0


def cosine(first: Vector, second: Vector) -> float:
    """One text, one topic vector."""
    (found,) = similarities(Cosine(), [first], [second], Vocabulary())
    return found


@given(VECTORS, VECTORS)
def test_cosine_equals_the_naive_one_and_is_symmetric(first: Vector, second: Vector) -> None:
    value = cosine(first, second)
    assert value == pytest.approx(naive(first, second), abs=1e-9)
    assert value == pytest.approx(cosine(second, first), abs=1e-12)
    assert 0.0 <= value <= 1.0


@given(st.lists(VECTORS, max_size=4), st.lists(VECTORS, min_size=1, max_size=3))
def test_each_text_has_its_highest_cosine_over_the_columns(
    of_texts: list[Vector], columns: list[Vector]
) -> None:
    expected = [max(naive(text, column) for column in columns) for text in of_texts]
    found = similarities(Cosine(), of_texts, columns, Vocabulary())
    assert found == pytest.approx(expected, abs=1e-9)


@given(VECTORS.filter(bool), st.floats(0.01, 100.0))
def test_cosine_of_a_vector_with_a_multiple_of_itself_is_1(vector: Vector, factor: float) -> None:
    assert cosine(vector, {t: factor * w for t, w in vector.items()}) == pytest.approx(1.0)


def test_cosine_by_hand() -> None:
    """sdvsm Fig. 5 as a plain cosine."""
    page = dict(zip("abcdef", (0.18, 0.13, 0.3, 0.24, 0.15, 0.03), strict=True))
    topic = np.array([0.26, 0.16, 0.6, 0.52, 0.28, 0.19])
    bags, weights = texts([page], Vocabulary())
    (found,) = cosines(bags, weights, topic, float(np.linalg.norm(topic)))
    assert found == pytest.approx(0.9777, abs=5e-5)


def test_one_shared_term_does_not_score_1() -> None:
    assert cosine({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 1.0}) == pytest.approx(0.5)


def test_empty_texts_and_topics_give_0() -> None:
    assert cosine({}, {"a": 1.0}) == cosine({"a": 1.0}, {}) == cosine({}, {}) == 0.0
    assert cosine({"a": 0.0}, {"a": 1.0}) == cosine({"a": 1.0}, {"a": 0.0}) == 0.0


def test_no_texts_have_no_similarities() -> None:
    assert similarities(Cosine(), [], [{"a": 1.0}], Vocabulary()) == []


def test_terms_that_came_after_the_topic_are_not_in_it() -> None:
    """Their numbers are higher than all that the topic has laid out."""
    vocabulary = Vocabulary()
    many: Vector = {f"word{n}": 1.0 for n in range(2000)}
    (none, some) = similarities(Cosine(), [many, {**many, "a": 1.0}], [{"a": 1.0}], vocabulary)
    assert none == 0.0
    assert some == pytest.approx(1 / math.sqrt(2001))


def test_a_topic_that_is_taken_anew_forgets_the_old_one() -> None:
    vocabulary, form = Vocabulary(), Cosine()
    assert similarities(form, [{"a": 1.0}], [{"a": 1.0}], vocabulary) == [1.0]
    assert similarities(form, [{"a": 1.0}], [{"b": 1.0}], vocabulary) == [0.0]


def model(*keywords: str, examples: tuple[str, ...] = (), by: str = "merged") -> VectorSpaceModel:
    pages = tuple(Document(text=text) for text in examples)
    return VectorSpaceModel(Briefing("t", keywords, pages), Analyzer(), by=by)


def similarity(of: VectorSpaceModel, text: str) -> float:
    (found,) = of.similarities([text], NO_PAGE)
    return found


COUNTS = st.dictionaries(st.sampled_from("storm flood rain cake".split()), st.integers(1, 5))


@given(COUNTS, COUNTS, st.lists(COUNTS, max_size=4))
def test_similarity_equals_the_naive_one(
    text: dict[str, int], example: dict[str, int], learnt: list[dict[str, int]]
) -> None:
    """The reference has the factor 1 / f_max of Eq. 9, which must cancel."""

    def written(counts: dict[str, int]) -> str:
        return " | ".join(word for word, n in counts.items() for _ in range(n))

    def weights(counts: dict[str, int]) -> Vector:
        highest = max(counts.values(), default=1)
        return {t: n / highest * idf(t) for t, n in counts.items()}

    def idf(term: str) -> float:
        pages = [example, *learnt]
        return math.log((len(pages) + 1) / (sum(term in page for page in pages) + 1)) + 1

    vsm = model(examples=(written(example),))
    for counts in learnt:
        vsm.learn(Document(text=written(counts)))
    expected = naive(weights(text), weights(example))
    assert similarity(vsm, written(text)) == pytest.approx(expected, abs=1e-9)


def test_similarity_of_a_text_to_two_keywords() -> None:
    """No page seen: all idf are 1. Topic (1, 1) / sqrt 2, text (1, 1) with one in common."""
    assert similarity(model("storm", "flood"), "storm wind") == pytest.approx(0.5)
    assert similarity(model("storm", "flood"), "Floods and storms") == pytest.approx(1.0)


def test_text_without_terms_or_in_common_is_0() -> None:
    assert model("storm").similarities(["", "the of", "cake"], NO_PAGE) == [0.0, 0.0, 0.0]


def test_words_of_every_page_lose_weight() -> None:
    """After three pages with "home": idf(home) = 1, idf(storm) = ln 4 + 1 = 2.386294.

    similarity("storm home") = 2.386294 / sqrt(2.386294^2 + 1) = 0.922291.
    """
    vsm = model("storm")
    before = similarity(vsm, "storm home")
    for _ in range(3):
        vsm.learn(Document(text="home"))
    assert before == pytest.approx(1 / math.sqrt(2))
    assert similarity(vsm, "storm home") == pytest.approx(0.922291, abs=1e-6)


def test_the_topic_follows_the_collection() -> None:
    vsm = model("storm", "flood")
    assert similarity(vsm, "storm") == pytest.approx(similarity(vsm, "flood"))
    vsm.learn(Document(text="flood"))
    assert similarity(vsm, "storm") > similarity(vsm, "flood")


def test_example_page_is_similar_to_the_topic_it_makes() -> None:
    vsm = model(examples=("storm flood rain",))
    assert similarity(vsm, "storm flood rain") == pytest.approx(1)


def test_by_pages_a_text_is_as_similar_as_to_the_nearest_page() -> None:
    """Two pages that share no word: a text of one of them is 1, merged it is 1 / sqrt 2."""
    pages = ("storm", "cake")
    assert similarity(model(examples=pages, by="pages"), "cake") == pytest.approx(1.0)
    assert similarity(model(examples=pages), "cake") == pytest.approx(1 / math.sqrt(2))


@pytest.mark.parametrize("by", ["merged", "pages"])
def test_restored_model_answers_and_learns_like_the_saved_one(by: str) -> None:
    saved = model("storm", examples=("storm flood",), by=by)
    for n in range(25):
        saved.learn(Document(text=f"storm rain word{n}"))
    restored = model("storm", examples=("storm flood",), by=by)
    restored.restore(saved.state())
    for n in range(5):
        assert similarity(restored, "rain flood word3") == similarity(saved, "rain flood word3")
        for each in (saved, restored):
            each.learn(Document(text=f"flood more{n}"))

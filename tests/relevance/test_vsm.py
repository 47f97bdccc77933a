"""Cosines against a slow reference, and the vector space model on a few words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Briefing, Document
from scenthound.relevance.vsm import VectorSpaceModel, cosine, text_similarity
from scenthound.text.terms import Analyzer
from scenthound.text.weights import norm

TERMS = st.sampled_from("abcdefghij")
VECTORS = st.dictionaries(TERMS, st.floats(1e-3, 1e3), max_size=8)
COUNTS = st.dictionaries(TERMS, st.integers(1, 50), max_size=8)
WEIGHTS = st.lists(st.floats(1e-3, 10.0), min_size=8, max_size=8)


def naive(first: dict[str, float], second: dict[str, float]) -> float:
    """As the formula is printed, over all terms of either."""
    terms = sorted(set(first) | set(second))
    x = [first.get(t, 0.0) for t in terms]
    y = [second.get(t, 0.0) for t in terms]
    lengths = math.sqrt(math.fsum(v * v for v in x)) * math.sqrt(math.fsum(v * v for v in y))
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths else 0.0


@given(VECTORS, VECTORS)
def test_cosine_equals_the_naive_one_and_is_symmetric(
    first: dict[str, float], second: dict[str, float]
) -> None:
    value = cosine(first, second)
    assert value == pytest.approx(naive(first, second), abs=1e-9)
    assert value == pytest.approx(cosine(second, first), abs=1e-12)
    assert 0.0 <= value <= 1.0


@given(COUNTS, WEIGHTS, VECTORS)
def test_text_similarity_equals_the_naive_one(
    counts: dict[str, int], idfs: list[float], topic: dict[str, float]
) -> None:
    """The reference has the factor 1 / f_max of Eq. 9, which must cancel."""
    highest = max(counts.values(), default=1)
    weights = {t: n / highest * idf for (t, n), idf in zip(counts.items(), idfs, strict=False)}
    value = text_similarity(counts, idfs[: len(counts)], topic, norm(topic))
    assert value == pytest.approx(naive(weights, topic), abs=1e-9)
    assert 0.0 <= value <= 1.0


@given(VECTORS.filter(bool), st.floats(0.01, 100.0))
def test_cosine_of_a_vector_with_a_multiple_of_itself_is_1(
    vector: dict[str, float], factor: float
) -> None:
    assert cosine(vector, {t: factor * w for t, w in vector.items()}) == pytest.approx(1.0)


def test_cosine_by_hand() -> None:
    """sdvsm Fig. 5 as a plain cosine."""
    page = dict(zip("abcdef", (0.18, 0.13, 0.3, 0.24, 0.15, 0.03), strict=True))
    topic = dict(zip("abcdef", (0.26, 0.16, 0.6, 0.52, 0.28, 0.19), strict=True))
    assert cosine(page, topic) == pytest.approx(0.9777, abs=5e-5)


def test_one_shared_term_does_not_score_1() -> None:
    assert cosine({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 1.0}) == pytest.approx(0.5)


def test_empty_texts_and_topics_give_0() -> None:
    assert cosine({}, {"a": 1.0}) == cosine({"a": 1.0}, {}) == cosine({}, {}) == 0.0
    assert text_similarity({}, [], {"a": 1.0}, 1.0) == 0.0
    assert text_similarity({"a": 1}, [1.0], {}, 0.0) == 0.0
    assert cosine({"a": 0.0}, {"a": 1.0}) == 0.0


def model(*keywords: str, examples: tuple[str, ...] = ()) -> VectorSpaceModel:
    texts = tuple(Document(text=text) for text in examples)
    return VectorSpaceModel(Briefing("t", keywords, texts), Analyzer())


def test_similarity_of_a_text_to_two_keywords() -> None:
    """No page seen: all idf are 1. Topic (1, 1) / sqrt 2, text (1, 1) with one in common."""
    assert model("storm", "flood").similarity("storm wind") == pytest.approx(0.5)
    assert model("storm", "flood").similarity("Floods and storms") == pytest.approx(1.0)


def test_text_without_terms_or_in_common_is_0() -> None:
    assert model("storm").similarity("") == 0.0
    assert model("storm").similarity("the of") == 0.0
    assert model("storm").similarity("cake") == 0.0


def test_words_of_every_page_lose_weight() -> None:
    """After three pages with "home": idf(home) = 1, idf(storm) = ln 4 + 1 = 2.386294.

    similarity("storm home") = 2.386294 / sqrt(2.386294^2 + 1) = 0.922291.
    """
    vsm = model("storm")
    before = vsm.similarity("storm home")
    for _ in range(3):
        vsm.learn(Document(text="home"))
    assert before == pytest.approx(1 / math.sqrt(2))
    assert vsm.similarity("storm home") == pytest.approx(0.922291, abs=1e-6)


def test_the_topic_follows_the_collection() -> None:
    vsm = model("storm", "flood")
    assert vsm.similarity("storm") == pytest.approx(vsm.similarity("flood"))
    vsm.learn(Document(text="flood"))
    assert vsm.similarity("storm") > vsm.similarity("flood")


def test_example_page_is_similar_to_the_topic_it_makes() -> None:
    assert model(examples=("storm flood rain",)).similarity("storm flood rain") == pytest.approx(1)


def test_restored_model_answers_and_learns_like_the_saved_one() -> None:
    saved = model("storm", examples=("storm flood",))
    for n in range(25):
        saved.learn(Document(text=f"storm rain word{n}"))
    restored = model("storm", examples=("storm flood",))
    restored.restore(saved.state())
    for n in range(5):
        assert restored.similarity("rain flood word3") == saved.similarity("rain flood word3")
        for each in (saved, restored):
            each.learn(Document(text=f"flood more{n}"))

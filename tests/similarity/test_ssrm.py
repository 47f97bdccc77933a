"""SSRM against the double sum it is printed as."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document, TopicProfile
from scenthound.similarity.text_models import Cosine, Ssrm, VectorSpaceModel, cosines
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Vocabulary
from similarity.fixed_similarity import SIMILARITIES, TEXTS, TOPICS, FixedSimilarity, slow_ssrm
from similarity.weighing import Vector, similarities, texts


def ssrm(
    texts: list[Vector], columns: list[Vector], fixed: FixedSimilarity, floor: float = 0.0
) -> list[float]:
    vocabulary = Vocabulary()
    form = Ssrm(fixed.table(vocabulary, floor))
    return similarities(form, texts, columns, vocabulary)


@given(TEXTS, TOPICS, SIMILARITIES, st.sampled_from([0.0, 0.3, 0.6, 1.0]))
def test_the_fast_form_is_the_printed_one_the_highest_over_the_columns(
    texts: list[Vector], columns: list[Vector], fixed: FixedSimilarity, floor: float
) -> None:
    found = ssrm(texts, columns, fixed, floor)
    expected = [max(slow_ssrm(w, t, fixed, floor) for t in columns) for w in texts]
    assert found == pytest.approx(expected, abs=1e-6)
    assert all(0.0 <= value <= 1.0 for value in found)


def test_by_hand() -> None:
    """w = (1, 3), t = (1, 1), s = ((1, 0.5), (0.5, 0)): (1 + 0.5 + 3 * 0.5) / (4 * 2) = 3 / 8."""
    fixed = FixedSimilarity(pairs={"ad": 0.5, "ba": 0.5})
    assert ssrm([{"a": 1.0, "b": 3.0}], [{"a": 1.0, "d": 1.0}], fixed) == [0.375]


def test_faint_similarities_add_up_unless_there_is_a_floor() -> None:
    fixed = FixedSimilarity(pairs={"ad": 0.2, "bd": 0.2, "cd": 0.2})
    texts: list[Vector] = [{"a": 1.0, "b": 1.0, "c": 1.0}]
    assert ssrm(texts, [{"d": 1.0}], fixed) == pytest.approx([0.2])
    assert ssrm(texts, [{"d": 1.0}], fixed, floor=0.3) == [0.0]


# Cosines against a slow reference, and the vector space model on a few words.


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


@given(st.lists(VECTORS, max_size=4), st.lists(VECTORS, min_size=1, max_size=3))
def test_each_text_has_its_highest_cosine_over_the_columns(
    of_texts: list[Vector], columns: list[Vector]
) -> None:
    expected = [max(naive(text, column) for column in columns) for text in of_texts]
    found = similarities(Cosine(), of_texts, columns, Vocabulary())
    assert found == pytest.approx(expected, abs=1e-9)


def test_cosine_by_hand() -> None:
    """sdvsm Fig. 5 as a plain cosine."""
    page = dict(zip("abcdef", (0.18, 0.13, 0.3, 0.24, 0.15, 0.03), strict=True))
    topic = np.array([0.26, 0.16, 0.6, 0.52, 0.28, 0.19])
    bags, weights = texts([page], Vocabulary())
    (found,) = cosines(bags, weights, topic, float(np.linalg.norm(topic)))
    assert found == pytest.approx(0.9777, abs=5e-5)


def test_empty_texts_and_topics_give_0() -> None:
    assert cosine({}, {"a": 1.0}) == cosine({"a": 1.0}, {}) == cosine({}, {}) == 0.0
    assert cosine({"a": 0.0}, {"a": 1.0}) == cosine({"a": 1.0}, {"a": 0.0}) == 0.0


def model(*keywords: str, examples: tuple[str, ...] = (), by: str = "merged") -> VectorSpaceModel:
    pages = tuple(Document(text=text) for text in examples)
    return VectorSpaceModel(TopicProfile("t", keywords, pages), Analyzer(), by=by)


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


def test_by_pages_a_text_is_as_similar_as_to_the_nearest_page() -> None:
    """Two pages that share no word: a text of one of them is 1, merged it is 1 / sqrt 2."""
    pages = ("storm", "cake")
    assert similarity(model(examples=pages, by="pages"), "cake") == pytest.approx(1.0)
    assert similarity(model(examples=pages), "cake") == pytest.approx(1 / math.sqrt(2))


def test_restored_model_answers_and_learns_like_the_saved_one() -> None:
    for by in ["merged", "pages"]:
        saved = model("storm", examples=("storm flood",), by=by)
        for n in range(25):
            saved.learn(Document(text=f"storm rain word{n}"))
        restored = model("storm", examples=("storm flood",), by=by)
        restored.restore(saved.state())
        for n in range(5):
            assert similarity(restored, "rain flood word3") == similarity(saved, "rain flood word3")
            for each in (saved, restored):
                each.learn(Document(text=f"flood more{n}"))

"""Relevance of pages and anchors by concepts."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Document
from scenthound.papers import concept_model
from scenthound.papers.concept_model import (
    GROUP_WEIGHTS,
    ConceptCounter,
    ConceptModel,
    anchor_weights,
    cosines,
    page_weights,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Weights

TOPIC = {"storm": 1.0, "flood": 0.5, "storm surge": 0.5}
LENGTH = math.sqrt(1.0 + 0.25 + 0.25)
STORM = Document(groups={"title": "Storm", "body": "A storm came."})


def model(norm: str = "word") -> ConceptModel:
    return ConceptModel(TOPIC, Analyzer(), norm)


def test_page_relevance_by_one_concept_and_by_either_norm() -> None:
    assert model().page_relevance(STORM) == pytest.approx(1.0 / LENGTH)
    floods = Document(groups={"rest": "floods " * 9})
    assert model().page_relevance(floods) == pytest.approx(0.5 / LENGTH)
    page = Document(groups={"title": "Storm storm flood", "body": "storm"})
    by_word = model().page_relevance(page)  # storm 2 + 1/2, flood 2
    by_group = model("group").page_relevance(page)  # storm 2 + 1, flood 2 x 1/2
    assert by_word == pytest.approx((2.5 + 1.0) / (math.hypot(2.5, 2.0) * LENGTH))
    assert by_group == pytest.approx((3.0 + 0.5) / (math.hypot(3.0, 1.0) * LENGTH))


def test_anchors_weigh_rare_concepts_more() -> None:
    """After four pages with storms, one of them with a flood: log 1.01 and log 4.01."""
    learning = model()
    before = learning.anchor_relevances(["storm flood"], STORM)
    for page in [STORM, STORM, STORM, Document(text="storm and flood")]:
        learning.learn(page)
    storm, flood = math.log(4 / 4 + 0.01), math.log(4 / 1 + 0.01)
    expected = (storm * 1.0 + flood * 0.5) / (math.hypot(storm, flood) * LENGTH)
    assert learning.pages == 4
    assert learning.anchor_relevances(["storm flood"], STORM) == pytest.approx([expected])
    assert before == pytest.approx([1.5 / (math.sqrt(2) * LENGTH)])


def test_full_text_is_weighed_by_its_tags_and_others_as_anchors() -> None:
    page = Document(title="Storm", text="A flood.")
    reported = model().similarities(["storm", page.full, "cake"], page)
    assert reported == pytest.approx([1.0 / LENGTH, model().page_relevance(page), 0.0])


def test_concepts_named_and_counted() -> None:
    page = Document(title="Storm surge", text="flood, storm surges")
    assert model().concepts_on(page) == 2
    assert model().counts_on(page).sum(axis=0).tolist() == [0.0, 1.0, 2.0]


def test_state_goes_on() -> None:
    learning, fresh = model(), model()
    learning.learn(STORM)
    learning.learn(Document(text="flood"))
    fresh.restore(learning.state())
    texts = ["storm flood", "flood"]
    assert fresh.anchor_relevances(texts, STORM) == learning.anchor_relevances(texts, STORM)
    assert fresh.pages == 2


def test_labels_that_read_alike_are_one_with_the_larger_weight() -> None:
    plural = ConceptModel({"storm": 0.4, "storms": 1.0, "flood": 1.0}, Analyzer())
    single = ConceptModel({"storm": 1.0, "flood": 1.0}, Analyzer())
    for text in ("storm", "storms", "flood and storms"):
        document = Document(text=text)
        assert plural.page_relevance(document) == pytest.approx(single.page_relevance(document))


def test_many_links_are_weighed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"storm {n} flood" if n % 3 else "cake" for n in range(50)]
    model = ConceptModel({"storm": 1.0, "flood": 0.5}, Analyzer())
    whole = model.anchor_relevances(texts, Document())
    monkeypatch.setattr(concept_model, "_ENTRIES", 7)
    assert model.anchor_relevances(texts, Document()) == whole


# Which concepts stand in a text: by base forms, and the longest of those that overlap.

ENGLISH = Document()


def counts(
    labels: list[str], text: str, page: Document = ENGLISH, language: str = "en"
) -> dict[str, float]:
    """How often each concept that stands in the text does."""
    counter = ConceptCounter(labels, Analyzer(language))
    (row,) = counter.in_texts([text], page).tolist()
    return {label: count for label, count in zip(labels, row, strict=True) if count}


def test_words_count_by_their_base_forms() -> None:
    assert counts(["storm", "flood"], "Storms bring floods, and the storm floods.") == {
        "storm": 2, "flood": 2,
    }  # fmt: skip
    assert counts(["storms"], "a storm") == {"storms": 1}
    assert counts(["flood", "floods", "Flood"], "floods") == {"flood": 1}
    assert counts(["storm surges", "storm surge"], "storm surge") == {"storm surges": 1}
    assert counts(["who", "who report"], "who report") == {"who report": 1}
    assert counts(["a", "a storm"], "a storm") == {"a storm": 1}


def test_of_concepts_that_overlap_the_longer_or_the_first_counts() -> None:
    labels = ["storm", "storm surge", "surge", "storm surge warning"]
    assert counts(labels, "storm surges, a storm") == {"storm surge": 1, "storm": 1}
    assert counts(labels, "a storm surge warning") == {"storm surge warning": 1}
    assert counts(labels, "the surge of the storm") == {"surge": 1, "storm": 1}
    labels = ["tropical storm", "storm surge", "surge"]
    assert counts(labels, "tropical storm surge") == {"tropical storm": 1, "surge": 1}
    counter = ConceptCounter(["storm surge"], Analyzer())
    assert counter.in_texts(["a storm", "surge of the sea"], ENGLISH).tolist() == [[0.0], [0.0]]


def test_other_languages_of_labels_and_of_pages() -> None:
    assert counts(["Überschwemmung", "Sturmflut"], "Überschwemmungen, die Sturmfluten",
                  language="de") == {"Überschwemmung": 1, "Sturmflut": 1}  # fmt: skip
    assert counts(["台风", "风暴潮"], "台风带来风暴潮。台风!", language="zh")["台风"] == 2
    # On a German page "war" is a verb.
    text = "Es war ein Sturm, und die Menschen hatten Angst, weil das Wasser immer weiter stieg."
    german = Document(text=text, language="de")
    assert counts(["war", "storm"], "es war ein storm") == {"war": 1, "storm": 1}
    assert counts(["war", "storm"], "es war ein storm", german) == {"storm": 1}


def test_more_languages_than_are_remembered_are_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analyzer = Analyzer()
    monkeypatch.setattr(analyzer, "language_of", lambda page: page.language)
    counter = ConceptCounter(["storm"], analyzer)
    codes = "ar bg bn ca cs da de el es et eu fa fi fr ga gl he hi hr hu hy id it".split()
    for code in [*codes, *codes]:
        assert counter.in_texts(["storm"], Document(language=code)).tolist() == [[1.0]]


# Weights of concepts on pages and in anchors, worked by hand (olmoaco Eq. 5-8).

COUNTS = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 1.0, 0.0], [0, 3.0, 0]])
"""Three concepts: one in title and body, one in heading, body and the rest, one nowhere."""


def test_weights_of_concepts_on_pages() -> None:
    # Largest frequency of the word: 2 x 1/4 + 1.0 x 4/4; 1.5 x 2/3 + 1.0 x 1/3 + 0.2 x 3/3.
    assert page_weights(COUNTS).tolist() == pytest.approx([1.5, 1.0 + 1 / 3 + 0.2, 0.0])
    # Largest frequency of the group: 2 x 1/1 + 1.0 x 4/4; 1.5 x 2/2 + 1.0 x 1/4 + 0.2 x 3/3.
    assert page_weights(COUNTS, "group").tolist() == pytest.approx([3.0, 1.95, 0.0])
    with pytest.raises(UnknownNameError, match="norm"):
        page_weights(COUNTS, "words")


def test_word_of_one_group_weighs_what_the_group_does() -> None:
    for norm, often, group in product(("word", "group"), (1, 100), range(5)):
        counts = np.zeros((5, 2))
        counts[group, 1] = often
        assert page_weights(counts, norm).tolist() == [0.0, GROUP_WEIGHTS[group]]


def literal_anchor(counts: Weights, pages: int, containing: Weights, base: float) -> list[float]:
    """Eq. 7 as it is printed: f_i / sum f * log_k(N / N_i + 0.01)."""
    total = sum(counts)
    return [
        f / total * math.log(max(1, pages) / max(1.0, n) + 0.01, base) if f else 0.0
        for f, n in zip(counts, containing, strict=True)
    ]


def literal_cosine(first: list[float], second: list[float]) -> float:
    """Eq. 8 as it is printed."""
    product = sum(a * b for a, b in zip(first, second, strict=True))
    return product / (math.hypot(*first) * math.hypot(*second)) if product else 0.0


@given(
    counts=arrays(np.float64, 4, elements=st.integers(0, 5).map(float)),
    containing=arrays(np.float64, 4, elements=st.integers(0, 30).map(float)),
    base=st.sampled_from([1.5, 2.0, math.e, 10.0]),
)
def test_base_and_sum_cancel(counts: Weights, containing: Weights, base: float) -> None:
    topic = [1.0, 0.7, 0.3, 0.1]
    weights = anchor_weights(counts[None, :], 30, containing)
    literal = literal_cosine(literal_anchor(counts, 30, containing, base), topic)
    assert cosines(weights, np.array(topic))[0] == pytest.approx(literal, abs=1e-12)

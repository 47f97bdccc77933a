"""Relevance of pages and anchors by concepts."""

from __future__ import annotations

import math

import pytest

from scenthound.core.model import Document
from scenthound.papers import concept_model
from scenthound.papers.concept_model import ConceptModel
from scenthound.text.analyzer import Analyzer

TOPIC = {"storm": 1.0, "flood": 0.5, "storm surge": 0.5}
LENGTH = math.sqrt(1.0 + 0.25 + 0.25)
STORM = Document(groups={"title": "Storm", "body": "A storm came."})


def model(norm: str = "word") -> ConceptModel:
    return ConceptModel(TOPIC, Analyzer(), norm)


def test_page_with_one_concept() -> None:
    assert model().page_relevance(STORM) == pytest.approx(1.0 / LENGTH)
    assert model().page_relevance(Document(groups={"rest": "floods " * 9})) == pytest.approx(
        0.5 / LENGTH
    )


def test_norm_is_that_which_is_asked_for() -> None:
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
    told = model().similarities(["storm", page.full, "cake"], page)
    assert told == pytest.approx([1.0 / LENGTH, model().page_relevance(page), 0.0])


def test_concepts_named_and_counted() -> None:
    page = Document(title="Storm surge", text="flood, storm surges")
    assert model().concepts_on(page) == 2
    assert model().counts_on(page).sum(axis=0).tolist() == [0.0, 1.0, 2.0]
    found = model()
    found.counts_on(page)[:] = 9.0
    assert found.counts_on(page).max() == 1.0


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

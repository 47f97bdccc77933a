"""A similarity taken apart: the terms add up, the nearest example is named."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document, TopicProfile
from scenthound.similarity.judge import SimilarityJudge
from scenthound.text.analyzer import Analyzer

WORDS = st.lists(st.sampled_from("storm flood rain wind hail cake bread tea".split()), max_size=12)
TEXTS = WORDS.map(" ".join)


def judge(*examples: str, keywords: tuple[str, ...] = ()) -> SimilarityJudge:
    documents = tuple(Document(text=text) for text in examples)
    return SimilarityJudge(TopicProfile("t", keywords, documents), Analyzer())


@given(st.lists(TEXTS, min_size=1, max_size=5).filter(any), TEXTS)
def test_the_terms_add_up_to_the_similarity(examples: list[str], text: str) -> None:
    of_examples = judge(*examples)
    found = of_examples.judgement(Document(text=text))
    assert found.similarity == of_examples.similarity(Document(text=text))
    contributions = [share.contribution for share in found.terms]
    assert sum(contributions) == pytest.approx(found.similarity, abs=1e-9)
    assert contributions == sorted(contributions, reverse=True)
    counts = Analyzer().count(text)
    assert all(share.count == counts[share.term] for share in found.terms)


@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=5), TEXTS.filter(bool))
def test_the_terms_are_those_that_page_and_nearest_example_share(
    examples: list[str], text: str
) -> None:
    found = judge(*examples).judgement(Document(text=text))
    assert found.nearest is not None
    terms = Analyzer().count(examples[found.nearest]).keys() & Analyzer().count(text).keys()
    assert {share.term for share in found.terms} == terms


def test_two_shared_terms_by_hand() -> None:
    """All idf are 1: the page is (2, 1) / sqrt 5, the example (1, 1) / sqrt 2."""
    found = judge("storm flood").judgement(Document(text="storm storm flood"))
    storm, flood = found.terms
    assert (storm.term, storm.count, flood.term, flood.count) == ("storm", 2, "flood", 1)
    assert storm.on_page == pytest.approx(2 / math.sqrt(5))
    assert storm.in_example == pytest.approx(1 / math.sqrt(2))
    assert storm.contribution == pytest.approx(2 / math.sqrt(10))


def test_an_example_without_words_keeps_its_place() -> None:
    found = judge("cake", "the of", "storm").judgement(Document(text="storm"))
    assert found.nearest == 2


def test_a_document_without_terms_has_nothing_to_tell() -> None:
    found = judge("storm").judgement(Document(text="the of"))
    assert (found.similarity, found.nearest, found.terms) == (0.0, None, ())

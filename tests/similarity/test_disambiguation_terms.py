"""Which terms become nodes (sdvsm Eq. 9)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.papers.disambiguation import GraphTerms, graph_terms, inverse_document_frequency
from scenthound.text.terms import Vocabulary
from similarity.bag_building import bag


def chosen(
    *examples: str,
    keywords: str = "",
    per_page: int = 2,
    idf: str = "literal",
    with_keywords: bool = True,
) -> GraphTerms:
    vocabulary = Vocabulary()
    pages = [bag(text, vocabulary) for text in examples]
    return graph_terms(
        pages,
        bag(keywords, vocabulary),
        vocabulary,
        per_page=per_page,
        idf=idf,
        with_keywords=with_keywords,
    )


def test_inverse_document_frequencies() -> None:
    containing = np.array([0, 1, 2, 4], np.int32)
    literal = inverse_document_frequency(4, containing)
    assert literal == pytest.approx([math.log(4), math.log(4), math.log(2), 0.0])
    smooth = inverse_document_frequency(4, containing, "smooth")
    assert smooth == pytest.approx([math.log(5) + 1, math.log(2.5) + 1, math.log(5 / 3) + 1, 1.0])
    with pytest.raises(UnknownNameError, match="smooth"):
        inverse_document_frequency(4, containing, "smoothed")


def test_the_two_heaviest_terms_of_each_page() -> None:
    """storm is on both pages: log 1 = 0. First page: sea 2/3 log 2, rain 1/3 log 2."""
    nodes = chosen("storm storm storm sea sea rain", "storm storm dike flood flood")
    assert nodes.names == ("sea", "rain", "flood", "dike")
    assert nodes.weights == pytest.approx(np.log(2) * np.array([2 / 3, 1 / 3, 1, 1 / 2]))
    assert nodes.occurrences.tolist() == [2, 1, 2, 1]


def test_a_page_goes_down_its_list_to_new_terms() -> None:
    """The second page's best, sea and rain, are taken: the next are dike and wind."""
    nodes = chosen(
        "sea sea sea rain rain dike wind", "sea sea sea rain rain dike wind", "cake", per_page=2
    )
    assert nodes.names == ("sea", "rain", "dike", "wind", "cake")


def test_equal_weights_go_by_frequency_and_then_by_the_alphabet() -> None:
    """One page alone: every weight is log 1 = 0."""
    assert chosen("wind sea sea rain", per_page=3).names == ("sea", "rain", "wind")


def test_keywords_join() -> None:
    """storm is on every page and would never be a node; surge is on none."""
    nodes = chosen("storm sea", "storm dike", keywords="storm surge storm", per_page=1)
    assert nodes.names == ("sea", "dike", "storm", "surge")
    assert nodes.weights == pytest.approx([math.log(2), math.log(2), 0.0, 0.5])
    assert nodes.occurrences.tolist() == [1, 1, 4, 1]


def test_smooth_weights_bring_the_topics_own_name_in() -> None:
    nodes = chosen("storm storm storm sea", "storm storm storm dike", per_page=1, idf="smooth")
    assert nodes.names == ("storm", "dike")


def test_pages_must_give_terms() -> None:
    with pytest.raises(InputError, match="1 or more"):
        chosen("storm", per_page=0)

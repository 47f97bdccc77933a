"""Texts as sums of the vectors of their terms: by hand, with vectors that are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scenthound.core.model import Briefing, Document
from scenthound.relevance.term_vectors import TermVectorModel, TermVectors
from scenthound.text.analyzer import Analyzer
from vectors.told_vectors import Compass

HALF = 2**-0.5


def similarities(
    keywords: Sequence[str], examples: Sequence[str], texts: Sequence[str]
) -> list[float]:
    analyzer = Analyzer()
    briefing = Briefing("way", tuple(keywords), tuple(Document(text=text) for text in examples))
    found: list[float] = (
        TermVectorModel(briefing, analyzer, Compass()).of_bags(analyzer.bags(texts)).tolist()
    )
    return found


def test_a_text_is_the_sum_of_its_terms_as_often_as_it_has_them() -> None:
    """East, east and north add up to (2, 1), of length root 5; what has no vector adds nothing."""
    found = similarities(["east"], [], ["east", "the East, east of north", "west", "", "tea"])
    assert found == pytest.approx([1.0, 2 / 5**0.5, 0.0, 0.0, 0.0], abs=1e-6)


def test_the_topic_is_in_the_middle_of_keywords_and_example_pages() -> None:
    found = similarities(["east"], ["north", "north"], ["east", "north", "east north"])
    assert found == pytest.approx([HALF, HALF, 1.0], abs=1e-6)


def test_example_pages_alone_and_keywords_without_a_vector() -> None:
    assert similarities(["tea"], ["north"], ["north"]) == pytest.approx([1.0])
    assert similarities(["tea"], [], ["north"]) == [0.0]


def test_a_term_is_asked_for_once_as_long_as_there_is_room() -> None:
    analyzer, compass = Analyzer(), Compass()
    vectors = TermVectors(compass, analyzer.vocabulary, most=3)
    texts = ["east north", "north", "west east", "tea", "east"]
    rows = [vectors.of_texts(analyzer.bags([text]))[0] for text in texts]
    assert compass.asked == ["east", "north", "west", "tea", "east"]
    expected = [(HALF, HALF), (0.0, 1.0), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]
    assert np.array(rows) == pytest.approx(np.array(expected), abs=1e-6)
    assert len(vectors) == 2


def test_a_text_with_more_terms_than_there_is_room_for() -> None:
    analyzer = Analyzer()
    vectors = TermVectors(Compass(), analyzer.vocabulary, most=1)
    for _ in range(2):
        found = vectors.of_texts(analyzer.bags(["east north west", "north"]))
        assert found == pytest.approx(np.array([(0.0, 1.0), (0.0, 1.0)]), abs=1e-6)

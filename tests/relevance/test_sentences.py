"""Whole texts beside a topic: by hand, with vectors that are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Document
from scenthound.relevance import sentences
from scenthound.relevance.sentences import SentenceModel, lead, middle
from vectors.told_vectors import Compass

EAST, NORTH, BOTH, WEST = "east", "north", "east north", "west"
PAGE = Document()


def model(
    keywords: Sequence[str], *examples: str, by: str = "merged", nearest: int = 1
) -> SentenceModel:
    pages = tuple(Document(text=text) for text in examples)
    briefing = Briefing("way", tuple(keywords), pages)
    return SentenceModel(briefing, Compass(), by, nearest=nearest)


def test_keywords_count_as_much_as_all_example_pages_together() -> None:
    """Keywords east, two pages north: the middle is northeast, 45 degrees from both."""
    found = model([EAST], NORTH, NORTH).similarities([EAST, NORTH, BOTH, WEST, ""], PAGE)
    half = 2**-0.5
    assert found == pytest.approx([half, half, 1.0, 0.0, 0.0], abs=1e-6)


def test_by_pages_the_nearest_counts() -> None:
    found = model([EAST], NORTH, by="pages").similarities([EAST, NORTH, BOTH], PAGE)
    assert found == pytest.approx([1.0, 1.0, 2**-0.5])


def test_the_nearest_count_in_the_mean() -> None:
    """East is 1 similar to the keywords, 0 to the first page and 0.7071 to the second."""
    half = 2**-0.5
    for nearest, expected in (
        (1, 1.0),
        (2, (1 + half) / 2),
        (3, (1 + half) / 3),
        (9, (1 + half) / 3),
    ):
        found = model([EAST], NORTH, BOTH, by="pages", nearest=nearest)
        assert found.similarities([EAST], PAGE) == pytest.approx([expected], abs=1e-6)


def test_keywords_alone_and_examples_alone() -> None:
    assert model([NORTH]).similarities([NORTH, EAST], PAGE) == [1.0, 0.0]
    assert model([], NORTH).similarities([NORTH, EAST], PAGE) == [1.0, 0.0]


def test_a_topic_that_leads_nowhere_is_similar_to_nothing() -> None:
    assert model(["up"], "down").similarities([EAST, "up"], PAGE) == [0.0, 0.0]


def test_of_the_full_text_title_and_beginning_are_read() -> None:
    page = Document(title=NORTH, text=NORTH + " " * sentences.LEAD + WEST)
    assert model([NORTH]).similarities([page.full, page.title], page) == [1.0, 1.0]
    assert lead(page, 5) == "north. north"
    assert lead(Document(text="no title"), 2) == "no"


def test_a_text_is_encoded_once() -> None:
    compass = Compass()
    found = SentenceModel(Briefing("way", (EAST,), ()), compass)
    found.similarities([EAST, WEST, EAST], PAGE)
    found.similarities([WEST, NORTH], PAGE)
    assert compass.asked == [EAST, EAST, WEST, NORTH]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "_REMEMBERED", 2)
    found = model([EAST])
    for _ in range(2):
        assert found.similarities([EAST, BOTH], PAGE) == pytest.approx([1.0, 2**-0.5])
        assert found.similarities([WEST, NORTH], PAGE) == [0.0, 0.0]


def test_nothing_is_in_the_middle_of_nothing() -> None:
    assert middle([], 3).tolist() == [0.0, 0.0, 0.0]
    assert middle([np.empty((0, 2), np.float32)], 2).tolist() == [0.0, 0.0]


def test_values_out_of_range() -> None:
    with pytest.raises(SettingsError, match="'merged' or by 'pages', not 'both'"):
        model([EAST], by="both")
    with pytest.raises(SettingsError, match="lead"):
        SentenceModel(Briefing("way", (EAST,), ()), Compass(), most=0)
    with pytest.raises(SettingsError, match="nearest"):
        model([EAST], nearest=0)


def test_nothing_is_learnt_and_another_model_is_refused() -> None:
    found = model([EAST])
    found.learn(Document(text=WEST))
    found.restore(model([EAST]).state())
    assert found.similarities([EAST], PAGE) == [1.0]
    with pytest.raises(SettingsError, match="began with another model, sextant"):
        found.restore({"model": "sextant"})


def test_keywords_apart_are_texts_of_their_own() -> None:
    """East, east and north: two thirds and one third, in place of the one text of all three."""
    briefing = Briefing("way", (EAST, "east east", NORTH), ())
    together = SentenceModel(briefing, Compass()).similarities([EAST], PAGE)
    apart = SentenceModel(briefing, Compass(), keywords_apart=True).similarities([EAST], PAGE)
    assert together == pytest.approx([3 / 10**0.5])
    assert apart == pytest.approx([2 / 5**0.5])

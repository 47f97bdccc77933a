"""What a word is in a text, by its form and its neighbours."""

from __future__ import annotations

import pytest

from scenthound.lexicon.wordnet import shipped
from scenthound.ontology_learning.nouns import Votes, counted_votes, noun_test
from scenthound.text.analyzer import Analyzer


@pytest.mark.parametrize(
    ("text", "word", "votes"),
    [
        ("The storm.", "storm", Votes(noun=1, certain=1)),
        ("Storm!", "storm", Votes(noun=1)),
        ("heavy storms hit", "storm", Votes(noun=1, certain=1)),
        ("to storm", "storm", Votes(verb=1)),
        ("he storms the tower", "storm", Votes(verb=1)),
        ("it flooded", "flood", Votes(verb=1)),
        ("mice run", "mouse", Votes(noun=1, certain=1)),
        ("a storm surge", "storm", Votes(adjective=1)),
        ("the sea is calm.", "calm", Votes(adjective=1)),
        ("larger than it", "larger", Votes(adjective=1)),
        ("a non-stop flight", "non", Votes(adjective=1)),
        ("storm\nsurge", "storm", Votes(noun=1)),
    ],
)
def test_a_word_votes_by_its_place(text: str, word: str, votes: Votes) -> None:
    assert counted_votes([text], shipped())[word] == votes


def test_stop_words_and_numbers_have_no_vote() -> None:
    assert set(counted_votes(["the 1953 storm of 2 days"], shipped())) == {"storm", "day"}


TEXT = """A tropical storm is a storm with strong winds. Storms cause floods. The flood was higher
than before. It caused large waves, and large waves are rarely seen. In January the wind reached
30 km. The twelve dikes were broken. Each zibethinus is a tree. The zibethinus grows in the
east. New dikes were built by people of the sea."""


@pytest.mark.parametrize("term", ["storm", "flood", "wind", "dike", "zibethinus", "storm surge"])
def test_nouns(term: str) -> None:
    assert noun_test([TEXT], Analyzer())(term)


@pytest.mark.parametrize(
    "term", ["tropical", "cause", "large", "strong", "rarely", "higher", "built", "reach", "unseen"]
)
def test_other_words(term: str) -> None:
    assert not noun_test([TEXT], Analyzer())(term)


@pytest.mark.parametrize("term", ["km", "january", "twelve", "east"])
def test_units_numbers_and_dates_are_no_concepts(term: str) -> None:
    assert not noun_test([TEXT], Analyzer())(term)


def test_in_other_languages_every_term_passes() -> None:
    assert noun_test([], Analyzer("de"))("schnell")

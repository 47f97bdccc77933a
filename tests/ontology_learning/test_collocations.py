"""Pairs of words that go together."""

from __future__ import annotations

from scenthound.lexicon.wordnet import shipped
from scenthound.ontology_learning.collocations import collocations
from scenthound.ontology_learning.nouns import counted_votes
from scenthound.ontology_learning.sources import Source
from scenthound.ontology_learning.terms import candidate_terms
from scenthound.ontology_learning.worth import name_shares
from scenthound.text.analyzer import Analyzer

FIRST = "A tropical storm came. Then tropical storms were seen. It was New York, New York."
SECOND = "The tropical storm left New York. The sea rose, and the storm: a storm, storms."


def pairs(*texts: str) -> list[str]:
    wordnet = shipped()
    votes, names = counted_votes(texts, wordnet), name_shares(texts, wordnet)
    return collocations(texts, wordnet, votes, names)


def test_a_pair_in_several_texts_is_found_by_its_base_forms() -> None:
    assert pairs(FIRST, SECOND) == ["tropical storm"]


def test_a_pair_of_one_text_is_a_manner_of_speaking() -> None:
    assert pairs(FIRST + " The tropical storm.") == []
    assert pairs() == []


def test_a_pair_that_is_there_twice_is_an_accident() -> None:
    assert pairs("A tropical storm.", "A tropical storm.") == []


def test_words_that_mostly_stand_alone_do_not_go_together() -> None:
    """Of eleven storms, and of eleven times tropical, three are tropical storms."""
    apart = "The storm. It is tropical. " * 4
    assert pairs(FIRST + apart, "The tropical storm. " + apart) == []


def test_stop_words_and_signs_keep_words_apart() -> None:
    text = "Tropical, storm. Tropical and storm. Tropical\nstorm. "
    assert pairs(text, text) == []


def test_a_verb_and_its_object_name_nothing() -> None:
    text = "They cause floods. To cause floods. It will cause floods. The flood of the year."
    assert pairs(text, text) == []


def test_pairs_are_candidate_terms() -> None:
    sources = [Source(name, "", text, (), text) for name, text in (("a", FIRST), ("b", SECOND))]
    assert "tropical storm" in candidate_terms(sources, Analyzer()).terms

"""Which terms of the sources are candidates: nouns, collocations, and what a term is worth."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.papers.olmoaco.nouns import Votes, collocations, counted_votes, noun_test
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.olmoaco.terms import (
    Candidates,
    candidate_terms,
    mean_name_shares,
    name_shares,
    specificities,
    specificity_of,
    term_scores,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet_files import shipped


def source(title: str, abstract: str = "", *keywords: str, body: str = "") -> Source:
    return Source(title, title, abstract, keywords, body or abstract)


STORMS = [
    source("A storm", "The storm brings a flood. A flood of the sea, and dikes."),
    source("Storms", "Storms and a flood in San Diego. The harbour of San Diego.", "dike"),
    source("The sea", "Largely flooded: the sea and the sea."),
]


def found(
    sources: list[Source] = STORMS, least: int = 2, most: int = 60, keywords: tuple[str, ...] = ()
) -> Candidates:
    return candidate_terms(sources, Analyzer(), least=least, most=most, keywords=keywords)


def test_terms_counts_and_their_order() -> None:
    candidates = found()
    assert candidates.terms == ("flood", "sea", "storm", "dike", "san diego")
    assert candidates.counts.tolist() == [[2, 1, 2, 1, 0], [1, 0, 2, 1, 2], [1, 3, 0, 0, 0]]
    assert candidates.frequencies.tolist() == [4, 4, 4, 2, 2]


def test_a_keyword_stays_as_it_is_written_however_rare() -> None:
    """ "diego" is in San Diego only; "harbours" occurs once; "volcano" does not occur."""
    terms = found(most=2, keywords=("Harbours", "volcano")).terms
    assert "harbours" in terms and len(terms) == 2
    assert "volcano" not in terms


def test_keywords_of_sources_are_found_as_phrases() -> None:
    papers = [
        source("One", "Of urban waterlogging.", "urban waterlogging"),
        source("Two", "On urban waterlogging in towns."),
    ]
    assert found(papers).terms == ("urban waterlogging",)


def test_of_too_many_the_ones_worth_most_stay() -> None:
    texts = [source("Report", "The name of the hurricane. A part of the hurricane.") for _ in "ab"]
    everything = found(texts).terms
    assert {"hurricane", "name", "part"} <= set(everything)
    assert found(texts, most=1).terms == ("hurricane",)


def test_in_other_languages_all_terms_count_under_their_commonest_form() -> None:
    texts = [source("Sturm", "Schwere Stürme und Fluten an der Küste. Stürme!") for _ in "ab"]
    candidates = candidate_terms(texts, Analyzer("de"))
    assert "stürme" in candidates.terms and "schwere" in candidates.terms
    assert candidates.counts[:, candidates.terms.index("stürme")].tolist() == [3, 3]


def test_nothing_to_read_gives_no_terms() -> None:
    for sources in [[], [source("")], [source("the", "of and")]]:
        candidates = found(sources, keywords=("storm",))
        assert candidates.terms == () and candidates.counts.shape == (len(sources), 0)


def test_bounds_that_make_no_sense() -> None:
    with pytest.raises(SettingsError, match="give 1 or more"):
        found(least=0)
    with pytest.raises(SettingsError, match="give 1 or more"):
        found(most=0)


FIRST = "A tropical storm came. Then tropical storms were seen. It was New York, New York."
SECOND = "The tropical storm left New York. The sea rose, and the storm: a storm, storms."


def pairs(*texts: str) -> list[str]:
    wordnet = shipped()
    votes, names = counted_votes(texts, wordnet), name_shares(texts, wordnet)
    return collocations(texts, wordnet, votes, names)


def test_a_pair_in_several_texts_is_found_by_its_base_forms() -> None:
    assert pairs(FIRST, SECOND) == ["tropical storm"]


def test_what_is_no_collocation() -> None:
    """One text alone, two occurrences, words that mostly stand alone, apart, or a verb."""
    assert pairs(FIRST + " The tropical storm.") == pairs() == []
    assert pairs("A tropical storm.", "A tropical storm.") == []
    apart = "The storm. It is tropical. " * 4
    assert pairs(FIRST + apart, "The tropical storm. " + apart) == []
    for text in (
        "Tropical, storm. Tropical and storm. Tropical\nstorm. ",
        "They cause floods. To cause floods. It will cause floods. The flood of the year.",
    ):
        assert pairs(text, text) == []


def test_pairs_are_candidate_terms() -> None:
    sources = [Source(name, "", text, (), text) for name, text in (("a", FIRST), ("b", SECOND))]
    assert "tropical storm" in candidate_terms(sources, Analyzer()).terms


def test_a_word_votes_by_its_place() -> None:
    for text, word, votes in [
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
    ]:
        assert counted_votes([text], shipped())[word] == votes


def test_stop_words_and_numbers_have_no_vote() -> None:
    assert set(counted_votes(["the 1953 storm of 2 days"], shipped())) == {"storm", "day"}


TEXT = """A tropical storm is a storm with strong winds. Storms cause floods. The flood was higher
than before. It caused large waves, and large waves are rarely seen. In January the wind reached
30 km. The twelve dikes were broken. Each zibethinus is a tree. The zibethinus grows in the
east. New dikes were built by people of the sea."""


def test_nouns() -> None:
    is_noun = noun_test(counted_votes([TEXT], shipped()), shipped())
    for term in ["storm", "flood", "wind", "dike", "zibethinus", "storm surge"]:
        assert is_noun(term)
    for term in (
        "tropical cause large strong rarely higher built reach unseen km january twelve east"
    ).split():
        assert not is_noun(term)


def test_worth_by_hand() -> None:
    """In 3 abstracts; 12 times in 4 texts; half specific; every second time a name."""
    one = [np.array([value]) for value in (3.0, 12.0, 4.0, 0.5, 0.5)]
    assert term_scores(*one).tolist() == pytest.approx([log(4) * log(4) * 0.5 * 0.625])


def test_specificity_by_hand() -> None:
    assert specificity_of([0.8, 0.6], 2) == pytest.approx(0.7 / (1 + log(4)))
    assert specificity_of([1.0], 0) == 1.0
    assert specificity_of([], 3) == 0.5


def test_particular_words_come_before_those_of_every_text() -> None:
    terms = ["hurricane", "locomotive", "storm", "name", "form", "part"]
    found = specificities(terms, shipped()).tolist()
    assert min(found[:2]) > found[2] > max(found[3:])


def test_without_a_wordnet_all_are_alike() -> None:
    assert specificities(["a", "b"], None).tolist() == [0.5, 0.5]


def test_names_are_told_by_their_capitals_inside_a_sentence() -> None:
    text = "Storms of Texas. Texas has storms; Storms come from the Gulf.\nTexas"
    shares = name_shares([text], shipped())
    assert (shares["storm"], shares["texas"], shares["gulf"]) == (0.0, 1.0, 1.0)
    assert mean_name_shares(["gulf", "gulf storm", "sea"], shares).tolist() == [1.0, 0.5, 0.0]

"""Which terms of the sources are candidates."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.sources import Source
from scenthound.ontology_learning.terms import Candidates, candidate_terms
from scenthound.text.analyzer import Analyzer


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
    assert candidates.spread.tolist() == [3, 2, 2, 2, 1]


def test_a_rarer_term_enters_where_less_is_asked() -> None:
    assert "harbour" not in found().terms
    assert "harbour" in found(least=1).terms


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


@pytest.mark.parametrize("sources", [[], [source("")], [source("the", "of and")]])
def test_nothing_to_read_gives_no_terms(sources: list[Source]) -> None:
    candidates = found(sources, keywords=("storm",))
    assert candidates.terms == () and candidates.counts.shape == (len(sources), 0)


def test_the_analyzer_is_left_as_it_was() -> None:
    analyzer = Analyzer()
    first = candidate_terms(STORMS, analyzer).terms
    assert len(analyzer.vocabulary) == 0
    assert candidate_terms(STORMS, analyzer).terms == first


def test_bounds_that_make_no_sense() -> None:
    with pytest.raises(SettingsError, match="give 1 or more"):
        found(least=0)
    with pytest.raises(SettingsError, match="give 1 or more"):
        found(most=0)

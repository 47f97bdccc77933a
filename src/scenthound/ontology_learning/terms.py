"""Candidate terms of an ontology: the nouns that titles, abstracts and keywords have in common."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.collocations import collocations
from scenthound.ontology_learning.nouns import IsNoun, counted_votes, noun_test, noun_test_by
from scenthound.ontology_learning.source import Source
from scenthound.ontology_learning.term_table import Counts, TermTable
from scenthound.ontology_learning.worth import (
    Weights,
    name_shares,
    shares_of,
    specificities,
    worth,
)
from scenthound.text.analyzer import Analyzer

MOST_PHRASES = 2_000
"""Keywords and pairs of words that are searched for in the texts."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Terms that could be concepts.

    Parameters
    ----------
    terms : labels, those in most sources first.
    counts : how often each source has each term in title, abstract and keywords.
    """

    terms: tuple[str, ...]
    counts: Counts

    @property
    def frequencies(self) -> npt.NDArray[np.int64]:
        """How often each term occurs in all sources together."""
        sums: npt.NDArray[np.int64] = self.counts.sum(axis=0, dtype=np.int64)
        return sums

    @property
    def spread(self) -> npt.NDArray[np.int64]:
        """In how many sources each term occurs."""
        sources: npt.NDArray[np.int64] = (self.counts > 0).sum(axis=0, dtype=np.int64)
        return sources


def candidate_terms(
    sources: Sequence[Source],
    analyzer: Analyzer,
    *,
    least: int = 2,
    most: int = 60,
    keywords: Sequence[str] = (),
) -> Candidates:
    """The terms of the sources, by title, abstract and keywords (olmoaco section 2.5, step 1).

    In English only nouns, see :mod:`.nouns`, and phrases: those of WordNet, keywords of the
    sources, and :func:`~.collocations.collocations`. A word that occurs only as part of a phrase
    ("diego") is left to the phrase. Of more than ``most`` those of most :func:`~.worth.worth`
    stay. No sources, or empty ones, give no terms.

    Parameters
    ----------
    sources : what to learn from.
    analyzer : of the topic; its language and its WordNet are used, its vocabulary is not touched.
    least : occurrences in all sources together that a term must have.
    most : terms at most.
    keywords : of the topic; those that occur at all stay in any case, as they are written.
    """
    if least < 1 or most < 1:
        raise SettingsError(f"terms that occur {least} times, {most} at most: give 1 or more.")
    usage = _Usage.of([f"{each.title}\n{each.body or each.abstract}" for each in sources], analyzer)
    reader = _reader(sources, analyzer, [*keywords, *usage.phrases])
    table = TermTable(sources, reader)
    given = table.numbers_of(keywords)
    possible = [
        term
        for term, name in enumerate(table.terms)
        if term in given or (table.alone(term) >= least and usage.is_noun(name))
    ]
    kept = _best(possible, _worth_of(table, usage, reader), given, most)
    return _candidates(table.labels(kept, given), table.counts[:, kept])


@dataclass(frozen=True, slots=True)
class _Usage:
    """How words are used in the texts: phrases, nouns, share of each word that is a name."""

    phrases: Sequence[str]
    is_noun: IsNoun
    names: Mapping[str, float]

    @classmethod
    def of(cls, texts: Sequence[str], analyzer: Analyzer) -> _Usage:
        """English ones; of other languages nothing is known, and every term counts as a noun."""
        wordnet = analyzer.wordnet
        if wordnet is None:
            return cls((), noun_test(texts, analyzer), {})
        votes, names = counted_votes(texts, wordnet), name_shares(texts, wordnet)
        phrases = collocations(texts, wordnet, votes, names)
        return cls(phrases, noun_test_by(votes, wordnet), names)


def _reader(sources: Sequence[Source], analyzer: Analyzer, phrases: Sequence[str]) -> Analyzer:
    """One of our own, which finds these phrases and the keywords of the sources."""
    found = dict.fromkeys([*phrases, *(word for each in sources for word in each.keywords)])
    return Analyzer(analyzer.language, analyzer.wordnet, list(found)[:MOST_PHRASES])


def _worth_of(table: TermTable, usage: _Usage, reader: Analyzer) -> Weights:
    full = table.full_counts()
    return worth(
        spread=(table.counts > 0).sum(axis=0).astype(np.float64),
        occurrences=full.sum(axis=0).astype(np.float64),
        texts=(full > 0).sum(axis=0).astype(np.float64),
        specificity=specificities(table.terms, reader.wordnet),
        names=shares_of(table.terms, usage.names),
    )


def _best(possible: Sequence[int], worths: Weights, given: Container[int], most: int) -> list[int]:
    """The keywords, then the terms that are worth most."""
    order = sorted(possible, key=lambda term: (term not in given, -worths[term], term))
    return order[:most]


def _candidates(labels: Sequence[str], counts: Counts) -> Candidates:
    """In an order of their own: by sources, then by occurrences, then by the alphabet."""
    spread, total = (counts > 0).sum(axis=0), counts.sum(axis=0)
    order = sorted(range(len(labels)), key=lambda i: (-spread[i], -total[i], labels[i]))
    return Candidates(tuple(labels[place] for place in order), counts[:, order])

"""What WordNet knows of a topic: its nouns, and the senses that it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.core.model import TopicProfile
from scenthound.similarity.text_models import TERMS, TopicVectors
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.similarity.wordnet_similarity import Array
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import DocumentFrequencies, words
from scenthound.text.wordnet import Integers, Rows, Taxonomy

MAX_SHOWN = 60
"""Characters of a keyword or term that are shown."""


@dataclass(frozen=True, slots=True)
class KeywordSenses:
    """A keyword as WordNet reads it."""

    keyword: str
    is_noun: bool
    nouns: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def is_phrase(self) -> bool:
        """Has it several words?"""
        return len(words(self.keyword)) > 1


def topic_terms(profile: TopicProfile, analyzer: Analyzer, most: int = TERMS) -> dict[str, float]:
    """The ``most`` heaviest terms of keywords and example pages, heaviest first."""
    frequencies = DocumentFrequencies(analyzer.vocabulary)
    vector = TopicVectors(profile, analyzer, frequencies, most).vector
    return dict(sorted(vector.items(), key=lambda item: (-item[1], item[0])))


def senses_of(term: str, analyzer: Analyzer) -> int:
    """Number of noun senses; 0 for an unknown word, and where WordNet is not used."""
    return 0 if analyzer.wordnet is None else len(analyzer.wordnet.nouns.concepts(term))


def unknown_terms(terms: Iterable[str], analyzer: Analyzer) -> tuple[str, ...]:
    """Those that WordNet does not know as nouns."""
    return tuple(term for term in terms if not senses_of(term, analyzer))


def read_keyword(keyword: str, analyzer: Analyzer) -> KeywordSenses:
    """What WordNet knows of a keyword; a keyword of stop words has neither nouns nor others."""
    single = [term for word in words(keyword) for term in analyzer.count(word)]
    terms = list(dict.fromkeys([*single, *analyzer.count(keyword)]))
    nouns = tuple(term for term in terms if senses_of(term, analyzer))
    others = tuple(term for term in terms if " " not in term and term not in nouns)
    size = len(words(keyword))
    return KeywordSenses(keyword, any(len(n.split()) == size for n in nouns), nouns, others)


def known_share(weights: Mapping[str, float], analyzer: Analyzer) -> float:
    """Share of the weight that lies on terms WordNet knows as nouns; 0 for no weight at all."""
    known = sum(weight for term, weight in weights.items() if senses_of(term, analyzer))
    return known / sum(weights.values()) if known else 0.0


def shortened(text: str) -> str:
    """A keyword or term as a reader sees it: one of 12,000 characters is cut."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


# The sense of a word that a topic means, described by its synonyms and by what it is a kind of:
# our data has no definitions.

ContextTerms = Sequence[tuple[Integers, float]]
"""Senses and weight of each of the other terms."""


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense in words: the term and its synonyms, and the names of what it is a kind of."""

    synonyms: tuple[str, ...]
    kind_of: tuple[str, ...]


def sense_fit(similarities: Array, context: ContextTerms) -> float:
    """How well a sense fits its context: the sum over the terms of ``w * max_s sim(s)``.

    Maximum relatedness (Patwardhan, Banerjee and Pedersen 2003, "Using measures of semantic
    relatedness for word sense disambiguation"), with the terms' weights (ours). A term without
    senses adds nothing; an empty context gives 0.
    """
    return sum(
        weight * float(similarities[senses].max()) for senses, weight in context if len(senses)
    )


def fitting_sense(
    similarity: TaxonomySimilarity,
    term: str,
    weights: Mapping[str, float],
    among: Sequence[int] | None = None,
) -> int | None:
    """The sense of ``term`` that fits the other terms best, of equal ones the most frequent.

    ``among`` these of its senses, or all. None where there is none to choose from.
    """
    concepts = similarity.taxonomy.concepts
    context = [(concepts(other), weight) for other, weight in weights.items() if other != term]
    return max(
        concepts(term).tolist() if among is None else among,
        key=lambda sense: sense_fit(similarity.concept_to(sense), context),
        default=None,
    )


class ConceptNames:
    """What concepts are called: their lemmas, those that mean it first of all in front."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        # Lemmas of each concept, in order of the sense's rank in the lemma, then of the alphabet.
        senses = taxonomy.senses
        lemmas = np.repeat(np.arange(len(senses)), np.diff(senses.starts))
        ranks = np.arange(len(lemmas)) - senses.starts[lemmas]
        order = np.lexsort((lemmas, ranks, senses.values))
        starts = np.searchsorted(senses.values[order], np.arange(len(taxonomy) + 1))
        self._lemmas = Rows(starts.astype(np.int32), lemmas[order].astype(np.int32))

    def of(self, concept: int) -> tuple[str, ...]:
        """All its names; none for a root that was put above the others."""
        return tuple(self._taxonomy.lemmas[number] for number in self._lemmas[concept].tolist())

    def sense(self, concept: int, term: str) -> Sense:
        """The concept in words, as a sense of ``term``."""
        others = (name for name in self.of(concept) if name != term)
        above = (self.of(parent)[:1] for parent in self._taxonomy.parents[concept].tolist())
        return Sense((term, *others), tuple(name for names in above for name in names))

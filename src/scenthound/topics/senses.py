"""Which sense of a word does a topic mean, and how is a sense put in words?

There are no definitions in our data. A sense is told by its synonyms and by what it is a kind
of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.lexicon.taxonomy import Integers, Rows, Taxonomy
from scenthound.semantics.information import Array
from scenthound.semantics.similarity import TaxonomySimilarity

Company = Sequence[tuple[Integers, float]]
"""Senses and weight of each of the other terms."""


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense in words: the term and its synonyms, and the names of what it is a kind of."""

    synonyms: tuple[str, ...]
    kind_of: tuple[str, ...]


def sense_fit(similarities: Array, company: Company) -> float:
    """How well a sense fits its company: the sum over the terms of ``w * max_s sim(s)``.

    Maximum relatedness (Patwardhan, Banerjee and Pedersen 2003, "Using measures of semantic
    relatedness for word sense disambiguation"), with the terms' weights (ours). A term without
    senses adds nothing; no company fits at 0.

    Parameters
    ----------
    similarities : of the sense to every concept.
    company : the other terms.
    """
    return sum(
        weight * float(similarities[senses].max()) for senses, weight in company if len(senses)
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
    company = [(concepts(other), weight) for other, weight in weights.items() if other != term]
    return max(
        concepts(term).tolist() if among is None else among,
        key=lambda sense: sense_fit(similarity.concept_to_all(sense), company),
        default=None,
    )


class ConceptNames:
    """What concepts are called: their lemmas, those that mean it first of all in front.

    Parameters
    ----------
    taxonomy : lemmas and their senses.
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._lemmas = _lemmas_of_concepts(taxonomy.senses, len(taxonomy))

    def of(self, concept: int) -> tuple[str, ...]:
        """All its names; none for a root that was put above the others."""
        return tuple(self._taxonomy.lemmas[number] for number in self._lemmas[concept].tolist())

    def sense(self, concept: int, term: str) -> Sense:
        """The concept in words, as a sense of ``term``."""
        others = (name for name in self.of(concept) if name != term)
        above = (self.of(parent)[:1] for parent in self._taxonomy.parents[concept].tolist())
        return Sense((term, *others), tuple(name for names in above for name in names))


def _lemmas_of_concepts(senses: Rows, concepts: int) -> Rows:
    """Lemmas of each concept, in order of the sense's rank in the lemma, then of the alphabet."""
    lemmas = np.repeat(np.arange(len(senses)), np.diff(senses.starts))
    ranks = np.arange(len(lemmas)) - senses.starts[lemmas]
    order = np.lexsort((lemmas, ranks, senses.values))
    starts = np.searchsorted(senses.values[order], np.arange(concepts + 1))
    return Rows(starts.astype(np.int32), lemmas[order].astype(np.int32))

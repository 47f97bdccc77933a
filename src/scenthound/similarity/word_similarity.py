"""Similarity of words by their senses in a taxonomy, and which senses of a topic's words count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.similarity.concept_similarity import MEASURES, CommonAncestors, ConceptFeatures
from scenthound.similarity.measures import Array
from scenthound.text.taxonomy import Integers, Rows, Taxonomy


class BestSense:
    """Maximum over the senses of every lemma at once.

    Most lemmas have one sense: all take the value of their first one, then those with several
    are worked out: less work than one pass over all senses.

    Parameters
    ----------
    senses : concepts of each lemma.
    concepts : number of concepts.
    """

    def __init__(self, senses: Rows, concepts: int) -> None:
        many = np.diff(senses.starts)
        self._first = np.full(len(senses), concepts, np.intp)  # the place after the last concept
        self._first[many > 0] = senses.values[senses.starts[:-1][many > 0]]
        self._several = np.flatnonzero(many > 1)
        rows = Rows.of([senses[lemma].tolist() for lemma in self._several.tolist()])
        self._starts, self._senses = rows.starts[:-1], rows.values.astype(np.intp)

    def of(self, values: Array) -> Array:
        """Best value of every lemma from a value >= 0 of every concept; 0 without a sense."""
        best: Array = np.append(values, 0.0)[self._first]
        if len(self._several):
            best[self._several] = np.maximum.reduceat(values[self._senses], self._starts)
        return best


# One word against all others, by their senses.


class TaxonomySimilarity:
    """Similarity of words by their senses in a taxonomy: the maximum over the sense pairs.

    Every value is in [0, 1], and symmetric. A concept is similar to itself at 1 under every
    measure, and so is a word to itself and to its synonyms; the formulas of Resnik and of Li alone
    would give a general concept less. Words are base forms as the taxonomy spells them. A word it
    does not know is similar to itself and to nothing else.

    Parameters
    ----------
    taxonomy : words, senses, and what is a kind of what.
    measure : a name of :data:`~scenthound.similarity.concept_similarity.MEASURES`.
    lso : for the measures by information content, the common ancestor that counts:
        "informative", the one with the most information, or "deepest". The others look at the
        deepest one by definition, or at all.
    """

    def __init__(self, taxonomy: Taxonomy, measure: str = "lin", lso: str = "informative") -> None:
        self.taxonomy = taxonomy
        self._measure = MEASURES[measure]
        self._features = ConceptFeatures(taxonomy, lso)
        self._best_sense = BestSense(taxonomy.senses, len(taxonomy))

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""
        return self.taxonomy.index

    def to_all(self, term: str, senses: Sequence[int] | None = None) -> Array:
        """Similarity to every lemma, in order of ``taxonomy.lemmas``; zeros for an unknown term.

        All senses of all lemmas are compared, in a few milliseconds for 100,000 lemmas; with
        ``senses`` the term stands for these concepts alone.
        """
        best = np.zeros(len(self.taxonomy))
        for concept in self.taxonomy.concepts(term).tolist() if senses is None else senses:
            np.maximum(best, self.concept_to_all(concept), out=best)
        similar = self._best_sense.of(best)
        number = self.taxonomy.index.get(term)
        if number is not None:
            similar[number] = 1.0
        return similar

    def concept_to_all(self, concept: int) -> Array:
        """Similarity of a concept to every concept."""
        common = CommonAncestors(self._features.propagation, concept)
        values = self._measure.formula(self._features, common)
        values[concept] = 1.0
        return values

    def concept_to(self, concept: int, others: Integers) -> Array:
        """Similarity of a concept to these."""
        common = CommonAncestors(self._features.propagation, concept, others)
        values = self._measure.formula(self._features, common)
        values[others == concept] = 1.0
        return values


# Which senses of a topic's words count?
#
# WordNet knows the animal jaguar alone. To a topic of cars every lion and tiger would then look
# like a car. So a sense counts only where another word of the topic supports it, being similar to
# it; a word without a supported sense is compared as it is written.


Senses = tuple[int, ...]
"""Concepts that a word of the topic stands for."""

FLOOR = 0.6
"""Similarity from which on two concepts are near."""

MIN_KNOWN_NOUNS = 12
"""A topic with fewer nouns, as one of keywords alone, cannot support the senses of its words."""

_CACHED = 4
"""Cached words for each word of the topic: words come and go at its lower end."""


class AllSenses:
    """Every sense counts, as in the papers.

    Parameters
    ----------
    similarity : of words and concepts.
    """

    def __init__(self, similarity: TaxonomySimilarity) -> None:
        self._similarity = similarity

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""
        return self._similarity.index

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The senses of each word of the topic that count."""
        concepts = self._similarity.taxonomy.concepts
        return [tuple(concepts(word).tolist()) for word in topic]

    def to_all(self, word: str, senses: Senses) -> Array:
        """Similarity of the word, in these senses, to every word; 1 to itself."""
        return self._similarity.to_all(word, senses)


class SupportedSenses(AllSenses):
    """Only senses that another word of the topic supports: ours.

    A word supports a sense that is at least ``floor`` similar to one of its own.

    Parameters
    ----------
    similarity : of words and concepts.
    floor : similarity that supports a sense; at 0 every sense counts.
    min_nouns : words with a sense that a topic must have; with fewer, every sense counts.
    """

    def __init__(
        self, similarity: TaxonomySimilarity, floor: float = FLOOR, min_nouns: int = MIN_KNOWN_NOUNS
    ) -> None:
        super().__init__(similarity)
        self._floor = floor
        self._min_nouns = min_nouns
        self._concepts: dict[str, Integers] = {}
        self._near: dict[tuple[str, str], Array] = {}
        """Similarity of each sense of the first word to the second."""

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The supported senses of each word; none for a word unrelated to the topic.

        Where too few words have a sense, all senses count.
        """
        everything = super().senses(topic)
        if sum(map(bool, everything)) < self._min_nouns:
            return everything
        if len(self._concepts) > _CACHED * len(topic):
            self._concepts, self._near = {}, {}
        for word in topic:
            if word not in self._concepts:
                self._compare(word)
        found = []
        for word in topic:
            concepts = self._concepts[word]
            others = [self._near[word, other] for other in topic if other != word]
            best = np.max([np.zeros(len(concepts)), *others], axis=0)
            found.append(tuple(concepts[best >= self._floor].tolist()))
        return found

    def _compare(self, word: str) -> None:
        """Compare a new word with all others, both ways."""
        own = self._similarity.taxonomy.concepts(word)
        others = np.concatenate([own[:0], *self._concepts.values()])
        rows = [self._similarity.concept_to(concept, others) for concept in own.tolist()]
        table, start = np.array(rows).reshape(len(own), len(others)), 0
        for other, theirs in self._concepts.items():
            here = table[:, start : start + len(theirs)]
            self._near[word, other] = here.max(axis=1, initial=0.0)
            self._near[other, word] = here.max(axis=0, initial=0.0)
            start += len(theirs)
        self._concepts[word] = own


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

    Parameters
    ----------
    similarities : of the sense to every concept.
    context : the other terms.
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
        key=lambda sense: sense_fit(similarity.concept_to_all(sense), context),
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

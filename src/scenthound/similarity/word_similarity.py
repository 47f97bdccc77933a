"""Similarity of words by their senses in a taxonomy, and tables of the similarities between topic
terms and the terms of texts, by WordNet or by vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.core.parameters import check_name
from scenthound.similarity.vector_similarity import TermSimilarities
from scenthound.similarity.wordnet_similarity import (
    MEASURES,
    Array,
    CommonAncestors,
    ConceptFeatures,
)
from scenthound.text.terms import Column, Numbers, TermRows, Vocabulary, Weights
from scenthound.text.wordnet import Integers, Rows, Taxonomy

Senses = tuple[int, ...]
"""Concepts that a word of the topic stands for."""


def best_senses(values: Array, senses: Rows) -> Array:
    """Best value of every lemma from a value >= 0 of every concept; 0 without a sense."""
    best = np.zeros(len(senses))
    known = np.flatnonzero(np.diff(senses.starts))
    if len(known):
        best[known] = np.maximum.reduceat(values[senses.values], senses.starts[known])
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
    measure : a name of :data:`~scenthound.similarity.wordnet_similarity.MEASURES`.
    lso : for the measures by information content, the common ancestor that counts:
        "informative", the one with the most information, or "deepest". The others look at the
        deepest one by definition, or at all.
    """

    def __init__(self, taxonomy: Taxonomy, measure: str = "lin", lso: str = "informative") -> None:
        self.taxonomy = taxonomy
        self.index = taxonomy.index
        """Word -> its place in what :meth:`to_all` gives."""
        check_name("measure of similarity", measure, MEASURES)
        self._formula = MEASURES[measure]
        self._features = ConceptFeatures(taxonomy, lso)

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The senses of each word of a topic that count: all of them, as in the papers."""
        return [tuple(self.taxonomy.concepts(word).tolist()) for word in topic]

    def to_all(self, term: str, senses: Sequence[int] | None = None) -> Array:
        """Similarity to every lemma, in order of ``taxonomy.lemmas``; zeros for an unknown term.

        All senses of all lemmas are compared, in a few milliseconds for 100,000 lemmas; with
        ``senses`` the term stands for these concepts alone.
        """
        best = np.zeros(len(self.taxonomy))
        for concept in self.taxonomy.concepts(term).tolist() if senses is None else senses:
            np.maximum(best, self.concept_to(concept), out=best)
        similar = best_senses(best, self.taxonomy.senses)
        number = self.taxonomy.index.get(term)
        if number is not None:
            similar[number] = 1.0
        return similar

    def concept_to(self, concept: int) -> Array:
        """Similarity of a concept to every concept."""
        common = CommonAncestors(self._features.propagation, concept)
        values = self._formula(self._features, common)
        values[concept] = 1.0
        return values


# Which senses of a topic's words count?
#
# WordNet knows the animal jaguar alone. To a topic of cars every lion and tiger would then look
# like a car. So a sense counts only where another word of the topic supports it, being similar to
# it; a word without a supported sense is compared as it is written.

FLOOR = 0.6
"""Similarity from which on two concepts are near."""
MIN_KNOWN_NOUNS = 12
"""A topic with fewer nouns, as one of keywords alone, cannot support the senses of its words."""
_CACHED = 4
"""Cached words for each word of the topic: words come and go at its lower end."""


class SupportedSenses:
    """Only senses that another word of the topic supports: ours.

    A word supports a sense that is at least ``floor`` similar to one of its own.

    Parameters
    ----------
    floor : similarity that supports a sense; at 0 every sense counts.
    min_nouns : words with a sense that a topic must have; with fewer, every sense counts.
    """

    def __init__(
        self, similarity: TaxonomySimilarity, floor: float = FLOOR, min_nouns: int = MIN_KNOWN_NOUNS
    ) -> None:
        self.index, self.to_all = similarity.index, similarity.to_all
        self._similarity, self._floor, self._min_nouns = similarity, floor, min_nouns
        self._concepts: dict[str, Integers] = {}
        self._near: dict[tuple[str, str], Array] = {}
        """Similarity of each sense of the first word to the second."""

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The supported senses of each word; none for a word unrelated to the topic.

        Where too few words have a sense, all senses count.
        """
        everything = self._similarity.senses(topic)
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
        """Compare a new word with all others, in both directions."""
        own = self._similarity.taxonomy.concepts(word)
        others = np.concatenate([own[:0], *self._concepts.values()])
        rows = [self._similarity.concept_to(concept)[others] for concept in own.tolist()]
        table, start = np.array(rows).reshape(len(own), len(others)), 0
        for other, theirs in self._concepts.items():
            here = table[:, start : start + len(theirs)]
            self._near[word, other] = here.max(axis=1, initial=0.0)
            self._near[other, word] = here.max(axis=0, initial=0.0)
            start += len(theirs)
        self._concepts[word] = own


# Tables of similarities between topic terms and the terms of texts, by WordNet or by vectors.

Table = npt.NDArray[np.float32]
"""Half the memory, at an error of 1e-7: there is a row of 100,000 for each topic term."""
TermSenses = tuple[str, Senses]
"""A topic term, and the senses of it that count."""
_UNSEEN_TERM = -2


class SimilarityTable(ABC):
    """Similarities ``s_ij`` of terms i to the topic's terms j, for SSRM, SVSM, soft SVSM.

    ``floor``: similarities below it count as 0; the others are raised to ``power``.
    """

    def __init__(self, vocabulary: Vocabulary, floor: float, power: float) -> None:
        self._vocabulary, self._floor, self._power = vocabulary, floor, power

    @abstractmethod
    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""

    @abstractmethod
    def rows(self, ids: Numbers) -> Table:
        """In [0, 1]: a row for each of these terms, a column for each topic term, in order."""

    @abstractmethod
    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """``a_i = sum_j t_j s_ij``: a row for each of these terms, a column for each of weights.

        ``weights`` are those of the topic's terms, and stay as they are until the next topic.
        """

    @abstractmethod
    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""


class TermSimilarity(Protocol):
    """How similar is one word to all the words of a lexicon?"""

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The senses of each word of a topic that count."""

    def to_all(self, word: str, senses: Senses, /) -> Weights:
        """In [0, 1], of the word in these senses; zeros for a word the lexicon does not have."""


class LexiconSimilarityTable(SimilarityTable):
    """Similarities to all terms that a text may have.

    They stand in one table: a row for each word of the lexicon, and one for all other words, which
    are similar to nothing but themselves; a column for each topic term. When the topic changes only
    the columns of its new terms are worked out, and a text looks up the rows of its own terms.
    The table is stored by column, since columns are written whole.
    """

    def __init__(
        self,
        similarity: TermSimilarity,
        vocabulary: Vocabulary,
        floor: float = 0.0,
        power: float = 1.0,
    ) -> None:
        super().__init__(vocabulary, floor, power)
        self._similarity = similarity
        self._other = len(similarity.index)
        self._slot = Column(np.int32, _UNSEEN_TERM)
        self._table: Table = np.zeros((0, self._other + 1), np.float32)
        self._column_of: dict[TermSenses, int] = {}
        self._columns: Numbers = np.empty(0, np.int32)
        self._outside: list[int] = []
        """Columns of the topic terms that the lexicon does not have."""
        self._topic: Numbers = np.empty(0, np.int32)
        self._sums: Weights | None = None

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        self._topic = ids
        terms = self._vocabulary.terms(ids.tolist())
        meanings = list(zip(terms, self._similarity.senses(terms), strict=True))
        if len(meanings) > len(self._table):
            room = np.zeros((len(meanings) - len(self._table), self._other + 1), np.float32)
            self._table = np.concatenate([self._table, room])
        kept = {each: self._column_of[each] for each in meanings if each in self._column_of}
        free = iter(sorted(set(range(len(self._table))) - set(kept.values())))
        for meaning in meanings:
            if meaning not in kept:
                kept[meaning] = next(free)
                self._table[kept[meaning], : self._other] = self._worked_out(meaning)
        self._column_of = kept
        self._columns = np.array([kept[each] for each in meanings], np.int32)
        known = self._similarity.index
        self._outside = [column for column, term in enumerate(terms) if term not in known]
        self._sums = None

    def rows(self, ids: Numbers) -> Table:
        """A row for each of these terms."""
        rows: Table = self._table[self._columns[:, None], self._slots(ids)].T
        for column in self._outside:
            rows[ids == self._topic[column], column] = 1.0
        return rows

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """Worked out once for each term, as long as the topic stays what it is."""
        known = np.empty((0, weights.shape[1])) if self._sums is None else self._sums
        if len(self._vocabulary) > len(known):  # make room for all terms
            wider = np.full((2 * len(self._vocabulary), weights.shape[1]), np.nan)
            wider[: len(known)] = known
            known = self._sums = wider
        found: Weights = known[ids]
        unknown = np.isnan(found).any(axis=1)
        if unknown.any():
            new = np.unique(ids[unknown])
            known[new] = self.rows(new) @ weights
            found = known[ids]
        return found

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        return self.rows(self._topic)

    def _worked_out(self, meaning: TermSenses) -> Table:
        similar = self._similarity.to_all(*meaning)
        kept = np.zeros(len(similar), np.float32)
        near = np.flatnonzero(similar >= self._floor)
        kept[near] = similar[near] ** self._power
        return kept

    def _slots(self, ids: Numbers) -> Numbers:
        """The row of each term in the table."""
        slot = self._slot.upto(len(self._vocabulary))
        slots: Numbers = slot[ids]
        if slots.min(initial=0) == _UNSEEN_TERM:
            known = self._similarity.index
            for id_ in np.unique(ids[slots == _UNSEEN_TERM]).tolist():
                slot[id_] = known.get(self._vocabulary.term(id_), self._other)
            slots = slot[ids]
        return slots


# Similarities by vectors: there is no end of words, so rows are worked out as words come up.

_CACHED_TERMS = 50_000
"""Terms whose rows are held; with 40 topic terms, 8 MB. Fewer than those whose vectors are held
(``vector_similarity``), or a new topic term would have all of them worked out again."""


class VectorSimilarityTable(SimilarityTable):
    """Similarities to the terms that texts turn out to have.

    A term is compared when it first comes up, and its row is held. When the topic changes, only
    the columns of its new terms are worked out. ``newest`` gives what compares them.
    """

    def __init__(
        self,
        newest: Callable[[], TermSimilarities],
        vocabulary: Vocabulary,
        floor: float = 0.0,
        power: float = 1.0,
    ) -> None:
        super().__init__(vocabulary, floor, power)
        self._newest = newest
        self._topic: list[str] = []
        self._rows = TermRows(0, _CACHED_TERMS)

    def forget(self) -> None:
        """Drop all rows: the meaning of words has changed."""
        self._rows.clear()

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        terms = self._vocabulary.terms(ids.tolist())
        old = {term: column for column, term in enumerate(self._topic)}
        new = [term for term in terms if term not in old]
        known = self._vocabulary.terms(self._rows.ids.tolist())
        table = np.hstack([self._rows.table[: len(known)], self._compared(known, new)])
        column_of = {**old, **{term: len(old) + number for number, term in enumerate(new)}}
        self._rows.table = table[:, [column_of[term] for term in terms]]
        self._topic = terms

    def rows(self, ids: Numbers) -> Table:
        """A row for each of these terms."""
        places = self._rows.places(
            ids, lambda new: self._compared(self._vocabulary.terms(new.tolist()), self._topic)
        )
        rows: Table = self._rows.table[places]
        return rows

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """Computed each time: what a word means may change with the page."""
        distinct, places = np.unique(ids, return_inverse=True)
        sums: Weights = self.rows(distinct) @ weights
        return sums[places]

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        return self._with_floor(self._newest().among(self._topic))

    def _compared(self, terms: Sequence[str], topic: Sequence[str]) -> Table:
        if not terms or not topic:
            return np.zeros((len(terms), len(topic)), np.float32)
        return self._with_floor(self._newest().similarities(terms, topic))

    def _with_floor(self, similar: Table) -> Table:
        return np.where(similar >= self._floor, similar, 0.0) ** np.float32(self._power)

"""A similarity of words that is fixed, pair by pair, and the sums of the papers over it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from scenthound.similarity.text_models import Form
from scenthound.similarity.word_similarity import LexiconSimilarityTable
from scenthound.text.terms import Bag, Bags, Numbers, Vocabulary, Weights

Vector = Mapping[str, float]
"""Weight by term."""
LEXICON = "abcdef"
OUTSIDE = "xyz"


@dataclass(frozen=True)
class FixedSimilarity:
    """Words of a lexicon; pairs that are not fixed have the similarity 0."""

    words: str = LEXICON
    pairs: Mapping[str, float] = field(default_factory=dict)
    """Two words as one string, in either order."""

    @property
    def index(self) -> Mapping[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def senses(self, topic: Sequence[str]) -> list[tuple[int, ...]]:
        return [()] * len(topic)

    def to_all(self, word: str, senses: tuple[int, ...]) -> Weights:
        known = word in self.words
        return np.array([self.of(word, other) if known else 0.0 for other in self.words])

    def of(self, first: str, second: str) -> float:
        """A word outside the lexicon is similar to itself alone, and all are to themselves."""
        if first == second:
            return 1.0
        return self.pairs.get(first + second, self.pairs.get(second + first, 0.0))

    def table(
        self, vocabulary: Vocabulary, floor: float = 0.0, power: float = 1.0
    ) -> LexiconSimilarityTable:
        return LexiconSimilarityTable(self, vocabulary, floor, power)


_NUMBERS = st.just(0.0) | st.floats(0.01, 1.0)
_PAIRS = [first + second for first in LEXICON for second in LEXICON if first < second]
SIMILARITIES = st.dictionaries(st.sampled_from(_PAIRS), _NUMBERS).map(
    lambda pairs: FixedSimilarity(pairs=pairs)
)
VECTORS = st.dictionaries(
    st.sampled_from(LEXICON + OUTSIDE), st.just(0.0) | st.floats(0.01, 10.0), max_size=6
)
"""Terms of the lexicon and others, some without weight."""
TEXTS = st.lists(VECTORS, max_size=4)
TOPICS = st.lists(VECTORS, min_size=1, max_size=3)


def slow_ssrm(w: Vector, t: Vector, s: FixedSimilarity, floor: float = 0.0) -> float:
    """Eq. 18 of sdvsm as it is printed; with a floor, similarities below it are 0."""
    product = total = 0.0
    for i in w:
        for j in t:
            similar = s.of(i, j) if s.of(i, j) >= floor else 0.0
            product += similar * w[i] * t[j]
            total += w[i] * t[j]
    return product / total if total else 0.0


def slow_svsm(w: Vector, t: Vector, s: FixedSimilarity) -> float:
    """Eq. 19 of sdvsm as it is printed: two vectors over all pairs, and their cosine.

    A term without weight is not there, neither in the text nor in the topic.
    """
    of_text, of_topic = [], []
    for i in w:
        for j in t:
            if w[i] > 0.0 and t[j] > 0.0:
                of_text.append(w[i] * s.of(i, j))
                of_topic.append(t[j] * s.of(i, j))
    norms = math.hypot(*of_text) * math.hypot(*of_topic)
    product = math.fsum(x * y for x, y in zip(of_text, of_topic, strict=True))
    return min(1.0, product / norms) if norms else 0.0


def slow_soft_svsm(w: Vector, t: Vector, s: FixedSimilarity, floor: float, power: float) -> float:
    """The formula of soft SVSM as it is written, over plain loops."""

    def similar(i: str, j: str) -> float:
        return s.of(i, j) ** power if s.of(i, j) >= floor else 0.0

    product = math.fsum(w[i] * t[j] * similar(i, j) for i in w for j in t)
    soft = math.sqrt(math.fsum(t[j] * t[k] * similar(j, k) for j in t for k in t))
    norms = math.hypot(*w.values()) * soft
    return min(1.0, product / norms) if norms else 0.0


# What a form says of texts whose weights are given.


def texts(vectors: Sequence[Vector], vocabulary: Vocabulary) -> tuple[Bags, Weights]:
    """The texts whose terms have these weights; all counts are 1."""
    bags, weights = [], [np.empty(0)]
    for vector in vectors:
        rows = sorted((vocabulary.number(term), weight) for term, weight in vector.items())
        ids = np.array([number for number, _ in rows], np.int32)
        bags.append(Bag(ids, np.ones(len(ids), np.int32)))
        weights.append(np.array([weight for _, weight in rows]))
    return Bags(bags), np.concatenate(weights)


def topic(columns: Sequence[Vector], vocabulary: Vocabulary) -> tuple[Numbers, Weights]:
    """The topic's terms, and a column of weights for each vector."""
    terms = list(dict.fromkeys(term for column in columns for term in column))
    ids = np.array([vocabulary.number(term) for term in terms], np.int32)
    rows = [[column.get(term, 0.0) for column in columns] for term in terms]
    return ids, np.array(rows, np.float64).reshape(len(terms), len(columns))


def similarities(
    form: Form, vectors: Sequence[Vector], columns: Sequence[Vector], vocabulary: Vocabulary
) -> list[float]:
    """What ``form`` says about each text, by the topic of these columns."""
    form.take(*topic(columns, vocabulary))
    found: list[float] = form.similarities(*texts(vectors, vocabulary)).tolist()
    return found

"""How similar is a text to the topic, by the vectors of its terms? Ours.

A text is the sum of the vectors of its terms, as often as it has them. Terms are those that were
counted: words without meaning are left out, and inflection is folded. That tells more of a text
than a vector of all its tokens does (docs/scent.md), and costs less, since its terms are counted
anyway.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Briefing
from scenthound.relevance.sentences import middle
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Column, Numbers, Vocabulary, Weights
from scenthound.vectors.lengths import unit_rows
from scenthound.vectors.protocols import TextEncoder, Vectors

MOST_TERMS = 50_000
"""Terms whose vectors are remembered; where there are more, all are worked out anew as they come
up. At 256 dimensions they take 50 MB."""
_UNKNOWN = -1


def summed_vectors(
    counts: Vectors, places: Numbers, bounds: npt.NDArray[np.int64], table: Vectors
) -> Vectors:
    """For each text the sum of the rows of its terms, as often as it has them.

    Parameters
    ----------
    counts : of the terms of all texts, end to end.
    places : their rows in the table.
    bounds : where each text begins, and where the last one ends.
    table : the vectors; none are needed where no text has a term.
    """
    from scipy.sparse import csr_array

    shape = (len(bounds) - 1, len(table))
    found: Vectors = csr_array((counts, places, bounds), shape=shape) @ table
    return found


class TermVectors:
    """The vectors of terms, each worked out when a text first has it.

    Parameters
    ----------
    encoder : makes a vector of length 1 of a term.
    vocabulary : numbers the terms.
    most : how many are remembered.
    """

    def __init__(
        self, encoder: TextEncoder, vocabulary: Vocabulary, most: int = MOST_TERMS
    ) -> None:
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._most = most
        self._place = Column(np.int32, _UNKNOWN)
        self._table: Vectors = np.empty((0, encoder.dimensions), np.float32)
        self._known = 0

    def __len__(self) -> int:
        """How many terms are remembered."""
        return self._known

    def of_texts(self, bags: Bags) -> Vectors:
        """A row of length 1 for each text; zeros for one without terms."""
        counts, places = bags.counts.astype(np.float32), self._places(bags.ids)
        return unit_rows(summed_vectors(counts, places, bags.bounds, self._table))[: len(bags)]

    def _places(self, ids: Numbers) -> Numbers:
        """The row of each term in the table."""
        place = self._place.upto(len(self._vocabulary))
        new = np.unique(ids[place[ids] == _UNKNOWN])
        if self._known + len(new) > self._most:
            place[:] = _UNKNOWN
            self._known, new = 0, np.unique(ids)
        if len(new):
            self._learn(new, place)
        found: Numbers = place[ids]
        return found

    def _learn(self, new: Numbers, place: Numbers) -> None:
        start, end = self._known, self._known + len(new)
        if end > len(self._table):
            room = np.zeros((max(end, 2 * len(self._table)), self._encoder.dimensions), np.float32)
            room[:start] = self._table[:start]
            self._table = room
        self._table[start:end] = self._encoder.encode(self._vocabulary.terms(new.tolist()))
        place[new] = np.arange(start, end)
        self._known = end


class TermVectorModel:
    """Similarity of texts to the topic by the cosine of their vectors, 0 where it is negative.

    The topic lies in the middle of its example pages and its keywords, and stays there.

    Parameters
    ----------
    briefing : what the topic is.
    analyzer : counts terms.
    encoder : makes a vector of a term.
    """

    def __init__(self, briefing: Briefing, analyzer: Analyzer, encoder: TextEncoder) -> None:
        self._vectors = TermVectors(encoder, analyzer.vocabulary)
        examples = Bags([analyzer.page_bag(page) for page in briefing.examples])
        groups = [
            self._vectors.of_texts(examples),
            self._vectors.of_texts(analyzer.bags(briefing.keywords)),
        ]
        self._topic = middle(groups, encoder.dimensions)

    def of_bags(self, bags: Bags) -> Weights:
        """In [0, 1] for each text; 0 for one without terms."""
        cosines = (self._vectors.of_texts(bags) @ self._topic).astype(np.float64)
        return np.clip(cosines, 0.0, 1.0)

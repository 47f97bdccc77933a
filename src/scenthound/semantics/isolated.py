"""Vectors of words that stand alone, from a model that reads words in company."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.semantics.word_sources import WordSource
from scenthound.vectors.protocols import Vectors, WordEncoder


class IsolatedWords:
    """A word read alone, as if it were a whole text; a phrase is the mean of its words.

    Cheap beside reading pages, since every word is read once, and the fast form of SVSM can be
    used; but "bank" has one meaning, whatever stands around it.

    Parameters
    ----------
    encoder : reads words.
    """

    def __init__(self, encoder: WordEncoder) -> None:
        self._encoder = encoder
        self.name = f"{encoder.name}, words alone"
        self.dimensions = encoder.dimensions

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word or phrase; zeros for one that the model has no piece of."""
        found = self._encoder.encode_words([word.split() for word in words])
        rows = [of_word.mean(axis=0) for of_word in found if len(of_word)]
        known = [len(of_word) > 0 for of_word in found]
        vectors = np.zeros((len(words), self.dimensions), np.float32)
        if rows:
            vectors[known] = rows
        return vectors


class Isolating:
    """The words of a model, each alone, as a source of vectors.

    Parameters
    ----------
    source : of the model that reads words in company.
    remembered : puts a memory before the model, so that no word is read twice.
    """

    def __init__(
        self,
        source: WordSource[WordEncoder],
        remembered: Callable[[WordEncoder], WordEncoder],
    ) -> None:
        self._source = source
        self._remembered = remembered

    def newest(self) -> IsolatedWords:
        """The words of the newest model."""
        return IsolatedWords(self._remembered(self._source.newest()))

    def learn(self, document: Document) -> bool:
        """What the model learns of a page."""
        return self._source.learn(document)

    def state(self) -> State:
        """What it has learnt."""
        return self._source.state()

    def restore(self, state: State) -> None:
        """Give it back."""
        self._source.restore(state)

"""Words with a vector each, and how a term finds its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scenthound.vectors.protocols import Vectors

Guess = Callable[[str], Vectors | None]
"""The vector of a word that is not in the table, by how it is spelled; None without one."""


def no_guess(_: str) -> Vectors | None:
    """A word that is not in the table has no vector."""
    return None


class WordTable:
    """Vectors by word: a ``WordVectors``.

    Terms are in lower case, base forms ("flood") or phrases of several words ("climate change").
    A term has the vector of the first of these that there is:

    1. the word as it is: "climate change";
    2. with underscores: "climate_change";
    3. the first word of the table (the most frequent one, in most files) that differs from it
       in capitals, underscores and hyphens alone: "london" finds "London", "x ray" finds "X-ray";
    4. for a phrase the mean of those of its words that have a vector by rules 1 to 3 or 5;
    5. for a word, what can be guessed of its letters (fastText alone).

    Else it has zeros.

    Parameters
    ----------
    name : two tables of one name hold the same vectors.
    words : each once, the most frequent first.
    vectors : a row for each of the words.
    guess : vectors of words that are not in the table.
    """

    def __init__(
        self, name: str, words: Sequence[str], vectors: Vectors, guess: Guess = no_guess
    ) -> None:
        self.name = name
        self.words = words
        self.vectors = vectors
        self.dimensions = int(vectors.shape[1])
        self._guess = guess
        self._places = {word: place for place, word in enumerate(words)}
        self._plain: dict[str, int] = {}
        for place, word in enumerate(words):
            if (plain := _plain(word)) != word:
                self._plain.setdefault(plain, place)

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word, not brought to length 1; zeros for a word that has none."""
        rows = np.zeros((len(words), self.dimensions), np.float32)
        for row, word in zip(rows, words, strict=True):
            found = self._vector(word)
            if found is not None:
                row[:] = found
        return rows

    def _vector(self, term: str) -> Vectors | None:
        place = self._place(term)
        if place is not None:
            return self._row(place)
        words = term.split()
        if len(words) < 2:
            return self._guess(term) if words else None
        found = [vector for word in words if (vector := self._vector(word)) is not None]
        return _mean(found) if found else None

    def _place(self, term: str) -> int | None:
        plain = _plain(term)
        for table, word in (
            (self._places, term),
            (self._places, term.replace(" ", "_")),
            (self._places, plain),
            (self._plain, plain),
        ):
            if word in table:
                return table[word]
        return None

    def _row(self, place: int) -> Vectors:
        row: Vectors = self.vectors[place]
        return row


def _plain(word: str) -> str:
    return word.lower().replace("_", " ").replace("-", " ")


def _mean(found: Sequence[Vectors]) -> Vectors:
    return np.asarray(np.mean(found, axis=0, dtype=np.float64), np.float32)

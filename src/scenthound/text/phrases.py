"""Phrases of several words that are one term: "storm surge", "tropical rain forest".

A text of thousands of words is searched in a few array operations: a hash of each pair of
neighbours is looked up in a table of the pairs that begin a phrase, and only the few places
that pass are compared word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain

import numpy as np
import numpy.typing as npt

_SPARSE = 32
"""Places of the table for each pair: one in so many chance pairs passes."""
_SPREAD = 0x9E3779B1
"""An odd constant: multiplying by it spreads neighbouring numbers over the table."""
NO_WORD = 0
_END = ""
"""The third word of a phrase of two."""
_REMEMBERED = 20_000

Words = npt.NDArray[np.int32]
"""Numbers of words among the words of phrases."""
Long = npt.NDArray[np.int64]


class Phrases:
    """Known phrases, to be found in texts.

    A word of a text stands for itself and for its base form, so that "storm surges" is found
    as "storm surge". Where several phrases begin at one place, the longest counts.

    Parameters
    ----------
    phrases : base forms, words apart by one blank; single words are passed over.
    base : base form of a word.
    """

    def __init__(self, phrases: Iterable[str], base: Callable[[str], str]) -> None:
        self._forms = lru_cache(_REMEMBERED)(partial(_forms, base))
        self._word_numbers: dict[str, int] = {}
        self._rest: dict[tuple[str, str], dict[str, list[tuple[str, ...]]]] = {}
        for phrase in sorted(phrases, key=len, reverse=True):
            first, *others = phrase.split(" ")
            if others:
                second, *rest = others
                by_third = self._rest.setdefault((first, second), {})
                by_third.setdefault(rest[0] if rest else _END, []).append(tuple(rest))
        number = self._word_numbers
        for word in chain.from_iterable(self._rest):
            number.setdefault(word, len(number) + 1)
        pairs = [(number[first], number[second]) for first, second in self._rest]
        firsts, seconds = np.array(pairs, np.int64).reshape(-1, 2).T
        self._pairs_sorted = np.sort(_keys(firsts, seconds))
        self._table = np.zeros(1 << (_SPARSE * len(self._rest)).bit_length(), np.bool_)
        self._table[self._hashes(firsts, seconds)] = True

    def __len__(self) -> int:
        """Number of pairs of words that begin a phrase."""
        return len(self._rest)

    def word_number(self, word: str) -> int:
        """Number of a word among the words of phrases; 0 for a word of none."""
        return self._word_numbers.get(word, NO_WORD)

    def starts(self, own: Words, base: Words) -> list[int]:
        """Places where two words stand that begin a phrase, ascending.

        ``own`` and ``base`` are the two numbers of every word of a text.
        """
        found = [self._pairs_at(first[:-1], second[1:])
                 for first in (own, base) for second in (own, base)]  # fmt: skip
        return sorted({place for places in found for place in places})

    def _pairs_at(self, first: Words, second: Words) -> list[int]:
        firsts = first.astype(np.int64)
        passed = self._table[self._hashes(firsts, second)]
        places = np.flatnonzero(passed & (first != NO_WORD) & (second != NO_WORD))
        keys = _keys(firsts[places], second[places])
        nearest = np.searchsorted(self._pairs_sorted, keys)
        nearest[nearest == len(self._pairs_sorted)] = 0
        known: list[int] = places[self._pairs_sorted[nearest] == keys].tolist()
        return known

    def at(self, words: Sequence[str], place: int) -> str | None:
        """The longest phrase that begins at ``place``, or None; of equals the one as written."""
        return max(self._all_at(words, place), key=lambda found: found.count(" "), default=None)

    def _all_at(self, words: Sequence[str], place: int) -> Iterator[str]:
        thirds = (*self._forms(words[place + 2]), _END) if place + 2 < len(words) else (_END,)
        for pair in self._pairs(words, place):
            by_third = self._rest.get(pair)
            if by_third is None:
                continue
            for third in thirds:
                for rest in by_third.get(third, ()):
                    if self._goes_on(words, place + 2, rest):
                        yield " ".join((*pair, *rest))

    def _pairs(self, words: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
        if place + 1 < len(words):
            for first in self._forms(words[place]):
                for second in self._forms(words[place + 1]):
                    yield first, second

    def _goes_on(self, words: Sequence[str], place: int, rest: tuple[str, ...]) -> bool:
        return place + len(rest) <= len(words) and all(
            word in self._forms(words[place + i]) for i, word in enumerate(rest)
        )

    def _hashes(self, first: Long, second: Words | Long) -> Long:
        """Places of pairs in the table."""
        return (first * _SPREAD + second) & (len(self._table) - 1)


def _keys(first: Long, second: Words | Long) -> Long:
    """A number for each pair of numbers, and no other pair has it."""
    return (first << 32) + second


def _forms(base: Callable[[str], str], word: str) -> tuple[str, ...]:
    """A word of a text as a phrase may have it."""
    folded = base(word)
    return (word,) if folded == word else (word, folded)

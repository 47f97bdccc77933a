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
        self._settled: dict[tuple[str, ...], str] = {}
        """Pairs of words that are a phrase whatever follows."""
        self._word_numbers: dict[str, int] = {}
        self._rest: dict[tuple[str, str], dict[str, list[tuple[str, ...]]]] = {}
        for phrase in sorted(phrases, key=len, reverse=True):
            first, *others = phrase.split(" ")
            if others:
                second, *rest = others
                by_third = self._rest.setdefault((first, second), {})
                by_third.setdefault(rest[0] if rest else _END, []).append(tuple(rest))
        self._number_words()
        self._sort_pairs()

    def _number_words(self) -> None:
        """The first three words of every phrase get numbers; 0 is for all other words."""
        thirds = chain.from_iterable(self._rest.values())
        for word in chain(chain.from_iterable(self._rest), thirds):
            self._word_numbers.setdefault(word, len(self._word_numbers) + 1)
        self._word_numbers.pop(_END, None)

    def _sort_pairs(self) -> None:
        """What :meth:`starts` looks up: pairs of words, and the third words after a pair."""
        number = self._word_numbers
        pairs = [(number[first], number[second]) for first, second in self._rest]
        firsts, seconds = np.array(pairs, np.int64).reshape(-1, 2).T
        self._table = np.zeros(1 << (_SPARSE * len(self._rest)).bit_length(), np.bool_)
        self._table[self._hashes(firsts, seconds)] = True
        keys = _keys(firsts, seconds)
        order = np.argsort(keys)
        self._pair_keys = keys[order]
        rests = list(self._rest.values())
        by_third = [rests[place] for place in order.tolist()]
        self._is_phrase = np.array([_END in thirds for thirds in by_third], np.bool_)
        triples = [
            (pair << 32) + number[third]
            for pair, thirds in enumerate(by_third)
            for third in thirds
            if third != _END
        ]
        self._triple_keys = np.sort(np.array(triples, np.int64))

    def __len__(self) -> int:
        """Number of pairs of words that begin a phrase."""
        return len(self._rest)

    def word_number(self, word: str) -> int:
        """Number of a word among the words of phrases; 0 for a word of none."""
        return self._word_numbers.get(word, NO_WORD)

    def starts(self, own: Words, base: Words) -> list[int]:
        """Places where words stand that begin a phrase, ascending.

        Two words that are one, or three that begin one: most pairs such as "king of" are
        settled without a look at the words. ``own`` and ``base`` are the two numbers of every
        word of a text.
        """
        folded = base != own
        first, second = folded[:-1], folded[1:]
        thirds = [np.append(words[2:], [NO_WORD]) for words in (own, base)]
        found = (
            self._starts_among(np.arange(len(own) - 1), own, own, thirds),
            self._starts_among(np.flatnonzero(first), base, own, thirds),
            self._starts_among(np.flatnonzero(second), own, base, thirds),
            self._starts_among(np.flatnonzero(first & second), base, base, thirds),
        )
        return sorted({place for places in found for place in places})

    def _starts_among(
        self, places: Long, first: Words, second: Words, thirds: Sequence[Words]
    ) -> list[int]:
        """The same for the words as ``first`` and ``second`` number them, at some places."""
        firsts, seconds = first[places].astype(np.int64), second[places + 1]
        likely = self._table[self._hashes(firsts, seconds)]
        passed = np.flatnonzero(likely & (firsts != NO_WORD) & (seconds != NO_WORD))
        pairs, known = _find(self._pair_keys, _keys(firsts[passed], seconds[passed]))
        places, pairs = places[passed[known]], pairs[known]
        begins = self._is_phrase[pairs]
        for third in thirds:
            begins |= _find(self._triple_keys, _keys(pairs, third[places]))[1]
        starts: list[int] = places[begins].tolist()
        return starts

    def at(self, words: Sequence[str], place: int) -> str | None:
        """The longest phrase that begins at ``place``, or None; of equals the one as written."""
        pair = (words[place], words[place + 1]) if place + 1 < len(words) else ()
        settled = self._settled.get(pair)
        if settled is not None:
            return settled
        found = max(self._all_at(words, place), key=lambda found: found.count(" "), default=None)
        if found is not None and not self._may_go_on(words, place):
            if len(self._settled) >= _REMEMBERED:
                self._settled.clear()
            self._settled[pair] = found
        return found

    def _may_go_on(self, words: Sequence[str], place: int) -> bool:
        """Does a longer phrase begin with these two words?"""
        return any(self._rest.get(pair, {}).keys() - {_END} for pair in self._pairs(words, place))

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


def _find(ordered: Long, keys: Long) -> tuple[Long, npt.NDArray[np.bool_]]:
    """Where each key stands, and whether it is there at all."""
    if not len(ordered):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    places = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return places, ordered[places] == keys


def _keys(first: Long, second: Words | Long) -> Long:
    """A number for each pair of numbers, and no other pair has it."""
    return (first << 32) + second


def _forms(base: Callable[[str], str], word: str) -> tuple[str, ...]:
    """A word of a text as a phrase may have it."""
    folded = base(word)
    return (word,) if folded == word else (word, folded)

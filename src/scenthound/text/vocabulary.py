"""Terms as numbers, bags of terms, and the positions of terms in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
"""Numbers of terms, or how often they occur."""

Weights = npt.NDArray[np.float64]


class Vocabulary:
    """Every term so far, numbered in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []

    def __len__(self) -> int:
        return len(self._terms)

    def number(self, term: str) -> int:
        """The number of ``term``; a new one for a new term."""
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return found

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers of ``terms``, new ones for new terms."""
        known = map(self._numbers.get, terms)
        return [
            self.number(term) if number is None else number
            for term, number in zip(terms, known, strict=True)
        ]

    def find(self, term: str) -> int | None:
        """The number of ``term``, or None for a new term."""
        return self._numbers.get(term)

    def term(self, number: int) -> str:
        """The term of that number."""
        return self._terms[number]

    def terms(self, numbers: Iterable[int] | None = None) -> list[str]:
        """The terms of these numbers; without numbers all of them, in order."""
        if numbers is None:
            return list(self._terms)
        return [self._terms[number] for number in numbers]


class Column:
    """One value for every number, known or still to come; ``default`` where none was set."""

    def __init__(self, dtype: npt.DTypeLike, default: float = 0) -> None:
        self._default = default
        self._values: npt.NDArray[Any] = np.full(1024, default, dtype)

    def upto(self, size: int) -> npt.NDArray[Any]:
        """The values of the numbers below ``size``, to read and to write."""
        if size > len(self._values):
            room = np.full(max(size, 2 * len(self._values)), self._default, self._values.dtype)
            room[: len(self._values)] = self._values
            self._values = room
        return self._values[:size]


class TermRows:
    """A table with a row for each term, worked out when the term first comes up.

    Parameters
    ----------
    columns : of the table.
    most : rows that are held; where there are more, all are worked out anew as they come up.
    """

    def __init__(self, columns: int, most: int) -> None:
        self.ids: Numbers = np.empty(0, np.int32)
        """The terms of the rows."""
        self.table: npt.NDArray[np.float32] = np.empty((0, columns), np.float32)
        self._most = most
        self._place = Column(np.int32, -1)

    def __len__(self) -> int:
        """How many rows are held."""
        return len(self.ids)

    def clear(self) -> None:
        """Drop all rows."""
        self._place.upto(int(self.ids.max(initial=0)) + 1)[self.ids] = -1
        self.ids = self.ids[:0]

    def places(self, ids: Numbers, compute: Callable[[Numbers], Any]) -> Numbers:
        """The row of each term; ``compute`` gives the rows of terms that have none."""
        place = self._place.upto(int(ids.max(initial=0)) + 1)
        new = np.unique(ids[place[ids] == -1])
        if len(self) + len(new) > self._most:
            self.clear()
            new = np.unique(ids)
        if len(new):
            first, end = len(self), len(self) + len(new)
            if end > len(self.table):
                wider = np.zeros((max(1024, 2 * end), self.table.shape[1]), np.float32)
                wider[:first] = self.table[:first]
                self.table = wider
            self.table[first:end] = compute(new)
            self.ids = np.concatenate([self.ids, new])
            place[new] = np.arange(first, end)
        found: Numbers = place[ids]
        return found


# Bags of words: which terms a text has, and how often.


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """How often each term occurs in a text; ``ids`` are distinct and ascending."""

    ids: Numbers
    counts: Numbers

    def __len__(self) -> int:
        """Number of distinct terms."""
        return len(self.ids)


EMPTY = Bag(np.empty(0, np.int32), np.empty(0, np.int32))


class Bags:
    """The bags of several texts, end to end, so that all of them are weighed in one go.

    Parameters
    ----------
    bags : one for each text, in order.
    """

    def __init__(self, bags: Sequence[Bag]) -> None:
        self._bags = bags
        parts = bags or [EMPTY]
        self.ids: Numbers = np.concatenate([bag.ids for bag in parts])
        self.counts: Numbers = np.concatenate([bag.counts for bag in parts])
        lengths = [len(bag) for bag in parts]
        self._rows = np.repeat(np.arange(len(parts)), lengths)
        self.bounds: npt.NDArray[np.int64] = np.cumsum([0, *lengths])
        """Where the entries of each text begin, and where those of the last one end."""

    def __len__(self) -> int:
        """Number of texts."""
        return len(self._bags)

    def __getitem__(self, row: int) -> Bag:
        return self._bags[row]

    def of_texts(self, chosen: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Which entries belong to a chosen text?"""
        return np.asarray(chosen, np.bool_)[self._rows]

    def sums(self, values: npt.NDArray[np.float64]) -> Weights:
        """Sum over each text of one value for each of its terms; 0 for an empty text."""
        sums = np.bincount(self._rows, weights=values, minlength=len(self))[: len(self)]
        return sums.astype(np.float64, copy=False)  # without entries numpy gives whole numbers


def bags_from_keys(keys: npt.NDArray[np.int64], rows: int, terms: int) -> list[Bag]:
    """The bags of ``rows`` texts from one key ``row * terms + term`` for every occurrence."""
    keys = np.sort(keys)
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    return _cut(keys[first], counts, rows, terms)


def bags_from_counts(
    keys: npt.NDArray[np.int64], counts: Numbers, rows: int, terms: int
) -> list[Bag]:
    """The same from keys with a count each; counts of the same key are added."""
    if not len(keys):
        return [EMPTY] * rows
    order = np.argsort(keys)
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sums = np.add.reduceat(counts[order], first, dtype=np.int32)
    return _cut(keys[first], sums, rows, terms)


def _cut(distinct: npt.NDArray[np.int64], counts: Numbers, rows: int, terms: int) -> list[Bag]:
    bounds = np.searchsorted(distinct, np.arange(rows + 1) * terms).tolist()
    ids = (distinct % terms).astype(np.int32)
    for shared in (ids, counts):
        shared.setflags(write=False)  # bags are cached, and handed to several readers
    return [Bag(ids[start:end], counts[start:end]) for start, end in pairwise(bounds)]


# Positions of terms, for models that read words in context.


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The words of a text in order, stop words too, and every place where a term stands.

    ``terms``, ``starts`` and ``lengths`` are one number for each place: which term, at which word
    it begins, how many words it has. Single words come first, in the order of the text, then
    phrases; a phrase stands there beside its words.
    """

    words: list[str]
    terms: Numbers
    starts: Numbers
    lengths: Numbers

    def within(self, most: int) -> Occurrences:
        """The first ``most`` words, with the terms that lie wholly in them."""
        if len(self.words) <= most:
            return self
        inside = self.starts + self.lengths <= most
        return Occurrences(
            self.words[:most], self.terms[inside], self.starts[inside], self.lengths[inside]
        )

"""Terms as numbers, so that what is known about terms can stand in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
"""Numbers of terms, or how often they occur."""
Weights = npt.NDArray[np.float64]


class Vocabulary:
    """Every term met so far, numbered in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []

    def __len__(self) -> int:
        return len(self._terms)

    def number(self, term: str) -> int:
        """The number of ``term``; a new one if it was never met."""
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return found

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers of ``terms``, new ones for those that were never met."""
        known = map(self._numbers.get, terms)
        return [
            self.number(term) if number is None else number
            for term, number in zip(terms, known, strict=True)
        ]

    def find(self, term: str) -> int | None:
        """The number of ``term``, or None if it was never met."""
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

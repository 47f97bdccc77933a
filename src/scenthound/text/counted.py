"""What was counted in texts, so that several runs can share it.

The numbers of terms are those of a vocabulary that the runs share too. A run has a vocabulary of
its own, numbered in the order in which it meets the terms, because sums are taken in the order of
these numbers: :class:`OwnNumbers` leads from the one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scenthound.text.bags import Bag, gathered_counts
from scenthound.text.vocabulary import Column, Numbers, Vocabulary

Counted = tuple[bytes, ...]
"""Of one text: for its single words, then for each table of phrases, pairs of 32-bit numbers: a
term, and how often it occurs. Terms stand in the order in which they first occur."""
PAIR = 8
"""Bytes of a pair."""
NO_PAIRS = b""
_UNMET = -1


class Found(NamedTuple):
    """Occurrences of terms in a row of texts, in order: which text, which term."""

    texts: Numbers
    terms: Numbers


def counted(found: Sequence[Found], texts: int, terms: int) -> list[Counted]:
    """What was found, text by text; one :class:`Found` for single words and for each table.

    Parameters
    ----------
    found : in the order of the texts.
    texts : how many there are.
    terms : how many terms there are, found or not.
    """
    return list(zip(*(_pairs(each, texts, terms) for each in found), strict=True))


def _pairs(found: Found, texts: int, terms: int) -> list[bytes]:
    if not len(found.terms):
        return [NO_PAIRS] * texts
    keys = found.texts.astype(np.int64) * terms + found.terms
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    counts = np.diff(starts, append=len(keys))
    places = order[starts]  # stable: where each first occurs
    by_place = np.argsort(places)
    places = places[by_place]
    pairs = np.column_stack((found.terms[places], counts[by_place])).astype(np.int32).tobytes()
    bounds = np.searchsorted(found.texts[places], np.arange(texts + 1)).tolist()
    return [pairs[PAIR * start : PAIR * end] for start, end in pairwise(bounds)]


class OwnNumbers:
    """Terms in the numbers of one run.

    Parameters
    ----------
    shared : the vocabulary by which the texts were counted.
    own : that of the run.
    """

    def __init__(self, shared: Vocabulary, own: Vocabulary) -> None:
        self._shared = shared
        self._own = own
        self._numbers = Column(np.int32, _UNMET)

    def bags(self, texts: Sequence[Counted]) -> list[Bag]:
        """One for each text.

        Terms that the run has not met are numbered as they would be if it had counted by itself:
        the single words of all the texts, then the phrases of all of them, table by table.
        """
        if not texts:
            return []
        parts = [part for table in zip(*texts, strict=True) for part in table]
        pairs = np.frombuffer(b"".join(parts), np.int32).reshape(-1, 2)
        tables = len(parts) // len(texts)
        rows = np.repeat(
            np.tile(np.arange(len(texts)), tables), [len(part) // PAIR for part in parts]
        )
        terms = self._in_own(pairs[:, 0])
        size = len(self._own)
        return gathered_counts(rows * size + terms, pairs[:, 1], len(texts), size)

    def _in_own(self, shared: Numbers) -> Numbers:
        numbers = self._numbers.upto(len(self._shared))
        unmet = list(dict.fromkeys(shared[numbers[shared] == _UNMET].tolist()))
        if unmet:
            numbers[unmet] = self._own.numbers(self._shared.terms(unmet))
        found: Numbers = numbers[shared]
        return found

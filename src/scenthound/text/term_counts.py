"""Counts of the terms of texts, shared by several runs of a process. The numbers of
terms are those of a vocabulary that the runs share too. A run has a vocabulary of its own,
numbered in the order in which it meets the terms, because sums are taken in the order of these
numbers: :class:`RunCounter` leads from the one to the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np

from scenthound.core.cache import LruCache
from scenthound.text.analyzer import Phrases, TermFinder, TermOccurrences
from scenthound.text.rules import Rules
from scenthound.text.terms import Bag, Column, Vocabulary, bags_from_counts

TermCounts = tuple[bytes, ...]
"""Of one text: for its single words, then for each table of phrases, pairs of 32-bit numbers: a
term, and how often it occurs. Terms stand in the order in which they first occur."""
PAIR = 8
"""Bytes of a pair."""
NO_PAIRS = b""
_UNSEEN = -1


def _pairs(found: TermOccurrences, texts: int, terms: int) -> list[bytes]:
    """Count what was found, text by text; ``terms`` is how many terms there are, found or not."""
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


class RunCounter:
    """Counts texts for one run, with a shared counter, in the numbers of the run's vocabulary."""

    def __init__(self, counter: TextCounter, own: Vocabulary) -> None:
        self._counter = counter
        self._own = own
        self._numbers = Column(np.int32, _UNSEEN)

    def bags(self, texts: Sequence[str]) -> list[Bag]:
        """One for each text.

        Terms that are new to the run get the numbers that they would have without sharing:
        the single words of all the texts, then the phrases of all of them, table by table.
        """
        if not texts:
            return []
        parts = [part for table in zip(*self._counter.count(texts), strict=True) for part in table]
        pairs = np.frombuffer(b"".join(parts), np.int32).reshape(-1, 2)
        tables, shared = len(parts) // len(texts), self._counter.vocabulary
        rows = np.repeat(
            np.tile(np.arange(len(texts)), tables), [len(part) // PAIR for part in parts]
        )
        numbers = self._numbers.upto(len(shared))
        unseen = list(dict.fromkeys(pairs[numbers[pairs[:, 0]] == _UNSEEN, 0].tolist()))
        if unseen:
            numbers[unseen] = self._own.numbers(shared.terms(unseen))
        terms, size = numbers[pairs[:, 0]], len(self._own)
        return bags_from_counts(rows * size + terms, pairs[:, 1], len(texts), size)


# Counts texts for several runs: each text once, as long as it is in a cache.

TextMemory = LruCache[bytes, TermCounts]
"""By a hash of the text and of its counter."""
_BESIDE_TEXT, _BESIDE_PART = 200, 40
"""Bytes of memory that a text takes, and each of its parts, besides the pairs."""


class TextCounter:
    """Counts texts by one text representation, for all the runs that share it.

    It holds hashes of texts and no text: of pages that a run has not fetched, the run can learn
    nothing here but which words there are.
    """

    def __init__(self, key: bytes, finder: TermFinder, memory: TextMemory) -> None:
        self.vocabulary = finder.vocabulary
        self._key, self._finder, self._memory = key, finder, memory

    def count(self, texts: Sequence[str]) -> list[TermCounts]:
        """What each text holds, in order."""
        keys = [hash_of(text, self._key) for text in texts]
        found = {key: known for key in keys if (known := self._memory.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            tables = (
                _pairs(each, len(new), len(self.vocabulary))
                for each in self._finder.in_texts(list(new.values()))
            )
            for key, known in zip(new, zip(*tables, strict=True), strict=True):
                found[key] = known
                self._memory.put(key, known)
        return [found[key] for key in keys]


def size_of(known: TermCounts) -> int:
    """Bytes of memory that a counted text takes, about."""
    return _BESIDE_TEXT + _BESIDE_PART * len(known) + sum(map(len, known))


def hash_of(text: str, key: bytes) -> bytes:
    """16 bytes that stand for a text under a key; keys that share a memory are of one length."""
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key + content, digest_size=16).digest()


# The counters of texts that runs share, one for each text representation.

_MAX_COUNTERS = 50
_MAX_TERMS = 1_000_000
"""Where a counter has seen more terms, all counters start again."""


class TextCounters:
    """The counters that runs share, and the counts that they remember within so many bytes."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._counters: dict[Hashable, TextCounter] = {}
        self._memory: TextMemory = LruCache(memory_bytes, size_of)

    def for_run(
        self, vocabulary: Vocabulary, read_by: Hashable, rules: Rules, tables: Sequence[Phrases]
    ) -> RunCounter:
        """What counts by these rules in the numbers of a run's ``vocabulary``.

        ``read_by``: what rules and tables depend on; see :func:`text_representation`.
        """
        terms = max((len(each.vocabulary) for each in self._counters.values()), default=0)
        if len(self._counters) >= _MAX_COUNTERS or terms > _MAX_TERMS:
            # Runs that have a counter go on with it; only new ones start again.
            self._counters, self._memory = {}, LruCache(self._memory_bytes, size_of)
        if read_by not in self._counters:
            finder, key = TermFinder(rules, Vocabulary(), tables), bytes((len(self._counters),))
            self._counters[read_by] = TextCounter(key, finder, self._memory)
        return RunCounter(self._counters[read_by], vocabulary)

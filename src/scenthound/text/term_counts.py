"""Counts of the terms of texts, shared by several runs in memory and in a cache. The numbers of
terms are those of a vocabulary that the runs share too. A run has a vocabulary of its own,
numbered in the order in which it meets the terms, because sums are taken in the order of these
numbers: :class:`RunCounter` leads from the one to the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

import numpy as np

from scenthound.core.cache import LruCache, RowCache
from scenthound.text.analyzer import LONGEST_WORD, Phrases, TermFinder, TermOccurrences
from scenthound.text.rules import Rules
from scenthound.text.terms import Bag, Column, Numbers, Vocabulary, bags_from_counts

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

    def __init__(self, counter: Counter, own: Vocabulary) -> None:
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


# The counts of a text as a row of bytes, with the terms as words, for other processes.

_STORED: np.dtype[np.int32] = np.dtype("<i4")
"""The same bytes on every machine."""
_BETWEEN = "\n"
"""Words are cut at blanks of any kind, so that no term holds one."""


def row_of(counted: TermCounts, vocabulary: Vocabulary) -> bytes:
    """Sizes of the parts, counts of all terms, and the terms."""
    pairs: Numbers = np.frombuffer(b"".join(counted), np.int32).reshape(-1, 2)
    sizes = [len(part) // PAIR for part in counted]
    terms = _BETWEEN.join(vocabulary.terms(pairs[:, 0].tolist()))
    numbers = np.concatenate([sizes, pairs[:, 1]]).astype(_STORED)
    return numbers.tobytes() + terms.encode("utf-8", "surrogatepass")


def counts_of(row: bytes, vocabulary: Vocabulary, parts: int) -> TermCounts | None:
    """What :func:`row_of` wrote, in numbers of ``vocabulary``; None where it is not that.

    ``parts``: that the row must have: single words, and each table of phrases.
    """
    if len(row) < parts * _STORED.itemsize:
        return None
    sizes = np.frombuffer(row, _STORED, parts).tolist()
    total = sum(sizes)
    start = parts * _STORED.itemsize
    end = start + total * _STORED.itemsize
    if min(sizes) < 0 or end > len(row):
        return None
    try:
        text = row[end:].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    terms = text.split(_BETWEEN) if text else []
    counts = np.frombuffer(row, _STORED, total, start)
    if len(terms) != total or (total and counts.min() < 1):
        return None
    numbers = np.array(vocabulary.numbers(terms), np.int32)
    pairs = np.column_stack((numbers, counts)).astype(np.int32).tobytes()
    bounds = accumulate(sizes, initial=0)
    return tuple(pairs[PAIR * first : PAIR * last] for first, last in pairwise(bounds))


# Counts texts for several runs: each text once, as long as it is in a cache.

TextMemory = LruCache[bytes, TermCounts]
"""By a hash of the text and of the text representation."""
CACHED_FROM = 1_000
"""Characters of a text that is cached beyond the process by itself. A shorter one is counted as
fast as it is looked up, so that short ones are cached by the page, if all of them have as many."""
_BESIDE_TEXT, _BESIDE_PART = 200, 40
"""Bytes of memory that a text takes, and each of its parts, besides the pairs."""


class TextCounter:
    """Counts texts by one text representation, for all the runs that share it.

    It holds hashes of texts and no text: of pages that a run has not fetched, the run can learn
    nothing here but which words there are.

    ``rows``: the cache beyond the process; None for none.
    """

    def __init__(
        self, key: bytes, finder: TermFinder, memory: TextMemory, rows: RowCache | None
    ) -> None:
        self.vocabulary = finder.vocabulary
        self._key, self._finder = key, finder
        self._memory, self._rows = memory, rows

    def count(self, texts: Sequence[str]) -> list[TermCounts]:
        """What each text holds, in order."""
        keys = [hash_of(text, self._key) for text in texts]
        found = {key: self._memory.get(key) for key in keys}
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if not found[key]}
        if unknown:
            found |= self._look_up([key for key in unknown if len(unknown[key]) >= CACHED_FROM])
            short = dict(zip(keys, texts, strict=True))
            short = {key: text for key, text in short.items() if len(text) < CACHED_FROM}
            if not short.keys().isdisjoint(unknown):
                found |= self._short(short, unknown)
            found |= self._work_out({key: unknown[key] for key in unknown if not found[key]})
        return [each for key in keys if (each := found[key]) is not None]

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, TermCounts]:
        """Those that are in the cache beyond the process."""
        if not keys or self._rows is None:
            return {}
        found = {}
        for key, row in self._rows.find(keys).items():
            known = counts_of(row, self.vocabulary, self._finder.parts)
            if known is not None:
                found[key] = known
                self._memory.put(key, known)
        return found

    def _short(self, texts: dict[bytes, str], unknown: dict[bytes, str]) -> dict[bytes, TermCounts]:
        """Short texts that come together, the links of a page, are cached together."""
        together = hash_of("", self._key + b"".join(texts))
        if self._rows is None or sum(map(len, texts.values())) < CACHED_FROM:
            return {}
        parts = self._finder.parts
        row = self._rows.find([together]).get(together)
        known = None if row is None else counts_of(row, self.vocabulary, parts * len(texts))
        if known is not None:
            apart = (known[start : start + parts] for start in range(0, len(known), parts))
            found = dict(zip(texts, apart, strict=True))
            for key, counts in found.items():
                self._memory.put(key, counts)
            return found
        fresh = self._work_out({key: text for key, text in texts.items() if key in unknown})
        every = [fresh.get(key) or self._memory.get(key) for key in texts]
        if None not in every:
            joined = tuple(chain.from_iterable(filter(None, every)))
            self._rows.keep(together, row_of(joined, self.vocabulary))
        return fresh

    def _work_out(self, texts: dict[bytes, str]) -> dict[bytes, TermCounts]:
        if not texts:
            return {}
        found = self._finder.in_texts(list(texts.values()))
        tables = (_pairs(each, len(texts), len(self.vocabulary)) for each in found)
        every = list(zip(*tables, strict=True))
        for (key, text), known in zip(texts.items(), every, strict=True):
            self._memory.put(key, known)
            if self._rows is not None and len(text) >= CACHED_FROM:
                self._rows.keep(key, row_of(known, self.vocabulary))
        return dict(zip(texts, every, strict=True))


def size_of(known: TermCounts) -> int:
    """Bytes of memory that a counted text takes, about."""
    return _BESIDE_TEXT + _BESIDE_PART * len(known) + sum(map(len, known))


def hash_of(text: str, key: bytes = b"") -> bytes:
    """16 bytes that stand for a text under a key; keys that share a memory are of one length."""
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key + content, digest_size=16).digest()


# Text to terms: words of any script, stop words dropped, inflection folded, phrases found.

_SHORT = 2
"""Letters of a word that may be no term where it stands in a text."""
_INFLECTION = 10
"""Letters that an inflected form may have more than its base, and be too long for a term."""


class PhraseCounter:
    """A counter that finds phrases in what another one has counted.

    ``needed``: for each phrase the words that a text must have, each in one of several terms.
    """

    def __init__(
        self, base: TextCounter, phrases: TextCounter, needed: Sequence[Sequence[frozenset[str]]]
    ) -> None:
        self._base = base
        self._phrases = phrases
        self.vocabulary = base.vocabulary
        self._needed = [
            [frozenset(map(self.vocabulary.number, terms)) for terms in words] for words in needed
        ]
        self._is_needed = Column(np.bool_, False)
        for term in frozenset().union(*(terms for words in self._needed for terms in words)):
            self._is_needed.upto(len(self.vocabulary))[term] = True

    def count(self, texts: Sequence[str]) -> list[TermCounts]:
        """What each text holds, in order; the phrases come last."""
        known = self._base.count(texts)
        likely = self._likely(known)
        found = iter(self._phrases.count([texts[place] for place in sorted(likely)]))
        return [
            (*each, *(next(found) if place in likely else (NO_PAIRS,)))
            for place, each in enumerate(known)
        ]

    def _likely(self, known: Sequence[TermCounts]) -> set[int]:
        """Places of the texts that have all words of a phrase."""
        singles = [single for single, *_ in known]
        terms: Numbers = np.frombuffer(b"".join(singles), np.int32)[::2]
        hits = np.flatnonzero(self._is_needed.upto(len(self.vocabulary))[terms])
        bounds = np.cumsum([len(single) // PAIR for single in singles])
        held: dict[int, set[int]] = {place: set() for place in range(len(known))}
        places = np.searchsorted(bounds, hits, side="right")
        for place, term in zip(places.tolist(), terms[hits].tolist(), strict=True):
            held[place].add(term)
        return {
            place
            for place, terms in held.items()
            if any(all(terms & word for word in words) for words in self._needed)
        }


def needed_words(phrase: str, rules: Rules) -> list[frozenset[str]]:
    """For each word of a phrase the terms of which a text must have one, to hold the phrase.

    A word that stands in a text as it is has the term of its base form, and an inflected one has
    the word itself. Words that may be no term where they stand, such as stop words, are passed
    over: nothing is said of a text without them.
    """
    silent = rules.stops | rules.stop_bases | set(map(rules.base, rules.stops))
    return [
        frozenset({word, rules.base(word)})
        for word in phrase.split(" ")
        if _SHORT < len(word) <= LONGEST_WORD - _INFLECTION
        and not word.isdigit()
        and silent.isdisjoint({word, rules.base(word)})
    ]


Counter = TextCounter | PhraseCounter

# The counters of texts that runs share, one for each text representation.

_MAX_COUNTERS = 50
_MAX_TERMS = 1_000_000
"""Where a counter has seen more terms, all counters start again."""


class TextCounters:
    """The counters that runs share.

    Parameters
    ----------
    version : of all that texts are read by; what another version counted is not found.
    rows : the cache beyond the process; None for none.
    """

    def __init__(self, version: str, memory_bytes: int, rows: RowCache | None = None) -> None:
        self._version = version
        self._memory_bytes = memory_bytes
        self._rows = rows
        self._bases: dict[bytes, TextCounter] = {}
        self._counters: dict[bytes, PhraseCounter] = {}
        self._memory: TextMemory = LruCache(memory_bytes, size_of)

    def for_run(
        self,
        vocabulary: Vocabulary,
        representation: str,
        rules: Rules,
        tables: Sequence[Phrases],
        own: Phrases | None = None,
    ) -> RunCounter:
        """What counts by these rules in the numbers of a run's ``vocabulary``.

        ``representation``: rules and tables as :func:`text_representation` describes them.
        ``own``: phrases of the run's topic.
        """
        return RunCounter(self._of(representation, rules, tables, own), vocabulary)

    def _of(
        self, representation: str, rules: Rules, tables: Sequence[Phrases], own: Phrases | None
    ) -> Counter:
        terms = max((len(each.vocabulary) for each in self._bases.values()), default=0)
        if len(self._bases) + len(self._counters) >= _MAX_COUNTERS or terms > _MAX_TERMS:
            # Runs that have a counter go on with it; only new ones start again.
            self._bases, self._counters = {}, {}
            self._memory = LruCache(self._memory_bytes, size_of)
        key = hash_of(f"{self._version}\n{representation}")
        base = self._bases.get(key)
        if base is None:
            finder = TermFinder(rules, Vocabulary(), tables)
            base = self._bases[key] = TextCounter(key, finder, self._memory, self._rows)
        if own is None:
            return base
        key = hash_of("\n".join(own.phrases), key)
        known = self._counters.get(key)
        if known is None:
            finder = TermFinder(rules, base.vocabulary, [own], phrases_only=True)
            phrases = TextCounter(key, finder, self._memory, self._rows)
            needed = [needed_words(phrase, rules) for phrase in own.phrases]
            known = self._counters[key] = PhraseCounter(base, phrases, needed)
        return known

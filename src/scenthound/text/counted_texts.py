"""Counts texts for several runs: each text once, as long as it is remembered or kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from scenthound.core.keeping import KeptRows, Remembered
from scenthound.text.counted import Counted, Found, counted
from scenthound.text.counted_row import counted_of, row_of
from scenthound.text.vocabulary import Vocabulary

TextMemory = Remembered[bytes, Counted]
"""By a hash of the text and of the way of reading."""
KEPT_FROM = 1_000
"""Characters of a text that is kept beyond the process by itself. A shorter one is counted as fast
as it is looked up, so that short ones are kept by the page, if all of them have as many."""
_BESIDE_TEXT = 200
_BESIDE_PART = 40
"""Bytes of memory that a text takes, and each of its parts, besides the pairs."""


class Finder(Protocol):
    """Finds the terms of texts."""

    @property
    def parts(self) -> int:
        """How many kinds of terms it finds."""
        ...

    def in_texts(self, texts: Sequence[str]) -> Sequence[Found]:
        """Where the terms are, kind by kind."""
        ...


class Counter(Protocol):
    """Counts texts, in the numbers of a vocabulary that runs share."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Numbers the terms."""
        ...

    def count(self, texts: Sequence[str]) -> list[Counted]:
        """What each text holds, in order."""
        ...


class TextCounter:
    """Counts texts by one way of reading, for all the runs that read so.

    It holds hashes of texts and no text: what a run can reach here tells nothing of pages that
    it has not fetched but which words there are.

    Parameters
    ----------
    key : the way of reading, as a hash.
    finder : finds terms by that way of reading.
    vocabulary : that of the finder.
    memory : of all counters.
    rows : what is kept beyond the process; None for nothing.
    """

    def __init__(
        self,
        key: bytes,
        finder: Finder,
        vocabulary: Vocabulary,
        memory: TextMemory,
        rows: KeptRows | None,
    ) -> None:
        self.vocabulary = vocabulary
        self._key = key
        self._finder = finder
        self._memory = memory
        self._rows = rows

    def count(self, texts: Sequence[str]) -> list[Counted]:
        """What each text holds, in order."""
        keys = [hash_of(text, self._key) for text in texts]
        found = {key: self._memory.get(key) for key in keys}
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if not found[key]}
        if unknown:
            found |= self._look_up([key for key in unknown if is_long(unknown[key])])
            short = dict(zip(keys, texts, strict=True))
            short = {key: text for key, text in short.items() if not is_long(text)}
            if not short.keys().isdisjoint(unknown):
                found |= self._short(short, unknown)
            found |= self._work_out({key: unknown[key] for key in unknown if not found[key]})
        return [each for key in keys if (each := found[key]) is not None]

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, Counted]:
        """Those that are kept beyond the process."""
        if not keys or self._rows is None:
            return {}
        found = {}
        for key, row in self._rows.find(keys).items():
            known = counted_of(row, self.vocabulary, self._finder.parts)
            if known is not None:
                found[key] = known
                self._memory.put(key, known)
        return found

    def _short(self, texts: dict[bytes, str], unknown: dict[bytes, str]) -> dict[bytes, Counted]:
        """Short texts that came together are kept together: the links of a page."""
        together = hash_of("", self._key + b"".join(texts))
        if self._rows is None or sum(map(len, texts.values())) < KEPT_FROM:
            return {}
        found = self._looked_up_together(together, list(texts))
        if found:
            return found
        fresh = self._work_out({key: text for key, text in texts.items() if key in unknown})
        every = [fresh.get(key) or self._memory.get(key) for key in texts]
        if None not in every:
            joined = tuple(chain.from_iterable(filter(None, every)))
            self._rows.keep(together, row_of(joined, self.vocabulary))
        return fresh

    def _looked_up_together(self, together: bytes, keys: list[bytes]) -> dict[bytes, Counted]:
        assert self._rows is not None
        parts = self._finder.parts
        row = self._rows.find([together]).get(together)
        joined = None if row is None else counted_of(row, self.vocabulary, parts * len(keys))
        if joined is None:
            return {}
        apart = (joined[start : start + parts] for start in range(0, len(joined), parts))
        found = dict(zip(keys, apart, strict=True))
        for key, known in found.items():
            self._memory.put(key, known)
        return found

    def _work_out(self, texts: dict[bytes, str]) -> dict[bytes, Counted]:
        if not texts:
            return {}
        found = self._finder.in_texts(list(texts.values()))
        every = counted(found, len(texts), len(self.vocabulary))
        for (key, text), known in zip(texts.items(), every, strict=True):
            self._memory.put(key, known)
            if self._rows is not None and is_long(text):
                self._rows.keep(key, row_of(known, self.vocabulary))
        return dict(zip(texts, every, strict=True))


def is_long(text: str) -> bool:
    """Is it kept by itself?"""
    return len(text) >= KEPT_FROM


def size_of(known: Counted) -> int:
    """Bytes of memory that a counted text takes, about."""
    return _BESIDE_TEXT + _BESIDE_PART * len(known) + sum(map(len, known))


def hash_of(text: str, key: bytes = b"") -> bytes:
    """16 bytes that stand for a text under a key; keys that share a memory are of one length."""
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key + content, digest_size=16).digest()

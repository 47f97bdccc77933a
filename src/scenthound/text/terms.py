"""Words of any script, the numbers of terms, bags of terms, and their weights (TF-IDF)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.protocols import State, TermCounts

# Words of any script.

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f][^\x00-\x7f]*")
"""Written so, and not with ``+``, the search for the first character is twice as fast."""
_INVISIBLE = frozenset("\u00ad\u200c\u200d\u2060")
"""Soft hyphen and joiners: they stand inside words."""
_ASCII_SPACED = bytes(
    code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256)
)  # bytes.translate and str.split take a fraction of the time of a regular expression


def words(text: str) -> list[str]:
    """Words of ``text`` in lower case, in order; apostrophes and hyphens separate.

    A word is a run of letters and digits of any script. Accents and vowel signs are part of
    their word however they are encoded; soft hyphens are not there.
    """
    lowered = text.lower()
    if not lowered.isascii():
        composed = unicodedata.normalize("NFC", lowered)
        lowered = _BEYOND_ASCII.sub(lambda run: _letters(run[0]), composed)
    return lowered.encode().translate(_ASCII_SPACED).decode().split()


def _letters(run: str) -> str:
    """``run`` with spaces in place of what belongs to no word."""
    if run.isalnum():
        return run
    kept: list[str] = []
    for character in run:
        if character.isalnum():
            kept.append(character)
        elif character in _INVISIBLE:
            continue
        elif not unicodedata.category(character).startswith("M"):
            kept.append(" ")
        elif kept and kept[-1] != " ":
            kept.append(character)
    return "".join(kept)


# Segmentation, for scripts that put no blanks between words.
#
# Without a dictionary, overlapping pairs of characters are what retrieval uses for Chinese,
# Japanese and Korean: every word of two characters is among them, and a longer one is a row of
# pairs. Korean has blanks, but particles are glued to the words; pairs undo that as well.

Segmenter = Callable[[str], list[str]]
"""From a run of letters to its words, in order."""
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_CLUSTERED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese, Khmer: a letter and its signs count as one."""
_SIGNS = "".join(
    chr(code)
    for first, last in ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
    for code in range(first, last + 1)
    if unicodedata.category(chr(code)).startswith("M")
)
_ANY_UNSPACED = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_CLUSTERED}]")
_RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<pairs>[{_HIRAGANA}]+|[{_HANGUL}]+)|(?P<clusters>[{_CLUSTERED}]+)"
    f"|[{_KATAKANA}]+|[^{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_CLUSTERED}]+"
)
"""A run of katakana is a foreign word and stays whole, as does what has blanks around it."""
_CLUSTER = re.compile(f".[{_SIGNS}]*", re.DOTALL)
_GLANCE = 400
"""Characters that tell whether a text is in Latin letters."""


def middle(text: str, size: int) -> str:
    """``size`` characters from the middle of a text."""
    start = max(0, (len(text) - size) // 2)
    return text[start : start + size]


def is_mostly_latin(text: str) -> bool:
    """Is a text, at a glance, ASCII or western European for the most part, as most pages are?"""
    glance = "" if text.isascii() else middle(text, _GLANCE)
    return not glance or 2 * len(glance.encode("latin-1", "ignore")) > len(glance)


def has_unspaced(texts: Iterable[str]) -> bool:
    """Is there a letter of such a script in any of the texts?"""
    return any(_ANY_UNSPACED.search(text) for text in texts)


def pairs(run: Sequence[str]) -> list[str]:
    """Overlapping pairs of characters, or clusters; a single one is a word of its own."""
    return ["".join(run)] if len(run) < 2 else [a + b for a, b in pairwise(run)]


def segment_words(words: Iterable[str], han: Segmenter = pairs) -> list[str]:
    """``words`` with the runs of unspaced scripts cut up."""
    found: list[str] = []
    for word in words:
        if word.isascii():
            found.append(word)
            continue
        for match in _RUNS.finditer(word):
            if match.lastgroup == "han":
                found += han(match[0])
            elif match.lastgroup == "pairs":
                found += pairs(match[0])
            elif match.lastgroup == "clusters":
                found += pairs(_CLUSTER.findall(match[0]))
            else:
                found.append(match[0])
    return found


# Numbers of terms.

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

    ``most``: rows that are held; where there are more, all are computed again as they come up.
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
    """The bags of several texts, end to end, so that all of them are weighted in one go."""

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


# TF-IDF over document frequencies that grow with the crawl.

_NONE: Numbers = np.empty(0, np.int32)


class DocumentFrequencies:
    """In how many of the documents seen so far does a term occur?

    The collection is the example pages plus the pages fetched so far. Example pages alone
    would give the topic's own words the lowest weight of all.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.documents = 0
        self._vocabulary = vocabulary
        self._counts = Column(np.int32)
        self._here: list[Numbers] | None = None
        """The terms of each document counted since the last exchange with other workers, if any."""

    def add(self, bag: Bag) -> None:
        """Count one more document."""
        self._count(bag.ids)
        if self._here is not None:
            self._here.append(bag.ids)

    def share(self) -> None:
        """Keep apart from now on what is counted here."""
        self._here = self._here or []

    def local_counts(self) -> TermCounts:
        """What was counted here since this was last asked."""
        documents = self._here or []
        ids, counts = np.unique(np.concatenate([*documents, _NONE]), return_counts=True)
        self._here = None if self._here is None else []
        terms = self._vocabulary.terms(ids.tolist())
        return TermCounts(len(documents), dict(zip(terms, counts.tolist(), strict=True)))

    def add_counts(self, tally: TermCounts) -> None:
        """Others have counted these."""
        numbers = self._vocabulary.numbers([*tally.counts])
        counts = np.fromiter(tally.counts.values(), np.int32, len(numbers))
        self.documents += tally.documents
        self._counts.upto(len(self._vocabulary))[numbers] += counts

    def total_counts(self, bags: Sequence[Bag]) -> TermCounts:
        """All that was counted but for these documents, and those that are kept apart here."""
        counts, left_out = self._counts.upto(len(self._vocabulary)).copy(), self._beside(bags)
        for ids in left_out:
            counts[ids] -= 1
        found = np.flatnonzero(counts)
        pairs = zip(self._vocabulary.terms(found.tolist()), counts[found].tolist(), strict=True)
        return TermCounts(self.documents - len(left_out), dict(pairs))

    def replace_counts(self, bags: Sequence[Bag], tally: TermCounts) -> None:
        """Start again with these documents, what all have counted, and what is kept apart here."""
        self.documents, self._counts = 0, Column(np.int32)
        for ids in self._beside(bags):
            self._count(ids)
        self.add_counts(tally)

    def _beside(self, bags: Sequence[Bag]) -> list[Numbers]:
        """The terms of these documents, and of those that are kept apart."""
        return [*(bag.ids for bag in bags), *(self._here or ())]

    def _count(self, ids: Numbers) -> None:
        self.documents += 1
        self._counts.upto(len(self._vocabulary))[ids] += 1

    def __getitem__(self, term: str) -> int:
        number = self._vocabulary.find(term)
        return 0 if number is None else int(self._counts.upto(number + 1)[number])

    def idf(self, ids: Numbers) -> Weights:
        """``log((N + 1) / (n + 1)) + 1`` of each term: sdvsm Eq. 9 smoothed.

        The printed ``log(N / n)`` is undefined for an unseen term and 0 for a term of every
        document, which in the first minutes of a crawl is every word of the topic.
        """
        return smooth_idf(self.documents, self.containing(ids))

    def containing(self, ids: Numbers) -> Numbers:
        """In how many documents each term occurs."""
        counts: Numbers = self._counts.upto(len(self._vocabulary))[ids]
        return counts

    def state(self) -> State:
        """What must be saved to go on later: the vocabulary in order, and the counts."""
        counts = self._counts.upto(len(self._vocabulary)).copy()
        return {"documents": self.documents, "terms": self._vocabulary.terms(), "counts": counts}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        numbers = self._vocabulary.numbers(state["terms"])
        self.documents, self._counts = state["documents"], Column(np.int32)
        self._counts.upto(len(self._vocabulary))[numbers] = state["counts"]


def smooth_idf(documents: int, containing: Numbers) -> Weights:
    """Inverse document frequency that is never 0 and defined for unseen terms."""
    logs: Weights = np.log(containing + 1.0)
    return math.log(documents + 1.0) + 1.0 - logs


def unit(weights: Weights) -> Weights:
    """``weights`` at length 1; zeros stay zeros."""
    length = float(np.linalg.norm(weights))
    return weights / length if length else weights


def unit_rows(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Each row divided by its length; zeros stay zeros, and no row gives no row."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def strongest(ids: Numbers, weights: Weights, most: int, vocabulary: Vocabulary) -> Numbers:
    """Places of the ``most`` heaviest terms, heaviest first, ties in order of the alphabet."""
    if most < len(weights):
        least = np.partition(weights, -most)[-most] if most > 0 else np.inf
        places = np.flatnonzero(weights >= least)
    else:
        places = np.arange(len(weights))
    names = vocabulary.terms(ids[places].tolist())
    order = sorted(range(len(places)), key=lambda i: (-weights[places[i]], names[i]))
    return places[order[: max(0, most)]].astype(np.int32)

"""Terms of texts: their numbers, bags of terms, phrases, and the finder of words and phrases.
A text of thousands of words is searched in a few array operations: a hash of each pair of
neighbours is looked up in a table of the pairs that begin a phrase, and only the few places
that pass are compared word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

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


# How the texts of a language are read: splitting, folding, stop words.

Split = Callable[[str], list[str]]
"""From a text to its words in lower case, in order."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the texts of a language are read.

    Parameters
    ----------
    base : a word to the form that all its inflections share; the word itself where none is known.
    stop_bases : base forms that are none. Empty for stems: "Ware" and "war" have one of them.
    named : words that somebody searches for; no list of another language drops them.
    cutting : how words are cut out of runs without blanks, in words; empty where they are not.
    """

    language: str
    split: Split
    base: Callable[[str], str]
    stops: frozenset[str]
    stop_bases: frozenset[str]
    named: frozenset[str] = frozenset()
    folding: str = ""
    cutting: str = ""

    @property
    def as_written(self) -> bool:
        """Is nothing known of the language, so that every word counts as it is written?"""
        return not (self.folding or self.cutting or self.stops)

    @property
    def described(self) -> str:
        """All of it in one line, for a reader."""
        how = [text for text in (self.cutting, self.folding) if text] or ["words as written"]
        count = len(self.stops)
        return ", ".join([*how, f"{count} stop words" if count else "no stop words"])


# Finding terms: phrases of several words, word forms, and the finder that joins both.


class TermOccurrences(NamedTuple):
    """Occurrences of terms in a row of texts, in order: which text, which term."""

    texts: Numbers
    terms: Numbers


_SPARSE = 32
"""Places of the table for each pair: one in so many chance pairs passes."""
_SPREAD = 0x9E3779B1
"""An odd constant: multiplying by it spreads neighbouring numbers over the table."""
NO_WORD = 0
_END = ""
"""The third word of a phrase of two."""
_CACHED_WORDS = 20_000
Words = npt.NDArray[np.int32]
"""Numbers of words among the words of phrases."""
Long = npt.NDArray[np.int64]


class Phrases:
    """Known phrases, to be found in texts.

    A word of a text stands for itself and for its base form, so that "storm surges" is found
    as "storm surge". Where several phrases begin at one place, the longest counts.

    ``phrases``: base forms, words apart by one blank; single words are passed over.
    """

    def __init__(self, phrases: Iterable[str], base: Callable[[str], str]) -> None:
        self._forms = lru_cache(_CACHED_WORDS)(partial(_forms, base))
        self._settled: dict[tuple[str, ...], str] = {}
        """Pairs of words that are a phrase whatever follows."""
        self.word_numbers: dict[str, int] = {}
        """Of the first three words of every phrase, from 1 on; 0 is for all other words."""
        self._rest: dict[tuple[str, str], dict[str, list[tuple[str, ...]]]] = {}
        for phrase in sorted(phrases, key=len, reverse=True):
            first, *others = phrase.split(" ")
            if others:
                second, *rest = others
                by_third = self._rest.setdefault((first, second), {})
                by_third.setdefault(rest[0] if rest else _END, []).append(tuple(rest))
        thirds = chain.from_iterable(self._rest.values())
        for word in chain(chain.from_iterable(self._rest), thirds):
            self.word_numbers.setdefault(word, len(self.word_numbers) + 1)
        self.word_numbers.pop(_END, None)
        self._sort_pairs()

    def _sort_pairs(self) -> None:
        """What :meth:`starts` looks up: pairs of words, and the third words after a pair."""
        number = self.word_numbers
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
        if found is not None and not any(  # no longer phrase begins with these two words
            self._rest.get(each, {}).keys() - {_END} for each in self._pairs(words, place)
        ):
            if len(self._settled) >= _CACHED_WORDS:
                self._settled.clear()
            self._settled[pair] = found
        return found

    def _all_at(self, words: Sequence[str], place: int) -> Iterator[str]:
        thirds = (*self._forms(words[place + 2]), _END) if place + 2 < len(words) else (_END,)
        for pair in self._pairs(words, place):
            by_third = self._rest.get(pair)
            if by_third is None:
                continue
            for third in thirds:
                for rest in by_third.get(third, ()):
                    after = words[place + 2 : place + 2 + len(rest)]
                    if len(after) == len(rest) and all(
                        word in self._forms(other) for word, other in zip(rest, after, strict=True)
                    ):
                        yield " ".join((*pair, *rest))

    def _pairs(self, words: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
        if place + 1 < len(words):
            for first in self._forms(words[place]):
                for second in self._forms(words[place + 1]):
                    yield first, second

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
    return tuple(dict.fromkeys((word, base(word))))


# Word forms, and what is known about each, in arrays.

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
NO_TERM = -1
BREAK = ""
"""Stands between texts, so that no phrase runs from one into the next."""


class Forms(dict[str, int]):
    """Word form -> its number; what is known about each form stands in arrays.

    A form's facts are three kinds of numbers: its term, and for each table of phrases its own
    number and that of its base form among the words of phrases.

    ``term``: number of the term a word and its base form stand for; -1 for none.
    """

    def __init__(
        self, base: Callable[[str], str], term: Callable[[str, str], int], tables: Sequence[Phrases]
    ) -> None:
        super().__init__({BREAK: 0})
        self._base = base
        self._term = term
        self._tables = tables
        self._new = [(NO_TERM, *(NO_WORD, NO_WORD) * len(tables))]
        self._facts = np.empty((len(self._new[0]), 1024), np.int32)

    def __missing__(self, word: str) -> int:
        if len(word) > LONGEST_WORD:
            return 0  # and is not cached: it may be as long as a page
        form = self[word] = len(self)
        base = self._base(word)
        tables = (table.word_numbers for table in self._tables)
        numbers = (known.get(each, NO_WORD) for known in tables for each in (word, base))
        self._new.append((self._term(word, base), *numbers))
        return form

    def facts(self, forms: Numbers) -> Numbers:
        """Row by row: the terms (-1 for none), then the two numbers for each table."""
        if self._new:  # lay the facts of new forms beside the others
            kinds, room = self._facts.shape
            if len(self) > room:
                wider = np.empty((kinds, max(len(self), 2 * room)), np.int32)
                wider[:, :room] = self._facts
                self._facts = wider
            self._facts[:, len(self) - len(self._new) : len(self)] = np.array(self._new).T
            self._new = []
        facts: Numbers = self._facts[:, forms]
        return facts


# Finds the terms of texts, by the rules of one language.

_CACHED_FORMS = 200_000


class TermFinder:
    """Finds the terms of texts by the rules of one language."""

    def __init__(
        self,
        rules: Rules,
        vocabulary: Vocabulary,
        tables: Sequence[Phrases],
        phrases_only: bool = False,
    ) -> None:
        self.vocabulary = vocabulary
        self.parts = len(tables) + (not phrases_only)
        """Kinds of terms that it finds: single words, and those of each table."""
        self._rules = rules
        self._split = rules.split
        self._tables = tables
        self._forms = Forms(rules.base, self._term, tables)

    def in_texts(self, texts: Sequence[str]) -> list[TermOccurrences]:
        """Where single words are terms, then, table by table, where phrases begin."""
        stream: list[str] = []
        sizes = []
        for text in texts:
            before = len(stream)
            stream += self._split(text)
            stream.append(BREAK)
            sizes.append(len(stream) - before)
        rows = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)
        terms, *phrase_words = self._facts(stream)
        is_term = terms != NO_TERM
        phrases = self._phrases(stream, phrase_words)
        found = [
            TermOccurrences(rows[is_term], terms[is_term]),
            *(TermOccurrences(rows[places], found) for places, found in phrases),
        ]
        return found[-self.parts :]

    def occurrences(self, text: str) -> Occurrences:
        """Its words in order, and where its terms stand; nothing for an empty text."""
        stream = [*self._split(text), BREAK]
        terms, *phrase_words = self._facts(stream)
        single = np.flatnonzero(terms != NO_TERM).astype(np.int32)
        found = self._phrases(stream, phrase_words)
        places = np.concatenate([single, *(places for places, _ in found)])
        numbers = np.concatenate([terms[single], *(phrases for _, phrases in found)])
        sizes = np.ones(len(numbers), np.int32)
        sizes[len(single) :] = [
            self.vocabulary.term(phrase).count(" ") + 1
            for phrase in numbers[len(single) :].tolist()
        ]
        return Occurrences(stream[:-1], numbers, places, sizes)

    def _facts(self, stream: Sequence[str]) -> Numbers:
        """What is known of each word; see :class:`Forms`."""
        if len(self._forms) > _CACHED_FORMS:
            self._forms = Forms(self._rules.base, self._term, self._tables)
        forms = np.fromiter(map(self._forms.__getitem__, stream), np.int32, len(stream))
        return self._forms.facts(forms)

    def _phrases(
        self, stream: Sequence[str], words: Sequence[Numbers]
    ) -> list[tuple[Numbers, Numbers]]:
        """Table by table: where phrases begin, and their terms."""
        found = []
        for table, own, base in zip(self._tables, words[::2], words[1::2], strict=True):
            pairs: list[tuple[int, int]] = []
            end = 0  # of two that overlap the first counts
            for place in table.starts(own, base):
                phrase = table.at(stream, place) if place >= end else None
                if phrase is not None:
                    end = place + phrase.count(" ") + 1
                    pairs.append((place, self.vocabulary.number(phrase)))
            places, terms = np.array(pairs, np.int32).reshape(-1, 2).T
            found.append((places, terms))
        return found

    def _term(self, word: str, base: str) -> int:
        """Number of the term a word stands for; -1 for words that are none."""
        if word in self._rules.stops or word.isdigit() or (len(word) == 1 and word.isascii()):
            return NO_TERM
        return NO_TERM if base in self._rules.stop_bases else self.vocabulary.number(base)

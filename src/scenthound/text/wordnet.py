"""WordNet: a taxonomy of concepts, and the base form of an inflected word.

Concepts (synsets) are numbered level by level, so that every concept comes after the concepts it
is a kind of: one pass over the levels carries a value from the root down to all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from graphlib import CycleError, TopologicalSorter
from itertools import chain

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int32]
ROOT = 0
"""Number of the root: everything is a kind of it. Where there were several, one was put above."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Lists of numbers of different lengths, end to end: row ``i`` is ``rows[i]``."""

    starts: Integers
    values: Integers

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        """The rows, packed."""
        starts = np.zeros(len(rows) + 1, np.int32)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        return cls(starts, np.array([value for row in rows for value in row], np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> Integers:
        return self.values[self.starts[row] : self.starts[row + 1]]

    def inverted(self) -> Rows:
        """For each row's number the rows that hold it, in order: children from parents.

        No number may be beyond the last row.
        """
        holders = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        starts = np.zeros(len(self) + 1, np.int32)
        np.cumsum(np.bincount(self.values, minlength=len(self)), out=starts[1:])
        return Rows(starts, holders[np.argsort(self.values, kind="stable")])


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Words, concepts, and the is-a graph above the concepts (a DAG with one root).

    Parameters
    ----------
    lemmas : base forms in lower case, words of a phrase apart by one blank, in order of the
        alphabet.
    levels : where each level starts, and where the last one ends. The level of a concept is the
        length of the longest path up to the root, so its parents lie on earlier levels.
    wholes : concepts each concept is a part of, in order; nearly always none. In a WordNet of
        one's own they may lead round in a circle.
    """

    lemmas: tuple[str, ...]
    senses: Rows
    parents: Rows
    levels: Integers
    hyponyms: Integers
    wholes: Rows

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self.parents)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Lemma -> its number."""
        return {lemma: number for number, lemma in enumerate(self.lemmas)}

    def concepts(self, lemma: str) -> Integers:
        """The senses of a lemma; none for a word that is not there."""
        number = self.index.get(lemma)
        return np.empty(0, np.int32) if number is None else self.senses[number]

    @cached_property
    def depth(self) -> Integers:
        """Concepts on the shortest path to the root, both ends counted: 1 for the root."""
        depth = np.ones(len(self), np.int32)
        for first, last in zip(self.levels[1:-1], self.levels[2:], strict=True):
            starts = self.parents.starts[first : last + 1]
            above = depth[self.parents.values[starts[0] : starts[-1]]]
            depth[first:last] = np.minimum.reduceat(above, starts[:-1] - starts[0]) + 1
        return depth

    @cached_property
    def children(self) -> Rows:
        """Concepts that are kinds of each concept, in order."""
        return self.parents.inverted()

    @cached_property
    def parts(self) -> Rows:
        """Concepts that are parts of each concept, in order."""
        return self.wholes.inverted()

    def ancestors(self, concept: int) -> set[int]:
        """The concept and all that it is a kind of."""
        found = {concept}
        waiting = [concept]
        while waiting:
            for parent in self.parents[waiting.pop()].tolist():
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return found


def build_taxonomy(
    senses: Mapping[str, Sequence[int]],
    parents: Mapping[int, Sequence[int]],
    wholes: Mapping[int, Sequence[int]] | None = None,
) -> Taxonomy:
    """Number the concepts and work out what is derived.

    Parameters
    ----------
    senses : lemma -> its concepts, under any numbers (those of a database file).
    parents : concept -> the concepts it is a kind of; every concept is a key.
    wholes : concept -> the concepts it is a part of; None for no such facts.

    ValueError: a concept is above itself, or is named and not there.
    """
    level = _levels(parents)
    links = wholes or {}
    named = chain(level, links, *senses.values(), *links.values())
    for concept in set(named) - parents.keys():
        raise ValueError(f"concept {concept} is named and not there")
    tops = [concept for concept, above in parents.items() if not above]
    several = len(tops) != 1  # then one root is put above them
    order = sorted(parents, key=lambda concept: (level[concept], concept))
    number = {concept: place + several for place, concept in enumerate(order)}
    above = [[number[p] for p in parents[c]] or ([ROOT] if several else []) for c in order]
    around = [sorted({number[w] for w in links.get(c, ())}) for c in order]
    if several:
        above.insert(ROOT, [])
        around.insert(ROOT, [])
    sizes = np.bincount([level[c] + several for c in order] + [ROOT] * several)
    lemmas = sorted(senses)
    graph = Rows.of(above)
    return Taxonomy(
        lemmas=tuple(lemmas),
        senses=Rows.of([[number[concept] for concept in senses[lemma]] for lemma in lemmas]),
        parents=graph,
        levels=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        hyponyms=_hyponyms(graph),
        wholes=Rows.of(around),
    )


def _levels(parents: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Length of the longest path up from each concept; a cycle is an error."""
    level: dict[int, int] = {}
    try:
        for concept in TopologicalSorter(parents).static_order():
            level[concept] = 1 + max((level[p] for p in parents.get(concept, ())), default=-1)
    except CycleError as error:
        raise ValueError(f"concept {error.args[1][0]} is above itself") from None
    return level


def _hyponyms(parents: Rows) -> Integers:
    """Distinct concepts below each one: every concept counts once for each of its ancestors."""
    above: list[frozenset[int]] = []
    count = np.zeros(len(parents), np.int32)
    for concept in range(len(parents)):
        mine = parents[concept].tolist()
        found = frozenset(mine).union(*(above[parent] for parent in mine))
        above.append(found)
        count[list(found)] += 1
    return count


NOUN, VERB = "noun", "verb"
PARTS = (NOUN, VERB)
"""The parts of speech that are read: the ones with a taxonomy."""
Inflections = Mapping[str, tuple[str, ...]]
"""Inflected form -> its base forms."""


# The base form of an inflected word: an ending is detached and another put in its place; the
# result counts only if it is a lemma. Irregular forms are looked up first.

Rules = Sequence[tuple[str, str]]
IsLemma = Callable[[str], bool]
DETACHMENTS: dict[str, Rules] = {
    NOUN: (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    VERB: (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
        ("ing", "e"), ("ing", ""),
    ),
}  # fmt: skip
"""Ending -> what takes its place, by part of speech."""
_DOUBLE_S = "ss"
"""The s of "boss" is no plural, though "bos" is a lemma."""
_TOO_SHORT = 2
"""Nor is the s of "is"."""


def regular_bases(word: str, part: str, is_lemma: IsLemma) -> list[str]:
    """Base forms by rule that are lemmas, in the order of the rules, each once.

    A rule never leaves nothing of a word.
    """
    if len(word) <= _TOO_SHORT or word.endswith(_DOUBLE_S):
        return []
    found = (
        word[: len(word) - len(ending)] + instead
        for ending, instead in DETACHMENTS[part]
        if word.endswith(ending) and len(word) > len(ending)
    )
    return [base for base in dict.fromkeys(found) if is_lemma(base)]


# One base form for every word of a text, so that "storms", "storm" and "stormed" are one term.
#
# WordNet's morphology often leaves a choice: "lenses" are forms of "lens" and of the rare
# spelling "lense", and "times" is a lemma as well as a form of "time". The base with the most
# senses wins. Words that are used most have most meanings (Zipf 1945, "The meaning-frequency
# relationship of words"), and the number of senses is a fact every WordNet holds.

_SHORT = 3
"""Lemmas of so few letters that end in s ("gps", "cos") are no plurals."""
_SINGULAR_ENDINGS = ("ics", "us", "as")
"""Lemmas that end so are no plurals: physics, campus, atlas."""
_NO_PLURAL = ("ss", "us", "is", "as", "os")
_INDEPENDENT_WORDS = frozenset(
    "aids alps ares arms blues breeches cola customs dolmen eyeglasses glasses goods humanities "
    "isis laos lei mars mores omen pants pliers premises riches savings shingles shorts slacks "
    "spectacles sunglasses wales".split()
)
"""Lemmas that look like a form of a richer word and that texts nearly always mean themselves."""


def fold(word: str, wordnet: WordNet) -> str:
    """The base form of ``word``, in lower case as the word is; folding it again changes nothing.

    A noun if it can be one, else a verb, else as it is written but for the s of a plural: texts
    are about things, and "building" and "flooding" are nouns of their own.
    """
    seen = [word]
    while True:
        base = _noun(seen[-1], wordnet) or _verb(seen[-1], wordnet) or _unknown(seen[-1], wordnet)
        if base in seen:
            return base
        seen.append(base)


def _noun(word: str, wordnet: WordNet) -> str | None:
    """Of equal candidates a regular singular comes before the word, the word before the others.

    So "humans" are "human", and "data" is not "datum".
    """
    is_lemma = wordnet.nouns.index.__contains__
    itself = [word] if is_lemma(word) else []
    is_short = len(word) <= _SHORT and word.endswith("s")
    if itself and (is_short or word.endswith(_SINGULAR_ENDINGS) or word in _INDEPENDENT_WORDS):
        return word
    # WordNet lists some words as their own base ("gas", "apparatus"): no rule may touch them.
    irregular = [*filter(is_lemma, wordnet.exceptions[NOUN].get(word, ()))]
    candidates = itself + irregular if irregular else regular_bases(word, NOUN, is_lemma) + itself
    single = [base for base in candidates if " " not in base]  # "comics": comic strip, comic
    return max(
        single or candidates, key=lambda base: len(wordnet.nouns.concepts(base)), default=None
    )


def _unknown(word: str, wordnet: WordNet) -> str:
    """A word outside WordNet: only the s of a plural goes, so that "podcasts" meet "podcast".

    A name may lose its s as well; it does so in every text alike.
    """
    if len(word) <= _SHORT or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    return word if word in wordnet.exceptions[NOUN] else word[:-1]


def _verb(word: str, wordnet: WordNet) -> str | None:
    """The first: "rated" is from "rate", since what comes from "rat" is spelled with two t."""
    is_lemma = wordnet.verbs.index.__contains__
    if is_lemma(word):
        return word
    irregular = [*filter(is_lemma, wordnet.exceptions[VERB].get(word, ()))]
    return next(iter(irregular or regular_bases(word, VERB, is_lemma)), None)


_CACHED_WORDS = 200_000


@dataclass(frozen=True, eq=False)
class WordNet:
    """Words, concepts and irregular inflections; no definitions, no example sentences.

    Parameters
    ----------
    version : of the WordNet, ``3.0``.
    exceptions : irregular inflections by part of speech. A part that is not there was not
        in the source.
    origin : where it was read, for messages.
    """

    version: str
    nouns: Taxonomy
    verbs: Taxonomy
    exceptions: Mapping[str, Inflections]
    origin: str = ""

    @cached_property
    def base(self) -> Callable[[str], str]:
        """The one base form of a word by which texts are compared: :func:`fold`, with a cache."""
        return lru_cache(_CACHED_WORDS)(partial(fold, wordnet=self))

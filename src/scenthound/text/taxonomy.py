"""A taxonomy of concepts: which words name a concept, what it is a kind of, and a part of.

Concepts (WordNet's synsets) are numbers. They are numbered level by level, so that every
concept comes after the concepts it is a kind of: one pass over the levels carries a value
from the root down to all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
    senses : concepts of each lemma, the most frequent sense first.
    parents : concepts each concept is a kind of; none for the root alone.
    levels : where each level starts, and where the last one ends. The level of a concept is the
        length of the longest way up to the root, so its parents lie on earlier levels.
    hyponyms : number of distinct concepts below each concept.
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
        """Concepts on the shortest way to the root, both ends counted: 1 for the root."""
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

    Raises
    ------
    ValueError
        A concept is above itself, or is named and not there.
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

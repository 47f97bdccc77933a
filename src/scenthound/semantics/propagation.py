"""One concept against all: a value is carried from the root down to every concept at once.

What a concept shares with another is decided among the ancestors of the first. They are marked,
and the marks flow down level by level: a concept gets the best of its own mark and of what its
parents got. Most concepts have one parent, so a level is one gather along the first parents; the
few others are put right after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.lexicon.taxonomy import Rows, Taxonomy
from scenthound.semantics.information import Array

Places = npt.NDArray[np.intp]


class Level(NamedTuple):
    """Concepts ``first`` up to ``last``, and where their values come from."""

    first: int
    last: int
    parent: Places
    """First parent of each concept of the level."""
    child: Places
    """Concepts with more parents: once for each further parent ..."""
    further: Places
    """... and that parent."""


class Descent:
    """Carries marks down a taxonomy.

    A mark is an array with a value for every concept, as wide as the taxonomy. The methods write
    their result into it and return it.

    Parameters
    ----------
    taxonomy : where the marks flow.
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.taxonomy = taxonomy
        self._levels = tuple(_levels(taxonomy))

    def largest(self, marks: Array) -> Array:
        """``best(child) = max(own mark, max(best(parents)))``."""
        for level in self._levels:
            here = marks[level.first : level.last]
            np.maximum(here, marks[level.parent], out=here)
            np.maximum.at(marks, level.child, marks[level.further])
        return marks

    def nearest(self, marks: Array) -> Array:
        """``best(child) = min(own mark, min(best(parents)) + 1)``."""
        for level in self._levels:
            here = marks[level.first : level.last]
            np.minimum(here, marks[level.parent] + 1.0, out=here)
            np.minimum.at(marks, level.child, marks[level.further] + 1.0)
        return marks

    def total(self, marks: Array) -> Array:
        """Sum of the marks of a concept and all its distinct ancestors.

        Along a single parent the sum grows by the own mark. Where several parents meet, an
        ancestor must not count twice: there the sum is taken over the ancestors themselves.
        """
        meeting, above = self._meetings
        sums = np.add.reduceat(marks[above.values], above.starts[:-1]) if len(meeting) else None
        for level in self._levels:
            marks[level.first : level.last] += marks[level.parent]
            if sums is not None:
                here = slice(*np.searchsorted(meeting, (level.first, level.last)))
                marks[meeting[here]] = sums[here]
        return marks

    @cached_property
    def _meetings(self) -> tuple[Places, Rows]:
        """Concepts with several parents, and the ancestors of each."""
        meeting = np.flatnonzero(np.diff(self.taxonomy.parents.starts) > 1)
        ancestors = [sorted(self.taxonomy.ancestors(concept)) for concept in meeting.tolist()]
        return meeting, Rows.of(ancestors)


def _levels(taxonomy: Taxonomy) -> Iterator[Level]:
    starts, values = taxonomy.parents.starts, taxonomy.parents.values
    child = np.repeat(np.arange(len(taxonomy)), np.diff(starts))
    further = np.ones(len(values), bool)
    further[starts[1:-1]] = False
    for first, last in zip(
        taxonomy.levels[1:-1].tolist(), taxonomy.levels[2:].tolist(), strict=True
    ):
        edges = slice(starts[first], starts[last])
        rest = further[edges]
        parents = values[edges].astype(np.intp)
        yield Level(first, last, parents[~rest], child[edges][rest], parents[rest])

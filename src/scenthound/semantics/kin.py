"""What one concept has in common with others: the facts that the measures are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Protocol

import numpy as np

from scenthound.lexicon.taxonomy import Integers, Taxonomy
from scenthound.semantics.information import Array
from scenthound.semantics.propagation import Descent

Steps = Mapping[int, int]
"""Ancestor -> edges on the shortest way up to it."""


def climb(taxonomy: Taxonomy, concept: int) -> Steps:
    """The concept and its ancestors, the nearest first, each with the edges up to it."""
    steps = {concept: 0}
    for here in (waiting := [concept]):
        for parent in taxonomy.parents[here].tolist():
            if parent not in steps:
                steps[parent] = steps[here] + 1
                waiting.append(parent)
    return steps


class Kin(Protocol):
    """One concept and some others; each method has one number for each of the others."""

    @property
    def concept(self) -> int:
        """The one."""
        ...

    @property
    def others(self) -> Integers | slice:
        """The others, as an index into arrays over all concepts."""
        ...

    def largest(self, key: Array) -> Array:
        """Largest key of a common ancestor. ``key`` has a number for every concept."""
        ...

    def length(self) -> Array:
        """Edges on the shortest way through a common ancestor."""
        ...

    def common(self) -> Array:
        """Number of common ancestors, a concept counted among its own."""
        ...


class Everyone:
    """A concept and all concepts of the taxonomy, by the marks of :class:`Descent`.

    Parameters
    ----------
    descent : carries marks down the taxonomy.
    concept : the one.
    others : those that are asked for, many of them; all by default.
    """

    def __init__(
        self, descent: Descent, concept: int, others: Integers | slice = slice(None)
    ) -> None:
        self.concept = concept
        self.others = others
        self._descent = descent
        self._steps = climb(descent.taxonomy, concept)

    def _marks(self, values: Sequence[float] | Array, elsewhere: float) -> Array:
        marks = np.full(len(self._descent.taxonomy), elsewhere)
        marks[list(self._steps)] = values
        return marks

    def largest(self, key: Array) -> Array:
        """Largest key of a common ancestor; the root is always one."""
        return self._descent.largest(self._marks(key[list(self._steps)], -np.inf))[self.others]

    def length(self) -> Array:
        """Edges on the shortest way through a common ancestor."""
        return self._descent.nearest(self._marks(list(self._steps.values()), np.inf))[self.others]

    def common(self) -> Array:
        """Number of common ancestors."""
        return self._descent.total(self._marks([1.0] * len(self._steps), 0.0))[self.others]


class Few:
    """A concept and a few others, by climbing from each: for single pairs of words.

    Parameters
    ----------
    steps : what :func:`climb` gives for the concept.
    climbs : the same for each of the others.
    """

    def __init__(self, steps: Steps, climbs: Sequence[Steps]) -> None:
        self.concept = next(iter(steps))
        self.others = np.array([next(iter(climb)) for climb in climbs], np.int32)
        self._steps = steps
        self._climbs = climbs

    def largest(self, key: Array) -> Array:
        """Largest key of a common ancestor."""
        return np.array([key[list(self._shared(c))].max() for c in self._climbs])

    def length(self) -> Array:
        """Edges on the shortest way through a common ancestor."""
        return np.array(
            [min(self._steps[a] + c[a] for a in self._shared(c)) for c in self._climbs], float
        )

    def common(self) -> Array:
        """Number of common ancestors."""
        return np.array([len(self._shared(c)) for c in self._climbs], float)

    def _shared(self, other: Steps) -> Set[int]:
        return self._steps.keys() & other.keys()

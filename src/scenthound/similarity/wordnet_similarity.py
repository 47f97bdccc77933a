"""One concept against others in a taxonomy: common ancestors, paths, and the measures by name.

What a concept shares with another is decided among the ancestors of the first. They are
marked, and the marks flow down level by level: a concept gets the best of its own mark and of
what its parents got. Most concepts have one parent, so a level is one gather along the first
parents; the few others are put right after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.core.parameters import check_name
from scenthound.text.wordnet import ROOT, Rows, Taxonomy

Array = npt.NDArray[np.float64]


def information_content(taxonomy: Taxonomy) -> Array:
    """Intrinsic information content of every concept, in [0, 1] (sdvsm Eq. 7, right-hand side).

    ``IC(c) = 1 - log(hypo(c) + 1) / log(max_nodes)``, where ``hypo`` counts the distinct
    concepts below ``c`` and ``max_nodes`` all concepts. A leaf has 1, the root 0, and every
    concept more than those it is a kind of. The middle part of Eq. 7 as printed, ``-log(c)``,
    is the logarithm of a probability and another quantity.

    A taxonomy of one concept gives 0/0; its information is 0, because it is the root.
    """
    below = np.log(taxonomy.hyponyms + 1.0)
    highest = np.log(float(max(2, len(taxonomy))))
    information: Array = 1.0 - below / highest  # Eq. 7
    information[ROOT] = 0.0  # what it is but for rounding, and but for 0/0
    return information


# Similarity of two concepts, measure by measure, as equations and nothing else.
#
# Every function takes numbers or arrays alike. What they are given:
#
# - ``lso``, ``first``, ``second``: information content of the common ancestor and of the two
#   concepts, in [0, 1];
# - ``length``: edges on the shortest path from one to the other through a common ancestor;
# - ``depth``: depth of the deepest common ancestor, 1 for the root;
# - ``common``, ``first_only``, ``second_only``: numbers of features.

Number = TypeVar("Number", float, Array)
TINY = float(np.finfo(np.float64).tiny)
LI_LENGTH = 0.2
LI_DEPTH = 0.6


def lin(lso: Number, first: Number, second: Number) -> Number:
    """``2 IC(lso) / (IC(c1) + IC(c2))`` (sdvsm Eq. 6, svsm-mcoa Eq. 1; Lin 1998), in [0, 1].

    Written as ``1 - (IC(c1) + IC(c2) - 2 IC(lso)) / (IC(c1) + IC(c2))``, which is the same and
    gives 1, not 0/0, for the root with itself.
    """
    both = first + second
    divisor: Number = np.maximum(both, TINY)
    return 1.0 - (both - 2.0 * lso) / divisor


def resnik(lso: Number) -> Number:
    """``IC(lso)`` (Resnik 1995), in [0, 1]. A concept with itself gives its own information."""
    return lso


def jiang_conrath(lso: Number, first: Number, second: Number) -> Number:
    """1 - half of the distance ``IC(c1) + IC(c2) - 2 IC(lso)`` (Jiang and Conrath 1997), in [0, 1].

    Two concepts high up in the taxonomy are near each other although they share the root only.
    """
    return 1.0 - 0.5 * (first + second - 2.0 * lso)


def wu_palmer(length: Number, depth: Number) -> Number:
    """``1 - len / (len + 2 depth(lso))`` (sdvsm Eq. 5; Wu and Palmer 1994), in (0, 1].

    In a tree this is ``2 depth(lso) / (depth(c1) + depth(c2))`` with depths counted along it.
    """
    return 1.0 - length / (length + 2.0 * depth)


def leacock_chodorow(length: Number, levels: float) -> Number:
    """``-log((len + 1) / (2 D))`` (Leacock and Chodorow 1998) over its maximum ``log(2 D)``.

    In (0, 1]. The paper counts the concepts on the path, both ends included: one more than the
    edges. ``levels`` is its D, the concepts on the longest path from the root down to a leaf.
    """
    logarithm: Number = np.log(length + 1.0)
    return 1.0 - logarithm / float(np.log(2.0 * levels))


def li_bandar_mclean(length: Number, depth: Number) -> Number:
    """``exp(-0.2 l) tanh(0.6 h)`` (Li, Bandar and McLean 2003, strategy 4), in [0, 1).

    The constants are the ones that paper found best. ``h`` is the number of edges above the
    common ancestor, ``depth - 1``: concepts that share the root alone have nothing in common
    and get 0, which is what the factor for the depth is there for.
    """
    nearness: Number = np.exp(-LI_LENGTH * length)
    specificity: Number = np.tanh(LI_DEPTH * (depth - 1.0))
    return nearness * specificity


def tversky_ratio(common: Number, first_only: Number, second_only: Number) -> Number:
    """The common features as a share of all, in [0, 1] (Tversky 1977).

    Ours for sdvsm Eq. 8, ``gamma f(c1 & c2) - alpha f(c1 - c2) - beta f(c2 - c1)``, which can be
    negative. sdvsm prints no weights; ours (1, 1/2, 1/2) give Dice's coefficient.
    """
    return common / (common + 0.5 * first_only + 0.5 * second_only)


# Marks that flow down a taxonomy.

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


class Propagation:
    """Carries marks down a taxonomy.

    A mark is an array with a value for every concept, as wide as the taxonomy. The methods write
    their result into it and return it.
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
        meeting, above = self._common_ancestors
        sums = np.add.reduceat(marks[above.values], above.starts[:-1]) if len(meeting) else None
        for level in self._levels:
            marks[level.first : level.last] += marks[level.parent]
            if sums is not None:
                here = slice(*np.searchsorted(meeting, (level.first, level.last)))
                marks[meeting[here]] = sums[here]
        return marks

    @cached_property
    def _common_ancestors(self) -> tuple[Places, Rows]:
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


# Common ancestors of one concept and others.

Distances = Mapping[int, int]
"""Ancestor -> edges on the shortest path up to it."""


def ancestor_distances(taxonomy: Taxonomy, concept: int) -> Distances:
    """The concept and its ancestors, the nearest first, each with the edges up to it."""
    steps = {concept: 0}
    for here in (waiting := [concept]):
        for parent in taxonomy.parents[here].tolist():
            if parent not in steps:
                steps[parent] = steps[here] + 1
                waiting.append(parent)
    return steps


class CommonAncestors:
    """What a concept has in common with others: the facts that the measures are made of.

    Each method gives one number for every concept, by the marks of :class:`Propagation`.
    """

    def __init__(self, propagation: Propagation, concept: int) -> None:
        self.concept = concept
        self._propagation = propagation
        self._steps = ancestor_distances(propagation.taxonomy, concept)

    def _marks(self, values: Sequence[float] | Array, elsewhere: float) -> Array:
        marks = np.full(len(self._propagation.taxonomy), elsewhere)
        marks[list(self._steps)] = values
        return marks

    def largest(self, key: Array) -> Array:
        """Largest key of a common ancestor; the root is always one."""
        return self._propagation.largest(self._marks(key[list(self._steps)], -np.inf))

    def length(self) -> Array:
        """Edges on the shortest path through a common ancestor."""
        return self._propagation.nearest(self._marks(list(self._steps.values()), np.inf))

    def count(self) -> Array:
        """Number of common ancestors; a concept counts among its own."""
        return self._propagation.total(self._marks([1.0] * len(self._steps), 0.0))


# The measures by name, each in [0, 1], and the common ancestor that they look at.

LSOS = ("informative", "deepest")
"""Which common ancestor speaks for two concepts, where they have several: the most informative one
(Lin's and Resnik's own convention), or the deepest one (the words of sdvsm; of equally deep ones
the most informative)."""


class ConceptFeatures:
    """What the measures need to know of each concept, and of what it has in common with others."""

    def __init__(self, taxonomy: Taxonomy, lso: str) -> None:
        self.taxonomy = taxonomy
        self.propagation = Propagation(taxonomy)
        self.information = information_content(taxonomy)
        self.depth = taxonomy.depth.astype(np.float64)
        self.levels = float(len(taxonomy.levels) - 1)
        check_name("common ancestor (lso)", lso, LSOS)
        by_depth = self.depth if lso == "deepest" else np.zeros(len(taxonomy))
        order = np.lexsort((self.information, by_depth))
        self._ordered = self.information[order]
        self._rank = np.empty(len(taxonomy))
        self._rank[order] = np.arange(len(taxonomy))

    @cached_property
    def features(self) -> Array:
        """Number of features of a concept: itself and its ancestors."""
        return self.propagation.total(np.ones(len(self.taxonomy)))

    def informations(self, common: CommonAncestors) -> tuple[Array, Array, Array]:
        """Information content of the common ancestor, of the concept, of the others."""
        lso = self._ordered[common.largest(self._rank).astype(np.intp)]
        return lso, self.information[[common.concept]], self.information

    def path(self, common: CommonAncestors) -> tuple[Array, Array]:
        """Length of the shortest path, depth of the deepest common ancestor."""
        return common.length(), common.largest(self.depth)

    def contrast(self, common: CommonAncestors) -> tuple[Array, Array, Array]:
        """Numbers of features: in common, of the concept alone, of the others alone."""
        shared = common.count()
        return shared, self.features[[common.concept]] - shared, self.features - shared


Formula = Callable[[ConceptFeatures, CommonAncestors], Array]
"""The value for a concept and each of the others, in [0, 1]. A concept with itself is set to 1
afterwards, whatever the formula says."""
MEASURES: Mapping[str, Formula] = {
    "lin": lambda of, common: lin(*of.informations(common)),
    "resnik": lambda of, common: resnik(of.informations(common)[0]),
    "jiang-conrath": lambda of, common: jiang_conrath(*of.informations(common)),
    "wu-palmer": lambda of, common: wu_palmer(*of.path(common)),
    "leacock-chodorow": lambda of, common: leacock_chodorow(common.length(), of.levels),
    "li": lambda of, common: li_bandar_mclean(*of.path(common)),
    "tversky": lambda of, common: tversky_ratio(*of.contrast(common)),
}

"""What stands near a concept in a taxonomy, and how the two are related."""

from __future__ import annotations

import enum
from collections.abc import Collection

from scenthound.lexicon.taxonomy import Taxonomy

EDGES = 2
"""Concepts within so many edges are near (ours: the paper says "near")."""


class Place(enum.Enum):
    """Where one concept stands, seen from another."""

    SAME = enum.auto()
    BELOW = enum.auto()
    """A kind of the other."""
    ABOVE = enum.auto()
    """What the other is a kind of."""
    PART = enum.auto()
    BESIDE = enum.auto()


class Surroundings:
    """A taxonomy, to be walked up and down.

    Parameters
    ----------
    taxonomy : the concepts.
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._children = taxonomy.parents.turned()

    def near(self, concept: int, edges: int = EDGES) -> set[int]:
        """The concepts within ``edges`` is-a edges, up or down; not the concept itself."""
        found, newest = {concept}, {concept}
        for _ in range(edges):
            newest = {other for each in newest for other in self._next(each)} - found
            found |= newest
        return found - {concept}

    def above(self, concept: int) -> set[int]:
        """All that a concept is a kind of; not the concept itself."""
        return self._taxonomy.ancestors(concept) - {concept}

    def nearest_above(self, concept: int, among: Collection[int]) -> list[int]:
        """Those among some near concepts that it is a kind of, with none of them in between."""
        found = sorted(self.near(concept) & self.above(concept) & set(among))
        return [one for one in found if not any(one in self.above(other) for other in found)]

    def wholes(self, concept: int) -> set[int]:
        """The concepts that a concept is a part of; mostly none."""
        return set(self._taxonomy.wholes[concept].tolist())

    def parts(self, concept: int) -> set[int]:
        """The concepts that are parts of a concept; mostly none."""
        return set(self._taxonomy.parts[concept].tolist())

    def depth(self, concept: int) -> int:
        """Concepts on the shortest way to the root, both ends counted."""
        return int(self._taxonomy.depth[concept])

    def place(self, concept: int, seen_from: int) -> Place:
        """Where a concept stands, seen from another."""
        if concept == seen_from:
            return Place.SAME
        if seen_from in self._taxonomy.ancestors(concept):
            return Place.BELOW
        if concept in self._taxonomy.ancestors(seen_from):
            return Place.ABOVE
        return Place.PART if concept in self.parts(seen_from) else Place.BESIDE

    def _next(self, concept: int) -> list[int]:
        return [*self._taxonomy.parents[concept].tolist(), *self._children[concept].tolist()]

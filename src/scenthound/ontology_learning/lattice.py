"""The concept lattice of a formal context, for a person to look at (olmoaco Fig. 1)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scenthound.core.extras import require
from scenthound.ontology.files import INSTALL
from scenthound.ontology_learning.context import FormalContext, covering

MOST_CONCEPTS = 5_000
"""Concepts of a lattice that is worked out whole. There can be as many as 2 to the number of
objects, and more than this nobody can look at."""

Objects = frozenset[int]
Attributes = frozenset[int]
Pairs = list[tuple[Objects, Objects]]
"""Extents, the upper and the lower one of each pair."""


@dataclass(frozen=True, slots=True)
class FormalConcept:
    """Objects and all that they have in common. Numbers are those of the context.

    Parameters
    ----------
    extent : all objects that have the whole intent.
    intent : all attributes that the whole extent has.
    objects : those that are introduced here: no smaller concept has them.
    attributes : those that are introduced here: no larger concept has them.
    """

    extent: Objects
    intent: Attributes
    objects: tuple[int, ...] = ()
    attributes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptLattice:
    """The concepts of a context, ordered by their extents.

    Parameters
    ----------
    context : what the numbers mean.
    concepts : the largest extent first; the first is the top, the last the bottom.
    covers : pairs (upper, lower) of places in ``concepts``: the lower extent lies in the upper one
        and no concept between.
    is_partial : there are too many concepts, and only those are here that introduce an object or
        an attribute, with top and bottom.
    """

    context: FormalContext
    concepts: tuple[FormalConcept, ...]
    covers: tuple[tuple[int, int], ...]
    is_partial: bool = False


def concept_lattice(context: FormalContext, most: int = MOST_CONCEPTS) -> ConceptLattice:
    """All concepts of the context, or where there are more than ``most``, those with a label.

    Without objects or attributes there is one concept, which is top and bottom.
    """
    is_empty = not context.incidence.size  # which the library does not take
    whole = None if is_empty else _walked(context, most)
    if whole is not None:
        return _lattice(context, *whole, is_partial=False)
    found = introducing(context)
    return _lattice(context, found, _covers(context, list(found)), is_partial=not is_empty)


def introducing(context: FormalContext) -> dict[Objects, Attributes]:
    """Extents and intents of the concepts that introduce something, and of top and bottom.

    Known as the attribute-object-concept poset (Godin and Mili 1993): at most as many as there
    are objects and attributes, and two.
    """
    objects, attributes = _rows(context), _columns(context)
    extents = [context.extent([attribute]) for attribute in attributes]
    extents += [context.extent(context.intent([each])) for each in objects]
    extents += [frozenset(objects), context.extent(attributes)]
    return {extent: context.intent(extent) for extent in extents}


def _walked(context: FormalContext, most: int) -> tuple[dict[Objects, Attributes], Pairs] | None:
    """From the bottom up (Lindig 2000, "Fast Concept Analysis"); None beyond ``most`` concepts."""
    bottom = context.extent(_columns(context))
    found = {bottom: context.intent(bottom)}
    covers: Pairs = []
    table = _table(context)
    waiting = [(len(bottom), sorted(bottom))]
    while waiting:
        _, extent = heapq.heappop(waiting)
        for upper, intent in _upper_neighbours(table, extent):
            covers.append((upper, frozenset(extent)))
            if upper not in found:
                if len(found) >= most:
                    return None
                found[upper] = intent
                heapq.heappush(waiting, (len(upper), sorted(upper)))
    return found, covers


def _table(context: FormalContext) -> Any:
    """The context as the library has it, under names that cannot clash."""
    concepts = require("concepts", "a concept lattice", INSTALL)
    objects = [f"o{number}" for number in range(len(context.objects))]
    attributes = [f"a{number}" for number in range(len(context.attributes))]
    return concepts.Context(objects, attributes, context.incidence.tolist())


def _upper_neighbours(table: Any, extent: Iterable[int]) -> Iterator[tuple[Objects, Attributes]]:
    for upper, intent in table.neighbors([f"o{number}" for number in extent], raw=True):
        yield frozenset(upper.iter_set()), frozenset(intent.iter_set())


def _lattice(
    context: FormalContext, found: dict[Objects, Attributes], covers: Pairs, is_partial: bool
) -> ConceptLattice:
    extents = sorted(found, key=lambda extent: (-len(extent), sorted(extent)))
    place = {extent: number for number, extent in enumerate(extents)}
    objects = _introduced(extents, [context.extent(context.intent([i])) for i in _rows(context)])
    attributes = _introduced(extents, [context.extent([i]) for i in _columns(context)])
    concepts = tuple(
        FormalConcept(extent, found[extent], objects[number], attributes[number])
        for number, extent in enumerate(extents)
    )
    pairs = sorted((place[upper], place[lower]) for upper, lower in covers)
    return ConceptLattice(context, concepts, tuple(pairs), is_partial)


def _rows(context: FormalContext) -> range:
    return range(len(context.objects))


def _columns(context: FormalContext) -> range:
    return range(len(context.attributes))


def _introduced(extents: Sequence[Objects], own: Sequence[Objects]) -> list[tuple[int, ...]]:
    """For each extent those whose own extent it is."""
    found: dict[Objects, list[int]] = {}
    for number, extent in enumerate(own):
        found.setdefault(extent, []).append(number)
    return [tuple(found.get(extent, ())) for extent in extents]


def _covers(context: FormalContext, extents: Sequence[Objects]) -> Pairs:
    """An object that nobody has is put into every extent, since an empty set lies in none."""
    sets = np.zeros((len(extents), len(context.objects) + 1), np.bool_)
    sets[:, -1] = True
    for row, extent in zip(sets, extents, strict=True):
        row[list(extent)] = True
    return [(extents[large], extents[small]) for large, small in covering(sets)]

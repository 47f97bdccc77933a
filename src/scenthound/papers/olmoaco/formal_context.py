"""Formal concept analysis (olmoaco Def. 1): context, order of terms, and concept lattice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FormalContext:
    """Objects, attributes, and which object has which attribute (olmoaco Definition 1).

    ``objects`` are names of texts, ``attributes`` the terms, each once; ``incidence`` has one row
    for each object. Of terms in the same texts the earlier one represents the others.
    """

    objects: tuple[str, ...]
    attributes: tuple[str, ...]
    incidence: Flags

    @cached_property
    def spread(self) -> npt.NDArray[np.int64]:
        """In how many objects each attribute is."""
        spread: npt.NDArray[np.int64] = self.incidence.sum(axis=0, dtype=np.int64)
        return spread

    def intent(self, objects: Iterable[int]) -> frozenset[int]:
        """Return the attributes that all the objects have; of no object, every attribute."""
        common = self.incidence[list(objects)].all(axis=0)
        return frozenset(np.flatnonzero(common).tolist())

    def extent(self, attributes: Iterable[int]) -> frozenset[int]:
        """Return the objects that have all the attributes; of no attribute, every object."""
        common = self.incidence[:, list(attributes)].all(axis=1)
        return frozenset(np.flatnonzero(common).tolist())


def order_of_terms(context: FormalContext) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Return how general the attributes of a context are, by the objects they are in.

    Groups of attributes with the same objects, those with most objects first; and pairs of groups
    (general, specific): the specific one is in some of the objects of the general one and in no
    other, and no group lies between the two.
    """
    columns = context.incidence.T
    together: dict[bytes, list[int]] = {}
    for attribute, column in enumerate(columns):
        together.setdefault(column.tobytes(), []).append(attribute)
    groups = sorted(together.values(), key=lambda group: (-context.spread[group[0]], group[0]))
    return groups, cover_pairs(columns[[group[0] for group in groups]])


def cover_pairs(sets: Flags) -> list[tuple[int, int]]:
    """Return pairs (large, small) of rows where small lies in large, and no row between.

    Rows are sets, all different; an empty set lies in none. The transitive reduction of the order
    by inclusion, in three products of matrices.
    """
    # Numbers, since products of truth values are not done by BLAS; exact up to 2**24 objects.
    numbers = sets.astype(np.float32)
    sizes = numbers.sum(axis=1)
    within = (numbers @ numbers.T == sizes) & (sizes < sizes[:, None]) & (sizes > 0.0)
    steps = within.astype(np.float32)
    nearest = within & (steps @ steps == 0.0)
    return [(large, small) for large, small in np.argwhere(nearest).tolist()]


MOST_CONCEPTS = 2_000
"""Concepts of a lattice that is worked out whole. There can be as many as 2 to the number of
objects, and more than this nobody can look at."""
Objects = frozenset[int]
Attributes = frozenset[int]


class FormalConcept(NamedTuple):
    """Objects and all that they have in common. Numbers are those of the context.

    ``extent`` are all objects with the whole ``intent``, and the intent all attributes of the whole
    extent. ``objects`` and ``attributes`` are those introduced here: no smaller concept has the
    objects, no larger one the attributes.
    """

    extent: Objects
    intent: Attributes
    objects: tuple[int, ...] = ()
    attributes: tuple[int, ...] = ()


class ConceptLattice(NamedTuple):
    """The concepts of a context, the largest extent first: from the top to the bottom.

    ``covers`` are pairs (upper, lower) of places in ``concepts`` with no concept between. Where
    there are too many concepts, only those are here that introduce an object or an attribute, with
    top and bottom.
    """

    context: FormalContext
    concepts: tuple[FormalConcept, ...]
    covers: tuple[tuple[int, int], ...]


def concept_lattice(context: FormalContext, most: int = MOST_CONCEPTS) -> ConceptLattice:
    """Return all concepts of the context, or of more than ``most`` those with a label.

    Without objects or attributes there is one concept, which is top and bottom.
    """
    found = _all_extents(context, most) or labelled_extents(context)
    extents = sorted(found, key=lambda extent: (-len(extent), sorted(extent)))
    objects: defaultdict[Objects, list[int]] = defaultdict(list)
    attributes: defaultdict[Objects, list[int]] = defaultdict(list)
    for number in range(len(context.objects)):
        objects[context.extent(context.intent([number]))].append(number)
    for number in range(len(context.attributes)):
        attributes[context.extent([number])].append(number)
    concepts = tuple(
        FormalConcept(each, context.intent(each), tuple(objects[each]), tuple(attributes[each]))
        for each in extents
    )
    covers = covers_among(extents, len(context.objects))
    return ConceptLattice(context, concepts, tuple(covers))


def covers_among(extents: Sequence[Objects], objects: int) -> list[tuple[int, int]]:
    """Return pairs (upper, lower) of places where the upper extent is next above the lower one.

    ``objects`` are all in the context.
    """
    # One object more, which all have: an empty set would lie in none.
    sets = np.zeros((len(extents), objects + 1), np.bool_)
    sets[:, -1] = True
    for row, extent in zip(sets, extents, strict=True):
        row[list(extent)] = True
    return cover_pairs(sets)


def labelled_extents(context: FormalContext) -> set[Objects]:
    """Return the extents of the concepts that introduce something, and of top and bottom.

    The attribute-object-concept poset (Godin and Mili 1993): at most as many as there are objects
    and attributes, and two.
    """
    objects, attributes = range(len(context.objects)), range(len(context.attributes))
    extents = {context.extent([attribute]) for attribute in attributes}
    extents |= {context.extent(context.intent([each])) for each in objects}
    return extents | {frozenset(objects), context.extent(attributes)}


def _all_extents(context: FormalContext, most: int) -> set[Objects] | None:
    """Return all extents: what attributes have in common; None for more than ``most``."""
    found = {frozenset(range(len(context.objects)))}
    for attribute in range(len(context.attributes)):
        own = context.extent([attribute])
        found |= {own & extent for extent in found}
        if len(found) > most:
            return None
    return found

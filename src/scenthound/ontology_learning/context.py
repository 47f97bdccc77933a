"""Which text has which term: the formal context, and the order of terms that follows from it.

Formal concept analysis after Ganter and Wille; olmoaco section 2.2 builds the skeleton of an
ontology on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scenthound.ontology_learning.sources import Source
from scenthound.ontology_learning.terms import Candidates

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FormalContext:
    """Objects, attributes, and which object has which attribute (olmoaco Definition 1).

    Parameters
    ----------
    objects : names of the texts, each once.
    attributes : the terms, each once; where terms stand in the same texts, the earlier one
        speaks for the others.
    incidence : one row for each object, one column for each attribute.
    """

    objects: tuple[str, ...]
    attributes: tuple[str, ...]
    incidence: Flags

    def __post_init__(self) -> None:
        table = np.array(self.incidence, np.bool_).reshape(len(self.objects), len(self.attributes))
        table.setflags(write=False)
        object.__setattr__(self, "incidence", table)

    @classmethod
    def of_candidates(cls, candidates: Candidates, sources: Sequence[Source]) -> FormalContext:
        """A text has the terms that occur in it; the more frequent terms come first."""
        order = np.argsort(-candidates.frequencies, kind="stable")
        terms = tuple(candidates.terms[place] for place in order.tolist())
        names = tuple(_each_once([source.name for source in sources]))
        return cls(names, terms, candidates.counts[:, order] > 0)

    @cached_property
    def spread(self) -> npt.NDArray[np.int64]:
        """In how many objects each attribute is."""
        spread: npt.NDArray[np.int64] = self.incidence.sum(axis=0, dtype=np.int64)
        return spread

    def intent(self, objects: Iterable[int]) -> frozenset[int]:
        """The attributes that all the objects have; of no object, every attribute."""
        common = self.incidence[list(objects)].all(axis=0)
        return frozenset(np.flatnonzero(common).tolist())

    def extent(self, attributes: Iterable[int]) -> frozenset[int]:
        """The objects that have all the attributes; of no attribute, every object."""
        common = self.incidence[:, list(attributes)].all(axis=1)
        return frozenset(np.flatnonzero(common).tolist())


@dataclass(frozen=True, slots=True)
class TermOrder:
    """How general the attributes of a context are, by the objects they are in.

    Parameters
    ----------
    groups : attributes with the same objects, each group in the order of the context; the groups
        with most objects come first.
    covers : pairs of groups (general, specific), by number: the specific one is in some of the
        objects of the general one and in no other, and no group lies between the two.
    """

    groups: tuple[tuple[int, ...], ...]
    covers: tuple[tuple[int, int], ...]


def order_of_terms(context: FormalContext) -> TermOrder:
    """Groups of attributes, and which stands next above which. An empty context has none."""
    columns = context.incidence.T
    together: dict[bytes, list[int]] = {}
    for attribute, column in enumerate(columns):
        together.setdefault(column.tobytes(), []).append(attribute)
    groups = sorted(together.values(), key=lambda group: (-context.spread[group[0]], group[0]))
    first = [group[0] for group in groups]
    return TermOrder(tuple(map(tuple, groups)), tuple(covering(columns[first])))


def term_order(context: FormalContext) -> tuple[tuple[str, str], ...]:
    """Pairs of terms (general, specific) where one stands next above the other.

    ``a`` is more general than ``b`` if ``b`` is in some of the texts of ``a`` and in no other
    (olmoaco section 2.2: hypernym and hyponym). Of terms in the same texts the first speaks for
    all. Nothing is above what is in no text.
    """
    order = order_of_terms(context)
    names = [context.attributes[group[0]] for group in order.groups]
    return tuple((names[general], names[specific]) for general, specific in order.covers)


def covering(sets: Flags) -> list[tuple[int, int]]:
    """Pairs (large, small) of rows where the small set lies in the large one, and none between.

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


def _each_once(names: Sequence[str]) -> list[str]:
    """Names with a number behind those that come again."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        while count > 1 and f"{name} ({count})" in seen:
            count += 1
        found.append(name if count == 1 else f"{name} ({count})")
        seen.setdefault(found[-1], 1)
    return found

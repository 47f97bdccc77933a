"""Places for the concepts of an ontology in a picture of it: columns are levels."""

from __future__ import annotations

from typing import NamedTuple

from scenthound.ontology.levels import levels
from scenthound.ontology.model import Ontology


class Place(NamedTuple):
    """Where a concept stands; the rows of two in one column differ by at least 1."""

    column: int
    row: float


def tree_layout(ontology: Ontology) -> dict[str, Place]:
    """A place for each concept; each has a column right of the parent that it is drawn below.

    That is the first one on the shortest way from a root. Leaves take one row each, and a parent
    stands in the middle of what is below it. Empty for an ontology without concepts.
    """
    column = levels(ontology)
    below = _spanning_tree(ontology, column)
    roots = [label for label in below if column[label] == 1]
    rows: dict[str, float] = {}
    next_row = 0.0
    # Children come before their parents when the walk is read backwards.
    for label in reversed(_depth_first(below, roots)):
        children = below[label]
        if children:
            rows[label] = (rows[children[0]] + rows[children[-1]]) / 2.0
        else:
            rows[label] = next_row
            next_row += 1.0
    last = next_row - 1.0
    return {label: Place(column[label] - 1, last - rows[label]) for label in below}


def _spanning_tree(ontology: Ontology, column: dict[str, int]) -> dict[str, list[str]]:
    """What is drawn below each concept; each concept once, also those on a circle."""
    below: dict[str, list[str]] = {label: [] for label in column}
    placed = {label for label in column if column[label] == 1}
    for label in column:
        for relation in ontology.children[label]:
            child = relation.child
            if child not in placed and column.get(child) == column[label] + 1:
                placed.add(child)
                below[label].append(child)
    return below


def _depth_first(below: dict[str, list[str]], roots: list[str]) -> list[str]:
    order, stack = [], list(reversed(roots))
    while stack:
        label = stack.pop()
        order.append(label)
        stack.extend(reversed(below[label]))
    return order

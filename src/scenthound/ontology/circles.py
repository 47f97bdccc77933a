"""What stands above a concept, and concepts that stand above themselves.

All walks are loops: a chain may have any length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping

from scenthound.ontology.model import Relation

Above = Mapping[str, Collection[str]]
"""For each label what stands right above it."""
Circle = tuple[str, ...]
"""Labels, each right below the next, and the last one below the first."""


def above(relations: Iterable[Relation]) -> dict[str, list[str]]:
    """The parents of every label that has a relation; nothing for no relations."""
    found: dict[str, list[str]] = {}
    for relation in relations:
        found.setdefault(relation.child, []).append(relation.parent)
        found.setdefault(relation.parent, [])
    return found


def ancestors(label: str, parents: Above) -> set[str]:
    """The label itself and all above it, at any height; a circle does no harm."""
    found, waiting = {label}, [label]
    while waiting:
        new = set(parents.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return found


def circles(parents: Above) -> Iterator[Circle]:
    """Every circle that is closed on a walk upwards, depth first; none where there are none.

    Each circle of the graph has a concept in common with one of these.
    """
    done: set[str] = set()
    for label in parents:
        if label not in done:
            yield from _walk(label, parents, done)


def _walk(start: str, parents: Above, done: set[str]) -> Iterator[Circle]:
    way: dict[str, Iterator[str]] = {start: iter(parents[start])}
    while way:
        here, upwards = next(reversed(way.items()))
        parent = next(upwards, None)
        if parent is None:
            done.add(here)
            del way[here]
        elif parent in way:
            labels = list(way)
            yield tuple(labels[labels.index(parent) :])
        elif parent not in done:
            way[parent] = iter(parents.get(parent, ()))


def ranks(parents: Above) -> dict[str, int]:
    """A number for each label, larger than those of all above it.

    Labels on a circle, or below one, have none.
    """
    below: dict[str, list[str]] = {}
    missing = {label: len(upwards) for label, upwards in parents.items()}
    for label, upwards in parents.items():
        for parent in upwards:
            below.setdefault(parent, []).append(label)
    waiting = deque(label for label, count in missing.items() if not count)
    order: dict[str, int] = {}
    while waiting:
        label = waiting.popleft()
        order[label] = len(order)
        for child in below.get(label, ()):
            missing[child] -= 1
            if not missing[child]:
                waiting.append(child)
    return order

"""Links that make a concept a kind of itself.

WordNet 3.0 as Princeton published it has one such pair of verbs: to restrain is to inhibit,
and to inhibit is to restrain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Link = tuple[int, int]
"""A concept, and one it is a kind of."""


def circular_links(parents: Mapping[int, Sequence[int]]) -> set[Link]:
    """Links to leave out so that no concept is above itself.

    The graph is walked upwards from the lowest number on, and a link back to the way walked
    is left out: the same graph always loses the same links. Empty for a graph without circles.
    Concepts that are named and are no key have nothing above them.
    """
    closing: set[Link] = set()
    done: set[int] = set()
    for concept in sorted(parents):
        if concept not in done:
            _walk(concept, parents, done, closing)
    return closing


def _walk(
    start: int, parents: Mapping[int, Sequence[int]], done: set[int], closing: set[Link]
) -> None:
    """Depth first without recursion: a damaged file may hold a chain of any length."""
    way: dict[int, Iterator[int]] = {start: iter(parents[start])}
    while way:
        here, above = next(reversed(way.items()))
        parent = next(above, None)
        if parent is None:
            done.add(here)
            del way[here]
        elif parent in way:
            closing.add((here, parent))
        elif parent not in done:
            way[parent] = iter(parents.get(parent, ()))

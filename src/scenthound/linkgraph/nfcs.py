"""A few links of a front that are good in different ways: nearest-farthest candidate selection.

The paper prints only the distance (olmoaco Eq. 18). The rest is ours, after the method it cites:
the objectives are brought to 0 .. 1 over the front, since PageRank is of another size than the
relevances; the best link of each objective is chosen; then, again and again, the link whose
nearest chosen link is farthest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.linkgraph.graph import Reals
from scenthound.linkgraph.pareto import first_front

_SAME = 1e-12
"""Values that differ by less than this part of them differ by rounding, not in earnest."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A link that was chosen.

    Parameters
    ----------
    place : its row among the objectives.
    reason : why, in words: "best anchor", "far from those chosen: 0.42, strongest in page".
    """

    place: int
    reason: str


def select(
    objectives: Reals,
    names: Sequence[str],
    priorities: Sequence[float] | Reals,
    urls: Sequence[str],
    most: int,
) -> list[Chosen]:
    """Links of the first front, at most ``most``: all of it, or those of :func:`nearest_farthest`.

    Parameters
    ----------
    objectives : a row for each link, a column for each objective, all to be large; no row gives
        no link.
    names : of the objectives.
    priorities, urls : of the links. Of equal ones that of the larger priority is chosen, then the
        URL that comes first.
    most : how many are wanted.
    """
    front = first_front(objectives)
    chosen = nearest_farthest(
        objectives[front],
        names,
        np.asarray(priorities, np.float64)[front],
        [urls[place] for place in front.tolist()],
        most,
    )
    return [Chosen(int(front[each.place]), each.reason) for each in chosen]


def nearest_farthest(
    objectives: Reals, names: Sequence[str], priorities: Reals, urls: Sequence[str], most: int
) -> list[Chosen]:
    """At most ``most`` links of a front, in the order of their choice, each with its reason.

    Takes ``most`` times the size of the front. Parameters as of :func:`select`, for links that
    all belong to one front.
    """
    # In this order numpy's argmax, which gives the first of several, keeps the rule for equals.
    order = sorted(range(len(urls)), key=lambda place: (-priorities[place], urls[place]))
    points = normalised(objectives[order])
    chosen = best_of_each(points, names)
    spread = farthest(points, list(chosen), most - len(chosen))
    for place, distance in spread:
        strong = names[int(points[place].argmax())]
        chosen[place] = f"far from those chosen: {distance:.2f}, strongest in {strong}"
    return [Chosen(order[place], reason) for place, reason in list(chosen.items())[: max(most, 0)]]


def normalised(objectives: Reals) -> Reals:
    """Each column from 0 (its smallest value) to 1 (its largest); 0 where all are the same."""
    if not len(objectives):
        return objectives
    lowest, largest = objectives.min(axis=0), objectives.max(axis=0)
    width = largest - lowest
    same = width <= _SAME * np.maximum(abs(lowest), abs(largest))
    scaled: Reals = np.where(same, 0.0, (objectives - lowest) / np.where(same, 1.0, width))
    return scaled


def best_of_each(points: Reals, names: Sequence[str]) -> dict[int, str]:
    """The first best link of each objective, and what it is best in; none without links.

    Where an objective is the same for all links, the first is taken for its priority, and that is
    the reason told; a link that is alone is best in everything.
    """
    found: dict[int, list[str]] = {}
    for column, name in zip(points.T, names, strict=True):
        if len(column):
            best = int(column.argmax())
            told = name if column[best] > 0.0 or len(column) == 1 else "priority"
            found.setdefault(best, []).append(f"best {told}")
    return {place: ", ".join(dict.fromkeys(reasons)) for place, reasons in found.items()}


def farthest(points: Reals, chosen: Sequence[int], more: int) -> list[tuple[int, float]]:
    """Up to ``more`` further links, each the farthest from its nearest chosen one; and how far.

    Distances are those of olmoaco Eq. 18. Of equally far links the first is taken.
    """
    nearest = np.full(len(points), np.inf)
    found: list[tuple[int, float]] = []
    for place in chosen:
        _approach(nearest, points, place)
    for _ in range(min(more, len(points) - len(chosen))):
        place = int(nearest.argmax())
        found.append((place, float(np.sqrt(nearest[place]))))
        _approach(nearest, points, place)
    return found


def _approach(nearest: Reals, points: Reals, place: int) -> None:
    """``place`` is chosen: to the squared distances, and no longer a candidate itself."""
    differences = points - points[place]
    np.minimum(nearest, np.einsum("ij,ij->i", differences, differences), out=nearest)
    nearest[place] = -np.inf

"""Which links to go on with (olmoaco 4.2.3): fronts, nearest-farthest selection (Eq. 18)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import OBJECTIVES, LinkMap, strongest
from scenthound.papers.olmoaco.pagerank import Indices


def first_front(objectives: Reals) -> Indices:
    """Return the links that no other dominates, by place, ascending.

    ``objectives`` has a row of finite numbers for each link. Links that are equal in everything
    dominate neither: all of them are in the front, or none.
    """
    import moocore

    return np.flatnonzero(moocore.is_nondominated(objectives, maximise=True, keep_weakly=True))


def fronts(objectives: Reals) -> Indices:
    """Return the number of the front of each link: 0, 1 for what is left without it, ..."""
    import moocore

    return np.asarray(moocore.pareto_rank(objectives, maximise=True), np.intp)


def dominates(first: Reals, second: Reals) -> bool:
    """Return whether ``first`` is nowhere worse and somewhere better."""
    return bool((first >= second).all() and (first > second).any())


# Nearest-farthest candidate selection (NFCS): a few links of a front that are good in different
# objectives. The paper prints only the distance (olmoaco Eq. 18). The rest is ours, after the
# method it cites: the objectives are brought to 0 .. 1 over the front, since PageRank is of another
# size than the relevances; the best link of each objective is chosen; then, again and again, the
# link whose nearest chosen link is farthest.

_SAME = 1e-12
"""Values that differ by less than this part of them are equal but for rounding."""


def select(objectives: Reals, priorities: Reals, urls: Sequence[str], most: int) -> dict[int, str]:
    """Return at most ``most`` links of the first front: row and reason, in order of choice.

    Of equal links that of the larger priority is chosen, then the URL that comes first. Takes
    ``most`` times the size of the front.
    """
    # In this order numpy's argmax, which gives the first of several, keeps the rule for equals.
    front = first_front(objectives).tolist()
    order = sorted(front, key=lambda place: (-priorities[place], urls[place]))
    points = normalised(objectives[order])
    chosen = best_of_each(points)
    for place, distance in farthest(points, list(chosen), most - len(chosen)):
        chosen[place] = (
            f"far from those chosen: {distance:.2f}, strongest in {strongest(points[place])}"
        )
    return {order[place]: reason for place, reason in list(chosen.items())[:most]}


def normalised(objectives: Reals) -> Reals:
    """Return each column from 0 (its smallest value) to 1 (its largest); 0 if all are the same."""
    lowest, largest = objectives.min(axis=0), objectives.max(axis=0)
    width = largest - lowest
    same = width <= _SAME * np.maximum(abs(lowest), abs(largest))
    scaled: Reals = np.where(same, 0.0, (objectives - lowest) / np.where(same, 1.0, width))
    return scaled


def best_of_each(points: Reals) -> dict[int, str]:
    """Return the first best link of each objective, and what it is best in.

    Where an objective is the same for all links, the first is taken for its priority, and that is
    the reason given; a link that is alone is best in everything.
    """
    found: dict[int, list[str]] = {}
    for column, name in zip(points.T, OBJECTIVES, strict=False):
        best = int(column.argmax())
        best_in = name if column[best] > 0.0 or len(column) == 1 else "priority"
        found.setdefault(best, []).append(f"best {best_in}")
    return {place: ", ".join(dict.fromkeys(reasons)) for place, reasons in found.items()}


def farthest(points: Reals, chosen: Sequence[int], more: int) -> list[tuple[int, float]]:
    """Return up to ``more`` further links, each the farthest from its nearest chosen one.

    With how far it is, by olmoaco Eq. 18. Of equally far links the first is taken.
    """
    nearest = np.full(len(points), np.inf)  # squared distances; -inf for what is chosen
    places, found = list(chosen), list[tuple[int, float]]()
    for number in range(len(chosen) + min(more, len(points) - len(chosen))):
        if number >= len(chosen):
            places.append(int(nearest.argmax()))
            found.append((places[-1], float(np.sqrt(nearest[places[-1]]))))
        differences = points - points[places[number]]
        np.minimum(nearest, np.einsum("ij,ij->i", differences, differences), out=nearest)
        nearest[places[number]] = -np.inf
    return found


def select_links(links: LinkMap, among: Numbers, most: int) -> dict[int, str]:
    """Return at most ``most`` of the non-dominated links ``among`` these by NFCS, and why each."""
    if not len(among):
        return {}
    urls, priorities = links.urls(among.tolist()), links.priorities(among)
    chosen = select(links.objectives(among), priorities, urls, most)
    return {int(among[place]): reason for place, reason in chosen.items()}

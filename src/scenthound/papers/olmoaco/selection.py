"""Which links to go on with (olmoaco 4.2.3): non-dominated sorting, nearest-farthest candidate
selection (Eq. 18), and how long a policy waits for a host.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import OBJECTIVES, LinkMap
from scenthound.papers.olmoaco.pagerank import Indices


def first_front(objectives: Reals) -> Indices:
    """The links that no other dominates, by place, ascending.

    Links that are equal in everything dominate neither: all of them are in the front, or none.

    Parameters
    ----------
    objectives : a row for each link, a column for each objective; no row gives no link. A value
        that is not finite is a ValueError.
    """
    import moocore

    _check(objectives)
    kept = moocore.is_nondominated(objectives, maximise=True, keep_weakly=True)
    return np.flatnonzero(kept)


def fronts(objectives: Reals) -> npt.NDArray[np.intp]:
    """The number of the front of each link: 0 for the first, 1 for what is left without it, ...

    For some thousand links at most: front after front is taken away, which in the worst case are
    as many as links. Parameters as of :func:`first_front`.
    """
    import moocore

    _check(objectives)
    ranks: npt.NDArray[np.intp] = moocore.pareto_rank(objectives, maximise=True).astype(np.intp)
    return ranks


def _check(objectives: Reals) -> None:
    if objectives.ndim != 2 or not objectives.shape[1]:
        raise ValueError("objectives must be a table with a column for each objective")
    if not np.isfinite(objectives).all():
        raise ValueError("every objective of every link must be a finite number")


# A few links of a front that are good in different ways: nearest-farthest candidate selection.
#
# The paper prints only the distance (olmoaco Eq. 18). The rest is ours, after the method it
# cites: the objectives are brought to 0 .. 1 over the front, since PageRank is of another size
# than the relevances; the best link of each objective is chosen; then, again and again, the link
# whose nearest chosen link is farthest.


_SAME = 1e-12
"""Values that differ by less than this part of them differ by rounding, not in earnest."""


@dataclass(frozen=True, slots=True)
class SelectedRow:
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
) -> list[SelectedRow]:
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
    return [SelectedRow(int(front[each.place]), each.reason) for each in chosen]


def nearest_farthest(
    objectives: Reals, names: Sequence[str], priorities: Reals, urls: Sequence[str], most: int
) -> list[SelectedRow]:
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
    return [
        SelectedRow(order[place], reason) for place, reason in list(chosen.items())[: max(most, 0)]
    ]


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
    the reason given; a link that is alone is best in everything.
    """
    found: dict[int, list[str]] = {}
    for column, name in zip(points.T, names, strict=True):
        if len(column):
            best = int(column.argmax())
            best_in = name if column[best] > 0.0 or len(column) == 1 else "priority"
            found.setdefault(best, []).append(f"best {best_in}")
    return {place: ", ".join(dict.fromkeys(reasons)) for place, reasons in found.items()}


def farthest(points: Reals, chosen: Sequence[int], more: int) -> list[tuple[int, float]]:
    """Up to ``more`` further links, each the farthest from its nearest chosen one; and how far.

    Distances are those of olmoaco Eq. 18. Of equally far links the first is taken.
    """
    nearest = np.full(len(points), np.inf)
    found: list[tuple[int, float]] = []
    for place in chosen:
        _update_nearest(nearest, points, place)
    for _ in range(min(more, len(points) - len(chosen))):
        place = int(nearest.argmax())
        found.append((place, float(np.sqrt(nearest[place]))))
        _update_nearest(nearest, points, place)
    return found


def _update_nearest(nearest: Reals, points: Reals, place: int) -> None:
    """``place`` is chosen: to the squared distances, and no longer a candidate itself."""
    differences = points - points[place]
    np.minimum(nearest, np.einsum("ij,ij->i", differences, differences), out=nearest)
    nearest[place] = -np.inf


@dataclass(frozen=True, slots=True)
class SelectedLink:
    """A link that was selected, why, and by which objectives."""

    number: int
    why: str
    objectives: str

    @property
    def description(self) -> str:
        """Reason and objectives in words."""
        return f"{self.why} ({self.objectives})"


def best_pages(links: LinkMap, but: Container[int], most: int) -> list[int]:
    """The most relevant pages ``but`` these, at most ``most``, in the order they were seen."""
    pages = [page for page in links.pages() if page not in but]
    order = sorted(pages, key=lambda page: -(links.relevance(page) or 0.0))
    return sorted(order[: max(0, most)])


def select_links(links: LinkMap, among: Numbers, most: int) -> list[SelectedLink]:
    """At most ``most`` of the non-dominated links ``among`` these, by NFCS; none among none."""
    if not len(among):
        return []
    urls, priorities = links.urls(among.tolist()), links.priorities(among)
    chosen = select(links.objectives(among), OBJECTIVES, priorities, urls, most)
    numbers = [int(among[each.place]) for each in chosen]
    return [
        SelectedLink(number, each.reason, links.describe(number))
        for number, each in zip(numbers, chosen, strict=True)
    ]


MAX_WAIT_SECONDS = 5.0
"""Most hosts may be asked again after a second. Less patience, and a polite crawl of a few hosts
would fetch more of what is at hand than of what its policy chose."""


class HostWait:
    """The time since a policy last got what it wanted."""

    def __init__(self) -> None:
        self._since: float | None = None

    def begin(self, now: float) -> None:
        """It has got something."""
        self._since = now

    def is_over(self, now: float) -> bool:
        """Has it waited long enough? The first question begins the pause."""
        if self._since is None:
            self._since = now
        return now - self._since >= MAX_WAIT_SECONDS

"""Where on a map to go on: its best pages, or links that no other dominates (olmoaco 4.2.3)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from scenthound.linkgraph.graph import Numbers
from scenthound.linkgraph.nfcs import select
from scenthound.strategies.link_map import OBJECTIVES, LinkMap


@dataclass(frozen=True, slots=True)
class Selected:
    """A link that was selected, why, and by which objectives."""

    number: int
    why: str
    objectives: str

    @property
    def told(self) -> str:
        """All of it in words."""
        return f"{self.why} ({self.objectives})"


def best_pages(links: LinkMap, but: Container[int], most: int) -> list[int]:
    """The most relevant pages ``but`` these, at most ``most``, in the order they were seen."""
    pages = [page for page in links.pages() if page not in but]
    order = sorted(pages, key=lambda page: -(links.relevance(page) or 0.0))
    return sorted(order[: max(0, most)])


def selected(links: LinkMap, among: Numbers, most: int) -> list[Selected]:
    """At most ``most`` of the non-dominated links ``among`` these, by NFCS; none among none."""
    if not len(among):
        return []
    urls, priorities = links.urls(among.tolist()), links.priorities(among)
    chosen = select(links.objectives(among), OBJECTIVES, priorities, urls, most)
    numbers = [int(among[each.place]) for each in chosen]
    return [
        Selected(number, each.reason, links.told(number))
        for number, each in zip(numbers, chosen, strict=True)
    ]

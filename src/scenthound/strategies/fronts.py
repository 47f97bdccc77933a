"""Which links of a map to go on from: the non-dominated ones, far apart (olmoaco 4.2.3)."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.linkgraph.graph import Numbers
from scenthound.linkgraph.nfcs import select
from scenthound.strategies.link_map import OBJECTIVES, LinkMap
from scenthound.strategies.mapped import ANCHOR_WEIGHT


@dataclass(frozen=True, slots=True)
class Selected:
    """A link that was selected, and why."""

    number: int
    why: str


def selected(links: LinkMap, among: Numbers, most: int) -> list[Selected]:
    """At most ``most`` of the non-dominated links ``among`` these, by NFCS; none among none."""
    if not len(among):
        return []
    objectives = links.objectives(among)
    priority = ANCHOR_WEIGHT * objectives[:, 0] + (1.0 - ANCHOR_WEIGHT) * objectives[:, 1]
    urls = links.urls(among.tolist())
    chosen = select(objectives, OBJECTIVES, priority, urls, most)
    return [Selected(int(among[each.place]), each.reason) for each in chosen]

"""What speaks for a URL: the links to it that were seen, and the score they make together."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

from scenthound.core.events import INLINKS_KEPT
from scenthound.core.model import Inlink, Part, Sighting
from scenthound.frontier.combination import Combination, combined, combined_parts

SEED_SCORE = 1.0


@dataclass(slots=True)
class Evidence:
    """The combined score of a URL, its parts, and the best inlinks, best first."""

    depth: int
    score: float = SEED_SCORE
    sightings: int = 0
    parts: tuple[Part, ...] = ()
    inlinks: list[Inlink] = field(default_factory=list)

    def see(self, sighting: Sighting, how: Combination) -> None:
        """Take one more sighting into account; a seed only makes the depth smaller."""
        self.depth = min(self.depth, sighting.depth)
        inlink = sighting.inlink
        if inlink is None:
            return
        new = inlink.score.value
        best = not self.inlinks or new > self.inlinks[0].score.value
        self.parts = combined_parts(how, self.parts, self.sightings, inlink.score.parts, best)
        self.score = combined(how, self.score, self.sightings, new)
        self.sightings += 1
        insort(self.inlinks, inlink, key=lambda kept: -kept.score.value)
        del self.inlinks[INLINKS_KEPT:]

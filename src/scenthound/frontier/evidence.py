"""What speaks for a URL: the links to it that were seen, and the score they make together."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

from scenthound.core.events import INLINKS_KEPT
from scenthound.core.model import Inlink, Part, Score, Sighting
from scenthound.frontier.combination import Combination, combined, combined_parts, counted

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
        if sighting.inlink is None:
            return
        inlink = counted(how, sighting.inlink, self.sightings + 1)
        new = inlink.score.value
        best = not self.sightings or new > self.score
        self.parts = combined_parts(how, self.parts, self.sightings, inlink.score.parts, best)
        self.score = combined(how, self.score, self.sightings, new)
        self.sightings += 1
        insort(self.inlinks, inlink, key=lambda kept: -kept.score.value)
        del self.inlinks[INLINKS_KEPT:]

    def revalue(self, score: Score) -> None:
        """All that was seen so far is worth this now; the inlinks keep what they scored then."""
        self.score, self.parts = score.value, score.parts

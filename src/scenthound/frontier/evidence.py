"""What speaks for a URL: the links to it that were seen, and the score they make together."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scenthound.core.events import INLINKS_KEPT
from scenthound.core.model import Candidate, Inlink, Part, Score, Sighting
from scenthound.frontier.combination import Combination, combined, combined_parts, counted

SEED_SCORE = 1.0
Weigh = Callable[[Score], Score]
"""What a link with these parts is worth now."""


@dataclass(slots=True)
class Evidence:
    """The combined score of a URL, its parts, and the best inlinks, best first.

    The parts add up to the score. Inlinks carry what each scored by itself.
    """

    depth: int
    score: float = SEED_SCORE
    sightings: int = 0
    parts: Sequence[Part] = ()
    inlinks: list[Inlink] = field(default_factory=list)

    def see(self, sighting: Sighting, how: Combination) -> None:
        """Take one more sighting into account; a seed only makes the depth smaller."""
        self.depth = min(self.depth, sighting.depth)
        inlink = sighting.inlink
        if inlink is None:
            return
        known, new = counted(Score(self.score, self.parts), 1), inlink.score
        best = not self.sightings or new.value > known.value
        parts = combined_parts(how, known.parts, self.sightings, new.parts, best)
        value = combined(how, known.value, self.sightings, new.value)
        self.sightings += 1
        self.revalue(counted(Score(value, parts), self.sightings))
        self._keep([inlink])

    def join(self, other: Evidence) -> None:
        """What speaks for another URL, which leads here, speaks for this one too.

        The better score of the two counts, with its parts. What was given and not found (a seed)
        has no parts, and says nothing against links.
        """
        self.depth = min(self.depth, other.depth)
        if other.score > self.score and (other.parts or not self.parts):
            self.revalue(Score(other.score, other.parts))
        self._keep(other.inlinks)

    def revalue(self, score: Score) -> None:
        """All that was seen so far is worth this now."""
        self.score, self.parts = score.value, score.parts

    def reweigh(self, weigh: Weigh, how: Combination) -> None:
        """Every link that was seen is worth something else now, and so are all together.

        A mean is weighed as it stands: the mean of weighted sums is the weighted sum of means.
        Of the best inlinks those that are kept compete again.
        """
        self.inlinks = [Inlink(i.source, weigh(i.score), i.anchor) for i in self.inlinks]
        self.inlinks.sort(key=_worst_last)
        if how is Combination.MAX and self.inlinks:
            self.revalue(counted(self.inlinks[0].score, self.sightings))
        elif self.parts:
            self.revalue(weigh(Score(self.score, self.parts)))

    def _keep(self, inlinks: list[Inlink]) -> None:
        for inlink in inlinks:
            insort(self.inlinks, inlink, key=_worst_last)
        del self.inlinks[INLINKS_KEPT:]


@dataclass(slots=True, kw_only=True)
class UrlEvidence(Evidence):
    """The evidence for a URL, with the URL and what was tried of it: what all frontiers keep."""

    url: str
    attempts: int = 0
    redirects: tuple[str, ...] = ()

    def candidate(self) -> Candidate:
        """As the rest of the program knows it."""
        return Candidate(
            self.url,
            Score(self.score, self.parts),
            self.depth,
            tuple(self.inlinks),
            self.attempts,
            self.sightings,
            self.redirects,
        )


def _worst_last(inlink: Inlink) -> float:
    return -inlink.score.value

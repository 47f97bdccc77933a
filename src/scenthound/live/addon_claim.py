"""What speaks for a request that waits: the priority asked for, and the links that lead to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from scenthound.core.model import Score, Sighting
from scenthound.frontier.combination import Combination
from scenthound.frontier.evidence import Evidence, Weigh
from scenthound.live.addon_notes import Note

_BAND = 1_000.0
"""What one step of a request's own priority is worth: more than any score."""
_MOST = 400.0
_START = 500.0


@dataclass(slots=True)
class Claim:
    """Priority and scores, kept apart: scores combine, and a priority is never averaged.

    ``priority`` is the highest that was asked for. ``start`` says that the request came once
    without a score: a start request, or one from elsewhere than a callback.
    """

    priority: int
    start: bool = False
    evidence: Evidence = field(default_factory=lambda: Evidence(depth=0))

    def see(self, note: Note, priority: int, how: Combination) -> None:
        """The request was asked for, once more or for the first time."""
        self.priority = max(self.priority, priority)
        self.start = self.start or note.score is None
        self.evidence.see(Sighting("", 0, note.inlink()), how)

    @property
    def score(self) -> float | None:
        """What the links make together; None where there was none."""
        return self.evidence.score if self.evidence.sightings else None

    @property
    def standing(self) -> float:
        """The place in the queue."""
        return standing(self.priority, None if self.start else self.score)

    def note(self) -> Note:
        """The note for the request when its turn has come."""
        if self.score is None:
            return Note()
        best = self.evidence.inlinks[0]
        score = Score(self.score, self.evidence.parts)
        return Note.of(score, best.anchor, best.source, self.evidence.sightings)

    def reweigh(self, weigh: Weigh, how: Combination) -> None:
        """Every link is worth something else now; without any it stays as it is."""
        if self.score is not None:
            self.evidence.reweigh(weigh, how)


def standing(priority: int, score: float | None) -> float:
    """The place in the queue: by priority, then start requests, then by score."""
    within = _START if score is None else max(-_MOST, min(_MOST, score))
    return priority * _BAND + within

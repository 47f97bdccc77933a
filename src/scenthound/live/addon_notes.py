"""What the add-on writes on a request (``request.meta["scenthound"]``), and how it is read back.

It travels with the request: through redirects, retries and the job folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request

from scenthound.core.model import Candidate, Inlink, Part, Score

META = "scenthound"
_BAND = 1_000.0
"""What one step of a request's own priority is worth: more than any score."""
_MOST = 400.0
_START = 500.0


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a request before it is sent.

    ``score`` is None for one that nobody has scored: a start request, or one from elsewhere than
    a callback. ``source`` is the number of the page that it comes from.
    """

    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    anchor: str = ""
    source: int = 0

    def write(self, request: Request, **more: object) -> None:
        """Put the note on a request, and ``more`` that whoever reads it may want."""
        request.meta[META] = {
            "score": self.score,
            "parts": dict(self.parts),
            "anchor": self.anchor,
            "source": self.source,
            **more,
        }

    def inlink(self, priority: int) -> Inlink:
        """The evidence that it is for the frontier, at the request's own priority."""
        parts = tuple(Part(name, value) for name, value in self.parts.items())
        return Inlink(self.source, Score(standing(priority, self.score), parts), self.anchor)


def note_of(request: Request) -> Note:
    """The note on a request; an empty one where there is none, or something else."""
    found: Any = request.meta.get(META)
    if not isinstance(found, dict):
        return Note()
    score = found.get("score")
    return Note(
        float(score) if isinstance(score, int | float) else None,
        dict(found.get("parts") or {}),
        str(found.get("anchor") or ""),
        int(found.get("source") or 0),
    )


def noted(candidate: Candidate, priority: int) -> Note:
    """The note for a request whose turn has come: what all the links to it make together."""
    value = candidate.score.value - priority * _BAND
    anchor = candidate.inlinks[0].anchor if candidate.inlinks else ""
    source = candidate.inlinks[0].source if candidate.inlinks else 0
    parts = {part.name: part.value for part in candidate.score.parts}
    return Note(None if value > _MOST else value, parts, anchor, source)


def standing(priority: int, score: float | None) -> float:
    """The place in the queue: by priority, then start requests, then by score."""
    within = _START if score is None else max(-_MOST, min(_MOST, score))
    return priority * _BAND + within

"""What the add-on writes on a request, and how it is read back.

``meta["scenthound"]`` is for whoever writes the spider; ``meta["_scenthound"]`` is the add-on's
own. Both travel with the request: through redirects, retries and the job folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request

from scenthound.core.model import Inlink, Part, Score

META = "scenthound"
OWN_META = "_scenthound"


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a request before it is sent.

    ``score`` is None for one that nobody has scored: a start request, or one from elsewhere than
    a callback. ``source`` is the number of the page that it comes from. ``linked_from`` is how
    many links to it were seen. ``weights`` are those of the ``parts``; one without counts whole.
    """

    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    anchor: str = ""
    source: int = 0
    linked_from: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, score: Score, anchor: str, source: int, linked_from: int = 0) -> Note:
        """The note for a request with this score."""
        values = {part.name: part.value for part in score.parts}
        weights = {part.name: part.weight for part in score.parts}
        return cls(score.value, values, anchor, source, linked_from, weights)

    def write(self, request: Request, address: str | None = None) -> None:
        """Put the note on a request, and its address in the frontier where it is handed out.

        All that a callback may read is there from now on, though nothing is judged yet.
        """
        request.meta[META] = {
            "similarity": None,
            "relevant": None,
            "score": self.score,
            "parts": dict(self.parts),
            "anchor": self.anchor,
            "linked_from": self.linked_from,
        }
        own = {"source": self.source, "address": address, "weights": dict(self.weights)}
        request.meta[OWN_META] = own

    def inlink(self) -> Inlink | None:
        """The link that it is for the frontier; None for a request that nobody has scored."""
        if self.score is None:
            return None
        return Inlink(self.source, self.worth(self.score), self.anchor)

    def worth(self, score: float) -> Score:
        """This score, with the parts of the note."""
        weights = self.weights
        pairs = self.parts.items()
        return Score(score, tuple(Part(name, v, weights.get(name, 1.0)) for name, v in pairs))


def note_of(request: Request) -> Note:
    """The note on a request; an empty one where there is none, or something else."""
    found, own = _table(request, META), _table(request, OWN_META)
    score = found.get("score")
    return Note(
        float(score) if isinstance(score, int | float) else None,
        dict(found.get("parts") or {}),
        str(found.get("anchor") or ""),
        int(own.get("source") or 0),
        int(found.get("linked_from") or 0),
        dict(own.get("weights") or {}),
    )


def address_of(request: Request) -> str | None:
    """The address under which a request was handed out; None where it was not."""
    address = _table(request, OWN_META).get("address")
    return address if isinstance(address, str) else None


def is_start(request: Request) -> bool:
    """Is it a start request, which Scrapy marks as not to be filtered, at its first try?

    A start page is fetched once, also when the job goes on. One with a score came of a page that
    handed its own meta on.
    """
    meta = request.meta
    return (
        bool(meta.get("is_start_request"))
        and note_of(request).score is None
        and not ("redirect_times" in meta or "retry_times" in meta)
    )


def tell(request: Request, similarity: float | None, relevant: bool | None) -> None:
    """Put on a request what its page was found to be; None twice for one that was not judged."""
    if not isinstance(request.meta.get(META), dict):
        Note().write(request, address_of(request))
    request.meta[META] = {**request.meta[META], "similarity": similarity, "relevant": relevant}


def _table(request: Request, name: str) -> dict[str, Any]:
    found: Any = request.meta.get(name)
    return found if isinstance(found, dict) else {}

"""What a crawl puts on record: one event a page, and the rare ones.

Every event is one flat JSON object; ``event`` names its kind. A page event carries a running
summary, so that a reader who wants only the figures reads only the last line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.core.model import Inlink, Part
from scenthound.core.summary import Drops, Json, Summary, rounded, url_example
from scenthound.core.ways_read import WaysRead

INLINKS_KEPT = 5
_ANCHOR_KEPT = 60
_TITLE_KEPT = 120


@dataclass(frozen=True, slots=True)
class PageEvent:
    """A page was fetched, judged, and its links were scored.

    ``priority`` is None for a seed and for strategies that predict nothing; it and its
    ``parts`` combine all ``linked_from`` pages that link here. ``repeated`` counts further links
    to a target that the page links to already. An inlink's
    ``source`` is the ``n`` of the page event of the page that holds the link. ``language`` is that
    of a page that is not in the topic's, None for one that is. ``chosen`` says why a policy took it
    where the best score does not decide.
    """

    n: int
    at: float
    url: str
    status: int
    title: str
    depth: int
    priority: float | None
    parts: Sequence[Part]
    inlinks: tuple[Inlink, ...]
    linked_from: int
    similarity: float
    relevant: bool
    links: int
    new: int
    rescored: int
    closed: int
    repeated: int
    drops: Drops
    redirects: tuple[str, ...]
    summary: Summary
    problem: str = ""
    copy_of: int | None = None
    language: str | None = None
    rendered: bool = False
    chosen: str = ""

    def to_json(self) -> Json:
        """The journal line, without what is empty."""
        line: Json = {
            "event": "page",
            "n": self.n,
            "at": round(self.at, 3),
            "url": self.url,
            "status": self.status,
            "title": self.title[:_TITLE_KEPT],
            "depth": self.depth,
            "priority": rounded(self.priority),
            "parts": {p.name: [rounded(p.value), rounded(p.weight)] for p in self.parts},
            "linked_from": self.linked_from,
            "inlinks": [
                [i.source, rounded(i.score.value), i.anchor[:_ANCHOR_KEPT]] for i in self.inlinks
            ],
            "similarity": rounded(self.similarity),
            "relevant": self.relevant,
            "links": {
                "found": self.links,
                "new": self.new,
                "rescored": self.rescored,
                "closed": self.closed,
                "repeated": self.repeated,
            },
            "dropped": self.drops.to_json(),
            "redirects": list(self.redirects),
            "summary": self.summary.to_json(),
        }
        if self.problem:
            line["problem"] = self.problem
        if self.copy_of is not None:
            line["copy_of"] = self.copy_of
        if self.language is not None:
            line["language"] = self.language
        if self.rendered:
            line["rendered"] = True
        if self.chosen:
            line["chosen"] = self.chosen
        return {key: value for key, value in line.items() if value not in ([], {})}


@dataclass(frozen=True, slots=True)
class MissingEvent:
    """Links whose target is not in the archive were tried since the last page."""

    count: int
    examples: tuple[str, ...]

    def to_json(self) -> Json:
        """The journal line."""
        urls = [url_example(url) for url in self.examples]
        return {"event": "missing", "count": self.count, "urls": urls}


@dataclass(frozen=True, slots=True)
class RedirectEvent:
    """A candidate redirects to a page that is not fetched (again), and why; it cost nothing."""

    url: str
    target: str
    reason: str = "fetched before"

    def to_json(self) -> Json:
        """The journal line."""
        return {
            "event": "redirect",
            "url": self.url,
            "target": self.target,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class RefusedEvent:
    """A candidate is not to be fetched, or gave no page to keep, and why; it cost no budget."""

    at: float
    url: str
    reason: str

    def to_json(self) -> Json:
        """The journal line."""
        return {
            "event": "refused",
            "at": round(self.at, 3),
            "url": self.url,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class FailedEvent:
    """A candidate could not be fetched: tried again at ``retry_at``, or given up (None)."""

    at: float
    url: str
    reason: str
    attempts: int
    retry_at: float | None

    def to_json(self) -> Json:
        """The journal line."""
        return {
            "event": "failed",
            "at": round(self.at, 3),
            "url": self.url,
            "reason": self.reason,
            "attempts": self.attempts,
            "retry_at": None if self.retry_at is None else round(self.retry_at, 3),
        }


@dataclass(frozen=True, slots=True)
class DroppedEvent:
    """URLs that waited are set aside together, and why."""

    count: int
    reason: str

    def to_json(self) -> Json:
        """The journal line."""
        return {"event": "dropped", "count": self.count, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class RevisedEvent:
    """The strategy has learnt other weights, from so many links, and what waits was scored anew."""

    at: float
    n: int
    weights: Mapping[str, float]
    links: int

    def to_json(self) -> Json:
        """The journal line; ``n`` is the number of pages fetched by then."""
        return {
            "event": "revised",
            "at": round(self.at, 3),
            "n": self.n,
            "weights": {name: rounded(weight) for name, weight in self.weights.items()},
            "links": self.links,
        }


@dataclass(frozen=True, slots=True)
class ControlEvent:
    """Somebody, or a kill, came between: ``paused``, ``unpaused``, ``resumed``."""

    at: float
    what: str
    budget: int

    def to_json(self) -> Json:
        """The journal line."""
        return {"event": self.what, "at": round(self.at, 3), "budget": self.budget}


@dataclass(frozen=True, slots=True)
class StartedEvent:
    """The crawl begins: with what, from where; ``ways`` of reading where there are several."""

    at: float
    topic: str
    strategy: str
    budget: int
    seeds: tuple[str, ...]
    threshold: float
    ways: WaysRead | None = None

    def to_json(self) -> Json:
        """The journal line, without what is not told."""
        line: Json = {
            "event": "started",
            "at": round(self.at, 3),
            "topic": self.topic,
            "strategy": self.strategy,
            "budget": self.budget,
            "seeds": list(self.seeds),
            "threshold": rounded(self.threshold),
        }
        return line if self.ways is None else {**line, "reading": self.ways.to_json()}


@dataclass(frozen=True, slots=True)
class StoppedEvent:
    """The crawl is over, and why."""

    at: float
    reason: str
    summary: Summary

    def to_json(self) -> Json:
        """The journal line."""
        return {
            "event": "stopped",
            "at": round(self.at, 3),
            "reason": self.reason,
            "summary": self.summary.to_json(),
        }


Event = (
    PageEvent | MissingEvent | RedirectEvent | RefusedEvent | FailedEvent | DroppedEvent
    | RevisedEvent | ControlEvent | StartedEvent | StoppedEvent
)  # fmt: skip

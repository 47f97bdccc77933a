"""What a crawl writes to its journal: one event a page, and the rare ones.

Every event is one flat JSON object; ``event`` names its kind. A page event carries the running
totals, so that a reader who wants only the figures reads only the last line. The keys are those
of the files on disk: an attribute that is renamed here keeps its key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar

from scenthound.core.model import Inlink, Part

MAX_EXAMPLES = 5
_MAX_EXAMPLE_URL, _MAX_ANCHOR, _MAX_TITLE = 200, 60, 120
_DIGITS = 5
Json = dict[str, object]


def rounded(value: float | None) -> float | None:
    """Figures in the journal keep five decimals; JSON knows no infinity and no NaN: None."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), _DIGITS)


def url_example(url: str) -> str:
    """A URL as an example in the journal; one that is cut ends with ``...``."""
    return url if len(url) < _MAX_EXAMPLE_URL else f"{url[: _MAX_EXAMPLE_URL - 3]}..."


# --- totals


@dataclass(frozen=True, slots=True)
class DroppedLinks:
    """Links that were not queued: how many for each reason, with a few examples."""

    counts: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def to_json(self) -> Json:
        """``{reason: [count, [examples]]}``."""
        return {
            reason: [n, [url_example(url) for url in examples[:MAX_EXAMPLES]]]
            for reason, (n, examples) in self.counts.items()
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """Running totals from which every indicator can be computed (see ``crawl.metrics``).

    ``copies`` are pages with the text of an earlier one. ``refused`` URLs were rejected
    (robots.txt, a private address, no page), ``given_up`` ones never answered.
    """

    fetched: int = 0
    failed: int = 0
    missing: int = 0
    relevant: int = 0
    similarity: float = 0.0
    similarity_squared: float = 0.0
    relevant_similarity: float = 0.0
    predicted: int = 0
    error: float = 0.0
    waiting: int = 0
    copies: int = 0
    refused: int = 0
    given_up: int = 0

    def after_page(
        self, ok: bool, similarity: float, relevant: bool, priority: float | None, copy: bool
    ) -> Summary:
        """The totals with one more fetched page."""
        return replace(
            self,
            fetched=self.fetched + 1,
            failed=self.failed + (not ok),
            relevant=self.relevant + relevant,
            similarity=self.similarity + similarity,
            similarity_squared=self.similarity_squared + similarity * similarity,
            relevant_similarity=self.relevant_similarity + (similarity if relevant else 0.0),
            predicted=self.predicted + (priority is not None),
            error=self.error + (abs(similarity - priority) if priority is not None else 0.0),
            copies=self.copies + copy,
        )

    def to_json(self) -> Json:
        """All totals by name."""
        totals = {name: getattr(self, name) for name in _TOTALS}
        return {**totals, **{name: rounded(totals[name]) for name in _FLOAT_TOTALS}}


_TOTALS = tuple(each.name for each in fields(Summary))
_FLOAT_TOTALS = tuple(each.name for each in fields(Summary) if isinstance(each.default, float))


# --- text representations: what a strategy reads depends on what is installed

_MAX_NAMES, _MAX_NAME = 12, 200
"""Limits for a stored value: the file may come from anywhere."""
_PLURALS = {"sentence": "sentences"}


@dataclass(frozen=True, slots=True)
class TextRepresentations:
    """The representations by name, in order; ``fewer`` says why there are not more, or is ""."""

    representations: tuple[str, ...]
    fewer: str = ""

    def describe(self) -> str:
        """In words, to follow a verb.

        Examples
        --------
        >>> TextRepresentations(("words", "meaning"), "the extra neural is missing").describe()
        'by words and meaning: the extra neural is missing'
        """
        why = f": {self.fewer.rstrip('.')}" if self.fewer else ""
        return f"by {join_words([_PLURALS.get(name, name) for name in self.representations])}{why}"

    def to_json(self) -> Json:
        """As journal and results have it."""
        return {"ways": list(self.representations), "fewer": self.fewer}


def text_representations(scorer: object) -> TextRepresentations | None:
    """The text representations that a scorer names; None for one that names none.

    Its ``why_fewer`` says in a few words why there are not more; "" where all are there.
    """
    # ``ways`` is the name of version 0.1, which a plug-in may still use.
    names = getattr(scorer, "representations", None) or getattr(scorer, "ways", ())
    if not names or not isinstance(names, list | tuple):  # a plug-in may mean something else by it
        return None
    why = str(getattr(scorer, "why_fewer", None) or "")
    return TextRepresentations(tuple(map(str, names)), why)


def stored_text_representations(stored: object) -> TextRepresentations | None:
    """What :meth:`TextRepresentations.to_json` wrote; None for anything else (an older crawl)."""
    names = stored.get("ways") if isinstance(stored, Mapping) else None
    if not isinstance(stored, Mapping) or not isinstance(names, list) or not names:
        return None
    kept = tuple(str(name)[:_MAX_NAME] for name in names[:_MAX_NAMES])
    return TextRepresentations(kept, str(stored.get("fewer") or "")[:_MAX_NAME])


def join_words(names: Sequence[str]) -> str:
    """``words, meaning and sentences``; "" for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


# --- events


class _PlainEvent:
    """An event whose journal line is its kind and its fields, in order."""

    __slots__ = ()
    kind: ClassVar[str]

    def to_json(self) -> Json:
        """The journal line."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return {"event": self.kind, **{name: _plain(value) for name, value in values.items()}}


def _plain(value: object) -> object:
    """Times are the only floats of plain events; milliseconds are enough for them."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, Mapping):  # weights
        return {name: rounded(weight) for name, weight in value.items()}
    if isinstance(value, tuple):
        return [url_example(url) for url in value]
    return value.to_json() if isinstance(value, Summary) else value


@dataclass(frozen=True, slots=True)
class PageEvent:
    """A page was fetched, judged, and its links were scored.

    ``priority`` is None for a seed and for strategies that predict nothing; it and its
    ``parts`` combine all ``linked_from`` pages that link here. ``repeated`` counts further links
    to a target that the page links to already. An inlink's ``source`` is the ``n`` of the page
    event of the page that holds the link. ``language`` is that of a page that is not in the
    topic's language, else None. ``chosen`` says why a policy took the page where the best score
    does not decide.
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
    drops: DroppedLinks
    redirects: tuple[str, ...]
    summary: Summary
    problem: str = ""
    copy_of: int | None = None
    language: str | None = None
    rendered: bool = False
    chosen: str = ""

    def to_json(self) -> Json:
        """The journal line, without what is empty."""
        links = {name: getattr(self, name) for name in ("new", "rescored", "closed", "repeated")}
        line: Json = {
            "event": "page",
            "n": self.n,
            "at": round(self.at, 3),
            "url": self.url,
            "status": self.status,
            "title": self.title[:_MAX_TITLE],
            "depth": self.depth,
            "priority": rounded(self.priority),
            "parts": {p.name: [rounded(p.value), rounded(p.weight)] for p in self.parts},
            "linked_from": self.linked_from,
            "inlinks": [
                [i.source, rounded(i.score.value), i.anchor[:_MAX_ANCHOR]] for i in self.inlinks
            ],
            "similarity": rounded(self.similarity),
            "relevant": self.relevant,
            "links": {"found": self.links, **links},
            "dropped": self.drops.to_json(),
            "redirects": list(self.redirects),
            "summary": self.summary.to_json(),
        }
        for name in ("problem", "copy_of", "language", "rendered", "chosen"):
            value = getattr(self, name)
            if value:  # page numbers begin with 1
                line[name] = value
        return {key: value for key, value in line.items() if value not in ([], {})}


@dataclass(frozen=True, slots=True)
class MissingEvent(_PlainEvent):
    """Links whose target is not in the archive were tried since the last page; a few examples."""

    kind = "missing"
    count: int
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RedirectEvent(_PlainEvent):
    """A candidate redirects to ``target``; ``reason`` says whether that is followed, or why not.

    It costs no budget.
    """

    kind = "redirect"
    url: str
    target: str
    reason: str = "fetched before"


@dataclass(frozen=True, slots=True)
class RejectedEvent(_PlainEvent):
    """A candidate was rejected, or gave no page to keep, and why; it cost no budget."""

    kind = "refused"
    at: float
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class FailedEvent(_PlainEvent):
    """A candidate could not be fetched: tried again at ``retry_at``, or given up (None)."""

    kind = "failed"
    at: float
    url: str
    reason: str
    attempts: int
    retry_at: float | None


@dataclass(frozen=True, slots=True)
class DroppedEvent(_PlainEvent):
    """URLs that waited were removed together, and why."""

    kind = "dropped"
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class RevisedEvent(_PlainEvent):
    """The strategy has learned other weights from so many ``links``; what waits was rescored.

    ``n`` is the number of pages fetched by then.
    """

    kind = "revised"
    at: float
    n: int
    weights: Mapping[str, float]
    links: int


@dataclass(frozen=True, slots=True)
class ControlEvent:
    """A user or a restart intervened: ``paused``, ``unpaused``, ``resumed``."""

    at: float
    what: str
    budget: int

    def to_json(self) -> Json:
        """The journal line."""
        return {"event": self.what, "at": round(self.at, 3), "budget": self.budget}


@dataclass(frozen=True, slots=True)
class StartedEvent:
    """The crawl begins; ``representations`` are those of texts, where there are several."""

    at: float
    topic: str
    strategy: str
    budget: int
    seeds: tuple[str, ...]
    threshold: float
    representations: TextRepresentations | None = None

    def to_json(self) -> Json:
        """The journal line; ``reading`` only where there are text representations."""
        line: Json = {
            "event": "started",
            "at": round(self.at, 3),
            "topic": self.topic,
            "strategy": self.strategy,
            "budget": self.budget,
            "seeds": list(self.seeds),
            "threshold": rounded(self.threshold),
        }
        if self.representations is not None:
            line["reading"] = self.representations.to_json()
        return line


@dataclass(frozen=True, slots=True)
class StoppedEvent(_PlainEvent):
    """The crawl is over, and why."""

    kind = "stopped"
    at: float
    reason: str
    summary: Summary


Event = (
    PageEvent | MissingEvent | RedirectEvent | RejectedEvent | FailedEvent | DroppedEvent
    | RevisedEvent | ControlEvent | StartedEvent | StoppedEvent
)  # fmt: skip

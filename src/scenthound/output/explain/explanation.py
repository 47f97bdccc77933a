"""What an explanation of a URL holds: the path from a seed, its priority, its relevance, its place
in the frontier, what the journal says of it. ``output.explain.explain`` fills these values in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from scenthound.core.command_options import SIMILARITY

FETCHED = "fetched"
REDIRECTED = "redirected"
REFUSED = "refused"
GIVEN_UP = "given up"
OTHER_NAME = "another page's name"
FORBIDDEN = "forbidden"
MISSING = "missing"
NOT_QUEUED = "linked, not queued"
NOT_KEPT = "linked, not fetched"
UNKNOWN = "unknown"
"""States of a URL, besides its places in a frontier (``frontier.sqlite_reader``)."""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score: its value times its weight is what it contributes.

    ``share`` is how much of the score that is; None where the score is not above 0.
    """

    name: str
    value: float
    weight: float
    contribution: float
    meaning: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class InlinkScore:
    """A page that links here: its number and URL, the words of its link, what the link scored.

    ``parts`` are empty where they were not kept: a replay keeps the scores alone. ``worker`` is the
    number of the worker that has the page, where it is not this folder's; 0 where it is.
    """

    page: int
    url: str
    anchor: str
    score: float
    parts: tuple[ScorePart, ...] = ()
    worker: int = 0


@dataclass(frozen=True, slots=True)
class WeightsOrigin:
    """Where weights come from that the crawl itself learned.

    They are those of the revision number ``times``, made after page ``after`` from so many
    ``links``; 0 times are the weights at the start.
    """

    times: int
    after: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Priority:
    """Why a URL came when it came.

    ``value`` is None for a URL that a person named, and where the strategy predicts nothing;
    ``order`` says in words what decided. ``combination`` is how the ``linked_from`` links make one
    score: ``max``, ``mean`` or ``last``; "" for a strategy that is not in the catalogue.
    ``inlinks`` are the best ones, best first. ``rest`` is what the parts do not account for.
    ``scored`` is False where the strategy gives every link the same score. ``revised`` is None
    where the crawl never revised its weights. ``parts`` come largest first; ``gist`` says in words
    what mattered, "" where there is nothing to choose among.
    """

    value: float | None
    order: str
    parts: tuple[ScorePart, ...]
    combination: str
    linked_from: int
    inlinks: tuple[InlinkScore, ...]
    rest: float = 0.0
    scored: bool = True
    revised: WeightsOrigin | None = None
    gist: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A page on the way from a seed, and the link that leads on from it.

    ``page`` is None for the URL itself where it was not fetched. ``anchor`` and ``score`` are those
    of the link by which the crawl came to this page, ``redirects`` what lay in between. ``worker``
    is that of an inlink: the way to a page of another worker is not known here.
    """

    page: int | None
    url: str
    anchor: str = ""
    score: float | None = None
    redirects: tuple[str, ...] = ()
    worker: int = 0


@dataclass(frozen=True, slots=True)
class TermContribution:
    """A term that page and example share, or a concept of the ontology that the page names.

    ``count`` is how often the page has it, ``contribution`` what it adds to the relevance.
    """

    term: str
    count: int
    contribution: float


@dataclass(frozen=True, slots=True)
class Relevance:
    """Why a page counts as relevant, or not.

    ``similarity`` is the journal's; ``recomputed`` the same from the stored page, None where it
    cannot be read. The contributions of ``terms`` and ``rest``, that of ``rest_terms`` further
    ones, add up to it. ``nearest`` names the example page, or the keywords; "" where an ontology is
    the ``judge``. ``note`` says what is out of the ordinary.
    """

    similarity: float
    threshold: float
    relevant: bool
    recomputed: float | None
    nearest: str
    terms: tuple[TermContribution, ...]
    rest: float
    rest_terms: int
    note: str = ""
    judge: str = SIMILARITY


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """What became of the links of a page; the parts add up to ``found``.

    ``found`` are all that the page has, those included that lead to no page. ``new`` ones were
    queued, ``rescored`` ones waited already, ``closed`` ones were dealt with, ``repeated`` ones
    stand on the page again.
    """

    found: int
    new: int
    rescored: int
    closed: int
    repeated: int
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageDetails:
    """The page itself.

    ``copy_of`` is the URL of the page whose copy it is, "" for none; ``language`` is set where it
    is another one than the topic's; ``rendered`` pages were read with a browser.
    """

    number: int
    at: float
    status: int
    title: str
    depth: int
    problem: str
    copy_of: str
    links: LinkCounts
    language: str | None = None
    rendered: bool = False


@dataclass(frozen=True, slots=True)
class FrontierPlace:
    """Where a URL stands among those that wait; see ``frontier.sqlite_reader``."""

    waiting: int
    better: int | None
    better_on_host: int | None
    attempts: int
    due: float | None
    host: str
    host_waiting: int
    host_had: int
    host_state: str
    host_until: float | None


@dataclass(frozen=True, slots=True)
class UrlEvent:
    """An event of the journal about the URL: ``refused``, ``failed``, ``redirect``.

    ``at`` is None for a redirect, ``target`` where it leads; ``retry_at`` None for a failure that
    was the last one.
    """

    event: str
    reason: str = ""
    at: float | None = None
    attempts: int = 0
    retry_at: float | None = None
    target: str = ""


@dataclass(frozen=True, slots=True)
class LinkOccurrence:
    """A link to the URL on a stored page, and why it was not queued, as far as that is known."""

    page: int
    url: str
    anchor: str
    reason: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that a crawl folder says of one URL.

    ``asked`` is what was given, ``url`` its canonical form. ``path`` leads from a seed to it.
    ``searched`` is how many stored pages were looked through for links to it; None where there was
    no need. ``unread`` of them are gone or damaged, so that their links are not known. ``near`` are
    URLs that the crawl knows and that may have been meant.
    """

    asked: str
    url: str
    state: str
    verdict: str
    page: PageDetails | None = None
    path: tuple[Step, ...] = ()
    priority: Priority | None = None
    relevance: Relevance | None = None
    place: FrontierPlace | None = None
    history: tuple[UrlEvent, ...] = ()
    found_on: tuple[LinkOccurrence, ...] = ()
    searched: int | None = None
    unread: int = 0
    near: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Everything, as JSON knows it."""
        return asdict(self)


# What the reasons of the journal mean, and its times, in words.

REASONS: Mapping[str, str] = {
    "nofollow": "the link, or its page, asks not to be followed",
    "same page": "a page's link to itself is not followed",
    "on a copy": "links of a page that is a copy of another are not followed",
    "media": "by its ending it is no page",
    "too far from the seeds": "it is more links away from a seed than max_depth allows",
    "host budget": "its host has had all the pages it may have",
    "no steps left": "fish: the way to it led through too many pages off the topic",
    "score is no number": "the strategy's score for it was no number",
    "private address": "private, loopback and link-local addresses are not asked for",
    "path repetition": "a trap: its path repeats itself",
    "too deep": "a trap: its path has too many segments",
    "too many parameters": "a trap: its query has too many parameters",
    "calendar": "a trap: a calendar leads to it, far from today",
    "endless calendar": "a trap: the calendar has shown enough dates",
    "robots.txt": "its site's robots.txt forbids it",
}
"""Reasons that need more words than the journal has for them."""


def describe_reason(reason: str) -> str:
    """``nofollow (the link, or its page, asks not to be followed)``; others as they stand."""
    meaning = REASONS.get(reason)
    return reason if meaning is None else f"{reason} ({meaning})"


def format_time(at: float) -> str:
    """A time of the crawl's clock, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")

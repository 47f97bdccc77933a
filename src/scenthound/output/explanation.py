"""What an explanation of a URL holds; what the parts of a score and the reasons of the journal mean
in words; and the one sentence that says where a URL stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from scenthound.core.command_options import SIMILARITY
from scenthound.core.events import join_words
from scenthound.core.model import Part
from scenthound.frontier.sqlite_reader import (
    AT_REST,
    FREE_NOW,
    HAD_ITS_SHARE,
    IS_BUSY,
    IS_SPENT,
    RETRYING,
    SET_ASIDE,
    UNDER_WAY,
)

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
"""States of a URL, besides its places in a frontier (``frontier.sqlite_reading``)."""


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
    """Where a URL stands among those that wait; see ``frontier.sqlite_reading``."""

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
    reason: str
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


# What the parts of a score and the reasons of the journal mean, in words.

PARTS: Mapping[str, str] = {
    "full": "similarity of the linking page's text to the topic (sentences: title and beginning)",
    "title": "similarity of the linking page's title to the topic",
    "anchor": "similarity of the words of the link to the topic",
    "context": "similarity of the words around the link to the topic",
    "host": "mean relevance of the pages fetched from the link's host so far",
    "source": "relevance of the linking page, by the judge",
    "inlinks": "how many pages link there: n / (n + 1) for n of them",
    "page": "similarity of the linking page to the topic",
    "steps": "pages off the topic that may still be passed through from here",
    "inherited": "what the linking page was worth, and those before it, fading with distance",
    "labelled": "1 where the link leads to a labelled page: for evaluation",
    "address": "similarity of the words of the link's address to the topic",
}
"""Every part that a strategy of the catalogue may have; where a text has several
:data:`REPRESENTATIONS`, by the text."""
REPRESENTATIONS: Mapping[str, str] = {
    "words": "by its words",
    "meaning": "by the meaning of its words",
    "sentence": "read as sentences",
}
"""The second word of a part whose text has several representations: ``anchor meaning``."""
_THINGS: Mapping[str, str] = {
    "full": "the page it stands on",
    "title": "the title of that page",
    "anchor": "the text of the link",
    "context": "the text around it",
    "host": "its host so far",
    "source": "the relevance of the linking page",
    "inlinks": "how many pages link there",
    "page": "the page it stands on",
    "steps": "the steps left",
    "inherited": "the pages that led there",
    "labelled": "its label",
    "address": "its address",
}
"""What parts speak of, as it stands in a sentence about a link."""
_OWN = "a part of the strategy's own"
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


def part_meaning(name: str) -> str:
    """What a part of a score means; a strategy of one's own has parts that only it knows."""
    thing, way = evidence_of(name)
    return f"{describe_evidence(thing)}, {REPRESENTATIONS[way]}" if way else PARTS.get(name, _OWN)


def evidence_of(name: str) -> tuple[str, str]:
    """What a part speaks of, and in which way it reads that; the name and "" where it has no way.

    Examples
    --------
    >>> evidence_of("anchor meaning"), evidence_of("anchor"), evidence_of("my words")
    (('anchor', 'meaning'), ('anchor', ''), ('my words', ''))
    """
    thing, _, way = name.rpartition(" ")
    return (thing, way) if thing in PARTS and way in REPRESENTATIONS else (name, "")


def describe_evidence(name: str) -> str:
    """What parts speak of, in words for a sentence; a name that is not known as it stands."""
    return _THINGS.get(name, name)


def describe_reason(reason: str) -> str:
    """``nofollow (the link, or its page, asks not to be followed)``; others as they stand."""
    meaning = REASONS.get(reason)
    return reason if meaning is None else f"{reason} ({meaning})"


# What a score rests on, in words: the parts by size, those about one text together.

_ENOUGH = 2 / 3
"""What makes up so much of a score is what mattered."""
_MAX_PARTS = 3
_DIGITS = 2


def describe_parts(parts: Iterable[Part], whole: float | None = None) -> tuple[ScorePart, ...]:
    """The parts, the largest first: what each contributes, its share, and what it means.

    Parameters
    ----------
    parts : of a score; none give none.
    whole : the score that shares are of; None for the sum of the parts. One that is not above 0
        has no shares.
    """
    sizes = [(part, part.value * part.weight) for part in parts]
    total = sum(size for _, size in sizes) if whole is None else whole
    return tuple(
        ScorePart(part.name, part.value, part.weight, size, part_meaning(part.name),
                 size / total if total > 0 else None)
        for part, size in sorted(sizes, key=lambda pair: -pair[1])
    )  # fmt: skip


def describe_gist(parts: Sequence[ScorePart], whole: float) -> str:
    """What mattered, largest first; "" where it is one thing only, or nothing speaks for the link.

    ``mostly the words of the link (0.21 of 0.46) and the page it stands on (0.12)``: parts that
    read the same text in several ways count together.

    Parameters
    ----------
    parts : of the score.
    whole : the score.
    """
    sizes: dict[str, float] = {}
    for part in parts:
        thing, _ = evidence_of(part.name)
        sizes[thing] = sizes.get(thing, 0.0) + part.contribution
    ordered = sorted((pair for pair in sizes.items() if pair[1] > 0), key=lambda pair: -pair[1])
    if whole <= 0 or len(sizes) < 2 or not ordered:
        return ""
    so_far, named = 0.0, []  # the first few that make up most of the whole
    for pair in ordered[:_MAX_PARTS]:
        if so_far < _ENOUGH * whole:
            named.append(pair)
            so_far += pair[1]
    (first, size), *others = named
    words = [f"{describe_evidence(first)} ({size:.{_DIGITS}f} of {whole:.{_DIGITS}f})"]
    words += [f"{describe_evidence(name)} ({size:.{_DIGITS}f})" for name, size in others]
    return f"{'' if len(named) == len(ordered) else 'mostly '}{join_words(words)}"


# The one sentence that says where a URL stands.

_HOSTS = {
    FREE_NOW: "its host may be asked now",
    IS_BUSY: "its host is being asked for other pages",
    HAD_ITS_SHARE: "its host has had its share, so that others go first",
    IS_SPENT: "its host has had all the pages it may have",
}
_DRAWN = "the next one is drawn, each as likely as another"
_NOT_RUNNING = "the crawl is not running"
_ON_A_SERVER = "what waited is on the server that the workers shared"


def format_time(at: float) -> str:
    """A time of the crawl's clock, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def describe_waiting(
    state: str,
    place: FrontierPlace,
    history: Sequence[UrlEvent],
    *,
    is_seed: bool,
    drawn: bool,
    running: bool,
) -> str:
    """Of a URL that is in the frontier and is not dealt with.

    ``drawn`` says that the strategy draws any URL, so that none is better than another.
    """
    if state == SET_ASIDE:
        return f"set aside: its host {place.host} has had {place.host_had} pages, all it may have"
    if state == UNDER_WAY:
        ended = "it was being fetched when the crawl ended and waits again once that is resumed"
        return "being fetched now" if running else ended
    first = _again(place, history) if state == RETRYING else "waits"
    order = "seeds go before all others" if is_seed else _DRAWN if drawn else _rank(place)
    return f"{first}; {order}; {_host(place) if running else _NOT_RUNNING}"


def _again(place: FrontierPlace, history: Sequence[UrlEvent]) -> str:
    reasons = [each.reason for each in history if each.event == "failed"]
    why = f" ({reasons[-1]})" if reasons else ""
    due = "" if place.due is None else f" and is tried again at {format_time(place.due)}"
    times = "once" if place.attempts == 1 else f"{place.attempts} times"
    return f"failed {times}{why}{due}"


def _rank(place: FrontierPlace) -> str:
    if not place.better:
        return f"it is the best of {place.waiting:,} that wait"
    better = "1 is better" if place.better == 1 else f"{place.better:,} are better"
    return f"of {place.waiting:,} that wait {better}, {place.better_on_host:,} on its own host"


def _host(place: FrontierPlace) -> str:
    if place.host_state == AT_REST and place.host_until is not None:
        return f"its host rests until {format_time(place.host_until)}"
    return _HOSTS.get(place.host_state, "nothing of its host may be asked for now")


def describe_unlinked(cut: int, unread: int) -> str:
    """Of a URL that no stored page links to.

    ``cut`` of them have more links than are read, ``unread`` cannot be read any more.
    """
    limits = [f"{cut:,} of them with too many"] * bool(cut)
    limits += [f"{unread:,} of them cannot be read any more"] * bool(unread)
    but = f", as far as their links were read ({', '.join(limits)})" if limits else ""
    return f"no page fetched so far links to it{but}"


def describe_linked(
    found: Sequence[LinkOccurrence], is_live: bool, keeps_waiting: bool = True
) -> str:
    """Of a URL that the crawl does not have, and stored pages link to.

    Parameters
    ----------
    found : the links.
    is_live : was it a crawl of the live web?
    keeps_waiting : does the folder of such a crawl say what waits?
    """
    reason = next((each.reason for each in found if each.reason), "")
    if reason:
        return f"page {found[0].page} links to it, and the link was not queued: {reason}"
    if is_live and not keeps_waiting:
        return f"page {found[0].page} links to it; it was not fetched, and {_ON_A_SERVER}"
    if is_live:
        return f"page {found[0].page} links to it, and the journal does not say why it is not known"
    return (
        f"page {found[0].page} links to it; it was not fetched, and the replay has not kept what "
        "waited"
    )

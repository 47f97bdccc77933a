"""The interfaces between the packages. Each says what an empty answer means."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scenthound.core.events import Event
from scenthound.core.model import Candidate, Document, FetchedPage, Link, Refusal, Score, ScoredLink

StateValue = (
    None | bool | int | float | str | list["StateValue"] | dict[str, "StateValue"]
    | npt.NDArray[np.generic]
)  # fmt: skip
"""What a part may save: JSON values, with numpy arrays as leaves."""
State = dict[str, Any]
"""Each value is a :data:`StateValue`; a part knows the types of what it has saved itself."""


def generator_state(rng: random.Random) -> State:
    """Where a random generator stands."""
    version, numbers, gauss = rng.getstate()
    return {"version": version, "numbers": list(numbers), "gauss": gauss}


def restore_generator(rng: random.Random, state: State) -> None:
    """Let ``rng`` draw on as the one did that gave ``state``."""
    numbers = state["numbers"]
    assert isinstance(numbers, list)
    rng.setstate((state["version"], tuple(numbers), state["gauss"]))


@runtime_checkable
class Stateful(Protocol):
    """A part that learns: its state is saved with the crawl and restored on resume."""

    def state(self) -> State:
        """All that was learned so far; an empty state means there is nothing to save."""

    def restore(self, state: State) -> None:
        """Become the part that gave ``state``: from here on both answer alike."""


class Scorer(Stateful, Protocol):
    """What is a link worth?"""

    predicts: bool
    """Do the scores estimate the relevance of the target? (Breadth-first's do not.)"""

    def observe(self, visit: FetchedPage) -> None:
        """Learn from a page just fetched; called once a page, before its links are scored.

        ``visit.candidate`` has what was known of the page before: the scores of links to it.
        """

    def score(self, visit: FetchedPage, links: Sequence[Link]) -> Sequence[Score | Refusal]:
        """One answer for each link of the page, in order."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A scorer has changed its weights.

    ``weights`` are the new ones by the names of the parts, learned from so many ``links``.
    """

    weights: Mapping[str, float]
    links: int


@runtime_checkable
class SupportsRevision(Protocol):
    """Optional hook of a scorer: it learns its weights while it crawls."""

    def revise(self) -> Revision | None:
        """Use what was learned since; None where there is nothing new.

        Called after the links of a page were queued. The caller then rescores all that waits, so
        that scores before and after can be compared.
        """

    def reweighed(self, score: Score) -> Score:
        """The same parts with the weights of now, and their sum; without parts the same score."""


@runtime_checkable
class SupportsPrepare(Protocol):
    """Optional hook of a scorer: work before the first page, such as learning an ontology."""

    def prepare(self) -> None:
        """Do that work. Not called for a crawl that is resumed: its state is restored."""


class Admission(enum.Enum):
    """What became of a link offered to a frontier."""

    NEW = "new"
    RESCORED = "rescored"
    CLOSED = "closed"
    """The URL is being fetched, has been fetched or was given up: nothing changes."""
    EXHAUSTED = "spent"
    """The URL is new, but its host has had all the pages it may have: it is not queued."""


class Frontier(Protocol):
    """The URLs that wait, by score. A URL is handed out on a lease and comes back if it expires.

    Highest score first; equal scores first in, first out. ``now`` is
    seconds on the crawl's clock and never runs backwards.
    """

    def add(self, scored_links: Iterable[ScoredLink]) -> list[Admission]:
        """Insert URLs or add evidence to them; one admission for each link.

        A seed has a score of 1 until a link to it is seen; from then on links decide.
        """

    def lease(self, most: int, now: float) -> list[Candidate]:
        """Up to ``most`` best candidates, hidden until acked, failed or expired."""

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this very URL; None unless it waits and may be fetched now."""

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """One of the URLs that could be leased now, each as likely as another, left where it is.

        None when there is none.
        """

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease a URL drawn uniformly among those that wait; None when none does."""

    def ack(self, url: str) -> None:
        """The URL has been dealt with for good. A URL never seen before is closed too."""

    def fail(self, url: str, retry_at: float | None) -> None:
        """A leased URL failed: wait until ``retry_at``, or give it up (None)."""

    def redirect(self, url: str, target: str) -> Admission:
        """The leased ``url`` leads to ``target``: close the one, let the other wait in its place.

        NEW: ``target`` takes over score, parts, inlinks and depth; its ``redirects`` are those
        of ``url`` and ``url`` itself. RESCORED: it waits already; it gets the smaller depth,
        the better score of the two with its parts, and the best inlinks of both. CLOSED or
        EXHAUSTED: it is not to be fetched.
        """

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, ``now`` if one can; None when no URL waits."""

    def rescore(self, worth: Callable[[Candidate], Score]) -> None:
        """Give every URL that is not closed the score and parts that ``worth`` finds for it now.

        A leased one too: it may wait again. Who holds the lease keeps the candidate he has.
        """

    def reweight(self, weigh: Callable[[Score], Score]) -> None:
        """Rescore every link so far by ``weigh``, and combine them again.

        As :meth:`rescore` it reaches every URL that is not closed.
        """

    def is_closed(self, url: str) -> bool:
        """Is the URL leased, fetched or given up? (Expiry shows at the next lease.)"""

    def waits(self, url: str) -> bool:
        """Will the URL be handed out some time, though perhaps not now? Not one never seen."""

    def peek(self, most: int) -> list[Candidate]:
        """The best waiting candidates, best first, without leasing them."""

    def __len__(self) -> int:
        """How many URLs wait, those that wait for a retry included."""


class PoliteFrontier(Frontier, Protocol):
    """A frontier that knows hosts: who may be asked now, how often, and how many times in all.

    A host is busy while as many of its URLs are leased as requests may run at once, and it
    rests after an answer; ``lease``, ``take`` and ``draw`` pass over hosts that are busy or rest.
    """

    def record_response(self, url: str, at: float) -> None:
        """The host's answer to the leased ``url`` is over: it rests from ``at`` on.

        The URL stays leased: what became of it is reported later, by ack, fail or redirect.
        """

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay between two requests; a shorter one changes nothing.

        From now on it gets one request at a time and rests after each answer.
        """

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""

    def put_back(self, url: str) -> None:
        """The leased ``url`` was never requested: let it wait again as if never leased."""


class Policy(Stateful, Protocol):
    """Which candidate next?"""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate; None when nothing can be leased now."""


@runtime_checkable
class SupportsFetchEvents(Protocol):
    """Optional hooks of a policy that waits for what it chose."""

    def completed(self, url: str) -> None:
        """What was leased under this URL is no longer under way, whatever came of it."""

    def redirected(self, url: str, target: str) -> None:
        """What was leased under ``url`` led to ``target``, which waits in its place."""


class Allowance(Protocol):
    """How many pages a crawl may fetch."""

    @property
    def pages(self) -> int:
        """In all, by whichever worker."""

    def allows(self, spent: int) -> bool:
        """May a page be fetched where so many are, or are being fetched?"""

    def is_exhausted(self, spent: int) -> bool:
        """Is it for good that no page may be fetched? Asked where none is allowed now."""


class Judge(Protocol):
    """How similar is a page to the topic, judged apart from the strategy that steers?"""

    threshold: float

    def similarity(self, document: Document) -> float:
        """In [0, 1]; 0 for an empty document."""

    def language(self, document: Document) -> str | None:
        """The language of a page that is not in the topic's; None where that is not known."""


class Journal(Protocol):
    """Where the events of a crawl go, in order."""

    def append(self, event: Event) -> None:
        """Write one event; it is on record when this returns."""


Clock = Callable[[], float]
"""Seconds since the epoch, or since anything: passed in, so that a replay repeats exactly."""
Labels = Mapping[str, str]
"""Canonical URL -> topic, by human judgement."""


# What workers of one crawl learn together: counts of documents, sums over links, robots.txt
# files.
#
# Counts and sums add up: what two workers learned is the sum of what each did. A part that learns
# gives what it learned here since the last call, and takes in what was learned elsewhere.

LinkSums = npt.NDArray[np.float64]
"""Sums over links, in an order of the part's own; none at all where nothing was learned yet."""
FittedWeights = dict[str, object]
"""Weights and when they were fitted, as JSON."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """In how many of so many ``documents`` each term occurs."""

    documents: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class SharesTermCounts(Protocol):
    """A part that counts in how many documents terms occur."""

    def share(self) -> None:
        """Keep apart from now on what is counted here; a second call changes nothing."""

    def counted_here(self) -> TermCounts:
        """What was counted here since the last call."""

    def count_elsewhere(self, tally: TermCounts) -> None:
        """Add what other workers have counted."""

    def counted_by_all(self) -> TermCounts:
        """All that is known, but for the example pages and what is still kept apart."""

    def count_from(self, tally: TermCounts) -> None:
        """All workers together have counted these and no more, but for what is still kept apart.

        What was known before is forgotten, the example pages excepted.
        """


@runtime_checkable
class SharesWeights(SupportsRevision, Protocol):
    """A scorer whose weights are fitted to sums over the links that were followed."""

    weights: dict[str, float]
    """The weights of now, by the names of the parts."""
    publish: Callable[[FittedWeights], bool] | None
    """Called with new weights before what waits is rescored by them; are they accepted?

    Where they are not, :meth:`follow` was called with others. None: no publication."""

    def share(self) -> None:
        """Keep apart from now on what is learned from links here; a second call changes nothing."""

    def links_here(self) -> LinkSums:
        """The sums over links that were followed here since the last call."""

    def fit_to(self, sums: LinkSums) -> None:
        """These are the sums of all workers, but for what is still kept apart here."""

    def fitted(self) -> FittedWeights:
        """The weights of now, for others to take over."""

    def follow(self, fitted: FittedWeights | None) -> None:
        """Take over what :meth:`fitted` gave elsewhere; None is the weights at the start."""

    def publish_weights(self) -> None:
        """Publish the weights of now and have all that waits rescored, at the next ``revise``."""


class RobotsFile(NamedTuple):
    """A site's answer to ``/robots.txt``, and until when it is trusted."""

    until: float
    status: int
    body: bytes


class RobotsCache(Protocol):
    """The robots.txt files that workers have read for each other."""

    def find(self, origin: str) -> RobotsFile | None:
        """What a worker has read there lately; None where none has, or did not share it."""

    def keep(self, origin: str, found: RobotsFile) -> None:
        """Share a file with the other workers."""

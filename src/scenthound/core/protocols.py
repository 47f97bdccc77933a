"""The interfaces between the packages. Each says what None or an empty result means."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scenthound.core.events import Event
from scenthound.core.model import (
    Candidate,
    Document,
    FetchedPage,
    Link,
    Rejection,
    Score,
    ScoredLink,
)

StateValue = (
    None | bool | int | float | str | list["StateValue"] | dict[str, "StateValue"]
    | npt.NDArray[np.generic]
)  # fmt: skip
"""What a part may save: JSON values, with numpy arrays as leaves."""
State = dict[str, Any]
"""Each value is a :data:`StateValue`; a part knows the types of what it has saved itself."""


def generator_state(rng: random.Random) -> State:
    """State of a random generator, as JSON values."""
    version, numbers, gauss = rng.getstate()
    return {"version": version, "numbers": list(numbers), "gauss": gauss}


def restore_generator(rng: random.Random, state: State) -> None:
    """Continue the sequence of the generator that :func:`generator_state` was called with."""
    numbers = state["numbers"]
    assert isinstance(numbers, list)
    rng.setstate((state["version"], tuple(numbers), state["gauss"]))


@runtime_checkable
class Stateful(Protocol):
    """A part that learns: its state is saved with the crawl and restored on resume."""

    def state(self) -> State:
        """All that was learned so far; empty where there is nothing to save."""

    def restore(self, state: State) -> None:
        """Continue from what :meth:`state` returned, as the part that returned it would."""


class Scorer(Stateful, Protocol):
    """Scores the links of fetched pages."""

    predicts: bool
    """Do the scores estimate the relevance of the target? (Breadth-first's do not.)"""

    def observe(self, page: FetchedPage) -> None:
        """Learn from a page just fetched; called once a page, before its links are scored.

        ``page.candidate`` has what was known of the page before: the scores of links to it.
        """

    def score(self, page: FetchedPage, links: Sequence[Link]) -> Sequence[Score | Rejection]:
        """A score or a refusal for each link of the page, in order."""


@dataclass(frozen=True, slots=True)
class Revision:
    """New weights of a scorer by the names of the parts, learned from so many ``links``."""

    weights: Mapping[str, float]
    links: int


@runtime_checkable
class SupportsRevision(Protocol):
    """Optional hook of a scorer: it learns its weights while it crawls."""

    def revise(self) -> Revision | None:
        """Use what was learned since the last call; None where there is nothing new.

        Called after the links of a page were queued. The caller then rescores the whole frontier,
        so that scores before and after can be compared.
        """

    def reweighed(self, score: Score) -> Score:
        """The same parts with the present weights, and their sum; without parts the same score."""


@runtime_checkable
class SupportsPrepare(Protocol):
    """Optional hook of a scorer: work before the first page, such as learning an ontology."""

    def prepare(self) -> None:
        """Do that work. Not called when a crawl is resumed: its state is restored."""


class Admission(enum.Enum):
    """Result of adding a link to a frontier."""

    NEW = "new"
    RESCORED = "rescored"
    CLOSED = "closed"
    """The URL is being fetched, has been fetched or was given up: nothing changes."""
    EXHAUSTED = "spent"
    """The URL is new, but the page budget of its host is used up: it is not queued."""


class Frontier(Protocol):
    """Queue of URLs by score. A URL is leased, and is queued again if its lease expires.

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
        """A URL drawn uniformly among those that could be leased now, not leased; None for none."""

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease a URL drawn uniformly among those that wait; None when none does."""

    def ack(self, url: str) -> None:
        """Close the URL for good, be it one never seen before."""

    def fail(self, url: str, retry_at: float | None) -> None:
        """Let a leased URL that failed wait until ``retry_at``, or give it up (None)."""

    def redirect(self, url: str, target: str) -> Admission:
        """Close the leased ``url``, which redirects, and queue ``target`` in its place.

        NEW: ``target`` takes over score, parts, inlinks and depth; its ``redirects`` are those
        of ``url`` and ``url`` itself. RESCORED: it waits already; it gets the smaller depth,
        the better score of the two with its parts, and the best inlinks of both. CLOSED or
        EXHAUSTED: it is not to be fetched.
        """

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, ``now`` if one can; None when no URL waits."""

    def reweight(self, reweight: Callable[[Score], Score]) -> None:
        """Replace the score of every link by ``reweight``, and combine the links of a URL again.

        Leased URLs too, as they may wait again; the candidate that was handed out stays as it is.
        """

    def is_closed(self, url: str) -> bool:
        """Is the URL leased, fetched or given up? (An expired lease shows at the next lease.)"""

    def waits(self, url: str) -> bool:
        """Is the URL queued, be it for a later time? False for one never seen."""

    def peek(self, most: int) -> list[Candidate]:
        """The best waiting candidates, best first, without leasing them."""

    def __len__(self) -> int:
        """Number of URLs that wait, those that wait for a retry included."""


class PoliteFrontier(Frontier, Protocol):
    """A frontier with politeness: when a host may be requested, how often, and how many pages.

    A host is busy while as many of its URLs are leased as requests may be in flight, and it
    rests after a response; ``lease``, ``take`` and ``draw`` skip hosts that are busy or rest.
    """

    def record_response(self, url: str, at: float) -> None:
        """Let the host of the leased ``url`` rest from ``at`` on, when its response is complete.

        The URL stays leased: its outcome is reported later, by ack, fail or redirect.
        """

    def slow_down(self, host: str, delay: float) -> None:
        """Keep this delay between two requests to the host; a shorter one changes nothing.

        From now on it gets one request at a time and rests after each response.
        """

    def rest(self, host: str, until: float) -> None:
        """Send the host no request before ``until``."""

    def put_back(self, url: str) -> None:
        """Queue the leased ``url`` again as if never leased: it was not requested."""


class Policy(Stateful, Protocol):
    """Chooses the next candidate."""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate; None when nothing can be leased now."""


@runtime_checkable
class SupportsFetchEvents(Protocol):
    """Optional hooks of a policy that waits for the candidates it chose."""

    def completed(self, url: str) -> None:
        """Note that the candidate of this URL is no longer in flight, with whatever outcome."""

    def redirected(self, url: str, target: str) -> None:
        """Note that the candidate of ``url`` redirected to ``target``, queued in its place."""


class Allowance(Protocol):
    """Page budget of a crawl."""

    @property
    def pages(self) -> int:
        """Number of pages, of all workers together."""

    def allows(self, spent: int) -> bool:
        """May a page be fetched when ``spent`` are fetched or in flight?"""

    def is_exhausted(self, spent: int) -> bool:
        """May no page be fetched ever again? Called when none is allowed now."""


class Judge(Protocol):
    """Measures the similarity of a page to the topic, apart from the strategy that steers."""

    threshold: float

    def similarity(self, document: Document) -> float:
        """Similarity in [0, 1]; 0 for an empty document."""

    def language(self, document: Document) -> str | None:
        """Language of a page that is not in the topic's; None where that is not known."""


class Journal(Protocol):
    """Log of the events of a crawl, in order."""

    def append(self, event: Event) -> None:
        """Write one event; it is on record when this returns."""


Clock = Callable[[], float]
"""Seconds since the epoch, or since anything: passed in, so that a replay repeats exactly."""
Labels = Mapping[str, str]
"""Canonical URL -> topic, by human judgement."""


# Statistics that the workers of one crawl share: counts of documents, sums over links, robots.txt
# files. Counts and sums add up: those of two workers together are the sum of both.

LinkSums = npt.NDArray[np.float64]
"""Sums over links, in an order of the part's own; empty where nothing was learned yet."""
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
        """Collect counts for :meth:`local_counts` from now on; again it has no effect."""

    def local_counts(self) -> TermCounts:
        """Counts of this worker since the last call."""

    def add_counts(self, tally: TermCounts) -> None:
        """Add the counts of other workers."""

    def total_counts(self) -> TermCounts:
        """All counts but those of the example pages and of the next :meth:`local_counts`."""

    def replace_counts(self, tally: TermCounts) -> None:
        """Replace :meth:`total_counts`; the example pages and the local counts stay."""


class RobotsFile(NamedTuple):
    """A site's response to ``/robots.txt``, and until when it is cached."""

    until: float
    status: int
    body: bytes


class RobotsCache(Protocol):
    """Robots.txt files that workers share."""

    def find(self, origin: str) -> RobotsFile | None:
        """A file that a worker has fetched lately; None where none has, or did not share it."""

    def keep(self, origin: str, file: RobotsFile) -> None:
        """Share a file with the other workers."""

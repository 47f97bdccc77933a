"""The small interfaces between the parts. Each says what an empty answer means."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scenthound.core.events import Event
from scenthound.core.model import (
    Candidate,
    Document,
    Link,
    Refusal,
    Score,
    Sighting,
    Visit,
)

StateValue = (
    None | bool | int | float | str | list["StateValue"] | dict[str, "StateValue"]
    | npt.NDArray[np.generic]
)  # fmt: skip
"""What a part may save: JSON values, with numpy arrays as leaves."""
State = dict[str, StateValue]


@runtime_checkable
class Stateful(Protocol):
    """A part that learns: what it has learnt is saved with the crawl and comes back."""

    def state(self) -> State:
        """All that was learnt so far; an empty state means there is nothing to save."""
        ...

    def restore(self, state: State) -> None:
        """Become the part that gave ``state``: from here on both answer alike."""
        ...


class Scorer(Stateful, Protocol):
    """What is a link worth?"""

    predicts: bool
    """Do the scores estimate the relevance of the target? (Breadth-first's do not.)"""

    def observe(self, visit: Visit) -> None:
        """Learn from a page just fetched; called once a page, before its links are scored.

        The visit tells what was known of the page before: what its links had scored, and why.
        """
        ...

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score | Refusal]:
        """One answer for each link of the page, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Revision:
    """A scorer weighs evidence in another way from now on.

    ``weights`` are the new ones by the names of the parts, learnt from so many ``links``.
    """

    weights: Mapping[str, float]
    links: int


@runtime_checkable
class Revising(Protocol):
    """A scorer that learns while it crawls how to weigh what it knows of a link."""

    def revise(self) -> Revision | None:
        """Take over what was learnt since; None where there is nothing new.

        Called after the links of a page were queued. Whoever calls it then has all that waits
        weighed anew, so that scores before and after can be compared.
        """
        ...

    def reweighed(self, score: Score) -> Score:
        """The same parts with the weights of now, and what they come to; none: the same score."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """A scorer with work to do before the first page is fetched, such as learning an ontology."""

    def prepare(self) -> None:
        """Do it. Not called for a crawl that goes on, to which its state was given back."""
        ...


class Admission(enum.Enum):
    """What became of a sighting offered to a frontier."""

    NEW = "new"
    RESCORED = "rescored"
    CLOSED = "closed"
    """The URL is being fetched, has been fetched or was given up: nothing changes."""
    SPENT = "spent"
    """The URL is new, but its host has had all the pages it may have: it is not kept."""


class Frontier(Protocol):
    """The URLs that wait, by score. A URL is handed out on a lease and comes back if it expires.

    Highest score first; equal scores first in, first out by first sighting. ``now`` is
    seconds on the crawl's clock and never runs backwards.
    """

    def add(self, sightings: Iterable[Sighting]) -> list[Admission]:
        """Insert URLs or add evidence to them; one admission for each sighting.

        A seed has a score of 1 until a link to it is seen; from then on links decide.
        """
        ...

    def lease(self, most: int, now: float) -> list[Candidate]:
        """Up to ``most`` best candidates, hidden until acked, failed or expired."""
        ...

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this very URL; None unless it waits and may be fetched now."""
        ...

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """One of the URLs that could be leased now, each as likely as another, left where it is.

        None when there is none.
        """
        ...

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease a URL drawn uniformly among those that wait; None when none does."""
        ...

    def ack(self, url: str) -> None:
        """The URL has been dealt with for good. A URL never seen before is closed too."""
        ...

    def fail(self, url: str, retry_at: float | None) -> None:
        """A leased URL failed: wait until ``retry_at``, or give it up (None)."""
        ...

    def redirect(self, url: str, target: str) -> Admission:
        """The leased ``url`` leads to ``target``: close the one, let the other wait in its place.

        NEW: ``target`` takes over score, parts, inlinks and depth; its ``redirects`` are those
        of ``url`` and ``url`` itself. RESCORED: it waits already; it gets the smaller depth,
        the better score of the two with its parts, and the best inlinks of both. CLOSED, SPENT: it
        is not to be fetched.
        """
        ...

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, ``now`` if one can; None when no URL waits."""
        ...

    def rescore(self, worth: Callable[[Candidate], Score]) -> None:
        """Give every URL that is not closed the score and parts that ``worth`` finds for it now.

        A leased one too: it may wait again. Who holds the lease keeps the candidate he has.
        """
        ...

    def reweigh(self, weigh: Callable[[Score], Score]) -> None:
        """Every link seen so far is worth what ``weigh`` makes of its score, and so combined anew.

        As :meth:`rescore` it reaches every URL that is not closed.
        """
        ...

    def is_closed(self, url: str) -> bool:
        """Is the URL leased, fetched or given up? (Expiry shows at the next lease.)"""
        ...

    def waits(self, url: str) -> bool:
        """Will the URL be handed out some time, though perhaps not now? Not one never seen."""
        ...

    def peek(self, most: int) -> list[Candidate]:
        """The best waiting candidates, best first, without leasing them."""
        ...

    def __len__(self) -> int:
        """How many URLs wait, those that wait for a retry included."""
        ...


class PoliteFrontier(Frontier, Protocol):
    """A frontier that knows hosts: who may be asked now, how often, and how many times in all.

    A host is busy while as many of its URLs are leased as it may be asked for at once, and it
    rests after an answer; ``lease``, ``take`` and ``draw`` pass over hosts that are busy or rest.
    """

    def answered(self, url: str, at: float) -> None:
        """The host's answer to the leased ``url`` is over: it rests from ``at`` on.

        The URL stays leased: what became of it is told later, by ack, fail or redirect.
        """
        ...

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay between two requests; a shorter one changes nothing.

        From now on it is asked for one URL at a time and rests after each answer.
        """
        ...

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        ...

    def put_back(self, url: str) -> None:
        """The leased ``url`` was never asked for: let it wait again as if never leased."""
        ...


class Policy(Stateful, Protocol):
    """Which candidate next?"""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate; None when nothing can be leased now."""
        ...


@runtime_checkable
class Attentive(Protocol):
    """A policy that waits for what it chose."""

    def answered(self, url: str) -> None:
        """What was leased under this URL is no longer under way, whatever came of it."""
        ...

    def redirected(self, url: str, target: str) -> None:
        """What was leased under ``url`` led to ``target``, which waits in its place."""
        ...


class LinkRules(Stateful, Protocol):
    """Which addresses a live crawl may follow: traps, session ids, private hosts."""

    def clean(self, url: str) -> str:
        """The canonical URL without what only names a visit; mostly the same one."""
        ...

    def refusal(self, url: str) -> str | None:
        """Why the URL is not to be followed; None where it may be, and is counted as one."""
        ...


class Allowance(Protocol):
    """How many pages a crawl may fetch."""

    @property
    def pages(self) -> int:
        """In all, by whichever worker."""
        ...

    def allows(self, spent: int) -> bool:
        """May a page be fetched where so many are, or are being fetched?"""
        ...

    def is_spent(self, spent: int) -> bool:
        """Is it for good that no page may be fetched? Asked where none is allowed now."""
        ...


class Judge(Protocol):
    """How similar is a page to the topic, judged apart from the strategy that steers?"""

    threshold: float

    def similarity(self, document: Document) -> float:
        """In [0, 1]; 0 for an empty document."""
        ...

    def language(self, document: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing tells so."""
        ...


class Journal(Protocol):
    """Where the events of a crawl go, in order."""

    def append(self, event: Event) -> None:
        """Write one event; it is on record when this returns."""
        ...


Clock = Callable[[], float]
"""Seconds since the epoch, or since anything: passed in, so that a replay repeats exactly."""
Labels = Mapping[str, str]
"""Canonical URL -> topic, by human judgement."""

"""The record of a crawl: running totals, and an event for whatever happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scenthound.core.events import (
    ControlEvent,
    DroppedEvent,
    Event,
    FailedEvent,
    MissingEvent,
    PageEvent,
    RedirectEvent,
    RefusedEvent,
    RevisedEvent,
    StoppedEvent,
)
from scenthound.core.model import Candidate, Visit
from scenthound.core.protocols import Admission, Clock, Journal, Judge, Revision
from scenthound.core.summary import EXAMPLES_KEPT, Drops, Summary


class Record:
    """Judges pages, counts them, and tells the journal.

    Parameters
    ----------
    journal : gets every event.
    clock : the time.
    judge : how similar a page is to the topic, for the record alone.
    predicts : do the strategy's scores estimate relevance?
    so_far : the totals of a crawl that goes on; None to begin.
    """

    def __init__(
        self, journal: Journal, clock: Clock, judge: Judge, predicts: bool, so_far: Summary | None
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._judge = judge
        self._predicts = predicts
        self.summary = so_far or Summary()
        self._missing_examples: list[str] = []
        self._missing_told = self.summary.missing

    def tell(self, event: Event) -> None:
        """Put an event on record."""
        self._journal.append(event)

    def control(self, what: str, budget: int) -> None:
        """Somebody came between."""
        self.tell(ControlEvent(self._clock(), what, budget))

    def missing(self, url: str) -> None:
        """The target of a link does not exist; told together with others, later."""
        self.summary = replace(self.summary, missing=self.summary.missing + 1)
        if len(self._missing_examples) < EXAMPLES_KEPT:
            self._missing_examples.append(url)

    def redirect(self, url: str, target: str, reason: str) -> None:
        """A candidate leads elsewhere."""
        self.tell(RedirectEvent(url, target, reason))

    def refused(self, url: str, reason: str) -> None:
        """A candidate is not to be fetched."""
        self.summary = replace(self.summary, refused=self.summary.refused + 1)
        self.tell(RefusedEvent(self._clock(), url, reason))

    def failed(self, candidate: Candidate, reason: str, retry_at: float | None) -> None:
        """A candidate did not answer."""
        if retry_at is None:
            self.summary = replace(self.summary, given_up=self.summary.given_up + 1)
        attempts = candidate.attempts + 1
        self.tell(FailedEvent(self._clock(), candidate.url, reason, attempts, retry_at))

    def dropped(self, count: int, reason: str) -> None:
        """URLs that waited were set aside."""
        if count:
            self.tell(DroppedEvent(count, reason))

    def revised(self, revision: Revision) -> None:
        """The strategy weighs evidence in another way from now on."""
        fetched = self.summary.fetched
        self.tell(RevisedEvent(self._clock(), fetched, revision.weights, revision.links))

    def page(
        self,
        visit: Visit,
        admissions: Sequence[Admission],
        repeated: int,
        drops: Drops,
        waiting: int,
    ) -> PageEvent:
        """A page was fetched and its links were offered to the frontier."""
        candidate, page = visit.candidate, visit.page
        priority = self._predicted(candidate)
        similarity = self._judge.similarity(page.document) if page.ok else 0.0
        kept = page.ok and page.index and page.copy_of is None
        relevant = bool(kept and similarity >= self._judge.threshold)
        counted = self.summary.after_page(
            ok=page.ok,
            similarity=similarity,
            relevant=relevant,
            priority=priority,
            copy=page.copy_of is not None,
        )
        self.summary = replace(counted, waiting=waiting)
        event = PageEvent(
            n=self.summary.fetched,
            at=page.fetched_at,
            url=page.url,
            status=page.status,
            title=page.document.title,
            depth=candidate.depth,
            priority=priority,
            parts=candidate.score.parts,
            inlinks=candidate.inlinks,
            linked_from=candidate.linked_from,
            similarity=similarity,
            relevant=relevant,
            links=len(page.links),
            new=admissions.count(Admission.NEW),
            rescored=admissions.count(Admission.RESCORED),
            closed=admissions.count(Admission.CLOSED),
            repeated=repeated,
            drops=drops,
            redirects=page.redirects,
            summary=self.summary,
            problem=page.problem,
            copy_of=page.copy_of,
            language=self._judge.language(page.document) if page.ok else None,
            rendered=page.rendered,
            chosen=candidate.chosen,
        )
        self._tell_missing()
        self.tell(event)
        return event

    def stopped(self, reason: str, waiting: int) -> None:
        """The crawl is over."""
        self._tell_missing()
        self.summary = replace(self.summary, waiting=waiting)
        self.tell(StoppedEvent(self._clock(), reason, self.summary))

    def _predicted(self, candidate: Candidate) -> float | None:
        return None if candidate.is_seed or not self._predicts else candidate.score.value

    def _tell_missing(self) -> None:
        count = self.summary.missing - self._missing_told
        if count:
            self.tell(MissingEvent(count, tuple(self._missing_examples)))
            self._missing_told = self.summary.missing
            self._missing_examples.clear()

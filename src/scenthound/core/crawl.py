"""The crawl itself: it is fed pages and answers with candidates. No I/O, no sleep, no engine.

An engine asks :meth:`Crawl.next` for a candidate, fetches it in its own way, and reports back
with exactly one of :meth:`~Crawl.observe`, :meth:`~Crawl.missing`, :meth:`~Crawl.turned_away`.
The same object runs under replay, under Scrapy and under many workers.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scenthound.core.events import (
    EXAMPLES_KEPT,
    Drops,
    MissingEvent,
    PageEvent,
    RedirectEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
)
from scenthound.core.model import (
    Budget,
    Candidate,
    Inlink,
    Link,
    Page,
    Refusal,
    Sighting,
    Visit,
)
from scenthound.core.protocols import (
    Admission,
    Clock,
    Frontier,
    Journal,
    Judge,
)
from scenthound.core.scope import DropCount, Scope
from scenthound.core.strategy import Strategy

BUDGET_SPENT = "budget spent"
FRONTIER_EMPTY = "frontier empty"
NOT_A_NUMBER = "score is no number"


class Crawl:
    """Decides what to fetch next and learns from what was fetched.

    Parameters
    ----------
    topic : name of the topic, for the record.
    strategy : how links are scored and chosen.
    frontier : where they wait.
    budget : how many pages may be fetched.
    seeds : canonical URLs to start from; they are fetched first, in order.
    judge : says how similar a page is to the topic. Its answer goes on record only.
    journal : gets every event.
    clock : the time, in seconds.
    exclude : URL patterns that are never followed.
    count_missing : charge the budget for targets that do not exist.
    """

    def __init__(
        self,
        *,
        topic: str,
        strategy: Strategy,
        frontier: Frontier,
        budget: Budget,
        seeds: Iterable[str],
        judge: Judge,
        journal: Journal,
        clock: Clock,
        exclude: Sequence[str] = (),
        count_missing: bool = False,
    ) -> None:
        self._strategy = strategy
        self._frontier = frontier
        self._budget = budget
        self._judge = judge
        self._journal = journal
        self._clock = clock
        self._scope = Scope(exclude)
        self._count_missing = count_missing
        self._missing_examples: list[str] = []
        self._missing_told = 0
        self._leased: dict[str, Candidate] = {}
        self._summary = Summary()
        self.stop_reason: str | None = None
        self._seeds = deque(dict.fromkeys(seeds))
        frontier.add([Sighting(url, 0) for url in self._seeds])
        journal.append(
            StartedEvent(
                clock(), topic, strategy.name, budget.pages, tuple(self._seeds), judge.threshold
            )
        )

    @property
    def summary(self) -> Summary:
        """Running totals."""
        return self._summary

    @property
    def spent(self) -> int:
        """How much of the budget is gone, pages being fetched included."""
        missing = self._summary.missing if self._count_missing else 0
        return self._summary.fetched + missing + len(self._leased)

    def is_leased(self, url: str) -> bool:
        """Has :meth:`next` handed out this URL, with no answer so far?"""
        return url in self._leased

    def next(self) -> Candidate | None:
        """The next candidate to fetch. None: nothing now; ``stop_reason`` says if for good."""
        if self.stop_reason is not None:
            return None
        if self.spent >= self._budget.pages:
            if not self._leased:
                self._stop(BUDGET_SPENT)
            return None
        candidate = self._choose(self._clock())
        if candidate is not None:
            self._leased[candidate.url] = candidate
        elif not self._leased and not len(self._frontier):
            self._stop(FRONTIER_EMPTY)
        return candidate

    def observe(self, url: str, page: Page) -> PageEvent:
        """The candidate ``url`` gave ``page`` (at another address, where it redirected)."""
        visit = Visit(self._answered(url), page)
        self._frontier.ack(url)
        for address in (*page.redirects, page.url):
            self._frontier.ack(address)
        number = self._summary.fetched + 1
        if page.ok:
            self._strategy.scorer.observe(page)
        drops = DropCount(dict(page.unusable))
        links = self._scope.follow(page, drops) if page.ok else []
        sightings = self._sightings(visit, links, number, drops)
        repeated = len(links) - len({link.url for link in links})
        admissions = self._frontier.add(sightings)
        event = self._page_event(visit, number, admissions, repeated, drops.total())
        self._tell_missing()
        self._journal.append(event)
        return event

    def missing(self, url: str) -> None:
        """The candidate's target does not exist in the archive."""
        self._answered(url)
        self._frontier.ack(url)
        self._summary = replace(self._summary, missing=self._summary.missing + 1)
        if len(self._missing_examples) < EXAMPLES_KEPT:
            self._missing_examples.append(url)

    def turned_away(self, url: str, target: str, reason: str = "fetched before") -> None:
        """The candidate redirects to ``target``, which is not to be fetched: the reason why."""
        self._answered(url)
        self._frontier.ack(url)
        self._journal.append(RedirectEvent(url, target, reason))

    def is_excluded(self, url: str) -> bool:
        """Is the URL out of scope, however one comes to it?"""
        return self._scope.excludes(url)

    def is_fetched(self, url: str) -> bool:
        """Has the URL been leased, fetched or given up?"""
        return self._frontier.is_closed(url)

    def stop(self, reason: str) -> None:
        """End the crawl for a reason of the engine's; the first reason stays."""
        if self.stop_reason is None:
            self._stop(reason)

    def _choose(self, now: float) -> Candidate | None:
        while self._seeds:
            candidate = self._frontier.take(self._seeds.popleft(), now)
            if candidate is not None:
                return candidate
        return self._strategy.policy.choose(self._frontier, now)

    def _answered(self, url: str) -> Candidate:
        try:
            return self._leased.pop(url)
        except KeyError:
            raise ValueError(f"{url} was not leased, or has been answered already") from None

    def _sightings(
        self, visit: Visit, links: Sequence[Link], number: int, drops: DropCount
    ) -> list[Sighting]:
        """The links of a page that are queued, each target once with its best score."""
        best: dict[str, Inlink] = {}
        for link, score in zip(links, self._strategy.scorer.score(visit, links), strict=True):
            if isinstance(score, Refusal):
                drops.add(score.reason, link.url)
            elif not math.isfinite(score.value):
                drops.add(NOT_A_NUMBER, link.url)
            elif link.url not in best or score.value > best[link.url].score.value:
                best[link.url] = Inlink(number, score, link.anchor)
        depth = visit.candidate.depth + 1
        return [Sighting(url, depth, inlink) for url, inlink in best.items()]

    def _page_event(
        self, visit: Visit, number: int, admissions: list[Admission], repeated: int, drops: Drops
    ) -> PageEvent:
        candidate, page = visit.candidate, visit.page
        priority = self._predicted(candidate)
        similarity = self._judge.similarity(page.document) if page.ok else 0.0
        relevant = bool(page.ok and similarity >= self._judge.threshold)
        self._summary = replace(
            self._summary.after_page(
                ok=page.ok, similarity=similarity, relevant=relevant, priority=priority
            ),
            waiting=len(self._frontier),
        )
        return PageEvent(
            n=number,
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
            summary=self._summary,
            problem=page.problem,
        )

    def _predicted(self, candidate: Candidate) -> float | None:
        if candidate.is_seed or not self._strategy.scorer.predicts:
            return None
        return candidate.score.value

    def _tell_missing(self) -> None:
        count = self._summary.missing - self._missing_told
        if count:
            self._journal.append(MissingEvent(count, tuple(self._missing_examples)))
            self._missing_told = self._summary.missing
            self._missing_examples.clear()

    def _stop(self, reason: str) -> None:
        self._tell_missing()
        self.stop_reason = reason
        self._summary = replace(self._summary, waiting=len(self._frontier))
        self._journal.append(StoppedEvent(self._clock(), reason, self._summary))

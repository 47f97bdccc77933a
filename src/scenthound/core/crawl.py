"""The crawl itself: it is fed pages and answers with candidates. No I/O, no sleep, no engine.

An engine asks :meth:`Crawl.next` for a candidate, fetches it in its own way, and reports back
with exactly one of :meth:`~Crawl.observe`, :meth:`~Crawl.missing`, :meth:`~Crawl.turned_away`,
:meth:`~Crawl.redirected`, :meth:`~Crawl.refused`, :meth:`~Crawl.failed`, :meth:`~Crawl.forget`.
The same object runs under replay, under Scrapy and under many workers.
"""

from __future__ import annotations

from collections.abc import Iterable

from scenthound.core.events import PageEvent, StartedEvent
from scenthound.core.model import (
    Candidate,
    Link,
    Page,
    Sighting,
    Visit,
)
from scenthound.core.protocols import (
    Admission,
    Allowance,
    Attentive,
    Clock,
    Frontier,
    Journal,
    Judge,
    Preparing,
    Revising,
)
from scenthound.core.record import Record
from scenthound.core.scope import DropCount, Scope
from scenthound.core.seed_line import SeedLine
from scenthound.core.sightings import best_sightings
from scenthound.core.strategy import Strategy
from scenthound.core.summary import Summary
from scenthound.core.urls import host_of
from scenthound.core.ways_read import ways_read

BUDGET_SPENT = "budget spent"
FRONTIER_EMPTY = "frontier empty"
HOST_SPENT = "host budget"
ENDLESS_REDIRECTS = "redirects without end"
FOLLOWED = "followed"
TOO_FAR = "too far from the seeds"
MOST_REDIRECTS = 10


class Crawl:
    """Decides what to fetch next and learns from what was fetched.

    Parameters
    ----------
    topic : name of the topic, for the record.
    strategy : how links are scored and chosen.
    frontier : where they wait.
    budget : how many pages may be fetched; workers of one crawl share it.
    seeds : canonical URLs to start from; they are fetched first, in order.
    judge : says how similar a page is to the topic. Its answer goes on record only.
    journal : gets every event.
    clock : the time, in seconds.
    scope : which links may be followed; by default all.
    count_missing : charge the budget for targets that do not exist.
    max_depth : links of a page that is so many links from a seed are not followed.
    so_far : the totals of a crawl that goes on; its frontier is as it was left. None to begin.
    revises : does the strategy learn how to weigh links, and has all that waits weighed anew? Of
        several workers one does so for all; it may change while the crawl goes on.
    """

    def __init__(
        self,
        *,
        topic: str,
        strategy: Strategy,
        frontier: Frontier,
        budget: Allowance,
        seeds: Iterable[str],
        judge: Judge,
        journal: Journal,
        clock: Clock,
        scope: Scope | None = None,
        count_missing: bool = False,
        max_depth: int | None = None,
        so_far: Summary | None = None,
        revises: bool = True,
    ) -> None:
        self._strategy = strategy
        self._frontier = frontier
        self._budget = budget
        self._clock = clock
        self._record = Record(journal, clock, judge, strategy.scorer.predicts, so_far)
        scorer = strategy.scorer
        self._revising = scorer if isinstance(scorer, Revising) else None
        policy = strategy.policy
        self._attentive = policy if isinstance(policy, Attentive) else None
        self._scope = scope or Scope()
        self._count_missing = count_missing
        self._max_depth = max_depth
        self._leased: dict[str, Candidate] = {}
        self.stop_reason: str | None = None
        self.revises = revises
        self._seeds = SeedLine(seeds)
        if so_far is not None:
            self._seeds.drop_closed(frontier)
            self._record.control("resumed", budget.pages)
            self._reweigh()  # what was learnt again may differ a little from what was known then
            return
        if isinstance(scorer, Preparing):
            scorer.prepare()
        frontier.add([Sighting(url, 0) for url in self._seeds.urls])
        started = StartedEvent(
            clock(), topic, strategy.name, budget.pages, self._seeds.urls, judge.threshold,
            ways_read(scorer),
        )  # fmt: skip
        self._record.tell(started)

    @property
    def summary(self) -> Summary:
        """Running totals."""
        return self._record.summary

    @property
    def spent(self) -> int:
        """How much of the budget is gone, pages being fetched included."""
        missing = self.summary.missing if self._count_missing else 0
        return self.summary.fetched + missing + len(self._leased)

    @property
    def under_way(self) -> int:
        """How many candidates are handed out, with no answer so far."""
        return len(self._leased)

    def adopt(self, candidate: Candidate) -> None:
        """Take over a candidate that was leased from the frontier before the crawl began."""
        self._leased[candidate.url] = candidate

    def is_leased(self, url: str) -> bool:
        """Has :meth:`next` handed out this URL, with no answer so far?"""
        return url in self._leased

    def candidate(self, url: str) -> Candidate | None:
        """The candidate that :meth:`next` handed out under this URL, with no answer so far."""
        return self._leased.get(url)

    def next(self) -> Candidate | None:
        """The next candidate to fetch. None: nothing now; ``stop_reason`` says if for good."""
        if self.stop_reason is not None:
            return None
        if not self._budget.allows(self.spent):
            if not self._leased and self._budget.is_spent(self.spent):
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
        for address in dict.fromkeys((url, *page.redirects, page.url, *own_name(page))):
            if address not in self._leased:  # what is being asked for is not over yet
                self._frontier.ack(address)
        if page.ok and page.copy_of is None:
            self._strategy.observe(visit)
        drops = DropCount(dict(page.unusable))
        links = self._followed(visit, drops)
        scores = self._strategy.score(visit, links)
        number, depth = self.summary.fetched + 1, visit.candidate.depth + 1
        sightings = best_sightings(links, scores, number, depth, drops)
        repeated = len(links) - len({link.url for link in links})
        admissions = self._admit(sightings, drops)
        waiting = len(self._frontier)
        event = self._record.page(visit, admissions, repeated, drops.total(), waiting)
        self._revise()
        return event

    def missing(self, url: str) -> None:
        """The candidate's target does not exist in the archive."""
        self._answered(url)
        self._frontier.ack(url)
        self._record.missing(url)

    def turned_away(self, url: str, target: str, reason: str = "fetched before") -> None:
        """The candidate redirects to ``target``, which is not to be fetched: the reason why."""
        self._answered(url)
        self._frontier.ack(url)
        self._record.redirect(url, target, reason)

    def redirected(self, url: str, target: str) -> str:
        """The candidate redirects to ``target``, which waits in its place unless a reason forbids.

        Returns the reason on record: ``followed`` where the target waits now.
        """
        candidate = self._answered(url)
        target = self._scope.clean(target)
        reason = self._forbidden(candidate, target)
        if reason is None:
            reason = _REDIRECTED[self._frontier.redirect(url, target)]
        else:
            self._frontier.ack(url)
        if reason == FOLLOWED and self._attentive is not None:
            self._attentive.redirected(url, target)
        if reason == FOLLOWED and candidate.is_seed:
            self._seeds.put_first(target)
        self._record.redirect(url, target, reason)
        return reason

    def refused(self, url: str, reason: str) -> None:
        """The candidate is not to be fetched, or gave no page to keep."""
        self._answered(url)
        self._frontier.ack(url)
        self._record.refused(url, reason)

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """The candidate did not answer; it waits until ``retry_at``, or is given up (None)."""
        candidate = self._answered(url)
        self._frontier.fail(url, retry_at)
        self._record.failed(candidate, reason, retry_at)

    def forget(self, url: str) -> None:
        """The candidate was never asked for: the engine lets it wait again by itself."""
        self._answered(url)

    def out_of_bounds(self, url: str) -> str | None:
        """Why the URL is out of bounds, however one comes to it; None where it is not."""
        breach = self._scope.breach(url)
        return None if breach is None else breach.reason

    def is_fetched(self, url: str) -> bool:
        """Has the URL been leased, fetched or given up?"""
        return self._frontier.is_closed(url)

    def control(self, what: str) -> None:
        """Somebody came between: ``paused``, ``unpaused``."""
        self._record.control(what, self._budget.pages)

    def dropped(self, count: int, reason: str) -> None:
        """URLs that waited in the frontier were set aside together."""
        self._record.dropped(count, reason)

    def stop(self, reason: str) -> None:
        """End the crawl for a reason of the engine's; the first reason stays."""
        if self.stop_reason is None:
            self._stop(reason)

    def _revise(self) -> None:
        """Value all that waits anew, if the strategy has learnt to."""
        revision = self._revising.revise() if self.revises and self._revising else None
        if revision is not None:
            self._reweigh()
            self._record.revised(revision)

    def _reweigh(self) -> None:
        if self.revises and self._revising is not None:
            self._frontier.reweigh(self._revising.reweighed)

    def _choose(self, now: float) -> Candidate | None:
        seed = self._seeds.take(self._frontier, now)
        return seed or self._strategy.choose(self._frontier, now)

    def _followed(self, visit: Visit, drops: DropCount) -> list[Link]:
        """The links of a page that may be followed, not beyond the last depth."""
        if not visit.page.ok:
            return []
        links = self._scope.follow(visit.page, drops)
        if self._max_depth is None or visit.candidate.depth < self._max_depth:
            return links
        for link in links:
            drops.add(TOO_FAR, link.url)
        return []

    def _forbidden(self, candidate: Candidate, target: str) -> str | None:
        """Why a redirect of the candidate is not followed."""
        way = (*candidate.redirects, candidate.url)
        if target in way or len(way) > MOST_REDIRECTS:
            return ENDLESS_REDIRECTS
        return self._scope.redirect_refusal(candidate.url, target, candidate.is_seed)

    def _admit(self, sightings: list[Sighting], drops: DropCount) -> list[Admission]:
        admissions = self._frontier.add(sightings)
        for sighting, admission in zip(sightings, admissions, strict=True):
            if admission is Admission.SPENT:
                drops.add(HOST_SPENT, sighting.url)
        return admissions

    def _answered(self, url: str) -> Candidate:
        try:
            candidate = self._leased.pop(url)
        except KeyError:
            raise ValueError(f"{url} was not leased, or has been answered already") from None
        if self._attentive is not None:
            self._attentive.answered(url)
        return candidate

    def _stop(self, reason: str) -> None:
        self.stop_reason = reason
        self._record.stopped(reason, len(self._frontier))


def own_name(page: Page) -> tuple[str, ...]:
    """The address a page calls its own, closed with it: on its host, and no front page.

    A front page named by every page of a site is a mistake of the site's, seen often.
    """
    name = page.canonical
    if name is None or host_of(name) != host_of(page.url) or name.endswith(f"{host_of(name)}/"):
        return ()
    return (name,)


_REDIRECTED = {
    Admission.NEW: FOLLOWED,
    Admission.RESCORED: FOLLOWED,
    Admission.CLOSED: "fetched before",
    Admission.SPENT: HOST_SPENT,
}

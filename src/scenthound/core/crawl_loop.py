"""The crawl loop: it takes fetched pages and returns the next candidates. No I/O, no sleep.

An engine requests a candidate from :meth:`CrawlLoop.next`, fetches it in its own way, and reports
the outcome with exactly one of :meth:`~CrawlLoop.observe`, :meth:`~CrawlLoop.missing`,
:meth:`~CrawlLoop.redirected`, :meth:`~CrawlLoop.redirect_rejected`, :meth:`~CrawlLoop.rejected`,
:meth:`~CrawlLoop.failed`, :meth:`~CrawlLoop.release`. Replays, live crawls and the workers of a
shared crawl use the same class.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from scenthound.core.errors import ScenthoundError, StrategyError, describe_error, is_third_party
from scenthound.core.events import (
    MAX_EXAMPLES,
    ControlEvent,
    DroppedEvent,
    DroppedLinks,
    FailedEvent,
    MissingEvent,
    PageEvent,
    RedirectEvent,
    RejectedEvent,
    RevisedEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
    text_representations,
)
from scenthound.core.model import (
    Candidate,
    FetchedPage,
    Inlink,
    Link,
    Page,
    Rejection,
    Score,
    ScoredLink,
)
from scenthound.core.protocols import (
    Admission,
    Allowance,
    Clock,
    Frontier,
    Journal,
    Judge,
    Policy,
    Scorer,
    State,
    SupportsFetchEvents,
    SupportsPrepare,
    SupportsRevision,
)
from scenthound.core.scope import DropCount, Scope
from scenthound.core.urls import host_of

BUDGET_EXHAUSTED = "budget spent"
FRONTIER_EMPTY = "frontier empty"
HOST_BUDGET_EXHAUSTED = "host budget"
ENDLESS_REDIRECTS = "redirects without end"
FOLLOWED = "followed"
TOO_FAR = "too far from the seeds"
MAX_REDIRECTS = 10
_MAX_SEEDS_TRIED = 20
"""Seeds of resting hosts are skipped, but not thousands of them at every call."""
_REDIRECTED = {
    Admission.NEW: FOLLOWED,
    Admission.RESCORED: FOLLOWED,
    Admission.CLOSED: "fetched before",
    Admission.EXHAUSTED: HOST_BUDGET_EXHAUSTED,
}


def state_error(state: object) -> str | None:
    """Why a state cannot be written, as the rest of a sentence; None where it can."""
    if not isinstance(state, dict):
        return f"gives a value of type {type(state).__name__} as its state, not a dict"
    waiting: list[object] = [state]
    while waiting:
        match waiting.pop():
            case dict() as table if not all(isinstance(key, str) for key in table):
                return "has a state with a key that is not a string"
            case dict() as table:
                waiting += table.values()
            case list() as values:
                waiting += values
            case np.ndarray() as array if array.dtype.hasobject:
                return "has an array of Python objects in its state"
            case bool() | int() | float() | str() | None | np.ndarray():
                pass
            case other:
                kind = type(other).__name__
                return f"has a {kind} in its state, which holds JSON values and arrays"
    return None


@contextmanager
def strategy_errors(strategy: str, part: object, doing: str) -> Iterator[None]:
    """Raise errors of a third-party scorer or policy as a StrategyError; others stay."""
    try:
        yield
    except (ScenthoundError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # sys.exit() too: it would end the program without a word
        if not is_third_party(part):
            raise
        raise StrategyError(strategy, f"failed in {doing}: {describe_error(error)}") from error


@dataclass(frozen=True)
class Strategy:
    """A named crawler: a scorer and a policy. Its frontier combines the inlinks.

    Either may be third-party code, so a crawl calls them here: an error, or a result of the wrong
    type, is a :class:`~scenthound.core.errors.StrategyError` that names the strategy.
    """

    name: str
    scorer: Scorer
    policy: Policy

    def observe(self, page: FetchedPage) -> None:
        """Let the scorer learn from a page."""
        with strategy_errors(self.name, self.scorer, "observe()"):
            self.scorer.observe(page)

    def score(self, page: FetchedPage, links: Sequence[Link]) -> Sequence[Score | Rejection]:
        """A score or a refusal for each link of a page, in order."""
        with strategy_errors(self.name, self.scorer, "score()"):
            scores = self.scorer.score(page, links)
            self._check(scores, len(links))
        return scores

    def _check(self, scores: Sequence[object], links: int) -> None:
        if len(scores) != links:
            raise StrategyError(self.name, f"returned {len(scores)} scores for {links} links")
        for each in scores:
            if not isinstance(each, Score | Rejection):
                kind = type(each).__name__
                raise StrategyError(
                    self.name, f"returned {kind} for a link, not Score or Rejection"
                )

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """The next candidate, leased; None when nothing can be leased now."""
        with strategy_errors(self.name, self.policy, "choose()"):
            return self.policy.choose(frontier, now)

    def state(self) -> State:
        """State of scorer and policy."""
        with strategy_errors(self.name, self.scorer, "state()"):
            scorer = self._written(self.scorer)
        with strategy_errors(self.name, self.policy, "state()"):
            return {"scorer": scorer, "policy": self._written(self.policy)}

    def _written(self, part: Scorer | Policy) -> State:
        """The state of a part; StrategyError where a third-party one cannot be written."""
        state = part.state()
        fault = state_error(state) if is_third_party(part) else None
        if fault is not None:
            raise StrategyError(self.name, f"failed in state(): it {fault}")
        return state

    def restore(self, state: State) -> None:
        """Continue from what :meth:`state` returned."""
        with strategy_errors(self.name, self.scorer, "restore()"):
            self.scorer.restore(state["scorer"])
        with strategy_errors(self.name, self.policy, "restore()"):
            self.policy.restore(state["policy"])


class Stateless:
    """A scorer or policy that learns nothing."""

    def state(self) -> State:
        """Return an empty state."""
        return {}

    def restore(self, state: State) -> None:
        """Restore nothing."""


class Greedy(Stateless):
    """The highest score; among equals the one found first."""

    def __init__(self, rng: random.Random, scorer: Scorer | None = None) -> None:
        del rng, scorer  # nothing is left to chance

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the best candidate."""
        leased = frontier.lease(1, now)
        return leased[0] if leased else None


NOT_A_NUMBER = "score is no number"


def best_scored_links(
    links: Sequence[Link],
    scores: Sequence[Score | Rejection],
    number: int,
    depth: int,
    drops: DropCount,
) -> list[ScoredLink]:
    """The links that are queued, each target once with its best score.

    Parameters
    ----------
    links, scores : of a page, one for one.
    number : of the page, in order of fetching.
    depth : of the targets.
    drops : gets what is not queued, with the reason.
    """
    best: dict[str, Inlink] = {}
    for link, score in zip(links, scores, strict=True):
        if isinstance(score, Rejection):
            drops.add(score.reason, link.url)
        elif not math.isfinite(score.value):
            drops.add(NOT_A_NUMBER, link.url)
        elif link.url not in best or score.value > best[link.url].score.value:
            best[link.url] = Inlink(number, score, link.anchor)
    return [ScoredLink(url, depth, inlink) for url, inlink in best.items()]


def check_any_scored(strategy: str, dropped: Mapping[str, int], scored: int) -> None:
    """StrategyError where links were scored and no score was a number.

    ``dropped`` are links of the whole crawl that were not queued, by reason.
    """
    unscored = dropped.get(NOT_A_NUMBER, 0)
    if unscored and not scored:
        raise StrategyError(strategy, f"returned {unscored:,} scores, and none is a number")


class CrawlLoop:
    """Decides what to fetch next and learns from what was fetched.

    Parameters
    ----------
    topic : name of the topic, for the journal.
    strategy : how links are scored and chosen.
    frontier : queue of candidates.
    budget : how many pages may be fetched; workers of one crawl share it.
    seeds : canonical URLs to start from; they are fetched first, in order.
    judge : says how similar a page is to the topic. The similarity goes to the journal only.
    journal : gets every event.
    clock : the time, in seconds.
    scope : which links may be followed; by default all.
    count_missing : charge the budget for targets that do not exist.
    max_depth : links of a page that is so many links from a seed are not followed.
    so_far : the totals of a crawl that is resumed; its frontier is as it was left. None to begin.
    revises : may the strategy change its weights, and have the frontier rescored? Of several
        workers one does so for all; it may change during the crawl.
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
        scorer, policy = strategy.scorer, strategy.policy
        self._strategy = strategy
        self._frontier = frontier
        self._budget = budget
        self._clock = clock
        self._journal = journal
        self._judge = judge
        self.summary = so_far or Summary()
        """Running totals."""
        self._missing_examples: list[str] = []
        self._missing_written = self.summary.missing
        self._reviser = scorer if isinstance(scorer, SupportsRevision) else None
        self._listener = policy if isinstance(policy, SupportsFetchEvents) else None
        self._scope = scope or Scope()
        self._count_missing = count_missing
        self._max_depth = max_depth
        self._leased: dict[str, Candidate] = {}
        self._seeds = deque(dict.fromkeys(seeds))
        self.stop_reason: str | None = None
        self.revises = revises
        if so_far is not None:
            self._seeds = deque(url for url in self._seeds if not frontier.is_closed(url))
            self.control("resumed")
            self._reweight()  # weights that are learned again may differ a little from those before
            return
        if isinstance(scorer, SupportsPrepare):
            scorer.prepare()
        frontier.add([ScoredLink(url, 0) for url in self._seeds])
        begin = clock(), topic, strategy.name, budget.pages, tuple(self._seeds), judge.threshold
        journal.append(StartedEvent(*begin, text_representations(scorer)))

    @property
    def budget_used(self) -> int:
        """How much of the budget is used, pages being fetched included."""
        missing = self.summary.missing if self._count_missing else 0
        return self.summary.fetched + missing + len(self._leased)

    def adopt(self, candidate: Candidate) -> None:
        """Take over a candidate that was leased from the frontier before the crawl began."""
        self._leased[candidate.url] = candidate

    def candidate(self, url: str) -> Candidate | None:
        """The candidate in flight under this URL."""
        return self._leased.get(url)

    def next(self) -> Candidate | None:
        """The next candidate to fetch. None: nothing now; ``stop_reason`` says if for good."""
        if self.stop_reason is not None:
            return None
        if not self._budget.allows(self.budget_used):
            if not self._leased and self._budget.is_exhausted(self.budget_used):
                self.stop(BUDGET_EXHAUSTED)
            return None
        now = self._clock()
        candidate = self._next_seed(now) or self._strategy.choose(self._frontier, now)
        if candidate is not None:
            self._leased[candidate.url] = candidate
        elif not self._leased and not len(self._frontier):
            self.stop(FRONTIER_EMPTY)
        return candidate

    def observe(self, url: str, page: Page) -> PageEvent:
        """The candidate ``url`` was fetched as ``page`` (of another URL, where it redirected)."""
        fetched = FetchedPage(self._released(url), page)
        for address in dict.fromkeys((url, *page.redirects, page.url, *_canonical_on_host(page))):
            if address not in self._leased:  # a request in flight has an outcome of its own
                self._frontier.ack(address)
        if page.ok and page.copy_of is None:
            self._strategy.observe(fetched)
        drops = DropCount(dict(page.unusable))
        links = self._followed(fetched, drops)
        scores = self._strategy.score(fetched, links)
        number, depth = self.summary.fetched + 1, fetched.candidate.depth + 1
        scored_links = best_scored_links(links, scores, number, depth, drops)
        repeated = len(links) - len({link.url for link in links})
        admissions = self._frontier.add(scored_links)
        for scored_link, admission in zip(scored_links, admissions, strict=True):
            if admission is Admission.EXHAUSTED:
                drops.add(HOST_BUDGET_EXHAUSTED, scored_link.url)
        event = self._record(fetched, admissions, repeated, drops.total())
        revision = self._reviser.revise() if self.revises and self._reviser else None
        if revision is not None:
            self._reweight()
            learned = revision.weights, revision.links
            self._journal.append(RevisedEvent(self._clock(), self.summary.fetched, *learned))
        return event

    def missing(self, url: str) -> None:
        """The candidate's target does not exist; written together with others, later."""
        self._close(url)
        self._count(missing=1)
        if len(self._missing_examples) < MAX_EXAMPLES:
            self._missing_examples.append(url)

    def redirect_rejected(self, url: str, target: str, reason: str = "fetched before") -> None:
        """The candidate redirects to ``target``, which is not to be fetched: the reason why."""
        self._close(url)
        self._journal.append(RedirectEvent(url, target, reason))

    def redirected(self, url: str, target: str) -> str:
        """The candidate redirects to ``target``, which is queued unless a rule forbids it.

        Returns the reason in the journal: ``followed`` where the target is queued.
        """
        candidate = self._released(url)
        target = self._scope.clean(target)
        reason = self._redirect_rejection(candidate, target)
        if reason is None:
            reason = _REDIRECTED[self._frontier.redirect(url, target)]
        else:
            self._frontier.ack(url)
        if reason == FOLLOWED and self._listener is not None:
            self._listener.redirected(url, target)
        if reason == FOLLOWED and candidate.is_seed:
            self._seeds.appendleft(target)
        self._journal.append(RedirectEvent(url, target, reason))
        return reason

    def rejected(self, url: str, reason: str) -> None:
        """The candidate is not to be fetched, or gave no page to keep."""
        self._close(url)
        self._count(refused=1)
        self._journal.append(RejectedEvent(self._clock(), url, reason))

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """The request of the candidate failed; retry at ``retry_at``, or give it up (None)."""
        attempts = self._released(url).attempts + 1
        self._frontier.fail(url, retry_at)
        if retry_at is None:
            self._count(given_up=1)
        self._journal.append(FailedEvent(self._clock(), url, reason, attempts, retry_at))

    def release(self, url: str) -> None:
        """The candidate was not requested: the engine puts it back into the frontier itself."""
        self._released(url)

    def out_of_bounds(self, url: str) -> str | None:
        """Why the URL is out of scope, wherever it was found; None where it is in scope."""
        violation = self._scope.violation(url)
        return None if violation is None else violation.reason

    def is_fetched(self, url: str) -> bool:
        """Has the URL been leased, fetched or given up?"""
        return self._frontier.is_closed(url)

    def control(self, what: str) -> None:
        """A user or a restart intervened: ``paused``, ``unpaused``, ``resumed``."""
        self._journal.append(ControlEvent(self._clock(), what, self._budget.pages))

    def dropped(self, count: int, reason: str) -> None:
        """URLs were removed from the frontier together."""
        if count:
            self._journal.append(DroppedEvent(count, reason))

    def stop(self, reason: str) -> None:
        """End the crawl; the first reason stays."""
        if self.stop_reason is None:
            self.stop_reason = reason
            self._flush_missing()
            self.summary = replace(self.summary, waiting=len(self._frontier))
            self._journal.append(StoppedEvent(self._clock(), reason, self.summary))

    def _reweight(self) -> None:
        if self.revises and self._reviser is not None:
            self._frontier.reweight(self._reviser.reweighed)

    def _next_seed(self, now: float) -> Candidate | None:
        """Lease the first seed that may be fetched now; seeds of resting hosts stay queued."""
        resting: list[str] = []
        candidate = None
        while self._seeds and candidate is None and len(resting) < _MAX_SEEDS_TRIED:
            url = self._seeds.popleft()
            candidate = self._frontier.take(url, now)
            if candidate is None and not self._frontier.is_closed(url):
                resting.append(url)
        self._seeds.extendleft(reversed(resting))
        return candidate

    def _followed(self, fetched: FetchedPage, drops: DropCount) -> list[Link]:
        """Links of a page that may be followed; none beyond the maximum depth."""
        if not fetched.page.ok:
            return []
        links = self._scope.follow(fetched.page, drops)
        if self._max_depth is None or fetched.candidate.depth < self._max_depth:
            return links
        for link in links:
            drops.add(TOO_FAR, link.url)
        return []

    def _redirect_rejection(self, candidate: Candidate, target: str) -> str | None:
        """Why a redirect of the candidate is not followed; None where it is."""
        chain = (*candidate.redirects, candidate.url)
        if target in chain or len(chain) > MAX_REDIRECTS:
            return ENDLESS_REDIRECTS
        return self._scope.redirect_refusal(candidate.url, target, candidate.is_seed)

    def _released(self, url: str) -> Candidate:
        """The candidate of a request that has ended, which is no longer leased."""
        candidate = self._leased.pop(url, None)
        if candidate is None:
            raise ValueError(f"{url} was not leased, or its outcome was reported already")
        if self._listener is not None:
            self._listener.completed(url)
        return candidate

    def _close(self, url: str) -> None:
        self._released(url)
        self._frontier.ack(url)

    def _count(self, **more: int) -> None:
        totals = {name: getattr(self.summary, name) + n for name, n in more.items()}
        self.summary = replace(self.summary, **totals)

    def _flush_missing(self) -> None:
        """Write one event for the missing targets since the last one, if there are any."""
        count = self.summary.missing - self._missing_written
        if count:
            self._journal.append(MissingEvent(count, tuple(self._missing_examples)))
            self._missing_written = self.summary.missing
            self._missing_examples.clear()

    def _record(
        self,
        fetched: FetchedPage,
        admissions: Sequence[Admission],
        repeated: int,
        drops: DroppedLinks,
    ) -> PageEvent:
        """Judge, count and write a page whose links were offered to the frontier."""
        candidate, page = fetched.candidate, fetched.page
        predicts = self._strategy.scorer.predicts and not candidate.is_seed
        priority = candidate.score.value if predicts else None
        similarity = self._judge.similarity(page.document) if page.ok else 0.0
        is_copy = page.copy_of is not None
        relevant = page.ok and page.index and not is_copy and similarity >= self._judge.threshold
        totals = self.summary.after_page(page.ok, similarity, bool(relevant), priority, is_copy)
        self.summary = replace(totals, waiting=len(self._frontier))
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
            relevant=bool(relevant),
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
        self._flush_missing()
        self._journal.append(event)
        return event


def _canonical_on_host(page: Page) -> tuple[str, ...]:
    """The canonical URL that a page names, closed with it: on its host, and no front page.

    A front page named by every page of a site is a mistake of the site's, seen often.
    """
    name = page.canonical
    if name is None or host_of(name) != host_of(page.url) or name.endswith(f"{host_of(name)}/"):
        return ()
    return (name,)

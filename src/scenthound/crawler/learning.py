"""The learned state of a strategy: restored after a resume, and shared among the workers of one
crawl.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.crawl import Strategy
from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.events import Json
from scenthound.core.model import Candidate, FetchedPage, Inlink, Part, Score
from scenthound.core.protocols import (
    FittedWeights,
    LinkSums,
    SharesTermCounts,
    SharesWeights,
    SupportsRevision,
    TermCounts,
)
from scenthound.core.scope import DropCount, LiveLinkRules, Scope
from scenthound.crawler.checkpoint import CrawlStorage
from scenthound.frontier.redis.scripts import Scripts
from scenthound.frontier.redis.sharing import READ_AT_ONCE, SharedTermCounts, SharedWeights
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.journal import pages_after
from scenthound.storage.pages import page_of
from scenthound.storage.warc_reader import read_response
from scenthound.strategies.catalogue import term_counter, weight_fitter

if TYPE_CHECKING:
    from scenthound.frontier.redis.sharing import Client


def relearn(
    storage: CrawlStorage,
    strategy: Strategy,
    rules: LiveLinkRules,
    scope: Scope,
    max_body: int,
    pdf: bool = False,
    relearned: Callable[[int], None] | None = None,
) -> int:
    """Bring a fresh strategy and fresh rules to where they were at the last commit.

    Parameters
    ----------
    storage : the open folder of the crawl.
    strategy, rules : to restore.
    scope : asks the rules, as in the crawl.
    max_body : bytes of a decoded body that are read.
    pdf : were PDFs read as pages?
    relearned : gets the number of every page, when it was learned again.

    Returns how many pages were read again.
    """
    known = _restore(storage, strategy, rules)
    count = 0
    for event in pages_after(storage.folder.journal_path, known):
        fetched = _stored_page(storage, event, max_body, pdf)
        # As in Crawl.observe: neither errors nor copies teach the strategy anything.
        if fetched is not None and fetched.page.ok and "copy_of" not in event:
            strategy.observe(fetched)
            # The scores are dropped, but both calls have side effects: some scorers learn from the
            # links that they score, and follow() counts the dates of calendars, which are traps.
            strategy.score(fetched, scope.follow(fetched.page, DropCount({})))
            if isinstance(strategy.scorer, SupportsRevision) and not storage.shares:
                strategy.scorer.revise()  # what waits was rescored before it was stored
            count += 1
        if relearned is not None:
            relearned(int(str(event["n"])))
    return count


def _restore(storage: CrawlStorage, strategy: Strategy, rules: LiveLinkRules) -> int:
    """Restore the saved state, where there is one; returns how many pages it has seen."""
    if not storage.folder.state_path.exists():
        return 0
    try:
        state = storage.folder.load_state()
    except FolderError as error:
        warn_caller(f"{error} What the strategy had learned is learned again from all the pages.")
        return 0
    pages, counts = state.pop("pages", None), state.pop("rules", None)
    if not isinstance(pages, int) or not isinstance(counts, dict):
        raise FolderError(
            f"{storage.folder.state_path} is not the state of a live crawl: take it away, and what "
            "was learned is learned again."
        )
    strategy.restore(state)
    rules.restore(counts)
    return pages


def candidate_in(event: Json) -> Candidate:
    """Return the candidate of a page event, in figures of five decimals."""
    parts, inlinks, redirects = event.get("parts"), event.get("inlinks"), event.get("redirects")
    named = parts.items() if isinstance(parts, dict) else ()
    return Candidate(
        url=str(event["url"]),
        score=Score(
            float(str(event.get("priority") or 0.0)),
            tuple(Part(name, value or 0.0, weight or 0.0) for name, (value, weight) in named),
        ),
        depth=int(str(event["depth"])),
        inlinks=tuple(
            Inlink(source, Score(value or 0.0), anchor)
            for source, value, anchor in (inlinks if isinstance(inlinks, list) else ())
        ),
        linked_from=int(str(event.get("linked_from") or 0)),
        redirects=tuple(map(str, redirects)) if isinstance(redirects, list) else (),
    )


def _stored_page(
    storage: CrawlStorage, event: Json, max_body: int, pdf: bool
) -> FetchedPage | None:
    """Return the fetched page of a page event; None for a page that was not stored."""
    n, url = event["n"], str(event["url"])
    assert isinstance(n, int)
    position = storage.ledger.position(n)
    # A server keeps little more than the name of a closed URL; the journal has its evidence.
    frontier = storage.frontier
    candidate = (
        frontier.candidate(url) if isinstance(frontier, SqliteFrontier) else candidate_in(event)
    )
    if position is None or candidate is None:
        return None
    stored = read_response(storage.folder.path, position)
    if stored.body is None:
        return None
    headers = tuple(stored.headers.items())
    page = page_of(url, stored.status, headers, stored.body, stored.at, max_body, pdf=pdf)
    return FetchedPage(candidate, replace(page, redirects=candidate.redirects))


# Workers of one crawl learn together, through the server.
#
# Each publishes what it has learned from pages that it has committed, and reads what the others
# have. Term counts are the same for all, but for the last seconds. One elected worker fits weights
# to the links of all; the others use them for the links that they score from then on. The elected
# worker rescores what waits. A link that another worker scored in the seconds until it read the new
# weights keeps its old score until the next revision.


PUBLISH_SECONDS, POLL_SECONDS = 3.0, 5.0
"""Seconds between two publications, at most; a worker that publishes polls as well, and one that
has nothing to publish polls after so many."""

GROWTH = 50
"""Pages are published when they are one in so many of all documents: the more are known, the less a
few more change, and counts of many pages at once are shorter than of each."""


class SharedLearning:
    """Learns together with the other workers of a crawl.

    Parameters
    ----------
    client, crawl, worker : the server, and the names of the crawl and of this worker.
    strategy : fresh, or restored but for the pages since.
    on_election : gets whether this worker fits weights and rescores waiting URLs.
    """

    def __init__(
        self,
        client: Client,
        crawl: str,
        worker: str,
        strategy: Strategy,
        on_election: Callable[[bool], None] = lambda elected: None,
    ) -> None:
        self._counting = term_counter(strategy.scorer)
        self._fitting = weight_fitter(strategy.scorer)
        self._scripts = Scripts(client)
        self._pool = SharedTermCounts(client, crawl, worker)
        self._publishing = SharedWeights(client, crawl, worker)
        self._on_election = on_election
        self.is_learner = False
        """Does this worker fit the weights of all?"""
        self._published = self._pool.last_page() if self._learns else 0
        self._documents = 0
        self._followed: FittedWeights | None = None
        self._is_rescoring = False
        self._now = self._next_publication = self._next_poll = 0.0
        for part in (self._counting, self._fitting):
            if part is not None:
                part.share()

    @property
    def _learns(self) -> bool:
        """Whether the strategy learns anything that workers share."""
        return self._counting is not None or self._fitting is not None

    def relearned(self, page: int) -> None:
        """Do not publish again what a page of an earlier run adds, if the sums have it."""
        if page <= self._published:
            self._learned_here()

    def begin(self, pages: int | None = None) -> None:
        """Read what all have learned so far, before the first page.

        ``pages`` is how many this worker has; where the server knows of more they were lost,
        and are fetched again.
        """
        if not self._learns:
            return
        if pages is not None and pages < self._published:
            self._published = pages
            self._pool.set_last_page(pages)
        if self._fitting is not None:
            self._publishing.agree(list(self._fitting.weights))
            self._fitting.follow(None)
            self._fitting.publish = self._publish
        if self._counting is not None:
            self._read_everything(self._counting)
        self._exchange()

    def on_tick(self, now: float) -> None:
        """Read what others have learned, if it is time; called a few times a second."""
        self._now = now
        if self._learns and now >= self._next_poll:
            self._exchange()

    def committed(self, pages: int) -> None:
        """Publish all ``pages`` of this worker so far, which are committed, if it is time."""
        is_time = self._learns and self._now >= self._next_publication
        if is_time and pages - self._published > self._documents // GROWTH:
            self._exchange(pages)

    def flush(self, pages: int) -> None:
        """Publish at once: nothing that is saved with the state may be published later.

        Call it after a commit, before the state is saved.
        """
        if self._learns and pages > self._published:
            self._exchange(pages)

    def keep_leadership(self) -> None:
        """Keep the lock of the learner during long work, if this worker has it."""
        if self.is_learner:
            self._publishing.lock.acquire()

    def close(self) -> None:
        """Release the lock of the learner: this worker ends."""
        if self.is_learner:
            self._publishing.lock.release()
            self._elected(False)

    def _exchange(self, pages: int | None = None) -> None:
        """Publish the pages so far, and read what is new; one round trip."""
        self._next_poll = self._now + POLL_SECONDS
        if self._is_rescoring:  # the page after which it was begun is done with
            self._publishing.has_rescored()
            self._is_rescoring = False
        steps = [
            self._pool.request_step(),
            self._publishing.lock.step,
            self._publishing.request_step(),
        ]
        if self._fitting is None:
            del steps[1:]
        if pages is not None:
            tally, sums = self._learned_here()
            self._documents += tally.documents
            steps.insert(0, self._pool.share_step(self._published, pages, tally, sums))
        answers = self._scripts.run_all(steps)
        if pages is not None:
            self._published = max(pages, int(answers.pop(0)))
            self._next_publication = self._now + PUBLISH_SECONDS
        if self._counting is not None:
            self._count(self._counting, *self._pool.receive(answers[0]))
        if self._fitting is not None:
            self._apply(self._fitting, bool(answers[1]), *self._publishing.receive(answers[2]))

    def _learned_here(self) -> tuple[TermCounts, LinkSums]:
        """Return what this worker has learned since it last published."""
        tally = TermCounts() if self._counting is None else self._counting.counted_here()
        sums = np.empty(0) if self._fitting is None else self._fitting.links_here()
        return tally, sums

    def _count(
        self, counting: SharesTermCounts, others: list[TermCounts] | None, is_to_fold: bool
    ) -> None:
        """Add what others have counted; fold it, if that is this worker's turn."""
        if others is None:  # too far behind: the single updates have been folded since
            self._read_everything(counting)
            return
        for tally in others:
            self._documents += tally.documents
            counting.count_elsewhere(tally)
        if is_to_fold:
            self._pool.fold(counting.counted_by_all())
        if len(others) == READ_AT_ONCE:
            self._next_poll = self._now

    def _read_everything(self, counting: SharesTermCounts) -> None:
        """Replace the counts by those of all workers."""
        tally = self._pool.everything()
        self._documents = tally.documents
        counting.count_from(tally)

    def _apply(
        self, fitting: SharesWeights, elected: bool, fitted: FittedWeights | None, sums: LinkSums
    ) -> None:
        """Take over weights, or fit them where this worker is the learner."""
        if fitted is not None:
            self._followed = fitted
            fitting.follow(fitted)
        if elected and len(sums):
            fitting.fit_to(sums)
        if elected and not self.is_learner and not self._publishing.has_all_rescored:
            fitting.publish_weights()  # the last learner died over it
        self._elected(elected)

    def _publish(self, fitted: FittedWeights) -> bool:
        """Publish weights before what waits is rescored; False: another is the learner."""
        self._is_rescoring = self._publishing.publish(fitted)
        if self._is_rescoring:
            self._followed = fitted
        elif self._fitting is not None:
            self._fitting.follow(self._followed)
            self._elected(False)
        return self._is_rescoring

    def _elected(self, elected: bool) -> None:
        """Report a change of the learner."""
        if elected != self.is_learner:
            self.is_learner = elected
            self._on_election(elected)

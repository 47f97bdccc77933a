"""Workers of one crawl learn together, through the server.

Each publishes what it has learned from pages that it has committed, and reads what the others have.
Term counts are the same for all, but for the last seconds. One elected worker fits weights to the
links of all; the others use them for the links that they score from then on. The elected worker
rescores what waits. A link that another worker scored in the seconds until it read the new weights
keeps its old score until the next revision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.crawl_loop import Strategy
from scenthound.core.protocols import FittedWeights, LinkSums, SharesTermCounts, TermCounts
from scenthound.frontier.redis.scripts import Scripts
from scenthound.frontier.redis.sharing import READ_AT_ONCE, SharedTermCounts, SharedWeights
from scenthound.strategies.catalogue import term_counter, weight_fitter
from scenthound.strategies.weight_learning import WeightFitter

if TYPE_CHECKING:
    from scenthound.frontier.redis.sharing import Client


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
        tally = TermCounts() if self._counting is None else self._counting.local_counts()
        sums = np.empty(0) if self._fitting is None else self._fitting.local_link_sums()
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
            counting.add_counts(tally)
        if is_to_fold:
            self._pool.fold(counting.total_counts())
        if len(others) == READ_AT_ONCE:
            self._next_poll = self._now

    def _read_everything(self, counting: SharesTermCounts) -> None:
        """Replace the counts by those of all workers."""
        tally = self._pool.everything()
        self._documents = tally.documents
        counting.replace_counts(tally)

    def _apply(
        self, fitting: WeightFitter, elected: bool, fitted: FittedWeights | None, sums: LinkSums
    ) -> None:
        """Take over weights, or fit them where this worker is the learner."""
        if fitted is not None:
            self._followed = fitted
            fitting.follow(fitted)
        if elected and len(sums):
            fitting.fit_to(sums)
        if elected and not self.is_learner and not self._publishing.has_all_rescored:
            fitting.request_rescore()  # the last learner died over it
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

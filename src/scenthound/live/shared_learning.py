"""Workers of one crawl learn together, through the server.

Each tells what it has learnt of pages that it has committed, and reads what the others have. Of
words all know the same, but for the last seconds. Weights are fitted by one elected worker to the
links of all; the others take them over for the links that they score from then on. What waits is
weighed anew by the learner; a link that another worker scored in the seconds until it heard of the
new weights waits with the old ones until the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.sharing import Counting, Fitted, Fitting, Sums, Tally
from scenthound.core.strategy import Strategy
from scenthound.distributed.pool import READ_AT_ONCE, News, Pool
from scenthound.distributed.publishing import Publishing, Word
from scenthound.distributed.scripts import Scripts, Step
from scenthound.strategies.sharing import counting_of, fitting_of

if TYPE_CHECKING:
    from scenthound.distributed.pool import Client

TELL_SECONDS, ASK_SECONDS = 3.0, 5.0
"""Others are told of pages every so many seconds, at most; who tells asks as well, and who has
nothing to tell asks after so many."""
GROWTH = 50
"""Pages are told of when they are one in so many of all documents: the more are known, the less a
few more tell, and what is told of many pages at once is shorter than of each."""


class SharedLearning:
    """What a strategy learns, together with the other workers of a crawl.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    worker : name of this worker.
    strategy : fresh, or restored but for the pages since.
    on_election : told whether this worker fits weights and has what waits weighed anew.
    """

    def __init__(
        self,
        client: Client,
        crawl: str,
        worker: str,
        strategy: Strategy,
        on_election: Callable[[bool], None] = lambda elected: None,
    ) -> None:
        self._counting = counting_of(strategy.scorer)
        self._fitting = fitting_of(strategy.scorer)
        self._scripts = Scripts(client)
        self._pool = Pool(client, crawl, worker)
        self._publishing = Publishing(client, crawl, worker)
        self._on_election = on_election
        self.is_learner = False
        """Does this worker fit the weights of all?"""
        self._told = self._pool.last_page() if self._learns else 0
        self._documents = 0
        self._followed: Fitted | None = None
        self._is_weighing = False
        self._now = self._next_telling = self._next_asking = 0.0
        for part in (self._counting, self._fitting):
            if part is not None:
                part.share()

    @property
    def _learns(self) -> bool:
        return self._counting is not None or self._fitting is not None

    def relearnt(self, page: int) -> None:
        """A page of an earlier run was learnt again; one that is in the sums is not told again."""
        if page <= self._told:
            self._learnt_here()

    def begin(self, pages: int | None = None) -> None:
        """Take in what all have learnt so far, before the first page.

        ``pages`` says how many this worker has; where the server knows of more they were lost,
        and are fetched again.
        """
        if not self._learns:
            return
        if pages is not None and pages < self._told:
            self._told = pages
            self._pool.set_last_page(pages)
        if self._fitting is not None:
            self._publishing.agree(list(self._fitting.weights))
            self._fitting.follow(None)
            self._fitting.publish = self._publish
        if self._counting is not None:
            self._read_everything(self._counting)
        self._exchange()

    def on_tick(self, now: float) -> None:
        """A few times a second: read what others have learnt, if it is time."""
        self._now = now
        if self._learns and now >= self._next_asking:
            self._exchange()

    def committed(self, pages: int) -> None:
        """All ``pages`` of this worker so far are committed: tell of them, if it is time."""
        is_time = self._learns and self._now >= self._next_telling
        if is_time and pages - self._told > self._documents // GROWTH:
            self._exchange(pages)

    def flush(self, pages: int) -> None:
        """The same at once: nothing that is saved with the state may be told later.

        Call it after a commit, before the state is saved.
        """
        if self._learns and pages > self._told:
            self._exchange(pages)

    def hold_office(self) -> None:
        """In the middle of long work: keep the office of the learner, if this worker has it."""
        if self.is_learner:
            self._publishing.election.holds()

    def close(self) -> None:
        """This worker ends: another may be the learner."""
        if self.is_learner:
            self._publishing.election.resign()
            self._elected(False)

    def _exchange(self, pages: int | None = None) -> None:
        """Tell of the pages so far, and hear what is new; one round trip."""
        self._next_asking = self._now + ASK_SECONDS
        if self._is_weighing:  # the page after which it was begun is done with
            self._publishing.has_weighed()
            self._is_weighing = False
        steps = [self._pool.asking(), self._publishing.election.step, self._publishing.asking()]
        asked = steps if self._fitting is not None else steps[:1]
        telling = [] if pages is None else [self._telling(pages)]
        answers = self._scripts.run_all([*telling, *asked])
        if pages is not None:
            self._told = max(pages, int(answers.pop(0)))
            self._next_telling = self._now + TELL_SECONDS
        if self._counting is not None:
            self._count(self._counting, self._pool.heard(answers[0]))
        if self._fitting is not None:
            self._heed(self._fitting, bool(answers[1]), self._publishing.heard(answers[2]))

    def _telling(self, pages: int) -> Step:
        tally, sums = self._learnt_here()
        self._documents += tally.documents
        return self._pool.telling(self._told, pages, tally, sums)

    def _learnt_here(self) -> tuple[Tally, Sums]:
        tally = Tally() if self._counting is None else self._counting.counted_here()
        sums = np.empty(0) if self._fitting is None else self._fitting.links_here()
        return tally, sums

    def _count(self, counting: Counting, news: News) -> None:
        """Take in what others have counted; fold it, if that is this worker's turn."""
        if news.others is None:
            self._read_everything(counting)
            return
        for tally in news.others:
            self._documents += tally.documents
            counting.count_elsewhere(tally)
        if news.is_to_fold:
            self._pool.fold(counting.counted_by_all())
        if len(news.others) == READ_AT_ONCE:
            self._next_asking = self._now

    def _read_everything(self, counting: Counting) -> None:
        tally = self._pool.everything()
        self._documents = tally.documents
        counting.count_from(tally)

    def _heed(self, fitting: Fitting, elected: bool, word: Word) -> None:
        """Take over weights, or fit them where this worker is the learner."""
        if word.fitted is not None:
            self._followed = word.fitted
            fitting.follow(word.fitted)
        if elected and len(word.sums):
            fitting.fit_to(word.sums)
        if elected and not self.is_learner and not self._publishing.has_all_weighed:
            fitting.weigh_again()  # the last learner died over it
        self._elected(elected)

    def _publish(self, fitted: Fitted) -> bool:
        """Publish weights before what waits is weighed anew; False: another is the learner."""
        self._is_weighing = self._publishing.publish(fitted)
        if self._is_weighing:
            self._followed = fitted
        elif self._fitting is not None:
            self._fitting.follow(self._followed)
            self._elected(False)
        return self._is_weighing

    def _elected(self, elected: bool) -> None:
        if elected != self.is_learner:
            self.is_learner = elected
            self._on_election(elected)

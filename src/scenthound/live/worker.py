"""The live crawl at work: leases, asks, reads, keeps. Everything here runs in one thread.

Downloads go on in the thread of the reactor and compression in the thread of the WARC files, so
neither waits for the other; between them are bounded numbers of pages. Leasing has precedence
over reading: however slow a page is to score, a free host is asked before the next page is read.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable

from scenthound.core.protocols import Clock, PoliteFrontier
from scenthound.live.clearance import Clearance
from scenthound.live.deciding import Decider, Heed
from scenthound.live.downloads import DownloaderError, Downloads
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.network import SHOWN_AT_ONCE
from scenthound.live.outcomes import Outcomes
from scenthound.live.reasons import NEEDS_BROWSER, NO_BROWSER, UNREADABLE_PAGE
from scenthound.live.retries import Retries
from scenthound.live.robots import RobotsCache

TICK = 0.25
BROWSER_LOST = (
    "the browser has died and does not start again; from now on pages are read as they come"
)
_LOOK_AGAIN = 0.02
_HELD_UP = 60.0
"""Seconds without asking after which leases may be over: a pause, an outage, a silent server."""


class Worker:
    """Drives a decider over the downloads.

    Parameters
    ----------
    frontier : knows which hosts may be asked.
    downloads : fetch.
    robots : what is known of sites' robots.txt.
    concurrency : requests under way at once. As many answers may wait to be read, less one: with
        1 every page is read before the next is chosen.
    delay : seconds a host rests after an answer.
    retries : for URLs that fail.
    lost_after : seconds after which an ask without any answer is given up.
    clock : the time.
    from_local : the time by ``clock`` when the downloader, which goes by the clock of this machine,
        says it was then; the same where there is but one clock.
    pdf : are PDFs pages?
    warn : gets what the user should know, a sentence each.
    """

    def __init__(
        self,
        *,
        frontier: PoliteFrontier,
        downloads: Downloads,
        robots: RobotsCache,
        concurrency: int,
        delay: float,
        retries: Retries,
        lost_after: float,
        clock: Clock,
        from_local: Callable[[float], float] = lambda local: local,
        pdf: bool = False,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._frontier = frontier
        self._warn = warn
        self._has_warned = False
        self._downloads = downloads
        self._concurrency = concurrency
        self._clock = clock
        self._from_local = from_local
        self._outcomes = Outcomes(frontier, retries, clock, pdf)
        self._clearance = Clearance(robots, frontier, delay, self._outcomes.settle)
        self._looked = clock()
        self._lost_after = lost_after
        self._asked: dict[Ask, float] = {}
        self._unread: deque[Message] = deque()

    @property
    def under_way(self) -> int:
        """Pages asked for and not read yet."""
        return self._pages_asked + len(self._unread)

    @property
    def is_idle(self) -> bool:
        """Is there no answer to read?"""
        return not self._unread

    @property
    def _pages_asked(self) -> int:
        return sum(ask.purpose is Purpose.PAGE for ask in self._asked)

    def give(self, answer: Answer) -> None:
        """An answer that came before: it is read first."""
        self._unread.append(answer)

    def listen(self) -> None:
        """In the middle of long work: take in what has come, so that hosts rest; read it later."""
        self._hear(0.0)

    def run(
        self,
        decider: Decider,
        on_page: Callable[[Answer], None],
        heed: Callable[[], Heed],
        on_redirect: Callable[[Answer], None],
    ) -> None:
        """Work until the decider stops or ``heed`` says to end.

        Parameters
        ----------
        decider : says what to ask for, and is told what came of it.
        on_page : gets every answer that holds a page, leased from the decider.
        heed : called at every turn.
        on_redirect : gets every answer that leads elsewhere.
        """
        self._outcomes.begin(decider, on_redirect)
        while decider.stop_reason is None and (heeded := heed()) is not Heed.END:
            if heeded is Heed.GO_ON:
                self._ask(decider)
            if decider.stop_reason is None:
                self._hear(0.0 if self._unread else self._patience(heeded))
                self._miss()
            if self._unread and decider.stop_reason is None:
                if heeded is Heed.GO_ON:
                    self._ask_chosen(decider)  # a robots.txt that has just come holds up nothing
                self._outcomes.read(decider, self._unread.popleft(), on_page)

    def settle(self, decider: Decider, on_page: Callable[[Answer], None]) -> None:
        """The crawl is to end: read what has come, let the rest wait in the frontier again."""
        self._hear(0.0)
        while self._unread:
            self._outcomes.read(decider, self._unread.popleft(), on_page)
        self._outcomes.put_back(
            decider, (*self._clearance.empty(), *(ask.url for ask in self._asked))
        )
        self._asked.clear()

    def _ask(self, decider: Decider) -> None:
        now = self._clock()
        if now < self._outcomes.wait_until:
            return
        self._ask_chosen(decider)
        asks: list[Ask] = []
        while self._has_room():
            candidate = decider.next()
            if candidate is None:
                break
            ask = self._clearance.clear(candidate)
            if ask is not None:
                asks.append(ask)
                self._asked[ask] = now
        self._downloads.fetch(asks)

    def _ask_chosen(self, decider: Decider) -> None:
        """What was chosen before and has waited for its site's robots.txt, or for a rest."""
        now = self._clock()
        if now < self._outcomes.wait_until:
            return
        if now - self._looked > _HELD_UP:  # another worker may have it by now
            self._outcomes.put_back(decider, self._clearance.empty())
        self._looked = now
        places = SHOWN_AT_ONCE - sum(ask.render for ask in self._asked)
        asks = list(self._clearance.due(now, max(0, places)))
        self._asked |= dict.fromkeys(asks, now)
        self._downloads.fetch(asks)

    def _has_room(self) -> bool:
        under_way = self._pages_asked + self._clearance.parked
        if self._outcomes.is_offline:  # one at a time, to see whether it is over
            return under_way == 0 and self._clock() >= self._outcomes.wait_until
        waiting = under_way + len(self._unread)
        return under_way < self._concurrency and waiting < 2 * self._concurrency - 1

    def _patience(self, heeded: Heed) -> float:
        """How long to wait for an answer before there is something else to do."""
        if heeded is not Heed.GO_ON:  # a frontier elsewhere is not asked for what is not wanted
            return TICK
        now = self._clock()
        times = [self._clearance.next_due()]
        if self._has_room():
            times.append(self._frontier.next_time(now))
        # What could be asked for now was not: the policy waits, or the budget is out on lease.
        due = [at if at > now else now + _LOOK_AGAIN for at in times if at is not None]
        return min([now + TICK, *due]) - now

    def _hear(self, patience: float) -> None:
        """Take in all answers that are here, and wait for one if there is none."""
        try:
            message = self._downloads.inbox.get(timeout=patience) if patience else None
            while True:
                if isinstance(message, DownloaderError):
                    self._revive()
                elif message is not None:
                    self._heard(message, self._from_local(message.ended))
                message = self._downloads.inbox.get_nowait()
        except queue.Empty:
            if self._downloads.hangs():
                self._revive()

    def _revive(self) -> None:
        """The downloader has died or hangs: the page it was reading is to blame, no other.

        A page that kills it is tried again, for it may have been killed by someone else; one over
        which it hangs is not, since that holds up everything.
        """
        hangs = self._downloads.hangs()
        guilty = self._downloads.restart()
        if guilty is not None and guilty in self._asked:
            now = self._clock()
            self._heard(NoAnswer(guilty, now, UNREADABLE_PAGE, not hangs), now)
        self._downloads.fetch(tuple(self._asked))

    def _miss(self) -> None:
        """An ask that the downloader has lost must not hold up the crawl for ever."""
        now = self._clock()
        for ask, at in tuple(self._asked.items())[:1]:  # the oldest
            if now - at > self._lost_after:
                self._heard(NoAnswer(ask, now, "lost by the downloader", True), now)

    def _heard(self, message: Message, ended: float) -> None:
        """An answer that was over at ``ended`` by our clock."""
        ask = message.ask
        if self._asked.pop(ask, None) is None:
            return  # given up as lost before
        half_read = isinstance(message, NoAnswer) and message.reason == NEEDS_BROWSER
        if half_read or isinstance(message, Answer):
            self._outcomes.network_is_there()
        if half_read:  # its host stays busy
            self._clearance.put_off_rendering(ask, ended)
            return
        if ask.purpose is Purpose.ROBOTS:
            self._clearance.read(message, ended)
            return
        self._frontier.answered(ask.url, ended)
        self._unread.append(message)
        if not self._has_warned and _lacks_browser(message):
            self._has_warned = True
            self._warn(BROWSER_LOST)


def _lacks_browser(message: Message) -> bool:
    page = message.page if isinstance(message, Answer) else None
    return page is not None and page.problem == NO_BROWSER

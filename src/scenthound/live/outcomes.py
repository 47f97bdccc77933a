"""What becomes of a candidate: a page, another address, a refusal, another try later."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scenthound.core.addresses import PRIVATE
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Candidate
from scenthound.core.protocols import Clock, PoliteFrontier
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS
from scenthound.live.answers import retry_after, wanted_type
from scenthound.live.clearance import BY_ROBOTS, UNREADABLE, Forbidden, TooSoon, Verdict
from scenthound.live.deciding import Decider
from scenthound.live.messages import Answer, Message, NoAnswer
from scenthound.live.outage import Outage
from scenthound.live.reasons import HOST_DOWN, OFFLINE
from scenthound.live.retries import Retries

_BUSY = frozenset({429, 500, 502, 503, 504})
_ASKS_TO_WAIT = frozenset({429, 503})


class Outcomes:
    """Tells the decider and the frontier what an answer, or none, means for a candidate.

    Parameters
    ----------
    frontier : lets hosts rest, and URLs wait.
    retries : for URLs that fail.
    clock : the time.
    pdf : are PDFs pages?
    """

    def __init__(self, frontier: PoliteFrontier, retries: Retries, clock: Clock, pdf: bool) -> None:
        self._frontier = frontier
        self._retries = retries
        self._clock = clock
        self._pdf = pdf
        self._outage = Outage()
        self._decider: Decider | None = None
        self.wait_until = 0.0
        """Nothing is to be asked for before: the network is down."""

    @property
    def is_offline(self) -> bool:
        """Has nothing answered for a while, on many hosts?"""
        return self._outage.on

    def begin(self, decider: Decider, on_redirect: Callable[[Answer], None]) -> None:
        """From now on this decider is told; ``on_redirect`` gets answers that lead elsewhere."""
        self._decider = decider
        self._on_redirect = on_redirect

    def read(self, decider: Decider, message: Message, on_page: Callable[[Answer], None]) -> None:
        """An answer to a candidate; one that holds a page goes to ``on_page``."""
        url = message.ask.url
        candidate = decider.candidate(url)
        if candidate is None:  # its lease has expired: it has been, or will be, asked for again
            return
        if isinstance(message, NoAnswer):
            self._fail(candidate, message.reason, message.again)
        elif message.status in REDIRECTS:
            self._redirect(decider, candidate, message)
        elif message.status in _BUSY:
            self._busy(decider, candidate, message)
        elif (reason := _unwanted(message, self._pdf)) is not None:
            decider.refused(url, reason)
        elif message.cut == "disconnect" and candidate.attempts < self._retries.most:
            self._fail(candidate, "broken answer: the body is cut", True)
        else:
            on_page(message)

    def _redirect(self, decider: Decider, candidate: Candidate, answer: Answer) -> None:
        location = answer.header("location").strip()
        try:
            if not location:
                raise MalformedUrlError("an empty Location")
            target = canonical(location, candidate.url)
        except MalformedUrlError:
            decider.refused(candidate.url, f"status {answer.status} without a usable Location")
        else:
            self._on_redirect(answer)
            decider.redirected(candidate.url, target)

    def _busy(self, decider: Decider, candidate: Candidate, answer: Answer) -> None:
        """A server that is overloaded or broken is left alone for a while."""
        now = self._clock()
        asked = retry_after(answer.header("retry-after") or None, now) or 0.0
        retry_at = self._retries.at(candidate, now, True, asked)
        if answer.status in _ASKS_TO_WAIT:
            wait = max(asked, self._retries.pause(candidate))
            self._frontier.rest(host_of(candidate.url), now + wait)
        decider.failed(candidate.url, f"status {answer.status}", retry_at)

    def settle(self, verdict: Verdict) -> None:
        """A candidate that could not be cleared."""
        assert self._decider is not None
        if isinstance(verdict, Forbidden):
            self._decider.refused(verdict.candidate.url, BY_ROBOTS)
        elif isinstance(verdict, TooSoon):
            self._put_back(self._decider, verdict.candidate.url)
        else:
            self._fail(verdict.candidate, verdict.reason, verdict.again)

    def _fail(self, candidate: Candidate, reason: str, again: bool) -> None:
        assert self._decider is not None
        if reason.endswith(PRIVATE):
            self._decider.refused(candidate.url, PRIVATE)
            return
        if reason.endswith(OFFLINE) and self._is_out(candidate):
            return
        now = self._clock()
        retry_at = self._retries.at(candidate, now, again)
        if retry_at is not None and (reason in HOST_DOWN or reason.startswith(UNREADABLE)):
            self._frontier.rest(host_of(candidate.url), retry_at)
        self._decider.failed(candidate.url, reason, retry_at)

    def _is_out(self, candidate: Candidate) -> bool:
        """Is the network down? Then the candidate waits again, and it costs it no attempt."""
        assert self._decider is not None
        host, now = host_of(candidate.url), self._clock()
        if self._outage.failed(host):
            self._tell_outage("outage")
        if not self._outage.on:
            return False
        self._put_back(self._decider, candidate.url)
        self._frontier.rest(host, now + self._retries.wait)
        self.wait_until = now + self._retries.wait
        return True

    def network_is_there(self) -> None:
        """Something has answered."""
        if self._outage.answered():
            self._tell_outage("network back")

    def put_back(self, decider: Decider, urls: Iterable[str]) -> None:
        """Those of them that are leased wait again."""
        for url in urls:
            if decider.candidate(url) is not None:
                self._put_back(decider, url)

    def _put_back(self, decider: Decider, url: str) -> None:
        """A leased URL that is not asked for waits again."""
        decider.forget(url)
        self._frontier.put_back(url)

    def _tell_outage(self, what: str) -> None:
        assert self._decider is not None
        self._decider.control(what)


def _unwanted(answer: Answer, pdf: bool) -> str | None:
    if not 200 <= answer.status < 300:
        return None
    return wanted_type(answer.header("content-type"), answer.ask.url, pdf)

"""A fetch loop on a bench, between a scripted web and a source that records what happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from crawler.scripted_downloads import (
    AGENT,
    NOW,
    HandClock,
    NoJitter,
    Reply,
    ScriptedDownloads,
    fill,
    memory_frontier,
    short,
    url,
)
from scenthound.core.model import Candidate
from scenthound.core.protocols import PoliteFrontier
from scenthound.crawler.control import ControlSignal
from scenthound.crawler.fetch_loop import FetchLoop, Retries
from scenthound.fetch.client import FetchResponse
from scenthound.fetch.robots import RobotsRulesCache
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier

MOST_TURNS = 20_000
"""More than any script here needs; a loop that never ends must not hang the tests."""


class FrontierSource:
    """Hands out the best of the frontier and tells, in words, what it hears of it."""

    def __init__(self, frontier: PoliteFrontier, clock: HandClock, story: list[str]) -> None:
        self.stop_reason: str | None = None
        self.leased: dict[str, Candidate] = {}
        self._frontier = frontier
        self._clock = clock
        self._story = story

    def next(self) -> Candidate | None:
        for candidate in self._frontier.lease(1, self._clock()):
            self.leased[candidate.url] = candidate
            return candidate
        if not self.leased and not len(self._frontier):
            self.stop_reason = "frontier empty"
        return None

    def candidate(self, url: str) -> Candidate | None:
        return self.leased.get(url)

    def redirected(self, url: str, target: str) -> str:
        del self.leased[url]
        self._frontier.redirect(url, target)
        self._story.append(f"redirected {short(url)} -> {short(target)}")
        return "followed"

    def rejected(self, url: str, reason: str) -> None:
        del self.leased[url]
        self._frontier.ack(url)
        self._story.append(f"refused {short(url)}: {reason}")

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        del self.leased[url]
        self._frontier.fail(url, retry_at)
        wait = "given up" if retry_at is None else f"again in {retry_at - self._clock():g} s"
        self._story.append(f"failed {short(url)}: {reason}, {wait}")

    def control(self, what: str) -> None:
        self._story.append(what)

    def release(self, url: str) -> None:
        del self.leased[url]
        self._story.append(f"forgot {short(url)}")


@dataclass
class Bench:
    """A fetch loop between a scripted web and a source; ``story`` is what happened, in order."""

    clock: HandClock
    frontier: SqliteFrontier
    downloads: ScriptedDownloads
    source: FrontierSource
    loop: FetchLoop
    story: list[str] = field(default_factory=list)
    redirects: list[FetchResponse] = field(default_factory=list)
    read_seconds: float = 0.0
    """How long it takes to read a page."""

    def run(self, control: Callable[[], ControlSignal] | None = None) -> None:
        """Work until the frontier is empty, or as ``control`` says."""
        turns = iter(range(MOST_TURNS))

        def look() -> ControlSignal:
            assert next(turns, None) is not None, self.story
            return ControlSignal.CONTINUE if control is None else control()

        self.loop.run(self.source, self.read, look, self.redirects.append)

    def until(self, when: Callable[[], bool]) -> None:
        """Work until ``when`` is true at the start of a turn."""
        self.run(lambda: ControlSignal.END if when() else ControlSignal.CONTINUE)

    def settle(self) -> None:
        self.loop.settle()

    def read(self, answer: FetchResponse) -> None:
        self.clock.forward(self.read_seconds)
        del self.source.leased[answer.request.url]
        self.frontier.ack(answer.request.url)
        self.story.append(f"read {short(answer.request.url)}")

    def asked(self) -> list[tuple[float, str]]:
        """What was asked for, and how many seconds after the start."""
        return [(round(at - NOW, 6), short(ask.url)) for at, ask in self.downloads.asked]

    def reported(self, *kinds: str) -> list[str]:
        """The steps of the story of these kinds, robots.txt left out."""
        return [s for s in self.story if s.startswith(kinds) and not s.endswith("robots.txt")]


@contextmanager
def bench(
    *names: str,
    script: Mapping[str, Reply | Sequence[Reply]] | None = None,
    concurrency: int = 1,
    politeness: PolitenessPolicy | None = None,
    retries: int = 1,
    lost_after: float = 100.0,
    ahead: float = 0.0,
) -> Iterator[Bench]:
    """A loop with these URLs in its frontier, the first one the best; see :func:`url`.

    The clock of the machine is ``ahead`` of that of the crawl.
    """
    clock, story = HandClock(), list[str]()
    politeness = politeness or PolitenessPolicy(delay=2.0, per_host=1)
    with memory_frontier(politeness, now=clock()) as frontier:
        fill(frontier, *names)
        replies = {url(n): r for n, r in (script or {}).items()}
        downloads = ScriptedDownloads(clock, replies, story, ahead)
        loop = FetchLoop(
            frontier=frontier,
            downloads=downloads,
            robots=RobotsRulesCache(AGENT, clock),
            concurrency=concurrency,
            delay=politeness.delay,
            retries=Retries(retries, 30.0, NoJitter()),
            lost_after=lost_after,
            clock=clock,
            from_local=lambda local: local - ahead,
        )
        source = FrontierSource(frontier, clock, story)
        yield Bench(clock, frontier, downloads, source, loop, story)

"""The live crawl without a network: downloads by script, a clock moved by hand, short names.

Nothing here waits. Whoever waits for an answer moves the clock instead.
"""

from __future__ import annotations

import queue
import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace

from scenthound.core.events import DroppedLinks, PageEvent, Summary
from scenthound.core.model import Candidate, Inlink, Score, ScoredLink
from scenthound.core.protocols import PoliteFrontier
from scenthound.fetch.client import (
    MAX_RESTARTS,
    DownloaderClient,
    DownloaderError,
    FetchError,
    FetchRequest,
    FetchResponse,
    Message,
    Purpose,
)
from scenthound.fetch.network import Network
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier

AGENT = "scenthound/1"
NOW = 1_000.0
HTML = (("Content-Type", "text/html"),)


class HandClock:
    """Says what it was set to."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True)
class Reply:
    """What comes back for a URL, ``after`` so many seconds; ``no`` is a reason for no answer."""

    status: int = 200
    body: bytes = b"<p>a page</p>"
    headers: tuple[tuple[str, str], ...] = HTML
    after: float = 1.0
    no: str = ""
    again: bool = True

    def to(self, ask: FetchRequest, ended: float) -> Message:
        if self.no:
            return FetchError(ask, ended, self.no, self.again)
        return FetchResponse(ask, ended, self.status, self.headers, self.body)


NEVER = Reply(after=float("inf"))
NO_ROBOTS = Reply(status=404)


def robots_txt(*lines: str) -> Reply:
    """A robots.txt for all robots, of these lines."""
    return Reply(body="\n".join(("User-agent: *", *lines)).encode())


class Inbox(queue.SimpleQueue[Message | DownloaderError]):
    """Messages at their times. Waiting for one moves the clock to it, or by the timeout."""

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock
        self._coming: list[tuple[float, Message | DownloaderError]] = []

    def send(self, at: float, message: Message | DownloaderError) -> None:
        self._coming.append((at, message))
        self._coming.sort(key=lambda pair: pair[0])

    def get(self, block: bool = True, timeout: float | None = None) -> Message | DownloaderError:
        assert timeout is not None and timeout > 0
        due = self._clock.now + timeout
        self._clock.now = max(self._clock.now, min(due, self._first()))
        return self.get_nowait()

    def get_nowait(self) -> Message | DownloaderError:
        if self._first() > self._clock.now:
            raise queue.Empty
        return self._coming.pop(0)[1]

    def clear(self) -> None:
        self._coming.clear()

    def _first(self) -> float:
        return self._coming[0][0] if self._coming else float("inf")


class ScriptedDownloads(DownloaderClient):
    """Answers by a script: URLs that are not in it are pages, and sites have no robots.txt.

    It goes by a clock that is ``ahead`` of ours.
    """

    def __init__(
        self,
        clock: HandClock,
        script: Mapping[str, Reply | Sequence[Reply]],
        story: list[str],
        ahead: float = 0.0,
    ) -> None:
        super().__init__(Network(AGENT))
        self._ahead = ahead
        self.inbox = self.arriving = Inbox(clock)
        self.asked: list[tuple[float, FetchRequest]] = []
        self.is_hanging = False
        self.guilty: FetchRequest | None = None
        self._story = story
        self._clock = clock
        self._script = {url: _row(replies) for url, replies in script.items()}

    def fetch(self, asks: Sequence[FetchRequest]) -> None:
        for ask in asks:
            self.asked.append((self._clock(), ask))
            self._story.append(f"asked {short(ask.url)}")
            reply = self._reply(ask)
            ended = self._clock() + reply.after
            self.arriving.send(ended, reply.to(ask, ended + self._ahead))

    def hangs(self) -> bool:
        return self.is_hanging

    def restart(self) -> FetchRequest | None:
        """A fresh downloader: what was asked of the old one is forgotten."""
        self._restarts += 1
        if self._restarts > MAX_RESTARTS:
            raise DownloaderError("the downloader ended: too often")
        self.is_hanging = False
        self.arriving.clear()
        self._story.append("restarted")
        return self.guilty

    def _reply(self, ask: FetchRequest) -> Reply:
        replies = self._script.get(ask.url)
        if replies is None:
            return Reply() if ask.purpose is Purpose.PAGE else NO_ROBOTS
        return replies.pop(0) if len(replies) > 1 else replies[0]


def _row(replies: Reply | Sequence[Reply]) -> list[Reply]:
    return [replies] if isinstance(replies, Reply) else list(replies)


@contextmanager
def memory_frontier(
    politeness: PolitenessPolicy, now: float = NOW, lease_seconds: float = 1e6
) -> Iterator[SqliteFrontier]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield SqliteFrontier(
            connection, politeness=politeness, lease_seconds=lease_seconds, now=now
        )


def fill(frontier: PoliteFrontier, *names: str) -> None:
    """Add URLs, each worth less than the one before."""
    scores = [Score(1.0 - 0.001 * place) for place in range(len(names))]
    pairs = zip(names, scores, strict=True)
    frontier.add([ScoredLink(url(name), 1, Inlink(1, score)) for name, score in pairs])


class NoJitter(random.Random):
    """Every wait is as long as it can be."""

    def random(self) -> float:
        return 0.0


def url(name: str) -> str:
    """``a/1`` is ``http://a.test/1``."""
    host, _, path = name.partition("/")
    return f"http://{host}.test/{path}"


def short(address: str) -> str:
    """``http://a.test/1`` is ``a/1``."""
    return address.removeprefix("http://").replace(".test/", "/", 1)


def candidate(name: str, **given: int) -> Candidate:
    return replace(Candidate(url(name), Score(0.5), 1), **given)  # type: ignore[arg-type]


def answer(name: str, reply: Reply | None = None, ended: float = NOW) -> FetchResponse:
    """The answer to a page."""
    message = (reply or Reply()).to(FetchRequest(url(name)), ended)
    assert isinstance(message, FetchResponse)
    return message


def page_event(n: int = 1, relevant: bool = False) -> PageEvent:
    """The event of page ``a/n``."""
    return PageEvent(
        n=n, at=NOW + n, url=url(f"a/{n}"), status=200, title="", depth=0, priority=None, parts=(),
        inlinks=(), linked_from=0, similarity=0.5, relevant=relevant, links=0, new=0, rescored=0,
        closed=0, repeated=0, drops=DroppedLinks(), redirects=(), summary=Summary(fetched=n)
    )  # fmt: skip

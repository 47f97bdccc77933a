"""Example pages given as URLs are fetched first: they say what the topic is. Of several workers
one reads them, and the others take the topic from the server.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scenthound.core.crawl_loop import FOLLOWED, MAX_REDIRECTS
from scenthound.core.errors import warn_caller
from scenthound.core.events import ControlEvent, FailedEvent, RejectedEvent
from scenthound.core.model import Candidate, Document, ScoredLink, TopicProfile
from scenthound.core.protocols import Admission, Clock, Journal, PoliteFrontier
from scenthound.core.scope import UrlRules
from scenthound.crawler.checkpoint import LiveFrontier
from scenthound.crawler.control import ControlSignal
from scenthound.crawler.fetch_loop import FetchLoop
from scenthound.crawler.job import LiveJob
from scenthound.crawler.scope import example_urls
from scenthound.crawler.shared.worker import DistributedWorker
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.fetch.client import FetchResponse, read_response_page
from scenthound.frontier.redis.workers import LeaderLock

EXAMPLES_COMPLETE = "all examples answered"
_WAITS = (Admission.NEW, Admission.RESCORED)


@dataclass(frozen=True, slots=True)
class FetchedExample:
    """An example page that was fetched, for the topic and then for the crawl."""

    example: str
    candidate: Candidate
    response: FetchResponse


class ExampleFetching:
    """Fetches the example pages, as politely as any page, before there is a crawl.

    Parameters
    ----------
    urls : canonical URLs of the example pages.
    frontier : where they wait, and where they stay leased until the crawl takes them over.
    journal, clock : for rejections and failures.
    bounds : of the crawl; redirects to URLs that they deny are not followed.
    """

    def __init__(
        self,
        urls: Iterable[str],
        frontier: PoliteFrontier,
        journal: Journal,
        clock: Clock,
        bounds: UrlRules,
    ) -> None:
        self._bounds = bounds
        self._frontier = frontier
        self._journal = journal
        self._clock = clock
        self._waiting = deque(dict.fromkeys(urls))
        self._leased: dict[str, Candidate] = {}
        self._examples = {url: (url,) for url in self._waiting}
        self.fetched: list[FetchedExample] = []
        self.redirects: list[FetchResponse] = []
        self.lost: list[tuple[str, str]] = []
        """Examples that could not be fetched, with the reason."""
        frontier.add([ScoredLink(url, 0) for url in self._waiting])

    @property
    def stop_reason(self) -> str | None:
        """None as long as an example waits or is leased."""
        return None if self._waiting or self._leased else EXAMPLES_COMPLETE

    def next(self) -> Candidate | None:
        """Lease the next example whose host is free now."""
        for _ in range(len(self._waiting)):
            url = self._waiting.popleft()
            candidate = self._frontier.take(url, self._clock())
            if candidate is not None:
                self._leased[url] = candidate
                return candidate
            if not self._frontier.is_closed(url):
                self._waiting.append(url)
        return None

    def candidate(self, url: str) -> Candidate | None:
        """Return the leased candidate of this URL."""
        return self._leased.get(url)

    def take(self, response: FetchResponse) -> None:
        """Take the response of an example; it stays leased until the crawl takes it over."""
        url = response.request.url
        candidate = self._leased.pop(url)
        if 200 <= response.status < 300:
            self.fetched += [
                FetchedExample(each, candidate, response) for each in self._examples[url]
            ]
        else:
            self._lose(candidate, f"status {response.status}")

    def redirected(self, url: str, target: str) -> str:
        """Follow the redirect of an example, if the bounds allow it."""
        candidate = self._leased.pop(url)
        denied = self._bounds.denial(target)
        if denied is None and len(candidate.redirects) < MAX_REDIRECTS:
            admission = self._frontier.redirect(url, target)
            if admission in _WAITS:
                self._examples[target] = (*self._examples.get(target, ()), *self._examples[url])
                if target not in self._waiting:
                    self._waiting.append(target)
                return FOLLOWED
        self._lose(candidate, f"redirects to {target}")
        return "not followed" if denied is None else denied.reason

    def rejected(self, url: str, reason: str) -> None:
        """Give up an example that may not be fetched."""
        self._lose(self._leased.pop(url), reason)
        self._journal.append(RejectedEvent(self._clock(), url, reason))

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """Record a failure: the topic does not wait for it, the crawl tries it again."""
        candidate = self._leased.pop(url)
        self._lose(candidate, reason, retry_at)
        attempts = candidate.attempts + 1
        self._journal.append(FailedEvent(self._clock(), url, reason, attempts, retry_at))

    def control(self, what: str) -> None:
        """Record an event of the run."""
        self._journal.append(ControlEvent(self._clock(), what, 0))

    def release(self, url: str) -> None:
        """Let an example wait again that was not requested."""
        self._leased.pop(url)
        self._waiting.append(url)

    def _lose(self, candidate: Candidate, reason: str, retry_at: float | None = None) -> None:
        """Give up a candidate, with all examples that it stands for."""
        self._frontier.fail(candidate.url, retry_at)
        self.lost += [(each, reason) for each in self._examples[candidate.url]]


@dataclass(frozen=True)
class LearnedTopic:
    """The topic as it will be used, and the example pages that were fetched for it.

    ``profile`` is None where the crawl ended before it began.
    """

    profile: TopicProfile | None
    pages: Sequence[FetchedExample] = ()
    redirects: Sequence[FetchResponse] = ()


def learn_topic(
    job: LiveJob,
    fetch_loop: FetchLoop,
    frontier: LiveFrontier,
    journal: Journal,
    clock: Clock,
    control: Callable[[], ControlSignal],
    known: Mapping[str, Document],
) -> LearnedTopic:
    """Fetch the example pages that are URLs, and read the topic.

    Parameters
    ----------
    job : of the crawl.
    fetch_loop : fetches, as politely as in the crawl.
    frontier : where the example pages wait.
    journal, clock : for rejections and failures.
    control : whether to go on, called at every turn of the loop.
    known : example pages that were read elsewhere, by their names in the topic.

    TopicError where nothing that could be read says what the topic is.
    """
    bounds, options = job.bounds(), job.options
    named = example_urls(job.topic).items()
    addresses = {written: url for written, url in named if bounds.denial(url) is None}
    fetching = ExampleFetching(addresses.values(), frontier, journal, clock, bounds)
    fetch_loop.run(fetching, fetching.take, control, fetching.redirects.append)
    if fetching.stop_reason is None:
        fetch_loop.settle()
        return LearnedTopic(None)
    for url, reason in fetching.lost:
        warn_caller(f"{job.topic}: the example {url} cannot be read ({reason})")
    documents = {}
    for each in fetching.fetched:
        page = each.response.page
        page = page or read_response_page(each.response, options.max_body, options.pdf).page
        assert page is not None
        documents[each.example] = page.document
    fetched = {written: documents[url] for written, url in addresses.items() if url in documents}
    profile = read_topic_profile(
        job.topic, None, wordnet=job.wordnet, by_meaning=job.spec.uses_wordnet,
        fetched={**known, **fetched},
    )  # fmt: skip
    return LearnedTopic(profile, fetching.fetched, fetching.redirects)


_READER = "reader"
_LEASE_SECONDS = 30.0
"""The lock expires so long after the last turn of the reader's loop; then another worker reads."""
_LOOK_AGAIN = 0.25


def learn_topic_together(
    distributed: DistributedWorker,
    learn: Callable[[Callable[[], ControlSignal]], LearnedTopic],
    control: Callable[[], ControlSignal],
    sleep: Callable[[float], None] = time.sleep,
) -> LearnedTopic:
    """Return the topic as all workers use it: an elected worker reads it and publishes it.

    ``learn`` fetches and reads the example pages, with a ``control`` of its own.
    """
    crawl = distributed.crawl
    election = LeaderLock(crawl.client, crawl.name, _READER, distributed.worker, _LEASE_SECONDS)

    def keep_lock() -> ControlSignal:
        election.acquire()
        return control()

    while True:
        published = crawl.topic()
        if published is not None:
            return LearnedTopic(published)
        if election.acquire():
            try:
                learned = learn(keep_lock)
                if learned.profile is None:  # this worker had to end
                    return learned
                # A reader that lost its lock may come second: the topic stored first counts.
                return replace(learned, profile=crawl.publish_topic(learned.profile))
            finally:
                election.release()
        if control() is ControlSignal.END:
            return LearnedTopic(None)
        sleep(_LOOK_AGAIN)

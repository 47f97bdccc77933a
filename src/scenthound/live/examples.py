"""What the topic is: its words, and its example pages wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scenthound.core.bounds import Bounds
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Briefing, Document, Topic
from scenthound.core.protocols import Clock, Journal
from scenthound.core.urls import canonical
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.live.deciding import Heed
from scenthound.live.frontiers import LiveFrontier
from scenthound.live.gathering import Gathered, Gathering
from scenthound.live.job import LiveJob
from scenthound.live.messages import Answer
from scenthound.live.pages import read_answer
from scenthound.live.worker import Worker
from scenthound.topics.file import is_url


@dataclass(frozen=True)
class Learnt:
    """The topic as it will be used, and the example pages that were fetched for it.

    ``stopped`` is why the crawl ended before it began, where it did.
    """

    briefing: Briefing | None
    pages: Sequence[Gathered] = ()
    redirects: Sequence[Answer] = ()
    stopped: str | None = None


def learn_topic(
    job: LiveJob,
    worker: Worker,
    frontier: LiveFrontier,
    journal: Journal,
    clock: Clock,
    heed: Callable[[], Heed],
    warn: Warn,
    known: Mapping[str, Document] | None = None,
) -> Learnt:
    """Fetch the example pages that are addresses, and read the topic.

    ``known`` are example pages that were read elsewhere, by what the topic calls them.

    Raises
    ------
    TopicError
        Nothing that could be read says what the topic is.
    """
    bounds = job.bounds()
    addresses = _addresses(job.topic, bounds)
    gathering = Gathering(addresses.values(), frontier, journal, clock, bounds)
    worker.run(gathering, gathering.take, heed, gathering.redirects.append)
    if gathering.stop_reason is None:
        worker.settle(gathering, gathering.take)
        return Learnt(None)
    for url, reason in gathering.lost:
        warn(f"{job.topic}: the example {url} cannot be read ({reason})")
    documents = {each.example: _document(each, job) for each in gathering.gathered}
    fetched = {given: documents[url] for given, url in addresses.items() if url in documents}
    briefing = read_briefing(
        job.topic, None, warn, wordnet=job.wordnet, by_meaning=job.recipe.uses_wordnet,
        fetched={**(known or {}), **fetched},
    )  # fmt: skip
    return Learnt(briefing, gathering.gathered, gathering.redirects)


def _addresses(topic: Topic, bounds: Bounds) -> dict[str, str]:
    """The examples that are addresses, as written and in canonical form, without denied ones."""
    found: dict[str, str] = {}
    for example in filter(is_url, topic.examples):
        try:
            address = canonical(example)
        except MalformedUrlError:
            continue  # told by the reading of the topic, as any example that cannot be read
        if bounds.denial(address) is None:
            found[example] = address
    return found


def _document(gathered: Gathered, job: LiveJob) -> Document:
    options, answer = job.options, gathered.answer
    page = answer.page or read_answer(answer, options.max_body, options.pdf).page
    assert page is not None
    return page.document

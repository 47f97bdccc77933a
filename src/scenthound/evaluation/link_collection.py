"""Collects training links from an archive (a breadth-first pre-crawl) or from a crawl folder."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scenthound.core.crawl_loop import CrawlLoop, Greedy, Stateless, Strategy
from scenthound.core.errors import ArchiveError, InputError, SettingsError, warn_caller
from scenthound.core.events import Event, PageEvent, RedirectEvent
from scenthound.core.model import (
    INLINKS,
    Budget,
    Candidate,
    FetchedPage,
    Link,
    Page,
    Score,
    Topic,
    TopicProfile,
    inlink_share,
)
from scenthound.core.scope import DropCount, Scope, UrlRules, without_session
from scenthound.crawler.replay import ReplayClock, run_replay
from scenthound.crawler.replay_plan import check_archived_seeds
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.evaluation.training_links import (
    DEFAULT_MODEL,
    CollectedLinks,
    LinkPlan,
    OnLinks,
    TrainingLink,
    TrainingLinks,
    is_links_name,
    shorten_line,
)
from scenthound.frontier.memory import MemoryFrontier
from scenthound.storage import state
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archive_index import Progress
from scenthound.storage.archived_pages import ArchivedPages
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.stored_crawl import (
    NOTHING_TO_READ,
    ArchiveBodies,
    PageRecord,
    StoredCrawl,
    open_crawl,
)
from scenthound.strategies.catalogue import STRATEGIES, text_model_name
from scenthound.text.pdf import require_pdf

# Why a link gave no training link.

MISSING = "not in the archive"
UNFETCHED = "not fetched by then"
UNREADABLE = "failed or nothing to read"
COPY = "copy of an earlier page"
KNOWN = "redirect to a page that is known or excluded"
UNLINKED = "no stored page links there"

NO_LIMIT = Budget(sys.maxsize)
"""The number of links is the limit: every page but the seeds gives one, or cannot be read."""


@dataclass(slots=True)
class FirstLink:
    """The first link to a URL; ``pages`` counts the pages that link there so far."""

    order: int
    source: str
    anchor: str
    score: Score
    pages: int = 1


class FirstLinks:
    """The first link to each URL that was seen and not fetched; ``len`` of them."""

    def __init__(self) -> None:
        self._waiting: dict[str, FirstLink] = {}
        self._fetched: set[str] = set()
        self._noted = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, source: str, links: Sequence[Link], scores: Sequence[Score]) -> None:
        """Add the links of one more page; of several to one target the first counts."""
        on_page: dict[str, tuple[Link, Score]] = {}
        for link, score in zip(links, scores, strict=True):
            on_page.setdefault(link.url, (link, score))
        for url, (link, score) in on_page.items():
            if url in self._waiting:
                self._waiting[url].pages += 1
            elif url not in self._fetched:
                self._noted += 1
                anchor = shorten_line(link.anchor)
                self._waiting[url] = FirstLink(self._noted, source, anchor, score)

    def fetch(self, addresses: Iterable[str]) -> FirstLink | None:
        """Take the first link to a page that was fetched, which these URLs lead to; None for none.

        From now on links to them are ignored.
        """
        own = list(dict.fromkeys(addresses))
        self._fetched.update(own)
        found = [self._waiting.pop(url) for url in own if url in self._waiting]
        return min(found, key=lambda first: first.order, default=None)


class LinkCollector(Stateless):
    """Takes the training links out of the pages of a crawl, in the order of fetching.

    It is a scorer that gives every link the same score, so that a crawl with it is breadth-first,
    and the journal of that crawl. A pre-crawl is not resumed, so nothing is saved.
    """

    predicts = False

    def __init__(
        self, topic: Topic, profile: TopicProfile, plan: LinkPlan, on_links: OnLinks | None
    ) -> None:
        self.left_out: Counter[str] = Counter()
        self.waiting = FirstLinks()
        self._topic = topic
        self._seeds = frozenset(topic.seeds)
        self._plan = plan
        self._on_links = on_links
        self._links: list[TrainingLink] = []
        self._texts, self.judge = plan.readers(topic, profile)

    def observe(self, page: FetchedPage) -> None:
        """Let the text model learn from the page."""
        self._texts.observe(page)

    def score(self, page: FetchedPage, links: Sequence[Link]) -> list[Score]:
        """Take the link that led to the page, and note its own links; 0 for each of them."""
        self.take(page.page, page.candidate.depth, page.page)
        self.note(page, links)
        return [Score(0.0)] * len(links)

    def take(self, fetched: Page | PageRecord, depth: int, page: Page | None) -> None:
        """Take the first link to any address of a page; ``page`` is None if it cannot be read."""
        first = self.waiting.fetch((fetched.url, *fetched.redirects))
        if depth == 0:  # a seed was given, not found
            return
        readable = 200 <= fetched.status < 300 and fetched.problem not in NOTHING_TO_READ
        if fetched.copy_of is not None:
            self.left_out[COPY] += 1
        elif page is None or not readable:
            self.left_out[UNREADABLE] += 1
        elif first is None:
            self.left_out[UNLINKED] += 1
        else:
            inlinks = inlink_share(first.pages)  # by the pages that link there by now
            values = (inlinks if p.name == INLINKS else p.value for p in first.score.parts)
            relevance = self.judge.similarity(page.document)
            self._links.append(
                TrainingLink(first.source, fetched.url, first.anchor, tuple(values), relevance)
            )

    def note(self, page: FetchedPage, links: Sequence[Link]) -> None:
        """Note the links of a page."""
        self.waiting.note(page.page.url, links, self._texts.score(page, links))

    def append(self, event: Event) -> None:
        """Count redirects of found links to pages that give none."""
        self.left_out[KNOWN] += isinstance(event, RedirectEvent) and event.url not in self._seeds

    def has_enough(self) -> bool:
        """Are there as many links as wanted? Their number is reported."""
        if self._on_links is not None:
            self._on_links(len(self._links), self._plan.links)
        return len(self._links) >= self._plan.links

    def collected(self, fetched: int, place: str, origin: str) -> CollectedLinks:
        """The links, out of so many pages at a place; a warning where there are too few."""
        plan, found = self._plan, tuple(self._links)
        if len(found) < plan.links:
            warn_caller(
                f"{self._topic}: {place} gave {len(found):,} links of the {plan.links:,} wanted: "
                "it has no more pages that can be reached"
            )
        links = TrainingLinks(self._topic.name, plan.model, plan.names, found)
        return CollectedLinks(links, fetched, plan.links, +self.left_out, origin, plan.parameters)


def links_of_archive(
    archive: Archive, topic: Topic, plan: LinkPlan, on_links: OnLinks | None = None,
    pdf: bool = False,
) -> CollectedLinks:  # fmt: skip
    """Crawl an archive breadth-first from the topic's seeds until there are enough links.

    SettingsError or TopicError where the topic has no seeds, none of them is in the archive, or
    nothing says what it is about. A warning where there are fewer links than wanted.
    """
    if pdf:
        require_pdf()
    check_archived_seeds(archive, topic)
    profile = read_topic_profile(topic, archive, wordnet=plan.wordnet, by_meaning=plan.by_meaning)
    clock, collector = ReplayClock(), LinkCollector(topic, profile, plan, on_links)
    crawl = CrawlLoop(
        topic=topic.name,
        strategy=Strategy("breadth-first", collector, Greedy(random.Random(plan.seed))),
        frontier=MemoryFrontier(),
        budget=NO_LIMIT,
        seeds=topic.seeds,
        judge=collector.judge,
        journal=collector,
        clock=clock,
        scope=Scope(UrlRules(exclude=topic.exclude)),
    )

    def stop_when_enough(_: PageEvent) -> None:
        if collector.has_enough():
            crawl.stop("enough links")

    run_replay(archive, crawl, clock, ArchivedPages(archive, pdf), stop_when_enough)
    collector.left_out[MISSING] = crawl.summary.missing - sum(
        url not in archive for url in set(topic.seeds)
    )
    collector.left_out[UNFETCHED] = crawl.summary.waiting
    place = str(archive.path)
    return collector.collected(crawl.summary.fetched, place, f"breadth-first pre-crawl of {place}")


def links_of_crawl(
    stored: StoredCrawl, topic: Topic | None, plan: LinkPlan, on_links: OnLinks | None = None
) -> CollectedLinks:
    """Read the pages of a crawl again, in the order of fetching, until there are enough links.

    The crawl may be running. Texts are compared with ``topic``, by default the crawl's own.
    TopicError, FolderError or ArchiveError where something cannot be read. A warning where there
    are fewer links than wanted.
    """
    about = topic or stored.topic
    collector = LinkCollector(about, _topic_profile(stored, about, plan), plan, on_links)
    scope, pages = Scope(UrlRules(exclude=stored.topic.exclude)), 0
    for record in stored.pages():
        pages += 1
        page = _stored_page(stored, record)
        collector.take(record, record.depth, page)
        if page is not None and page.ok and page.copy_of is None:
            fetched = FetchedPage(Candidate(record.url, Score(0.0), record.depth), page)
            followed = list(scope.follow(page, DropCount({})))
            if stored.is_live:  # as the crawl queued them
                followed = [replace(link, url=without_session(link.url)) for link in followed]
            collector.observe(fetched)
            collector.note(fetched, followed)
        if collector.has_enough():
            break
    collector.left_out[UNFETCHED] = len(collector.waiting)
    place = f"the crawl in {stored.folder.path}"
    return collector.collected(pages, place, place)


def _stored_page(stored: StoredCrawl, record: PageRecord) -> Page | None:
    """The page as the crawl read it; None where it was not stored, or is damaged."""
    try:
        page = stored.bodies.page(record)
    except InputError:
        return None
    if page is None:
        return None
    return replace(page, redirects=record.redirects, copy_of=record.copy_of)


def _topic_profile(stored: StoredCrawl, topic: Topic, plan: LinkPlan) -> TopicProfile:
    """The stored profile of the crawl's own topic; another topic is read with the archive."""
    own = state.read_topic_profile(stored.folder.path) if topic == stored.topic else None
    if own is not None:
        return own
    bodies = stored.bodies
    archive = bodies.archive if isinstance(bodies, ArchiveBodies) else None
    return read_topic_profile(topic, archive, wordnet=plan.wordnet, by_meaning=plan.by_meaning)


# Where the links come from.


def is_crawl_folder(path: Path) -> bool:
    """Does a crawl lie there? Its WARC files alone would make an archive, too."""
    return os.path.isfile(CrawlFolder(path).spec_path)


def default_model(source: str | Path | Archive) -> str:
    """The text model for the links of a source where none is chosen.

    For a crawl folder that of the strategy that crawled, if that takes weights; else
    ``soft-sdvsm``. The default strategy combines several models, and takes none.
    """
    if isinstance(source, Archive) or not is_crawl_folder(Path(source)):
        return DEFAULT_MODEL
    spec = STRATEGIES.known(str(CrawlFolder(Path(source)).crawl_spec().get("strategy", "")))
    return (None if spec is None else text_model_name(spec)) or DEFAULT_MODEL


def collect_links(
    source: str | Path | Archive, topic: Topic | None, plan: LinkPlan, pdf: bool = False,
    on_links: OnLinks | None = None,
) -> CollectedLinks:  # fmt: skip
    """Collect the training links of an archive, open or not, or of a crawl folder.

    ``topic`` is None for that of a crawl folder. See :func:`tune` for what can go wrong.
    """
    if not isinstance(source, Archive):
        path = Path(source)
        if is_crawl_folder(path):
            if pdf:
                raise SettingsError(
                    f"the crawl in {path} says itself if PDFs are pages: leave out pdf."
                )
            with open_crawl(path) as stored:
                return links_of_crawl(stored, topic, plan, on_links)
        if is_links_name(path) and not os.path.isdir(path):
            raise SettingsError(
                f"{path} is a file of links: give tune_links(read_links(...)) instead."
            )
        with opened_archive(path) as archive:
            return collect_links(archive, topic, plan, pdf, on_links)
    if topic is None:
        raise SettingsError("an archive has no topic of its own: give one with seeds in it.")
    return links_of_archive(source, topic, plan, on_links, pdf)


def opened_archive(path: Path, progress: Progress | None = None) -> Archive:
    """Open an archive; the error says that a crawl folder could have been given.

    FolderError names the crawls in a folder that is no archive and no crawl itself.
    """
    try:
        return open_archive(path, progress=progress)
    except ArchiveError as error:
        if os.path.isfile(path):
            raise
        below = ("*", "*/*") if os.path.isdir(path) else ()
        if any(next(path.glob(f"{deep}/crawl.json"), None) for deep in below):
            with open_crawl(path):  # raises, and names them
                pass
        described = str(error).removesuffix(".")
        what = ", or" if "give a" in described else "; give an archive or"
        raise ArchiveError(f"{described}{what} a crawl folder.") from None

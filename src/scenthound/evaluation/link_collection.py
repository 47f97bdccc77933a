"""Collects training links from an archive (a breadth-first pre-crawl) or from a crawl folder."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from scenthound.core.crawl import Crawl, Greedy, Stateless, Strategy
from scenthound.core.errors import ArchiveError, InputError, SettingsError, warn_caller
from scenthound.core.events import Event, PageEvent, RedirectEvent
from scenthound.core.model import (
    Budget,
    Candidate,
    FetchedPage,
    Link,
    Page,
    Part,
    Score,
    Topic,
    TopicProfile,
)
from scenthound.core.scope import DropCount, Scope, UrlRules, without_session
from scenthound.crawler.replay_loop import ReplayClock, run_replay
from scenthound.crawler.replay_plan import check_archived_seeds
from scenthound.crawler.topic_reading import read_topic_profile
from scenthound.evaluation.training_links import (
    DEFAULT_MODEL,
    KNOWN,
    MISSING,
    UNFETCHED,
    UNLINKED,
    UNREADABLE,
    CollectedLinks,
    LinkPlan,
    OnLinks,
    TrainingLink,
    TrainingLinks,
    link_values,
    shorten_line,
    skip_reason,
)
from scenthound.evaluation.training_links_file import is_links_name
from scenthound.frontier.memory import MemoryFrontier
from scenthound.similarity.link_priority import WeightedTexts
from scenthound.storage import state
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archive_index import Progress
from scenthound.storage.archived_pages import ArchivedPages
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.stored_crawl import ArchiveBodies, PageRecord, StoredCrawl, open_crawl
from scenthound.strategies.catalogue import STRATEGIES, text_model_name
from scenthound.text.pdf import require_pdf

NO_LIMIT = Budget(sys.maxsize)
"""The number of links is the limit: every page but the seeds gives one, or cannot be read."""


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
    texts, judge = plan.readers(topic, profile)
    clock, collector = ReplayClock(), _LinkCollector(frozenset(topic.seeds))
    crawl = Crawl(
        topic=topic.name,
        strategy=Strategy("breadth-first", DiscoveryOrder(texts), Greedy(random.Random(plan.seed))),
        frontier=MemoryFrontier(),
        budget=NO_LIMIT,
        seeds=topic.seeds,
        judge=judge,
        journal=collector,
        clock=clock,
        scope=Scope(UrlRules(exclude=topic.exclude)),
    )

    def stop_when_enough(event: PageEvent) -> None:
        del event
        if on_links is not None:
            on_links(len(collector.links), plan.links)
        if len(collector.links) >= plan.links:
            crawl.stop("enough links")

    run_replay(archive, crawl, clock, ArchivedPages(archive, pdf), stop_when_enough)
    if len(collector.links) < plan.links:
        warn_caller(
            f"{topic}: {archive.path} gave {len(collector.links):,} links of the {plan.links:,} "
            "wanted: no more pages can be reached from the seeds"
        )
    collector.left_out[MISSING] = crawl.summary.missing - sum(
        url not in archive for url in set(topic.seeds)
    )
    collector.left_out[UNFETCHED] = crawl.summary.waiting
    links = TrainingLinks(topic.name, plan.model, plan.names, tuple(collector.links))
    return CollectedLinks(
        links, crawl.summary.fetched, plan.links, +collector.left_out,
        f"breadth-first pre-crawl of {archive.path}", plan.parameters,
    )  # fmt: skip


class DiscoveryOrder(Stateless):
    """A scorer that gives every link the same score, and notes the values of its texts as parts.

    The frontier stores them with the link and is first in, first out. A pre-crawl is not resumed,
    so nothing is saved.
    """

    predicts = False

    def __init__(self, texts: WeightedTexts) -> None:
        self._texts = texts

    def observe(self, page: FetchedPage) -> None:
        """Let the text model learn from the page."""
        self._texts.observe(page)

    def score(self, page: FetchedPage, links: Sequence[Link]) -> list[Score]:
        """0 for each link; the similarities are parts of weight 0."""
        scores = self._texts.score(page, links)
        zero = {  # many links share one score
            id(score): Score(0.0, tuple(Part(part.name, part.value, 0.0) for part in score.parts))
            for score in scores
        }
        return [zero[id(score)] for score in scores]


class _LinkCollector:
    """A journal that keeps training links. Of equal inlinks the frontier has the first in front."""

    def __init__(self, seeds: frozenset[str]) -> None:
        self.links: list[TrainingLink] = []
        self.left_out: Counter[str] = Counter()
        self._seeds = seeds
        self._pages: list[str] = []
        """Addresses, in the order of fetching: an inlink names its page by number."""

    def append(self, event: Event) -> None:
        if isinstance(event, RedirectEvent) and event.url not in self._seeds:
            self.left_out[KNOWN] += 1
        elif isinstance(event, PageEvent):
            self._pages.append(event.url)
            self._note(event)

    def _note(self, event: PageEvent) -> None:
        if event.depth == 0:  # a seed was given, not found
            return
        reason = skip_reason(event.status, event.problem, event.copy_of)
        if reason is not None:
            self.left_out[reason] += 1
            return
        first = event.inlinks[0]
        source, values = self._pages[first.source - 1], link_values(first.score, event.linked_from)
        self.links.append(
            TrainingLink(source, event.url, shorten_line(first.anchor), values, event.similarity)
        )


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


def links_of_crawl(
    stored: StoredCrawl, topic: Topic | None, plan: LinkPlan, on_links: OnLinks | None = None
) -> CollectedLinks:
    """Read the pages of a crawl again, in the order of fetching, until there are enough links.

    The crawl may be running. Texts are compared with ``topic``, by default the crawl's own.
    TopicError, FolderError or ArchiveError where something cannot be read. A warning where there
    are fewer links than wanted.
    """
    about, path = topic or stored.topic, stored.folder.path
    texts, judge = plan.readers(about, _topic_profile(stored, about, plan))
    scope = Scope(UrlRules(exclude=stored.topic.exclude))
    waiting, left_out, pages = FirstLinks(), Counter[str](), 0
    links: list[TrainingLink] = []
    for record in stored.pages():
        pages += 1
        first, page = waiting.fetch((record.url, *record.redirects)), _stored_page(stored, record)
        reason = skip_reason(record.status, record.problem, record.copy_of)
        if record.depth == 0:  # a seed was given, not found
            pass
        elif reason is not None or page is None:
            left_out[reason or UNREADABLE] += 1
        elif first is None:
            left_out[UNLINKED] += 1
        else:
            values = link_values(first.score, first.pages)
            relevance = judge.similarity(page.document)
            links.append(TrainingLink(first.source, record.url, first.anchor, values, relevance))
        if page is not None and page.ok and page.copy_of is None:
            fetched = FetchedPage(Candidate(record.url, Score(0.0), record.depth), page)
            texts.observe(fetched)
            followed = list(scope.follow(page, DropCount({})))
            if stored.is_live:  # as the crawl queued them
                followed = [replace(link, url=without_session(link.url)) for link in followed]
            waiting.note(record.url, followed, texts.score(fetched, followed))
        if on_links is not None:
            on_links(len(links), plan.links)
        if len(links) >= plan.links:
            break
    else:
        warn_caller(
            f"{about}: the crawl in {path} gave {len(links):,} links of the {plan.links:,} wanted: "
            "it has no more pages"
        )
    left_out[UNFETCHED] = len(waiting)
    collected = TrainingLinks(about.name, plan.model, plan.names, tuple(links))
    return CollectedLinks(
        collected, pages, plan.links, +left_out, f"the crawl in {path}", plan.parameters
    )


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
    path = None if isinstance(source, Archive) else Path(source)
    if path is not None and is_crawl_folder(path):
        if pdf:
            raise SettingsError(
                f"the crawl in {path} says itself if PDFs are pages: leave out pdf."
            )
        with open_crawl(path) as stored:
            return links_of_crawl(stored, topic, plan, on_links)
    if path is not None and is_links_name(path) and not os.path.isdir(path):
        raise SettingsError(
            f"{path} is no archive but a file of links: give tune_links(read_links(...)) instead."
        )
    opened = nullcontext(source) if isinstance(source, Archive) else opened_archive(Path(source))
    with opened as archive:
        if topic is None:
            raise SettingsError("an archive has no topic of its own: give one with seeds in it.")
        return links_of_archive(archive, topic, plan, on_links, pdf)


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

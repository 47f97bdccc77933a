"""Training links of a crawl that lies in a folder: its pages are read again, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from scenthound.core.bounds import Bounds
from scenthound.core.errors import InputError
from scenthound.core.model import Briefing, Candidate, Link, Page, Score, Topic, Visit
from scenthound.core.scope import DropCount, Scope
from scenthound.core.traps import without_session
from scenthound.corpus.bodies import ArchiveBodies
from scenthound.corpus.record import PageRecord
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.relevance.judge import SimilarityJudge
from scenthound.store import topic_file
from scenthound.strategies.weighted import WeightedTexts
from scenthound.tuning.collecting import (
    UNFETCHED,
    UNLINKED,
    UNREADABLE,
    Collected,
    OnLinks,
    values_of,
    why_no_target,
)
from scenthound.tuning.first_links import FirstLinks
from scenthound.tuning.links import TrainingLink, TrainingLinks
from scenthound.tuning.plan import LinkPlan


def links_of_crawl(
    stored: StoredCrawl,
    topic: Topic | None,
    plan: LinkPlan,
    warn: Warn,
    on_links: OnLinks | None = None,
) -> Collected:
    """Read the pages of a crawl again, in the order of fetching, until there are enough links.

    Parameters
    ----------
    stored : the crawl; it may be running.
    topic : what texts are compared with; None for the crawl's own.
    plan : how many links, and what reads them.
    warn : gets what is left out, in words; also that there are fewer links than wanted.
    on_links : told of every page.

    Raises
    ------
    TopicError
        Nothing that can be read says what the topic is about.
    FolderError, ArchiveError
        The crawl, or the archive that it replayed, cannot be read.
    """
    about = topic or stored.topic
    texts, judge = plan.readers(about, _briefing(stored, about, plan, warn))
    reading = _Reading(stored, texts, judge)
    for record in stored.pages():
        reading.read(record)
        if on_links is not None:
            on_links(len(reading.links), plan.links)
        if len(reading.links) >= plan.links:
            break
    path = stored.folder.path
    if len(reading.links) < plan.links:
        warn(
            f"{about}: the crawl in {path} gave {len(reading.links):,} links of the "
            f"{plan.links:,} wanted: it has no more pages"
        )
    links = TrainingLinks(about.name, plan.model, plan.names, tuple(reading.links))
    return Collected(
        links, reading.pages, plan.links, reading.left_out, f"the crawl in {path}", plan.parameters
    )


class _Reading:
    """Reads pages as the crawl met them, and notes the links that led to them."""

    def __init__(self, stored: StoredCrawl, texts: WeightedTexts, judge: SimilarityJudge) -> None:
        self._stored = stored
        self._texts = texts
        self._judge = judge
        self._scope = Scope(Bounds(exclude=stored.topic.exclude))
        self._first = FirstLinks()
        self._counts: Counter[str] = Counter()
        self.links: list[TrainingLink] = []
        self.pages = 0

    @property
    def left_out(self) -> Counter[str]:
        """Targets that gave no link, by reason."""
        return +(self._counts + Counter({UNFETCHED: len(self._first)}))

    def read(self, record: PageRecord) -> None:
        """One more page: what led to it, and what it links to."""
        self.pages += 1
        first = self._first.fetch((record.url, *record.redirects))
        page = self._page(record)
        reason = why_no_target(record.status, record.problem, record.copy_of)
        if record.depth == 0:  # a seed was given, not found
            pass
        elif reason is not None or page is None:
            self._counts[reason or UNREADABLE] += 1
        elif first is None:
            self._counts[UNLINKED] += 1
        else:
            values = values_of(first.score, first.pages)
            relevance = self._judge.similarity(page.document)
            self.links.append(
                TrainingLink(first.source, record.url, first.anchor, values, relevance)
            )
        if page is not None and page.ok and page.copy_of is None:
            self._follow(record, page)

    def _follow(self, record: PageRecord, page: Page) -> None:
        """Learn from the page, and note its links: in the same order as the crawl."""
        visit = Visit(Candidate(record.url, Score(0.0), record.depth), page)
        self._texts.observe(visit)
        links = list(self._links(page))
        self._first.note(record.url, links, self._texts.score(visit, links))

    def _links(self, page: Page) -> Iterator[Link]:
        """What may be followed, by the addresses under which the crawl queued it."""
        for link in self._scope.follow(page, DropCount({})):
            yield replace(link, url=without_session(link.url)) if self._stored.is_live else link

    def _page(self, record: PageRecord) -> Page | None:
        """The page as the crawl read it; None where it was not kept, or is damaged."""
        try:
            page = self._stored.bodies.page(record)
        except InputError:
            return None
        if page is None:
            return None
        return replace(page, redirects=record.redirects, copy_of=record.copy_of)


def _briefing(stored: StoredCrawl, topic: Topic, plan: LinkPlan, warn: Warn) -> Briefing:
    """The crawl's own topic as it was kept; any other with examples from the archive, if any."""
    kept = topic_file.read_briefing(stored.folder.path) if topic == stored.topic else None
    if kept is not None:
        return kept
    bodies = stored.bodies
    archive = bodies.archive if isinstance(bodies, ArchiveBodies) else None
    return read_briefing(topic, archive, warn, wordnet=plan.wordnet, by_meaning=plan.by_meaning)

"""A crawl over a handful of invented pages, with every part in plain sight."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from scenthound.core.crawl_loop import CrawlLoop, Greedy, Strategy
from scenthound.core.events import Event, PageEvent, Summary
from scenthound.core.model import (
    Budget,
    Candidate,
    Document,
    FetchedPage,
    Link,
    Page,
    Part,
    Rejection,
    Score,
)
from scenthound.core.protocols import Frontier, Policy, State
from scenthound.core.scope import LiveLinkRules, Scope, UrlRules
from scenthound.frontier.memory import MemoryFrontier

Kind = TypeVar("Kind")


@dataclass
class TableScorer:
    """Scores links by a table of anchors (0.5 where there is none), and remembers what it saw."""

    table: Mapping[str, float | Rejection] = field(default_factory=dict)
    predicts: bool = True
    learned: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def observe(self, visit: FetchedPage) -> None:
        self.learned.append(visit.page.url)

    def score(self, visit: FetchedPage, links: Sequence[Link]) -> list[Score | Rejection]:
        self.shown.extend(link.url for link in links)
        return [self._score(self.table.get(link.anchor, 0.5)) for link in links]

    def _score(self, worth: float | Rejection) -> Score | Rejection:
        if isinstance(worth, Rejection):
            return worth
        return Score(worth, (Part("anchor", worth, 1.0),))

    def state(self) -> State:
        return {"learnt": list(self.learned)}

    def restore(self, state: State) -> None:
        learned = state["learnt"]
        assert isinstance(learned, list)
        self.learned = [str(url) for url in learned]


@dataclass
class TitleJudge:
    """A page whose title is a number is that similar to the topic; any other is not at all."""

    threshold: float = 0.5

    def similarity(self, document: Document) -> float:
        return float(document.title) if document.title else 0.0

    def language(self, document: Document) -> str | None:
        return document.language


@dataclass
class ListJournal:
    events: list[Event] = field(default_factory=list)

    def append(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    def pages(self) -> list[PageEvent]:
        return self.of(PageEvent)

    def lines(self) -> list[dict[str, object]]:
        return [event.to_json() for event in self.events]


@dataclass
class Rig:
    """A crawl and the parts it was made of."""

    crawl: CrawlLoop
    scorer: TableScorer
    frontier: Frontier
    journal: ListJournal

    def candidate(self) -> Candidate:
        candidate = self.crawl.next()
        assert candidate is not None
        return candidate

    def lease(self) -> str:
        return self.candidate().url

    def fetch(self, page: Page, expected: str | None = None) -> PageEvent:
        """Lease one URL, which must be the page's own (or ``expected``), and answer it."""
        url = self.lease()
        assert url == (expected or page.url)
        return self.crawl.observe(url, page)

    def run(self, web: Iterable[Page]) -> list[str]:
        """Crawl these pages to the end; everything else is missing. The URLs as leased."""
        pages = {page.url: page for page in web}
        order = []
        while (candidate := self.crawl.next()) is not None:
            order.append(candidate.url)
            if candidate.url in pages:
                self.crawl.observe(candidate.url, pages[candidate.url])
            else:
                self.crawl.missing(candidate.url)
        return order


def rig(
    *seeds: str,
    budget: int = 100,
    table: Mapping[str, float | Rejection] | None = None,
    predicts: bool = True,
    policy: Policy | None = None,
    frontier: Frontier | None = None,
    exclude: Sequence[str] = (),
    count_missing: bool = False,
    rules: LiveLinkRules | None = None,
    max_depth: int | None = None,
    scorer: TableScorer | None = None,
    so_far: Summary | None = None,
) -> Rig:
    scorer = scorer or TableScorer(table or {}, predicts)
    frontier = MemoryFrontier() if frontier is None else frontier
    journal = ListJournal()
    ticks = itertools.count()
    crawl = CrawlLoop(
        topic="storms",
        strategy=Strategy("table", scorer, policy or Greedy(random.Random(0))),
        frontier=frontier,
        budget=Budget(budget),
        seeds=seeds,
        judge=TitleJudge(),
        journal=journal,
        clock=lambda: float(next(ticks)),
        scope=Scope(UrlRules(exclude=exclude), rules),
        count_missing=count_missing,
        max_depth=max_depth,
        so_far=so_far,
    )
    return Rig(crawl, scorer, frontier, journal)


def page(
    url: str,
    *links: str | Link,
    title: str = "",
    status: int = 200,
    redirects: tuple[str, ...] = (),
    follow: bool = True,
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] | None = None,
) -> Page:
    """A page; a link given as a text is its target, with the target as anchor too."""
    return Page(
        url=url,
        status=status,
        document=Document(title=title),
        links=tuple(Link(x, anchor=x) if isinstance(x, str) else x for x in links),
        redirects=redirects,
        follow=follow,
        unusable=unusable or {},
    )

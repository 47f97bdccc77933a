"""Crawls with a policy that walks, whose answers a test gives in any order it likes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.crawl_building import ListJournal, TitleJudge
from scenthound.core.crawl_loop import CrawlLoop, Strategy
from scenthound.core.events import PageEvent, Summary
from scenthound.core.model import Budget, Candidate, Document, Link, Page
from scenthound.core.parameters import Value
from scenthound.core.protocols import Frontier
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.catalogue import CATALOGUE
from strategies.scoring import strategy_context

DAY = 86_400.0


def page(url: str, *links: str | tuple[str, str], text: str = "storm") -> Page:
    """A page; a link is its target, or its target and its anchor."""
    pairs = [link if isinstance(link, tuple) else (link, "storm") for link in links]
    found = tuple(Link(target, anchor) for target, anchor in pairs)
    return Page(url, 200, Document(text=text), found)


@dataclass
class Walk:
    """A crawl, its parts, and its clock."""

    strategy: Strategy
    frontier: Frontier
    seeds: Iterable[str]
    so_far: Summary | None = None
    budget: int = 10_000
    now: float = 0.0
    journal: ListJournal = field(default_factory=ListJournal)

    def __post_init__(self) -> None:
        self.crawl = CrawlLoop(
            topic="storms",
            strategy=self.strategy,
            frontier=self.frontier,
            budget=Budget(self.budget),
            seeds=self.seeds,
            judge=TitleJudge(),
            journal=self.journal,
            clock=lambda: self.now,
            so_far=self.so_far,
        )

    def next(self) -> Candidate:
        candidate = self.crawl.next()
        assert candidate is not None
        return candidate

    def all_now(self) -> list[str]:
        """Everything that may be asked for at once, as it is leased."""
        found = []
        while (candidate := self.crawl.next()) is not None:
            found.append(candidate.url)
        return found

    def answer(self, *pages: Page) -> None:
        for each in pages:
            self.crawl.observe(each.url, each)

    @property
    def events(self) -> list[PageEvent]:
        return self.journal.pages()


def walk(
    *seeds: str, name: str = "moaco", frontier: Frontier | None = None, **parameters: Value
) -> Walk:
    """A crawl from these seeds."""
    made = MemoryFrontier(lease_seconds=DAY) if frontier is None else frontier
    return Walk(CATALOGUE[name].build(strategy_context(), parameters), made, seeds)

"""A web of thirty small pages in memory: enough to find out whether a strategy can crawl."""

from __future__ import annotations

from scenthound.core.crawl import FRONTIER_EMPTY, Crawl
from scenthound.core.errors import StrategyError
from scenthound.core.events import Event
from scenthound.core.model import Budget, Document, Link, Page, Sighting
from scenthound.core.strategy import Strategy
from scenthound.frontier.combination import Combination
from scenthound.frontier.memory import MemoryFrontier

SITE = "http://trial.test/"
KEYWORDS = ("storm", "heavy rain")
EXAMPLES = (
    Document("Storm", "a storm with rain and wind, and the flood behind it"),
    Document("Hail", "hail and rain fall when a storm passes"),
)
LABELS = frozenset(f"{SITE}{number}" for number in (3, 5, 12))
_PAGES = 30
_WORDS = ("storm", "flood", "rain", "cake", "bread", "wind", "tea", "hail", "river", "sugar")


def trial_page(number: int) -> Page:
    """A page of a few words that links to three others, one of them twice."""
    targets = (2 * number, 2 * number + 1, number + 7, number + 7)
    text = " ".join(_WORDS[(number * step) % 10] for step in (1, 2, 3))
    links = tuple(
        Link(_address(each), f"{_WORDS[each % 10]} {each}", f"more on {_WORDS[each % 10]}")
        for each in targets
    )
    return Page(_address(number), 200, Document(_WORDS[number % 10], text), links)


def crawled(strategy: Strategy, combination: Combination, pages: int) -> list[str]:
    """The addresses that a strategy fetches, in order; fewer where it refuses the others.

    StrategyError where it does not go on though links wait, or fetches an address twice.
    """
    web = {page.url: page for page in map(trial_page, range(_PAGES))}
    frontier, now = MemoryFrontier(combination), [0.0]
    crawl = Crawl(
        topic="trial", strategy=strategy, frontier=frontier, budget=Budget(pages),
        seeds=[_address(0)], judge=_Nobody(), journal=_Nowhere(), clock=lambda: now[0],
    )  # fmt: skip
    fetched: list[str] = []
    while (candidate := crawl.next()) is not None:
        if candidate.url in fetched:
            raise StrategyError(strategy.name, "chooses a link that was fetched before")
        fetched.append(candidate.url)
        now[0] += 1.0
        crawl.observe(candidate.url, web[candidate.url])
    if crawl.stop_reason == FRONTIER_EMPTY or len(fetched) == pages:
        return fetched
    raise StrategyError(strategy.name, "chooses nothing though links wait")


def drawn(strategy: Strategy) -> list[str]:
    """What its policy chooses among fifty links that are worth the same."""
    frontier = MemoryFrontier()
    frontier.add([Sighting(f"{SITE}{number}", 1) for number in range(50)])
    chosen = [strategy.choose(frontier, 0.0) for _ in range(20)]
    return [candidate.url for candidate in chosen if candidate is not None]


def _address(number: int) -> str:
    return SITE if number % _PAGES == 0 else f"{SITE}{number % _PAGES}"


class _Nobody:
    """A judge without an opinion: a strategy is not shown its answers."""

    threshold = 1.0

    def similarity(self, document: Document) -> float:
        return 0.0

    def language(self, document: Document) -> str | None:
        return None


class _Nowhere:
    """A journal that keeps nothing."""

    def append(self, event: Event) -> None:
        del event

"""The contract of a strategy as a function that its author calls in a test, and the small web in
memory that it crawls. A strategy cannot look ahead: it is given fetched pages and the links on
them, no archive and no labels. The rest of the contract is checked here.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator

from scenthound.core.crawl_loop import FRONTIER_EMPTY, CrawlLoop, Strategy, state_error
from scenthound.core.errors import StrategyError
from scenthound.core.events import Event
from scenthound.core.model import (
    Budget,
    Candidate,
    Combination,
    Document,
    FetchedPage,
    Link,
    Page,
    Part,
    Rejection,
    Score,
    ScoredLink,
    TopicProfile,
)
from scenthound.core.parameters import Parameters
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.catalogue import spec_problem
from scenthound.strategies.spec import StrategyContext, StrategySpec
from scenthound.text.analyzer import Analyzer

SITE = "http://trial.test/"
KEYWORDS = ("storm", "heavy rain")
EXAMPLES = (
    Document("Storm", "a storm with rain and wind, and the flood behind it"),
    Document("Hail", "hail and rain fall when a storm passes"),
)
LABELS = frozenset(f"{SITE}{number}" for number in (3, 5, 12))
_WEB_SIZE = 30
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


def crawl_trial_web(strategy: Strategy, combination: Combination, pages: int) -> list[str]:
    """The addresses that a strategy fetches, in order; fewer where it refuses the others.

    StrategyError where it does not go on though links wait, or fetches an address twice.
    """
    web = {page.url: page for page in map(trial_page, range(_WEB_SIZE))}
    frontier, now = MemoryFrontier(combination), [0.0]
    crawl = CrawlLoop(
        topic="trial", strategy=strategy, frontier=frontier, budget=Budget(pages),
        seeds=[_address(0)], judge=_NoRecord(), journal=_NoRecord(), clock=lambda: now[0],
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


def sample_choices(strategy: Strategy) -> list[str]:
    """What its policy chooses among fifty links that are worth the same."""
    frontier = MemoryFrontier()
    frontier.add([ScoredLink(f"{SITE}{number}", 1) for number in range(50)])
    chosen = [strategy.choose(frontier, 0.0) for _ in range(20)]
    return [candidate.url for candidate in chosen if candidate is not None]


def _address(number: int) -> str:
    return SITE if number % _WEB_SIZE == 0 else f"{SITE}{number % _WEB_SIZE}"


class _NoRecord:
    """A judge without an opinion, which a strategy is not shown, and a journal of nothing."""

    threshold = 1.0

    def similarity(self, document: Document) -> float:
        return 0.0

    def language(self, document: Document) -> str | None:
        return None

    def append(self, event: Event) -> None:
        del event


_PAGES = 12
_ROUNDING = 1e-9
_LINKS = (
    Link(f"{SITE}a"),
    Link(f"{SITE}b", "storm", "the storm rain"),
    Link(f"{SITE}c", "", "storm"),
    Link(f"{SITE}d", "cake " * 99, "cake"),
)


def check_strategy(
    spec: StrategySpec | None = None,
    parameters: Parameters | None = None,
    *,
    recipe: StrategySpec | None = None,
) -> None:
    """Find out whether a strategy keeps its contract: nothing happens where it does.

    It can be built from keywords, from example pages and from both. It gives every link a finite
    score (between 0 and 1 where it ``predicts``), the sum of its parts where it has any, or a
    refusal. It fetches no page twice and goes on while links wait. The same random seed gives the
    same crawl. What is saved and restored goes on as if nothing had happened.

    Parameters
    ----------
    spec : of the strategy.
    parameters : to check it with, by name; the others have their defaults.
    recipe : the name that ``spec`` had in version 0.1.

    Raises
    ------
    StrategyError
        The first thing that is wrong, in a sentence.
    """
    spec = recipe if spec is None else spec
    if spec is None:
        raise TypeError("check_strategy() needs the specification of a strategy")
    if (fault := spec_problem(spec)) is not None:
        raise StrategyError(str(spec.name), fault)
    given = spec.check(parameters or {})
    for keywords, examples in ((KEYWORDS, ()), ((), EXAMPLES), (KEYWORDS, EXAMPLES)):
        profile = TopicProfile("trial", keywords, examples)
        strategy = spec.build(trial_context(spec, profile), given)
        for fetched in _fetched_pages():
            strategy.observe(fetched)
            for score in (*strategy.score(fetched, ()), *strategy.score(fetched, _LINKS)):
                if isinstance(score, Score):
                    _check_score(strategy, score)
    _check_repeats(spec, given)
    _check_restores(spec, given)


def trial_context(spec: StrategySpec, profile: TopicProfile | None = None) -> StrategyContext:
    """What a strategy is built from for a trial: a topic of two words and two pages by default."""
    labels = LABELS if spec.needs_labels else frozenset()
    topic = profile or TopicProfile("trial", KEYWORDS, EXAMPLES)
    return StrategyContext(topic, Analyzer(), random.Random(7), labels)


def _fetched_pages() -> Iterator[FetchedPage]:
    """Pages with words and without, from a seed and from a link."""
    for number in (1, 4):
        yield FetchedPage(Candidate(f"{SITE}{number}", Score(1.0), 0), trial_page(number))
    for page in (Page(SITE, 200, Document()), trial_page(3)):
        yield FetchedPage(Candidate(page.url, Score(0.5, (Part("anchor", 0.5),)), 2), page)


def _check_score(strategy: Strategy, score: Score) -> None:
    parts = [part.value * part.weight for part in score.parts]
    if not all(map(math.isfinite, (score.value, *parts))):
        raise StrategyError(strategy.name, "gives a score that is no finite number")
    if strategy.scorer.predicts and not -_ROUNDING <= score.value <= 1.0 + _ROUNDING:
        raise StrategyError(
            strategy.name, f"predicts relevance and gives {score.value:g}, not within 0 and 1"
        )
    if parts and not math.isclose(sum(parts), score.value, rel_tol=1e-6, abs_tol=1e-6):
        raise StrategyError(
            strategy.name, f"gives {score.value:g} with parts that come to {sum(parts):g}"
        )


def _check_repeats(spec: StrategySpec, parameters: Parameters) -> None:
    """Twice the same, and nothing drawn but from the generator that was given."""
    drawn = random.getstate()
    first, one = _crawl(spec, parameters)
    second, other = _crawl(spec, parameters)
    if random.getstate() != drawn:
        raise StrategyError(spec.name, "draws from the global generator, not from its own")
    if first != second or _rounded_scores(one) != _rounded_scores(other):
        raise StrategyError(spec.name, "crawls otherwise with the same random seed")


def _check_restores(spec: StrategySpec, parameters: Parameters) -> None:
    _, saved = _crawl(spec, parameters)
    state = saved.state()
    if (fault := state_error(state)) is not None:
        raise StrategyError(spec.name, fault)
    fresh = spec.build(trial_context(spec), parameters)
    fresh.restore(copy.deepcopy(state))  # a file shares nothing with what was saved
    if _rounded_scores(fresh) != _rounded_scores(saved) or sample_choices(fresh) != sample_choices(
        saved
    ):
        raise StrategyError(spec.name, "goes on otherwise after its state was restored")


def _crawl(spec: StrategySpec, parameters: Parameters) -> tuple[list[str], Strategy]:
    strategy = spec.build(trial_context(spec), parameters)
    return crawl_trial_web(strategy, spec.combination, _PAGES), strategy


def _rounded_scores(strategy: Strategy) -> list[float | str]:
    """What it says to the links of the next pages, learning on the way, to five digits.

    Vectors of texts differ a little with what else is read at once.
    """
    scores: list[Score | Rejection] = []
    for fetched in _fetched_pages():
        strategy.observe(fetched)
        scores.extend(strategy.score(fetched, _LINKS))
    return [each.reason if isinstance(each, Rejection) else round(each.value, 5) for each in scores]

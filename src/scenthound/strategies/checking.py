"""The contract of a strategy, as a function that its author can call in a test.

A strategy has nothing to peek with: it is given pages that were fetched and links that stand on
them, no archive and no labels. What is checked here is the rest.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator

from scenthound.core.errors import StrategyError
from scenthound.core.model import (
    Briefing,
    Candidate,
    Document,
    Link,
    Page,
    Part,
    Refusal,
    Score,
    Visit,
)
from scenthound.core.parameters import Parameters
from scenthound.core.states import state_fault
from scenthound.core.strategy import Strategy
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.installed import recipe_fault
from scenthound.strategies.trial_web import (
    EXAMPLES,
    KEYWORDS,
    LABELS,
    SITE,
    crawled,
    drawn,
    trial_page,
)
from scenthound.text.analyzer import Analyzer

_PAGES = (1, 12)
_ROUNDING = 1e-9
_LINKS = (
    Link(f"{SITE}a"),
    Link(f"{SITE}b", "storm", "the storm rain"),
    Link(f"{SITE}c", "", "storm"),
    Link(f"{SITE}d", "cake " * 99, "cake"),
)


def check_strategy(recipe: Recipe, parameters: Parameters | None = None) -> None:
    """Find out whether a strategy keeps its contract: nothing happens where it does.

    It can be built from keywords, from example pages and from both. It gives every link a finite
    score (between 0 and 1 where it ``predicts``), the sum of its parts where it has any, or a
    refusal. It fetches no page twice and goes on while links wait. The same random seed gives the
    same crawl. What is saved and restored goes on as if nothing had happened.

    Parameters
    ----------
    recipe : of the strategy.
    parameters : to check it with, by name; the others have their defaults.

    Raises
    ------
    StrategyError
        The first thing that is wrong, in a sentence.
    """
    if (fault := recipe_fault(recipe)) is not None:
        raise StrategyError(str(recipe.name), fault)
    given = recipe.check(parameters or {})
    for keywords, examples in ((KEYWORDS, ()), ((), EXAMPLES), (KEYWORDS, EXAMPLES)):
        briefing = Briefing("trial", keywords, examples)
        strategy = recipe.build(_ingredients(recipe, briefing), given)
        for visit in _visits():
            _check_scores(strategy, visit)
    for pages in _PAGES:
        _check_repeats(recipe, given, pages)
        _check_restores(recipe, given, pages)


def _ingredients(recipe: Recipe, briefing: Briefing | None = None) -> Ingredients:
    labels = LABELS if recipe.needs_labels else frozenset()
    told = briefing or Briefing("trial", KEYWORDS, EXAMPLES)
    return Ingredients(told, Analyzer(), random.Random(7), labels)


def _visits() -> Iterator[Visit]:
    """Pages with words and without, from a seed and from a link."""
    for number in (1, 4):
        yield Visit(Candidate(f"{SITE}{number}", Score(1.0), 0), trial_page(number))
    for page in (Page(SITE, 200, Document()), trial_page(3)):
        yield Visit(Candidate(page.url, Score(0.5, (Part("anchor", 0.5),)), 2), page)


def _check_scores(strategy: Strategy, visit: Visit) -> None:
    strategy.observe(visit)
    for links in ((), _LINKS):
        for answer in strategy.score(visit, links):
            if isinstance(answer, Score):
                _check_score(strategy, answer)


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


def _check_repeats(recipe: Recipe, parameters: Parameters, pages: int) -> None:
    """Twice the same, and nothing drawn but from the generator that was given."""
    drawn = random.getstate()
    first, one = _crawled(recipe, parameters, pages)
    second, other = _crawled(recipe, parameters, pages)
    if random.getstate() != drawn:
        raise StrategyError(recipe.name, "draws from the global generator, not from its own")
    if first != second or _answers(one) != _answers(other):
        raise StrategyError(recipe.name, "crawls otherwise with the same random seed")


def _check_restores(recipe: Recipe, parameters: Parameters, pages: int) -> None:
    _, saved = _crawled(recipe, parameters, pages)
    state = saved.state()
    if (fault := state_fault(state)) is not None:
        raise StrategyError(recipe.name, fault)
    fresh = recipe.build(_ingredients(recipe), parameters)
    fresh.restore(copy.deepcopy(state))  # a file shares nothing with what was saved
    if _answers(fresh) != _answers(saved) or drawn(fresh) != drawn(saved):
        raise StrategyError(recipe.name, "goes on otherwise after its state was restored")


def _crawled(recipe: Recipe, parameters: Parameters, pages: int) -> tuple[list[str], Strategy]:
    strategy = recipe.build(_ingredients(recipe), parameters)
    return crawled(strategy, recipe.combination, pages), strategy


def _answers(strategy: Strategy) -> list[float | str]:
    """What it says to the links of the next pages, learning on the way, to five digits.

    Vectors of texts differ a little with what else is read at once.
    """
    said: list[Score | Refusal] = []
    for visit in _visits():
        strategy.observe(visit)
        said.extend(strategy.score(visit, _LINKS))
    return [each.reason if isinstance(each, Refusal) else round(each.value, 5) for each in said]

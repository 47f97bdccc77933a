"""A strategy as the crawl uses it: a scorer and a policy, with checks on what third-party ones
return.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.core.errors import StrategyError
from scenthound.core.model import Candidate, FetchedPage, Inlink, Link, Refusal, Score, ScoredLink
from scenthound.core.protocols import Frontier, Policy, Scorer, State
from scenthound.core.registry import is_third_party, strategy_errors
from scenthound.core.scope import DropCount


def generator_state(rng: random.Random) -> State:
    """Where a random generator stands."""
    version, numbers, gauss = rng.getstate()
    return {"version": version, "numbers": list(numbers), "gauss": gauss}


def restore_generator(rng: random.Random, state: State) -> None:
    """Let ``rng`` draw on as the one did that gave ``state``."""
    numbers = state["numbers"]
    assert isinstance(numbers, list)
    rng.setstate((state["version"], tuple(numbers), state["gauss"]))


def state_error(state: object) -> str | None:
    """Why a state cannot be written, as the rest of a sentence; None where it can."""
    if not isinstance(state, dict):
        return f"gives a value of type {type(state).__name__} as its state, not a dict"
    return _fault(state)


def _fault(state: object) -> str | None:
    match state:
        case dict():
            if not all(isinstance(key, str) for key in state):
                return "has a state with a key that is no text"
            return _first_fault(state.values())
        case list():
            return _first_fault(state)
        case np.ndarray():
            return "has an array of Python objects in its state" if state.dtype.hasobject else None
        case bool() | int() | float() | str() | None:
            return None
        case _:
            kind = type(state).__name__
            return f"has a {kind} in its state, which holds JSON values and arrays"


def _first_fault(values: Iterable[object]) -> str | None:
    return next((fault for each in values if (fault := _fault(each)) is not None), None)


@dataclass(frozen=True)
class Strategy:
    """A named crawler: a scorer and a policy. Its frontier combines the inlinks.

    Anybody may write either, so a crawl asks them here: what fails, or is no answer, is a
    :class:`~scenthound.core.errors.StrategyError` that names the strategy.
    """

    name: str
    scorer: Scorer
    policy: Policy

    def observe(self, visit: FetchedPage) -> None:
        """Let the scorer learn from a page."""
        with strategy_errors(self.name, self.scorer, "observe()"):
            self.scorer.observe(visit)

    def score(self, visit: FetchedPage, links: Sequence[Link]) -> Sequence[Score | Refusal]:
        """One answer for each link of a page, in order."""
        with strategy_errors(self.name, self.scorer, "score()"):
            answers = self.scorer.score(visit, links)
            if is_third_party(self.scorer):
                _check_answers(self.name, answers, len(links))
        return answers

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """The next candidate, leased; None when nothing can be leased now."""
        with strategy_errors(self.name, self.policy, "choose()"):
            return self.policy.choose(frontier, now)

    def state(self) -> State:
        """What scorer and policy have learned."""
        with strategy_errors(self.name, self.scorer, "state()"):
            scorer = self._written(self.scorer)
        with strategy_errors(self.name, self.policy, "state()"):
            return {"scorer": scorer, "policy": self._written(self.policy)}

    def _written(self, part: Scorer | Policy) -> State:
        """The state of a part; StrategyError where a third-party one cannot be written."""
        state = part.state()
        fault = state_error(state) if is_third_party(part) else None
        if fault is not None:
            raise StrategyError(self.name, f"failed in state(): it {fault}")
        return state

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        scorer, policy = state["scorer"], state["policy"]
        assert isinstance(scorer, dict) and isinstance(policy, dict)
        with strategy_errors(self.name, self.scorer, "restore()"):
            self.scorer.restore(scorer)
        with strategy_errors(self.name, self.policy, "restore()"):
            self.policy.restore(policy)


def _check_answers(strategy: str, answers: Sequence[object], links: int) -> None:
    if len(answers) != links:
        raise StrategyError(strategy, f"gives {len(answers)} scores for {links} links")
    for answer in answers:
        if not isinstance(answer, Score | Refusal):
            kind = type(answer).__name__
            raise StrategyError(strategy, f"answers a link with {kind}, not with Score or Refusal")


NOT_A_NUMBER = "score is no number"


def best_scored_links(
    links: Sequence[Link],
    scores: Sequence[Score | Refusal],
    number: int,
    depth: int,
    drops: DropCount,
) -> list[ScoredLink]:
    """The links that are queued, each target once with its best score.

    Parameters
    ----------
    links, scores : of a page, one for one.
    number : of the page, in order of fetching.
    depth : of the targets.
    drops : gets what is not queued, with the reason.
    """
    best: dict[str, Inlink] = {}
    for link, score in zip(links, scores, strict=True):
        if isinstance(score, Refusal):
            drops.add(score.reason, link.url)
        elif not math.isfinite(score.value):
            drops.add(NOT_A_NUMBER, link.url)
        elif link.url not in best or score.value > best[link.url].score.value:
            best[link.url] = Inlink(number, score, link.anchor)
    return [ScoredLink(url, depth, inlink) for url, inlink in best.items()]


def check_any_scored(strategy: str, dropped: Mapping[str, int], scored: int) -> None:
    """StrategyError where links were scored and no score was a number: nothing was steered.

    Parameters
    ----------
    strategy : its name.
    dropped : links of the whole crawl that were not queued, by reason.
    scored : links whose score was a number.
    """
    unscored = dropped.get(NOT_A_NUMBER, 0)
    if unscored and not scored:
        raise StrategyError(strategy, f"gave {unscored:,} scores, and none is a number")

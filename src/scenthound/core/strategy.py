"""A named crawler: how links are scored, and which one is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.core.errors import StrategyError
from scenthound.core.foreign import blaming, is_foreign
from scenthound.core.model import Candidate, Link, Refusal, Score, Visit
from scenthound.core.protocols import Frontier, Policy, Scorer, State
from scenthound.core.states import state_fault


@dataclass(frozen=True)
class Strategy:
    """A named crawler: a scorer and a policy. Its frontier combines the inlinks.

    Anybody may write either, so a crawl asks them here: what fails, or is no answer, is a
    :class:`~scenthound.core.errors.StrategyError` that names the strategy.
    """

    name: str
    scorer: Scorer
    policy: Policy

    def observe(self, visit: Visit) -> None:
        """Let the scorer learn from a page."""
        with blaming(self.name, self.scorer, "observe()"):
            self.scorer.observe(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score | Refusal]:
        """One answer for each link of a page, in order."""
        with blaming(self.name, self.scorer, "score()"):
            answers = self.scorer.score(visit, links)
            if is_foreign(self.scorer):
                _check_answers(self.name, answers, len(links))
        return answers

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """The next candidate, leased; None when nothing can be leased now."""
        with blaming(self.name, self.policy, "choose()"):
            return self.policy.choose(frontier, now)

    def state(self) -> State:
        """What scorer and policy have learnt."""
        with blaming(self.name, self.scorer, "state()"):
            scorer = self._written(self.scorer)
        with blaming(self.name, self.policy, "state()"):
            return {"scorer": scorer, "policy": self._written(self.policy)}

    def _written(self, part: Scorer | Policy) -> State:
        """The state of a part; StrategyError where somebody wrote one that no file can hold."""
        state = part.state()
        fault = state_fault(state) if is_foreign(part) else None
        if fault is not None:
            raise StrategyError(self.name, f"failed in state(): it {fault}")
        return state

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        scorer, policy = state["scorer"], state["policy"]
        assert isinstance(scorer, dict) and isinstance(policy, dict)
        with blaming(self.name, self.scorer, "restore()"):
            self.scorer.restore(scorer)
        with blaming(self.name, self.policy, "restore()"):
            self.policy.restore(policy)


def _check_answers(strategy: str, answers: Sequence[object], links: int) -> None:
    if len(answers) != links:
        raise StrategyError(strategy, f"gives {len(answers)} scores for {links} links")
    for answer in answers:
        if not isinstance(answer, Score | Refusal):
            kind = type(answer).__name__
            raise StrategyError(strategy, f"answers a link with {kind}, not with Score or Refusal")

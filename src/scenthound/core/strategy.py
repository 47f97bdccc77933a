"""A named crawler: how links are scored, and which one is next."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.core.protocols import Policy, Scorer, State


@dataclass(frozen=True)
class Strategy:
    """A named crawler: a scorer and a policy. Its frontier combines the inlinks."""

    name: str
    scorer: Scorer
    policy: Policy

    def state(self) -> State:
        """What scorer and policy have learnt."""
        return {"scorer": self.scorer.state(), "policy": self.policy.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        scorer, policy = state["scorer"], state["policy"]
        assert isinstance(scorer, dict) and isinstance(policy, dict)
        self.scorer.restore(scorer)
        self.policy.restore(policy)

"""Weights learnt during a crawl, from the links whose targets that crawl has fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State
from scenthound.optimise.catalogue import EXACT, check, solve
from scenthound.optimise.holding import held
from scenthound.optimise.problem import Moments, WeightProblem
from scenthound.optimise.soundness import LEAST_LINKS

MOVED = 0.01
"""Weights that move by less are left as they are: nothing that waits need be valued anew."""


class WeightLearner:
    """Adds link after link to the moments and, when it is time, fits the weights to them.

    ``exact`` fits every so many pages. Any other optimiser is a search of seconds: it runs once,
    when enough links are known.

    Parameters
    ----------
    start : the weights to begin with, by name.
    optimiser : how weights are found: a name of ``optimise.catalogue.NAMES``.
    every : pages from one fit to the next (``exact``).
    enough : links that must be known for the one fit (any other optimiser).
    hold : the weights at the start count as if so many links agreed with them.
    seed : of the optimiser's random generator.
    """

    def __init__(
        self, start: Mapping[str, float], optimiser: str = EXACT, every: int = 50,
        enough: int = 500, hold: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        check(optimiser, {})
        if every < 1 or enough < LEAST_LINKS or not 0.0 <= hold < float("inf"):
            raise SettingsError(
                f"every must be 1 or more, enough {LEAST_LINKS} or more, hold a number from 0 on."
            )
        self._names = tuple(start)
        self._start = np.array([start[name] for name in self._names])
        self._optimiser, self._seed = optimiser, seed
        self._every, self._enough, self._hold = every, enough, hold
        self._moments = Moments.none(len(self._names))
        self._weights = self._start
        self._pages = self._fitted_at = 0

    @property
    def links(self) -> int:
        """How many links were learnt from."""
        return self._moments.count

    def add(self, values: Sequence[float], relevance: float) -> None:
        """A link with these values led to a page that is this relevant."""
        self._moments = self._moments.plus(values, relevance)

    def count_page(self) -> None:
        """One more page was fetched, by whatever link."""
        self._pages += 1

    def fit(self) -> dict[str, float] | None:
        """The new weights, if it is time and they have moved; None otherwise.

        Links that cannot teach weights (too few, all alike) leave them as they are.
        """
        if not self._is_time():
            return None
        self._fitted_at = self._pages
        moments = held(self._moments, self._start, self._hold)
        outcome = solve(WeightProblem(moments, self._names), self._optimiser, seed=self._seed)
        if outcome.reason is not None or np.abs(outcome.weights - self._weights).max() < MOVED:
            return None
        self._weights = outcome.weights
        return dict(zip(self._names, self._weights.tolist(), strict=True))

    def state(self) -> State:
        """The moments, the weights, and when they were fitted."""
        return {
            "moments": dict(self._moments.to_state()),
            "weights": self._weights,
            "pages": self._pages,
            "fitted_at": self._fitted_at,
        }

    def restore(self, state: State) -> dict[str, float]:
        """Go on from what :meth:`state` gave; the weights it had by then."""
        moments, weights = state["moments"], state["weights"]
        assert isinstance(moments, dict)
        self._moments = Moments.from_state(moments)
        self._weights = np.asarray(weights, float)
        self._pages, self._fitted_at = int(str(state["pages"])), int(str(state["fitted_at"]))
        return dict(zip(self._names, self._weights.tolist(), strict=True))

    def _is_time(self) -> bool:
        if self._optimiser == EXACT:
            return self._pages - self._fitted_at >= self._every
        return not self._fitted_at and self.links >= self._enough

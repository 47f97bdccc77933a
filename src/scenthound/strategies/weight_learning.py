"""Weights learnt during a crawl, from the links whose targets that crawl has fetched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State
from scenthound.core.sharing import Fitted, Sums
from scenthound.optimise.catalogue import EXACT, check, solve
from scenthound.optimise.holding import held
from scenthound.optimise.problem import Moments, WeightProblem
from scenthound.optimise.soundness import LEAST_LINKS, why_not

EVERY, ENOUGH = 50, 500
GROWTH = 10
"""In the long run weights are fitted whenever the crawl has grown by one part in so many.

Otherwise the work of weighing anew what waits, which grows with the crawl, would not end."""
MOVED = 0.01
"""Weights that move by less are left as they are: nothing that waits need be weighed anew."""


class WeightLearner:
    """Adds link after link to the moments and, when it is time, fits the weights to them.

    ``exact`` fits again and again. Any other optimiser is a search of seconds: it succeeds once,
    when enough links are known.

    Parameters
    ----------
    start : the weights to begin with, by name.
    optimiser : how weights are found: a name of ``optimise.catalogue.NAMES``.
    every : pages from one fit to the next (``exact``), at least; see ``GROWTH``.
    enough : links that must be known for the one fit (any other optimiser).
    hold : the weights at the start count as if so many links agreed with them.
    seed : of the optimiser's random generator.
    moved : weights that have all moved by less are left as they are.
    """

    def __init__(
        self, start: Mapping[str, float], optimiser: str = EXACT, every: int = EVERY,
        enough: int = ENOUGH, hold: float = 0.0, seed: int = 0, moved: float = MOVED,
    ) -> None:  # fmt: skip
        check(optimiser, {})
        _check(optimiser, every, enough, hold)
        self._names = tuple(start)
        self._start = np.array([start[name] for name in self._names])
        self._optimiser, self._seed, self._moved = optimiser, seed, moved
        self._every, self._enough, self._hold = every, enough, hold
        self._moments = Moments.none(len(self._names))
        self._weights = self._start
        self._pages = self._tried_at = 0
        self._searched = False
        self._here: Moments | None = None
        """Of the links since others were told of them; None where nobody is."""
        self._pages_here = 0

    @property
    def links(self) -> int:
        """How many links are known."""
        return self._moments.count

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        if not np.array_equal(self._weights, self._start):
            return None
        if self._optimiser != EXACT and self.links < self._enough:
            return f"there are {self.links} links, and enough are {self._enough}."
        return why_not(self._moments) or "it was not time, or they did not move."

    def add(self, values: Sequence[float], relevance: float) -> None:
        """A link with these values led to a page that is this relevant.

        One with a value that is no number is left out: it would spoil all the others.
        """
        if all(map(math.isfinite, (*values, relevance))):
            link = Moments.of([values], [relevance])
            self._moments = self._moments + link
            if self._here is not None:
                self._here = self._here + link

    def count_page(self) -> None:
        """One more page was fetched, by whatever link."""
        self._pages += 1
        self._pages_here += self.shares

    def fit(self) -> dict[str, float] | None:
        """The new weights, if it is time and they have moved; None otherwise.

        Links that cannot teach weights (too few, all alike) leave them as they are.
        """
        if not self._is_time():
            return None
        self._tried_at = self._pages
        if why_not(self._moments) is not None:  # asked before anything is held: that adds to them
            return None
        problem = WeightProblem(held(self._moments, self._start, self._hold), self._names)
        outcome = solve(problem, self._optimiser, seed=self._seed)
        if outcome.reason is not None:
            return None
        self._searched = self._optimiser != EXACT
        if np.abs(outcome.weights - self._weights).max() < self._moved:
            return None
        self._weights = outcome.weights
        return self._by_name()

    @property
    def shares(self) -> bool:
        """Is it kept apart what is learnt here?"""
        return self._here is not None

    def share(self) -> None:
        """Keep apart from now on what is learnt here, for other workers of the crawl."""
        if self._here is None:
            self._here = Moments.none(len(self._names))

    def links_here(self) -> Sums:
        """The pages and the moments of links here since this was last asked."""
        here = self._here or Moments.none(len(self._names))
        found = np.concatenate([(float(self._pages_here),), here.in_a_row()])
        self._pages_here = 0
        if self._here is not None:
            self._here = Moments.none(len(self._names))
        return found

    def fit_to(self, sums: Sums) -> None:
        """Pages and moments are these, of all workers, and what is kept apart here."""
        here = self._here or Moments.none(len(self._names))
        self._pages = int(sums[0]) + self._pages_here
        self._moments = Moments.of_row(sums[1:], len(self._names)) + here
        self._tried_at = min(self._tried_at, self._pages)

    def fitted(self) -> Fitted:
        """The weights, when they were fitted and from how many links."""
        return {
            "weights": self._weights.tolist(),
            "tried_at": self._tried_at,
            "searched": self._searched,
            "links": self.links,
        }

    def follow(self, fitted: Fitted | None) -> dict[str, float]:
        """Take over what another worker fitted, or the weights at the start (None)."""
        known = fitted or {"weights": self._start, "tried_at": 0, "searched": False}
        self._weights = np.array(known["weights"], float)
        self._tried_at, self._searched = int(str(known["tried_at"])), bool(known["searched"])
        return self._by_name()

    def state(self) -> State:
        """The moments, the weights, and when they were fitted."""
        return {
            "moments": dict(self._moments.to_state()),
            "weights": self._weights,
            "pages": self._pages,
            "tried_at": self._tried_at,
            "searched": self._searched,
        }

    def restore(self, state: State) -> dict[str, float]:
        """Go on from what :meth:`state` gave; the weights it had by then."""
        moments = state["moments"]
        assert isinstance(moments, dict)
        self._moments = Moments.from_state(moments)
        self._weights = np.asarray(state["weights"], float)
        self._pages, self._tried_at = int(str(state["pages"])), int(str(state["tried_at"]))
        self._searched = bool(state["searched"])
        return self._by_name()

    def _is_time(self) -> bool:
        since = self._pages - self._tried_at
        if self._optimiser == EXACT:
            return since >= max(self._every, self._tried_at // GROWTH)
        return not self._searched and self.links >= self._enough and bool(since)

    def _by_name(self) -> dict[str, float]:
        return dict(zip(self._names, self._weights.tolist(), strict=True))


def _check(optimiser: str, every: int, enough: int, hold: float) -> None:
    """SettingsError for what cannot be, and for what would not be heeded."""
    if every < 1 or enough < LEAST_LINKS or not 0.0 <= hold < math.inf:
        raise SettingsError(
            f"every must be 1 or more, enough {LEAST_LINKS} or more, hold a number from 0 on."
        )
    if optimiser == EXACT and enough != ENOUGH:
        raise SettingsError(
            "enough would not be heeded: the optimiser 'exact' fits weights every so many pages, "
            "as every says."
        )
    if optimiser != EXACT and every != EVERY:
        raise SettingsError(
            f"every would not be heeded: the optimiser {optimiser!r} runs once, when enough links "
            f"are known."
        )

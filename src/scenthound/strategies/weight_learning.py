"""Weights learned during a crawl, from the links whose targets that crawl has fetched."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import FittedWeights, LinkSums, Revision, State
from scenthound.papers.least_squares import MIN_TRAINING_LINKS, untrainable_reason, with_prior
from scenthound.papers.optimiser_catalogue import EXACT, check_optimiser, solve
from scenthound.papers.weight_problem import Moments

FIT_INTERVAL, MIN_LINKS = 50, 500
FIT_GROWTH = 10
"""In the long run weights are fitted whenever the crawl has grown by one part in so many.

Otherwise the work of rescoring the waiting links, which grows with the crawl, would not end."""
MIN_CHANGE = 0.01
"""Weights that move by less are left as they are: no waiting link need be rescored."""


class WeightLearner:
    """Accumulates sums over links and refits the weights periodically.

    ``exact`` fits again and again. Any other optimiser is a search of seconds: it succeeds once,
    when enough links are known.

    ``every`` is the least number of pages from one fit to the next (``exact``; see
    ``FIT_GROWTH``), ``enough`` the links that must be known for the one fit of any other
    optimiser. The weights at the start count as if ``prior_weight`` links agreed with them.
    Weights that have all moved by less than ``moved`` are left as they are.
    """

    def __init__(
        self, start: Mapping[str, float], optimiser: str = EXACT, every: int = FIT_INTERVAL,
        enough: int = MIN_LINKS, prior_weight: float = 0.0, seed: int = 0,
        moved: float = MIN_CHANGE,
    ) -> None:  # fmt: skip
        check_optimiser(optimiser, {})
        if every < 1 or enough < MIN_TRAINING_LINKS or not 0.0 <= prior_weight < math.inf:
            raise SettingsError(
                f"every must be 1 or more, enough {MIN_TRAINING_LINKS} or more, prior_weight 0 or "
                "more."
            )
        if (enough != MIN_LINKS) if optimiser == EXACT else (every != FIT_INTERVAL):
            unused, used = ("enough", "every") if optimiser == EXACT else ("every", "enough")
            raise SettingsError(
                f"{unused} has no effect with the optimiser {optimiser!r}; set {used}, or leave it "
                "out."
            )
        self._names = tuple(start)
        self._start = np.array([start[name] for name in self._names])
        self._optimiser, self._seed, self._moved = optimiser, seed, moved
        self._every, self._enough, self._prior_weight = every, enough, prior_weight
        self._sums = Moments.none(len(self._names)).to_row()
        """Sums over the known links, in the order of :meth:`Moments.to_row`."""
        self._weights = self._start
        self._pages = self._last_fit_page = 0
        self._searched = False
        self._unpublished: LinkSums | None = None
        """The sums over the links not published yet; None for a single worker."""
        self._unpublished_pages = 0

    @property
    def links(self) -> int:
        """How many links are known."""
        return int(self._sums[0])

    @property
    def _moments(self) -> Moments:
        return Moments.from_row(self._sums, len(self._names))

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        if not np.array_equal(self._weights, self._start):
            return None
        if self._optimiser != EXACT and self.links < self._enough:
            return f"there are {self.links} links, and enough are {self._enough}."
        return untrainable_reason(self._moments) or "no fit was due, or the weights did not change."

    def add(self, values: Sequence[float], relevance: float) -> None:
        """A link with these values led to a page that is this relevant.

        One with a value that is not a number is left out: it would spoil all the others.
        """
        if all(map(math.isfinite, (*values, relevance))):
            row = np.array(values, float)
            own = (1.0, relevance, relevance * relevance)
            link = np.concatenate([own, row * relevance, np.outer(row, row).ravel()])
            self._sums = self._sums + link
            if self._unpublished is not None:
                self._unpublished = self._unpublished + link

    def count_page(self) -> None:
        """One more page was fetched, by whatever link."""
        self._pages += 1
        self._unpublished_pages += self.shares

    def fit(self) -> dict[str, float] | None:
        """The new weights, if a fit is due and changed them; None otherwise.

        Links that cannot teach weights (too few, all alike) leave them as they are.
        """
        if not self._is_time():
            return None
        self._last_fit_page = self._pages
        if untrainable_reason(self._moments) is not None:  # before the prior adds to them
            return None
        moments = with_prior(self._moments, self._start, self._prior_weight)
        outcome = solve(moments, self._optimiser, seed=self._seed)
        if outcome.reason is not None:
            return None
        self._searched = self._optimiser != EXACT
        if np.abs(outcome.weights - self._weights).max() < self._moved:
            return None
        self._weights = outcome.weights
        return self._by_name()

    @property
    def shares(self) -> bool:
        """Are the links of this worker kept apart?"""
        return self._unpublished is not None

    def share(self) -> None:
        """Keep apart from now on what is learned here, to publish it to other workers."""
        if self._unpublished is None:
            self._unpublished = np.zeros(len(self._sums))

    def local_link_sums(self) -> LinkSums:
        """The pages and the sums over links here since this was last asked."""
        none, sums, pages = np.zeros(len(self._sums)), self._unpublished, self._unpublished_pages
        self._unpublished_pages, self._unpublished = 0, None if sums is None else none
        return np.concatenate([(float(pages),), none if sums is None else sums])

    def fit_to(self, sums: LinkSums) -> None:
        """Pages and sums are these, of all workers, and what is kept apart here."""
        self._pages = int(sums[0]) + self._unpublished_pages
        self._sums = sums[1:] if self._unpublished is None else sums[1:] + self._unpublished
        self._last_fit_page = min(self._last_fit_page, self._pages)

    def fitted(self) -> FittedWeights:
        """The weights, when they were fitted and from how many links."""
        when = {"tried_at": self._last_fit_page, "searched": self._searched, "links": self.links}
        return {"weights": self._weights.tolist(), **when}

    def follow(self, fitted: FittedWeights | None) -> dict[str, float]:
        """Take over what another worker fitted, or the weights at the start (None)."""
        known = fitted or {"weights": self._start, "tried_at": 0, "searched": False}
        self._weights = np.array(known["weights"], float)
        self._last_fit_page, self._searched = int(str(known["tried_at"])), bool(known["searched"])
        return self._by_name()

    def state(self) -> State:
        """The moments, the weights, and when they were fitted."""
        return {
            "moments": asdict(self._moments),
            "weights": self._weights,
            "pages": self._pages,
            "tried_at": self._last_fit_page,
            "searched": self._searched,
        }

    def restore(self, state: State) -> dict[str, float]:
        """Restore what :meth:`state` returned; the weights it had by then."""
        self._sums = Moments(**state["moments"]).to_row()
        self._weights = np.asarray(state["weights"], float)
        self._pages, self._last_fit_page = int(state["pages"]), int(state["tried_at"])
        self._searched = bool(state["searched"])
        return self._by_name()

    def _is_time(self) -> bool:
        since = self._pages - self._last_fit_page
        if self._optimiser == EXACT:
            return since >= max(self._every, self._last_fit_page // FIT_GROWTH)
        return not self._searched and self.links >= self._enough and bool(since)

    def _by_name(self) -> dict[str, float]:
        return dict(zip(self._names, self._weights.tolist(), strict=True))


class WeightFitter(ABC):
    """A scorer whose weights are fitted to sums over the links that were followed.

    Workers of one crawl fit them together.
    """

    weights: dict[str, float]
    """The present weights, by the names of the parts."""
    publish: Callable[[FittedWeights], bool] | None = None
    """Called with new weights before the frontier is rescored by them; are they accepted?

    Where they are not, :meth:`follow` was called with others. None: no publication."""
    _learner: WeightLearner
    _rescore_requested = False

    def revise(self) -> Revision | None:
        """Refit the weights; return them if a fit was due, changed them, and they hold.

        A worker of several publishes them first, and others may have done so before it.
        """
        self._learn_link()
        is_new, self._rescore_requested = self._update_weights() or self._rescore_requested, False
        if not is_new or (self.publish is not None and not self.publish(self.fitted())):
            return None
        return Revision(dict(self.weights), self._learner.links)

    def share(self) -> None:
        """Collect sums for :meth:`local_link_sums` from now on; again it has no effect."""
        self._learner.share()

    def local_link_sums(self) -> LinkSums:
        """Sums over the links that this worker followed since the last call."""
        self._learn_link()
        return self._learner.local_link_sums()

    def fit_to(self, sums: LinkSums) -> None:
        """Replace the sums by those of all workers; local sums not yet published are added."""
        self._learn_link()
        self._learner.fit_to(sums)

    def request_rescore(self) -> None:
        """Have all waiting links rescored with the current weights at the next revision."""
        self._rescore_requested = True

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        return self._learner.why_not

    def fitted(self) -> FittedWeights:
        """Return the current weights, for other workers."""
        return self._learner.fitted()

    @abstractmethod
    def follow(self, fitted: FittedWeights | None) -> None:
        """Take over the :meth:`fitted` weights of another worker; None is those of the start."""

    @abstractmethod
    def _update_weights(self) -> bool:
        """Refit the weights if a fit is due; have they changed?"""

    def _learn_link(self) -> None:  # noqa: B027  # most put nothing off
        """Learn what was put off."""

"""Weights that several workers learn together: sums from all of them, a fit by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from scenthound.core.protocols import Revision
from scenthound.core.sharing import Fitted, Sums
from scenthound.strategies.weight_learning import WeightLearner


class SharedWeights(ABC):
    """What scorers with a learner of weights have in common; see ``core.sharing.Fitting``."""

    weights: dict[str, float]
    publish: Callable[[Fitted], bool] | None = None
    _learner: WeightLearner
    _weighs_again = False

    def revise(self) -> Revision | None:
        """Take over the weights that were fitted, if it was time, they have moved, and they hold.

        A worker of several publishes them first, and others may have done so before it.
        """
        self._learn_link()
        is_new, self._weighs_again = self._refitted() or self._weighs_again, False
        if not is_new or (self.publish is not None and not self.publish(self.fitted())):
            return None
        return Revision(dict(self.weights), self._learner.links)

    def share(self) -> None:
        """Keep apart from now on what is learnt from links here."""
        self._learner.share()

    def links_here(self) -> Sums:
        """The sums over links that were followed here since this was last asked."""
        self._learn_link()
        return self._learner.links_here()

    def fit_to(self, sums: Sums) -> None:
        """These are the sums of all workers, but for what is kept apart here."""
        self._learn_link()
        self._learner.fit_to(sums)

    def weigh_again(self) -> None:
        """Have all that waits weighed by the weights of now, when next asked to revise."""
        self._weighs_again = True

    @abstractmethod
    def fitted(self) -> Fitted:
        """The weights of now, for others to take over."""

    @abstractmethod
    def _refitted(self) -> bool:
        """Take over the weights that were fitted, if it was time; have they moved?"""

    def _learn_link(self) -> None:  # noqa: B027  # most put nothing off
        """Learn what was put off."""

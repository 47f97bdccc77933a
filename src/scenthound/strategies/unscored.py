"""Scorers that do not read: every link alike, or links to labelled pages first."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.model import Link, Part, Score, Visit
from scenthound.core.protocols import State
from scenthound.strategies.ingredients import Ingredients

_SAME = Score(0.0)
_LABELLED = Score(1.0, (Part("labelled", 1.0),))
_UNLABELLED = Score(0.0, (Part("labelled", 0.0),))


class Unscored:
    """Every link is worth the same, so that the frontier is first in, first out."""

    predicts = False

    def __init__(self, ingredients: Ingredients) -> None:
        del ingredients  # nothing is known about a link

    def observe(self, visit: Visit) -> None:
        """Nothing is learnt."""

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """The same score for each."""
        return [_SAME] * len(links)

    def state(self) -> State:
        """Nothing is learnt."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing to restore."""


class Oracle(Unscored):
    """Links to labelled pages first, each group in order of discovery. For evaluation only.

    It looks one step ahead, so it bounds what a crawler that scores single links can reach;
    it does not plan a way through unlabelled pages.
    """

    def __init__(self, ingredients: Ingredients) -> None:
        super().__init__(ingredients)
        self._labels = ingredients.labels

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """1 for a link to a labelled page, otherwise 0."""
        return [_LABELLED if link.url in self._labels else _UNLABELLED for link in links]

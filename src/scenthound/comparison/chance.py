"""Which strategies leave something to chance, so that several random seeds tell something."""

from __future__ import annotations

from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.parent import BestFirst, Fish
from scenthound.strategies.shark import Shark
from scenthound.strategies.unscored import Oracle, Unscored
from scenthound.strategies.weighing import BalancedTexts, FixedWeights

_STEADY_SCORERS = (Unscored, Oracle, BestFirst, Fish, Shark)
_STEADY_MODELS = frozenset({"vsm", "ssrm", "svsm", "soft-svsm", "sentences-light"})


def is_steady(recipe: Recipe) -> bool:
    """Does the strategy crawl alike with every random seed?

    True for those that are known never to ask their random generator. One that nobody knows is
    taken to ask, so that its runs with other seeds are not left out.
    """
    scorer = recipe.scorer
    if not recipe.is_greedy:
        return False
    if isinstance(scorer, FixedWeights | BalancedTexts):
        return scorer.model.name in _STEADY_MODELS
    return scorer in _STEADY_SCORERS

"""What the author of a strategy needs: names to import, and a check to run.

A package with an entry point of the group ``scenthound.strategies`` adds a strategy to every
command. These names stay; everything else in this package may move.
"""

from scenthound.core.errors import SettingsError, StrategyError
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
from scenthound.core.protocols import Frontier, Policy, Scorer, State
from scenthound.frontier.combination import Combination
from scenthound.strategies.checking import check_strategy
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.model_scorer import ModelScorer
from scenthound.strategies.policies import Greedy, Uniform
from scenthound.text.analyzer import Analyzer

__all__ = [
    "Analyzer",
    "Briefing",
    "Candidate",
    "Combination",
    "Document",
    "Frontier",
    "Greedy",
    "Ingredients",
    "Link",
    "ModelScorer",
    "Page",
    "Part",
    "Policy",
    "Recipe",
    "Refusal",
    "Score",
    "Scorer",
    "SettingsError",
    "State",
    "StrategyError",
    "Uniform",
    "Visit",
    "check_strategy",
]

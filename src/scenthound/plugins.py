"""The names that the author of a strategy imports, and a check to run.

A package with an entry point of the group ``scenthound.strategies`` adds a strategy to every
command. The names in ``__all__`` stay; everything else in this package may move.
"""

from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import SettingsError, StrategyError
from scenthound.core.model import (
    Candidate,
    Combination,
    Document,
    FetchedPage,
    Link,
    Page,
    Part,
    Rejection,
    Score,
    TopicProfile,
)
from scenthound.core.protocols import Frontier, Policy, Scorer, State
from scenthound.similarity.link_priority import ModelScorer
from scenthound.strategies.checks import check_strategy
from scenthound.strategies.spec import StrategyContext, StrategySpec, Uniform
from scenthound.text.analyzer import Analyzer

# The names of version 0.1, for plug-ins that were written for it.
Briefing = TopicProfile
Ingredients = StrategyContext
Recipe = StrategySpec
Refusal = Rejection
Visit = FetchedPage

__all__ = [
    "Analyzer",
    "Briefing",
    "Candidate",
    "Combination",
    "Document",
    "FetchedPage",
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
    "Rejection",
    "Score",
    "Scorer",
    "SettingsError",
    "State",
    "StrategyContext",
    "StrategyError",
    "StrategySpec",
    "TopicProfile",
    "Uniform",
    "Visit",
    "check_strategy",
]

"""What a strategy is made from, and the table entry that says how."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError
from scenthound.core.foreign import blaming
from scenthound.core.model import Briefing
from scenthound.core.parameters import Parameters, Value, checked, keyword_parameters
from scenthound.core.protocols import Policy, Scorer
from scenthound.core.strategy import Strategy
from scenthound.frontier.combination import Combination
from scenthound.strategies.policies import Greedy
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.vectors.protocols import Equipment


@dataclass(frozen=True, slots=True)
class Ingredients:
    """All a strategy may see before the crawl: no archive, no address of an example page.

    ``labels`` are the URLs of the topic's labelled pages, and only a strategy that says so
    (``oracle``, for evaluation) is given them. ``weights`` are those that the user gives for the
    texts of a link, in place of the strategy's own. ``equipment`` is what models of words and texts
    work with. ``pages`` is how many the crawl may fetch, where that is known.
    """

    briefing: Briefing
    analyzer: Analyzer
    rng: random.Random
    labels: frozenset[str] = frozenset()
    weights: LinkWeights | None = None
    equipment: Equipment = field(default_factory=Equipment)
    pages: int | None = None


ScorerFactory = Callable[..., Scorer]
"""Called with the ingredients and, by keyword, its parameters."""
PolicyFactory = Callable[..., Policy]
"""Called with the random generator, the scorer and, by keyword, its parameters."""


@dataclass(frozen=True)
class Recipe:
    """One row of the catalogue: name -> scorer + policy + inlink combination + paper.

    ``uses_wordnet`` tells that texts are compared by meaning: then the user is told what WordNet
    does not know. ``extra`` is the extra of the package that it needs, "" for none.
    """

    name: str
    scorer: ScorerFactory
    policy: PolicyFactory
    combination: Combination
    paper: str
    summary: str
    needs_labels: bool = False
    uses_wordnet: bool = False
    extra: str = ""

    @property
    def parameters(self) -> dict[str, Value]:
        """What ``--set`` may change, with the defaults: keyword parameters of scorer and policy."""
        return {**keyword_parameters(self.scorer), **keyword_parameters(self.policy)}

    @property
    def is_greedy(self) -> bool:
        """Does the best score decide which link is next?"""
        return self.policy is Greedy

    @property
    def walks(self) -> bool:
        """Does its policy go from page to page, so that it must know the links between them?"""
        return bool(getattr(self.policy, "walks", False))

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types put right; an error names the key and what it takes."""
        return checked("strategy", self.name, parameters, self.parameters)

    def refuse_unlabelled(self, labels: frozenset[str] | None) -> None:
        """SettingsError if this strategy needs labels and there are none."""
        if self.needs_labels and not labels:
            raise SettingsError(
                f"strategy {self.name!r} is for evaluation and needs labelled pages: give --labels."
            )

    def build(self, ingredients: Ingredients, parameters: Parameters) -> Strategy:
        """A fresh strategy."""
        checked = self.check(parameters)
        known = keyword_parameters(self.policy)
        of_policy = {key: value for key, value in checked.items() if key in known}
        of_scorer = {key: value for key, value in checked.items() if key not in known}
        try:
            with blaming(self.name, self.scorer, "making its scorer"):
                scorer = self.scorer(ingredients, **of_scorer)
            with blaming(self.name, self.policy, "making its policy"):
                policy = self.policy(ingredients.rng, scorer, **of_policy)
        except SettingsError as error:
            raise SettingsError(f"strategy {self.name!r}: {error}") from None
        return Strategy(self.name, scorer, policy)

"""What a strategy is made from, and the table entry that says how."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing
from scenthound.core.parameters import Parameters, Value, checked, keyword_parameters
from scenthound.core.protocols import Policy, Scorer
from scenthound.core.strategy import Strategy
from scenthound.frontier.combination import Combination
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.vectors.protocols import Equipment


@dataclass(frozen=True, slots=True)
class Ingredients:
    """All a strategy may see before the crawl: no archive, no address of an example page.

    ``labels`` are the URLs of the topic's labelled pages, and only a strategy that says so
    (``oracle``, for evaluation) is given them. ``weights`` are those that the user gives for the
    texts of a link, in place of the strategy's own. ``equipment`` is what models of words and texts
    work with.
    """

    briefing: Briefing
    analyzer: Analyzer
    rng: random.Random
    labels: frozenset[str] = frozenset()
    weights: LinkWeights | None = None
    equipment: Equipment = field(default_factory=Equipment)


ScorerFactory = Callable[..., Scorer]
"""Called with the ingredients and, by keyword, its parameters."""
PolicyFactory = Callable[[random.Random], Policy]


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
        """What ``--set`` may change, with the defaults: the scorer's keyword parameters."""
        return keyword_parameters(self.scorer)

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
        try:
            scorer = self.scorer(ingredients, **checked)
        except SettingsError as error:
            raise SettingsError(f"strategy {self.name!r}: {error}") from None
        return Strategy(self.name, scorer, self.policy(ingredients.rng))

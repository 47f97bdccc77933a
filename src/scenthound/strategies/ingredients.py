"""What a strategy is made from, and the table entry that says how."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Briefing
from scenthound.core.protocols import Policy, Scorer
from scenthound.core.strategy import Strategy
from scenthound.frontier.combination import Combination
from scenthound.text.analyzer import Analyzer

Value = bool | int | float | str
Parameters = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Ingredients:
    """All a strategy may see before the crawl: no archive, no address of an example page.

    ``labels`` are the URLs of the topic's labelled pages, and only a strategy that says so
    (``oracle``, for evaluation) is given them.
    """

    briefing: Briefing
    analyzer: Analyzer
    rng: random.Random
    labels: frozenset[str] = frozenset()


ScorerFactory = Callable[..., Scorer]
"""Called with the ingredients and, by keyword, its parameters."""
PolicyFactory = Callable[[random.Random], Policy]


@dataclass(frozen=True)
class Recipe:
    """One row of the catalogue: name -> scorer + policy + inlink combination + paper.

    ``uses_wordnet`` tells that texts are compared by meaning: then the user is told what WordNet
    does not know.
    """

    name: str
    scorer: ScorerFactory
    policy: PolicyFactory
    combination: Combination
    paper: str
    summary: str
    needs_labels: bool = False
    uses_wordnet: bool = False

    @property
    def parameters(self) -> dict[str, Value]:
        """What ``--set`` may change, with the defaults: the scorer's keyword parameters."""
        signature = inspect.signature(self.scorer)
        return {
            name: parameter.default
            for name, parameter in signature.parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types put right; an error names the key and what it takes."""
        known = self.parameters
        for key in parameters:
            if key not in known:
                raise UnknownNameError(f"key for strategy {self.name!r}:", key, known)
        return {k: _fitted(self.name, k, v, known[k]) for k, v in parameters.items()}

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


def _fitted(strategy: str, key: str, value: Value, default: Value) -> Value:
    """``value`` as the type of ``default``: an int will do for a float, nothing else."""
    wanted = type(default)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise SettingsError(
            f"{strategy}.{key} takes a value like {default!r}, not {value!r}; "
            f"correct it in --set or in the config file."
        )
    return value

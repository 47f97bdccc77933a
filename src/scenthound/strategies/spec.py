"""What a strategy is made of: its context, entry of the catalogue, weights, simple policies."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real

from scenthound.core.crawl_loop import Greedy, Strategy, strategy_errors
from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate, Combination, TopicProfile
from scenthound.core.parameters import (
    Parameters,
    Value,
    check_name,
    check_parameters,
    keyword_parameters,
)
from scenthound.core.protocols import (
    Frontier,
    Policy,
    Scorer,
    State,
    generator_state,
    restore_generator,
)
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.link_priority import EVIDENCE
from scenthound.text.analyzer import Analyzer


class Uniform:
    """Any waiting candidate, each as likely as another."""

    def __init__(self, rng: random.Random, scorer: Scorer | None = None) -> None:
        del scorer
        self._rng = rng

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease a candidate at random."""
        return frontier.draw(self._rng, now)

    def state(self) -> State:
        """Where the random generator stands."""
        return generator_state(self._rng)

    def restore(self, state: State) -> None:
        """Draw on as the saved generator would have."""
        restore_generator(self._rng, state)


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """What each text or other evidence for a link weighs; what is not named weighs nothing.

    Parameters
    ----------
    values : weight by name, within 0 and 1 (svsm-mcoa section 3.2); they need not add up to 1.
    model : the text model they were learned for; None for any.
    origin : where they come from, for the record.
    """

    values: Mapping[str, float]
    model: str | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping) or not self.values:
            raise SettingsError('weights are a table of names and numbers: {"anchor": 0.5, ...}.')
        for name, value in self.values.items():
            check_name("evidence", name, EVIDENCE)
            is_number = isinstance(value, Real) and not isinstance(value, bool)
            if not is_number or not 0.0 <= value <= 1.0:
                raise SettingsError(
                    f"the weight of {name!r} must be within 0 and 1, not {value!r}."
                )
        if not any(self.values.values()):
            raise SettingsError("all weights are 0: give at least one above 0.")

    def to_json(self) -> dict[str, object]:
        """For results and crawl folders."""
        return {"values": dict(self.values), "model": self.model, "origin": self.origin}

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> LinkWeights:
        """What :meth:`to_json` returned.

        KeyError or TypeError for what it cannot have given, besides the errors of the class.
        """
        values, model = stored["values"], stored["model"]
        if not isinstance(values, dict) or not isinstance(model, str | None):
            raise TypeError(f"{stored!r} are no weights")
        return cls(values, model, str(stored["origin"]))


@dataclass(frozen=True, slots=True)
class StrategyContext:
    """All a strategy may see before the crawl: no archive, no address of an example page.

    ``labels`` are the URLs of the topic's labelled pages, and only a strategy that says so
    (``oracle``, for evaluation) is given them. ``weights`` are those that the user gives for the
    texts of a link, in place of the strategy's own. ``equipment`` is what models of words and texts
    work with. ``pages`` is how many the crawl may fetch, where that is known.
    """

    profile: TopicProfile
    analyzer: Analyzer
    rng: random.Random
    labels: frozenset[str] = frozenset()
    weights: LinkWeights | None = None
    equipment: ModelRuntime = field(default_factory=ModelRuntime)
    pages: int | None = None


# The name that ``profile`` had before version 0.2.
StrategyContext.briefing = property(lambda context: context.profile)  # type: ignore[attr-defined]

ScorerFactory = Callable[..., Scorer]
"""Called with the context and, by keyword, its parameters."""
PolicyFactory = Callable[..., Policy]
"""Called with the random generator, the scorer and, by keyword, its parameters."""
_OLD_PARAMETERS = {"hold": "prior_weight"}
"""Names of version 0.1; crawl folders and settings files may still use them."""


@dataclass(frozen=True)
class StrategySpec:
    """An entry of the catalogue: a scorer, a policy and the rule for inlinks, under a name.

    ``uses_wordnet``: texts are compared by meaning, and the user is warned of terms that WordNet
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
        """Does its policy need a map of all pages and the links between them?"""
        return bool(getattr(self.policy, "walks", False))

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types corrected; an error names the key and what it takes."""
        known = self.parameters
        renamed = {old: new for old, new in _OLD_PARAMETERS.items() if new in known}
        values = {renamed.get(key, key): value for key, value in parameters.items()}
        return check_parameters("strategy", self.name, values, known)

    def require_labels(self, labels: frozenset[str] | None) -> None:
        """SettingsError if this strategy needs labels and there are none."""
        if self.needs_labels and not labels:
            raise SettingsError(
                f"strategy {self.name!r} is for evaluation and needs labelled pages: give --labels."
            )

    def build(self, context: StrategyContext, parameters: Parameters) -> Strategy:
        """A fresh strategy."""
        checked = self.check(parameters)
        known = keyword_parameters(self.policy)
        of_policy = {key: checked.pop(key) for key in known if key in checked}
        try:
            with strategy_errors(self.name, self.scorer, "making its scorer"):
                scorer = self.scorer(context, **checked)
            with strategy_errors(self.name, self.policy, "making its policy"):
                policy = self.policy(context.rng, scorer, **of_policy)
        except SettingsError as error:
            raise SettingsError(f"strategy {self.name!r}: {error}") from None
        return Strategy(self.name, scorer, policy)

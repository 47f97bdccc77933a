"""The strategies of a comparison with their parameters, such as ``olmoaco xi=2``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from scenthound.core.errors import InputError, SettingsError
from scenthound.core.parameters import Value, parse_value
from scenthound.strategies.baselines import BestFirst, Fish, Oracle, Shark, Unscored
from scenthound.strategies.catalogue import STRATEGIES
from scenthound.strategies.spec import StrategySpec
from scenthound.strategies.weighting import BalancedTexts, FixedWeights

ALL = "all"
"""Stands for every strategy that can be run here."""
_DETERMINISTIC_SCORERS = (Unscored, Oracle, BestFirst, Fish, Shark)
_DETERMINISTIC_MODELS = frozenset({"vsm", "ssrm", "svsm", "soft-svsm", "sentences-light"})
_LIBRARIES = {
    "neural": ("torch", "transformers", "gensim", "h5py"),
    "ontology": ("rdflib", "sklearn", "efficient_apriori"),
}
"""What the strategies of an extra load; an extra that is not here is taken to be installed."""


def is_deterministic(spec: StrategySpec) -> bool:
    """Does the strategy crawl alike with every random seed?

    True for those that are known never to use their random generator. An unknown strategy is taken
    to use it, so that its runs with other seeds are not left out.
    """
    scorer = spec.scorer
    if not spec.is_greedy:
        return False
    if isinstance(scorer, FixedWeights | BalancedTexts):
        return scorer.model.name in _DETERMINISTIC_MODELS
    return scorer in _DETERMINISTIC_SCORERS


@dataclass(frozen=True)
class Contender:
    """A strategy and the parameters that were set; one strategy may come with several.

    UnknownNameError for an unknown strategy or parameter, SettingsError for a value of the wrong
    type.
    """

    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = self.spec.check(self.parameters)
        ordered = {key: checked[key] for key in self.spec.parameters if key in checked}
        object.__setattr__(self, "parameters", ordered)

    @property
    def spec(self) -> StrategySpec:
        """The strategy, ours or that of an installed package."""
        return STRATEGIES[self.name]

    @property
    def label(self) -> str:
        """The name in tables, with the parameters that were set; :func:`contender` reads it."""
        return " ".join(
            [self.name, *(f"{k}={_format_value(v)}" for k, v in self.parameters.items())]
        )

    def changed(self, parameters: Mapping[str, Value]) -> Contender:
        """The same with other values for some parameters."""
        return Contender(self.name, {**self.parameters, **parameters})


def contender(text: str) -> Contender:
    """Read a strategy and its parameters.

    Examples
    --------
    >>> contender("shark decay=.25").label
    'shark decay=0.25'
    """
    try:
        name, *settings = shlex.split(text)
    except ValueError:  # a quote that is not closed, or no word
        raise SettingsError(
            f'{text!r} is no strategy; write one such as "shark decay=0.3".'
        ) from None
    pairs = [word.partition("=") for word in settings]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise SettingsError(
                f"strategy {text!r}: {key!r} is no KEY=VALUE; write {name} and behind it what is "
                "to be set, such as decay=0.3."
            )
    return Contender(name, {key: _parse_value(written) for key, _, written in pairs})


def _parse_value(text: str) -> Value:
    parsed = parse_value(text)
    return text if isinstance(parsed, list) else parsed


def _format_value(value: Value) -> str:
    """Write a value in the shortest form: 2 for 2.0."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shlex.quote(value) if isinstance(value, str) else repr(value)


def named_contenders(texts: Sequence[str], labelled: bool) -> tuple[list[Contender], list[str]]:
    """Return the contenders that the texts name, and sentences on what ``all`` leaves out.

    Parameters
    ----------
    texts : as :func:`contender` takes them; :data:`ALL` adds every strategy that is not named.
    labelled : are there labels? Without, ``all`` leaves out the strategies that need them.
    """
    found, left_out = [contender(text) for text in texts if text.strip() != ALL], []
    named = {each.name for each in found}
    unnamed = [name for name in STRATEGIES if name not in named] if len(found) < len(texts) else []
    for name in unnamed:
        try:
            spec = STRATEGIES[name]
            unlabelled = spec.needs_labels and not labelled
            reason = "it needs labels" if unlabelled else missing_extra(spec)
        except InputError as error:  # one of another package, which cannot be loaded
            reason = str(error)
        if reason:
            left_out.append(f"{name} is left out: {reason}")
        else:
            found.append(Contender(name))
    return found, left_out


def missing_extra(spec: StrategySpec) -> str:
    """Say how to install the extra that a strategy needs; "" where nothing is missing."""
    missing = [lib for lib in _LIBRARIES.get(spec.extra, ()) if find_spec(lib) is None]
    if not missing:
        return ""
    return f"it needs {missing[0]}; install it with: pip install 'scenthound[{spec.extra}]'"

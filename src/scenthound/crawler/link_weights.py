"""Weights of the texts of a link: the weights file as it is read, and the weights that a crawl
used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.protocols import Scorer, SupportsRevision
from scenthound.papers.link_priority import EVIDENCE, WeightedTexts
from scenthound.strategies.catalogue import text_model_name
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.text_models import TEXT_MODELS

OWN = "the strategy's own"

IN_CRAWL = "learnt in the crawl"

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class WeightsUsed:
    """The weights in force when a crawl ended.

    ``model`` is the text model they weigh, None for a strategy of one's own that does not tell.
    ``origin`` is where they come from: the file that was given, :data:`OWN` or :data:`IN_CRAWL`.
    ``learned_from`` says from how many links the crawl learned them, 0 if it learned none; None
    for a strategy that does not learn weights. ``reason`` says why it learned none.
    """

    values: Mapping[str, float]
    model: str | None
    origin: str
    learned_from: int | None = None
    reason: str | None = None

    @property
    def is_remarkable(self) -> bool:
        """Is there more to tell than that a strategy weighs as it always does?"""
        return self.learned_from is not None or self.origin != OWN

    def to_json(self) -> dict[str, object]:
        """As the results file has it."""
        return {
            "values": {name: round(value, _DIGITS) for name, value in self.values.items()},
            "model": self.model,
            "origin": self.origin,
            "learnt_from": self.learned_from,
            "reason": self.reason,
        }


def weights_used(
    spec: StrategySpec, scorer: Scorer | None, given: LinkWeights | None, links: int
) -> WeightsUsed | None:
    """The weights of a crawl that is over; None where nothing was weighed.

    Parameters
    ----------
    spec : of the strategy.
    scorer : as the crawl left it; None for a crawl that never began.
    given : by the user, to begin with.
    links : that the last weights were learned from in the crawl; 0 where none were.
    """
    weights = _scorer_weights(scorer)
    if weights is None:
        return None
    origin = IN_CRAWL if links else OWN
    if given is not None:
        origin = given.origin or "given"
    learned_from = links if isinstance(scorer, SupportsRevision) else None
    reason = None if links else getattr(scorer, "why_not", None)
    return WeightsUsed(weights, text_model_name(spec), origin, learned_from, reason)


def _scorer_weights(scorer: Scorer | None) -> dict[str, float] | None:
    """Of a scorer that weighs texts, or learns to weigh and tells its weights; None of others."""
    if not isinstance(scorer, WeightedTexts | SupportsRevision):
        return None
    weights = getattr(scorer, "weights", None)
    return dict(weights) if isinstance(weights, Mapping) else None


# The weights file: a small TOML file with the weights of a topic, learned or written by hand.


MODEL, WEIGHTS, LEARNED = "model", "weights", "learnt"

_KEYS = (MODEL, WEIGHTS, LEARNED)

_LARGEST = 1_000_000

_EXAMPLE = "add a table [weights] with lines such as full = 0.3 and anchor = 0.5."


def read_weights(path: Path) -> LinkWeights:
    """The weights in a file; what it says of how they were learned is not looked at.

    SettingsError where it cannot be read or used: one sentence with what to do.
    """
    table = _table(path)
    try:
        for key in table:
            if key not in _KEYS:
                raise UnknownNameError("key", key, _KEYS)
        return LinkWeights(_weights_in(table), _model(table), str(path))
    except InputError as error:
        raise SettingsError(f"weights file {path}: {error}") from None


def _table(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _LARGEST:
            raise SettingsError(f"{path} is too large for a weights file; give the right one.")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise SettingsError(
            f"weights file {path}: {reason}; give the path of a TOML file."
        ) from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise SettingsError(f"weights file {path} is not valid TOML: {error}.") from None


def _weights_in(table: Mapping[str, object]) -> dict[str, float]:
    values = table.get(WEIGHTS)
    if not isinstance(values, dict) or not values:
        raise SettingsError(f"there are no weights; {_EXAMPLE}")
    ordered = [*(name for name in EVIDENCE if name in values), *(values.keys() - set(EVIDENCE))]
    return {name: values[name] for name in ordered}  # checked by whoever takes them


def _model(table: Mapping[str, object]) -> str | None:
    name = table.get(MODEL)
    if name is None:
        return None
    if not isinstance(name, str):
        raise SettingsError(f"model is the name of a text model, not {name!r}.")
    return TEXT_MODELS[name].name

"""Link weights: the weights file, and the weights that a crawl used."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.protocols import Scorer, SupportsRevision
from scenthound.similarity.link_priority import EVIDENCE, WeightedTexts
from scenthound.similarity.topic_file import read_toml
from scenthound.strategies.catalogue import text_model_name
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.text_models import TEXT_MODELS

OWN = "the strategy's own"

IN_CRAWL = "learnt in the crawl"

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class WeightsUsed:
    """The weights in force when a crawl ended.

    ``model`` is the text model they are for, None where the strategy names none. ``origin`` is
    their file, :data:`OWN` or :data:`IN_CRAWL`. ``learned_from`` is from how many links the crawl
    learned them, 0 if it learned none; None for a strategy that does not learn weights.
    ``reason`` says why it learned none.
    """

    values: Mapping[str, float]
    model: str | None
    origin: str
    learned_from: int | None = None
    reason: str | None = None

    @property
    def is_remarkable(self) -> bool:
        """Whether they are other weights than the strategy always has."""
        return self.learned_from is not None or self.origin != OWN

    def to_json(self) -> dict[str, object]:
        """Return the weights as the results file has them."""
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
    """Return the weights of a crawl that is over; None for a strategy without weights.

    Parameters
    ----------
    spec : of the strategy.
    scorer : as the crawl left it; None for a crawl that never began.
    given : the user's weights, to begin with.
    links : that the last weights were learned from in the crawl; 0 where none were.
    """
    if not isinstance(scorer, WeightedTexts | SupportsRevision):
        return None
    weights = getattr(scorer, "weights", None)
    if not isinstance(weights, Mapping):
        return None
    origin = IN_CRAWL if links else OWN
    if given is not None:
        origin = given.origin or "given"
    learned_from = links if isinstance(scorer, SupportsRevision) else None
    reason = None if links else getattr(scorer, "why_not", None)
    return WeightsUsed(dict(weights), text_model_name(spec), origin, learned_from, reason)


MODEL, WEIGHTS, LEARNED = "model", "weights", "learnt"

_KEYS = (MODEL, WEIGHTS, LEARNED)

_LARGEST = 1_000_000

_EXAMPLE = "add a table [weights] with lines such as full = 0.3 and anchor = 0.5."


def read_weights(path: Path) -> LinkWeights:
    """Read a weights file: a small TOML file with the weights of a topic.

    SettingsError where it cannot be read or used. How they were learned is not looked at.
    """
    table = _table(path)
    try:
        for key in table:
            if key not in _KEYS:
                raise UnknownNameError("key", key, _KEYS)
        values, model = table.get(WEIGHTS), table.get(MODEL)
        if not isinstance(values, dict) or not values:
            raise SettingsError(f"there are no weights; {_EXAMPLE}")
        if not isinstance(model, str | None):
            raise SettingsError(f"model is the name of a text model, not {model!r}.")
        known = [name for name in EVIDENCE if name in values]
        ordered = [*known, *(name for name in values if name not in EVIDENCE)]
        named = None if model is None else TEXT_MODELS[model].name
        return LinkWeights({name: values[name] for name in ordered}, named, str(path))
    except InputError as error:
        raise SettingsError(f"weights file {path}: {error}") from None


def _table(path: Path) -> dict[str, object]:
    """Read the TOML of a weights file, which may be huge."""
    with suppress(OSError):  # what cannot be read is reported below
        if path.stat().st_size > _LARGEST:
            raise SettingsError(f"{path} is too large for a weights file; give the right one.")
    return read_toml(path, "weights file")

"""Weights of the evidence for a link that somebody has learnt before, or written down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.strategies.weighted import EVIDENCE


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """What each text or other evidence for a link weighs; what is not named weighs nothing.

    Parameters
    ----------
    values : weight by name, within 0 and 1 (svsm-mcoa section 3.2); they need not add up to 1.
    model : the text model they were learnt for; None for any.
    origin : where they come from, for the record.
    """

    values: Mapping[str, float]
    model: str | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping) or not self.values:
            raise SettingsError('weights are a table of names and numbers: {"anchor": 0.5, ...}.')
        for name, value in self.values.items():
            if name not in EVIDENCE:
                raise UnknownNameError("evidence", name, EVIDENCE)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise SettingsError(f"the weight of {name!r} is a number, not {value!r}.")
            if not (math.isfinite(value) and 0.0 <= value <= 1.0):
                raise SettingsError(f"the weight of {name!r} lies within 0 and 1, not at {value}.")
        if not any(self.values.values()):
            raise SettingsError("all weights are 0: give at least one above 0.")

    def to_json(self) -> dict[str, object]:
        """For results and crawl folders."""
        return {"values": dict(self.values), "model": self.model, "origin": self.origin}

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> LinkWeights:
        """What :meth:`to_json` gave.

        KeyError or TypeError for what it cannot have given, besides the errors of the class.
        """
        values, model = stored["values"], stored["model"]
        if not isinstance(values, dict) or not isinstance(model, str | None):
            raise TypeError(f"{stored!r} are no weights")
        return cls(values, model, str(stored["origin"]))

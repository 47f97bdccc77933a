"""What whoever waits is told: what goes on, and what was left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _nobody(what: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Two places to speak to.

    Parameters
    ----------
    warn : gets what is left out, a sentence at a time.
    doing : gets what is being done now, a few times a second at most; by default nobody listens.
    """

    warn: Callable[[str], None]
    doing: Callable[[str], None] = _nobody

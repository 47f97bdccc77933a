"""Simulated annealing (SA) in place of the ants: waiting links are drawn at random and taken by the
Metropolis rule. olmoaco gives it one sentence (He, Cheng and Cai 2009); what follows is our
reading.
"""

from __future__ import annotations

import random
from dataclasses import replace

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.parameters import check_unit_interval
from scenthound.core.protocols import Frontier, Scorer, State, generator_state, restore_generator
from scenthound.papers.bsvsm_ha import acceptance


def cooling_over(pages: int | None, temperature: float, coldest: float) -> float:
    """Return the factor by which the temperature falls to ``coldest`` in a quarter of the
    ``pages``.

    0.999 where their number is unknown.

    Examples
    --------
    >>> round(cooling_over(15_000, 0.15, 0.005), 3)
    0.999
    """
    if pages is None or coldest >= temperature:
        return 0.999
    return float((coldest / temperature) ** (4.0 / pages))


class Metropolis:
    """Draws waiting links at random and takes one by the Metropolis rule.

    A link as good as the last one taken is taken, a worse one with probability
    ``exp(difference / temperature)``; after ``refusals`` of them the best one is. The temperature
    falls with every page that is taken.

    Parameters
    ----------
    temperature : at the start.
    cooling : factor of the temperature for each page; 0 for the one that reaches ``coldest`` after
        a quarter of the pages that may be fetched, which is 0.999 for 15,000 pages.
    coldest : the temperature does not fall below it.
    refusals : links refused in a row before the best one is taken.
    """

    def __init__(
        self, rng: random.Random, scorer: Scorer | None = None, *, temperature: float = 0.15,
        cooling: float = 0.0, coldest: float = 0.005, refusals: int = 20,
    ) -> None:  # fmt: skip
        for name, value in (("temperature", temperature), ("coldest", coldest)):
            if not 0.0 < value <= 1.0:
                raise SettingsError(f"{name} must lie above 0 and not above 1, not at {value}.")
        check_unit_interval(cooling=cooling)
        if refusals < 1:
            raise SettingsError(f"refusals must be 1 or more, not {refusals}.")
        self._rng = rng
        self._temperature = temperature
        self._cooling = cooling or cooling_over(
            getattr(scorer, "pages", None), temperature, coldest
        )
        self._coldest = coldest
        self._refusals = refusals
        self._last = 0.0

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate."""
        for _ in range(self._refusals):
            drawn = frontier.sample(self._rng, now)
            if drawn is None:
                return None
            chance = acceptance(self._last, drawn.score.value, self._temperature)
            if self._rng.random() < chance:
                why = f"drawn at random; chance {chance:.2f} at temperature {self._temperature:.3f}"
                return self._taken(frontier.take(drawn.url, now), why)
        best = frontier.lease(1, now)
        why = f"the best one, after {self._refusals} that were drawn and refused"
        return self._taken(best[0] if best else None, why)

    def state(self) -> State:
        """Return the temperature, the last score, and the state of the random generator."""
        return {
            "temperature": self._temperature,
            "last": self._last,
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._temperature, self._last = state["temperature"], state["last"]
        restore_generator(self._rng, state["rng"])

    def _taken(self, candidate: Candidate | None, why: str) -> Candidate | None:
        if candidate is None:
            return None
        self._last = candidate.score.value
        self._temperature = max(self._coldest, self._temperature * self._cooling)
        return replace(candidate, chosen=why)

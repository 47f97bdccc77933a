"""Comparisons made up by chance, whose truth is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import GIVEN, Cell, Outcome, Unit

Values = NDArray[np.float64]

BASELINE = "baseline"
PAGES = 200
"""Of a run: a harvest rate is a count out of so many."""
GAIN = 0.125
"""The better strategy finds so much of what the baseline misses: harvest rises by 0.1."""
_EASY, _HARD = 2.0, 8.0
"""Harvest rates of topics have the beta distribution of these parameters, 0.2 in the mean."""
_ALIKE = 60.0
"""The larger, the less a strategy deviates from its expected harvest at a topic: here by 0.05."""


def harvests(chance: np.random.Generator, expected: Values) -> Values:
    """Harvest rates of one run a topic, by a strategy that on such topics has ``expected``."""
    own = chance.beta(_ALIKE * expected, _ALIKE * (1 - expected))
    return chance.binomial(PAGES, own) / PAGES


def harvest_differences(chance: np.random.Generator, topics: int, gain: float = 0.0) -> Values:
    """Differences of harvest rates over topics; their true mean is ``0.8 * gain``."""
    easy = chance.beta(_EASY, _HARD, topics)
    return harvests(chance, easy + gain * (1 - easy)) - harvests(chance, easy)


@dataclass(frozen=True)
class Kind:
    """A kind of figures: how those of so many topics are drawn, and their true mean."""

    name: str
    draw: Callable[[np.random.Generator, int], Values]
    truth: float

    def samples(self, topics: int, rounds: int) -> Iterator[list[float]]:
        """Figures of so many topics, again and again; the same ones for the same rounds."""
        chance = np.random.default_rng(topics)
        for _ in range(rounds):
            yield self.draw(chance, topics).tolist()


NORMAL = Kind("normal", lambda chance, topics: chance.normal(size=topics), 0.0)
HARVEST = Kind("differences of harvest rates", partial(harvest_differences, gain=GAIN), 0.8 * GAIN)
EQUAL = Kind("differences of harvest rates", harvest_differences, 0.0)
"""Of two strategies that are equally good."""
SKEWED = Kind("very skewed", lambda chance, topics: chance.exponential(size=topics), 1.0)


def drawn_figures(chance: np.random.Generator, topics: int, draws: int) -> dict[Unit, float]:
    """Figures of a strategy whose true mean is 0; topics differ as much as draws of one do."""
    values = chance.normal(size=(topics, 1)) + chance.normal(size=(topics, draws))
    return {
        Unit("web", str(topic), GIVEN, draw): float(value)
        for (topic, draw), value in np.ndenumerate(values)
    }


def equal_outcomes(chance: np.random.Generator, strategies: int, topics: int) -> list[Outcome]:
    """Runs of a baseline and of so many strategies that are as good as it."""
    easy = chance.beta(_EASY, _HARD, topics)
    return [
        Outcome(Cell("web", str(topic), name), budget=PAGES, final=_indicators(harvest))
        for name in (BASELINE, *map(str, range(strategies)))
        for topic, harvest in enumerate(harvests(chance, easy).tolist())
    ]


def _indicators(harvest: float) -> Indicators:
    return Indicators(PAGES, 0, 0.0, None, 0.0, 0.0, None, labelled_harvest=harvest)

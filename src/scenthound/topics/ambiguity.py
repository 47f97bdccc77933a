"""Which topic terms are ambiguous, given their indicators TR, TP and TI?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.text.vocabulary import Weights
from scenthound.topics.fuzzy import FuzzySystem, Labels, Rule
from scenthound.topics.indicators import Flags
from scenthound.topics.membership import Falling, Gaussian, Rising

Thresholds = tuple[tuple[float, float], ...]
"""``(a, b)`` of each indicator: low up to a, high from b on."""
MEMBERSHIPS = ("piecewise-linear", "gaussian")
RULES = tuple(
    Rule(tuple(conditions), result)
    for conditions, result in (
        ("LLL", "H"), ("LLH", "H"), ("LHL", "H"), ("HLL", "H"),
        ("LHH", "L"), ("HLH", "L"), ("HHL", "L"), ("HHH", "L"),
    )
)  # fmt: skip
"""sdvsm Table 2: ambiguity is high when at least two of TR, TP and TI are low."""
_ROUNDING = 1e-9


class Ambiguity(NamedTuple):
    """How ambiguous each term is, and which reach the threshold."""

    values: Weights
    flags: Flags


class Criterion(Protocol):
    """What makes a term ambiguous."""

    def judge(self, indicators: Weights) -> Ambiguity:
        """The terms' ambiguity, from one row of TR, TP and TI each."""
        ...


def quartiles(indicators: Weights) -> Thresholds:
    """Lower and upper quartile of each indicator over the terms (ours: none are printed)."""
    low, high = np.quantile(indicators, (0.25, 0.75), axis=0).tolist()
    return tuple(zip(low, high, strict=True))


def input_labels(a: float, b: float, membership: str = "piecewise-linear") -> Labels:
    """Low and High of an indicator between ``a`` and ``b`` (Eq. 12).

    ``gaussian`` puts a bell on each end, as wide as makes both 1/2 in the middle. Triangles
    with their peaks on the ends are the piecewise-linear labels over again.
    """
    if membership not in MEMBERSHIPS:
        raise UnknownNameError("membership", membership, MEMBERSHIPS)
    if membership == "piecewise-linear" or a == b:
        return {"L": Falling(a, b), "H": Rising(a, b)}
    width = (b - a) / math.sqrt(8.0 * math.log(2.0))
    return {"L": Gaussian(a, width), "H": Gaussian(b, width)}


@dataclass(frozen=True)
class FuzzyCriterion:
    """Fuzzy inference over the three indicators (sdvsm Eq. 12-15, Table 2).

    A term is ambiguous when its value reaches the middle of the output interval. Which terms
    that are depends on the middles ``(a + b) / 2`` alone: those with at least two indicators
    not above their middle. It holds for every choice offered here, since the strongest of all
    rules is the one that takes the better label of each indicator. With quartiles for
    thresholds half of the terms or more come out, whatever the topic.

    Parameters
    ----------
    thresholds : ``(a, b)`` of TR, TP and TI; None for the quartiles over the terms.
    output : a_AV and b_AV, the interval of the ambiguity value.
    membership : ``piecewise-linear`` (the paper's) or ``gaussian``.
    inference : ``mamdani`` (the paper's) or ``larsen``.
    defuzzification : ``maximum`` (the paper's), ``centroid`` or ``bisector``.
    """

    thresholds: Thresholds | None = None
    output: tuple[float, float] = (10.0, 20.0)
    membership: str = "piecewise-linear"
    inference: str = "mamdani"
    defuzzification: str = "maximum"

    def __post_init__(self) -> None:
        if not self.output[0] < self.output[1]:
            raise InputError(f"ambiguity values need an interval a < b, not {self.output}.")
        if self.thresholds is not None and len(self.thresholds) != 3:
            raise InputError("give three pairs of thresholds, for TR, TP and TI.")
        self._system(self.thresholds or ((0.0, 1.0),) * 3)  # names are checked here, not later

    def judge(self, indicators: Weights) -> Ambiguity:
        """Ambiguity values in the output interval; none for no terms."""
        if not len(indicators):
            return Ambiguity(np.zeros(0), np.zeros(0, np.bool_))
        thresholds = self.thresholds or quartiles(indicators)
        system = self._system(thresholds)
        low, high = np.array(thresholds).T
        # Beyond a and b labels stay as they are there; a bell would fall again.
        rows = np.clip(indicators, low, high) if self.membership == "gaussian" else indicators
        values = np.array([system.value(row) for row in rows.tolist()])
        a, b = self.output
        # A term right in the middle is ambiguous, and rounding must not decide otherwise.
        return Ambiguity(values, values >= (a + b) / 2.0 - _ROUNDING * (b - a))

    def _system(self, thresholds: Sequence[tuple[float, float]]) -> FuzzySystem:
        inputs = tuple(input_labels(a, b, self.membership) for a, b in thresholds)
        output = input_labels(*self.output)
        return FuzzySystem(inputs, RULES, output, self.output, self.inference, self.defuzzification)


@dataclass(frozen=True)
class PopularityCriterion:
    """Ours: a term is ambiguous when its topic popularity TP is below ``least``.

    At 1, the default, these are the terms found on at least as many irrelevant as relevant
    pages: an absolute bar, that none or all of a topic's terms may miss. The ambiguity value is
    ``1 / (1 + TP)``.
    """

    least: float = 1.0

    def judge(self, indicators: Weights) -> Ambiguity:
        """Ambiguity values in (0, 1]."""
        popularity = indicators[:, 1]
        return Ambiguity(1.0 / (1.0 + popularity), popularity < self.least)

"""The semantic disambiguation graph: which ambiguous words of a page mean the topic?

sdvsm Eq. 16 and 20. Nodes are topic terms, edges their co-occurrence degrees. An ambiguous
term counts on a page only in the company of the terms it goes with on pages of the topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scenthound.core.errors import UnknownNameError
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Numbers, Weights
from scenthound.topics.graph_terms import GraphTerms
from scenthound.topics.indicators import Flags
from scenthound.topics.page_index import occurrences

RULES = ("removal", "evidence")
_ROUNDING = 1e-12


def companions(cooccurrence: Weights, ambiguous: Flags, threshold: float | None = None) -> Flags:
    """Row by row, the disambiguation terms of each ambiguous term (Eq. 16).

    Those whose co-occurrence degree reaches ``threshold``, or (None) the mean of the term's
    degrees with all others. A term is not its own companion; a clear term needs none.
    """
    others = ~np.eye(len(ambiguous), dtype=np.bool_)
    means = cooccurrence.sum(axis=1) / max(len(ambiguous) - 1, 1)
    bar = means - _ROUNDING if threshold is None else np.full(len(ambiguous), threshold)
    return others & ambiguous[:, None] & (cooccurrence >= bar[:, None])


def mean_degrees(cooccurrence: Weights, chosen: Flags) -> Weights:
    """Mean of each row over its chosen columns; 0 where none is chosen."""
    numbers = np.maximum(chosen.sum(axis=1), 1)
    means: Weights = np.where(chosen, cooccurrence, 0.0).sum(axis=1) / numbers
    return means


def removed(cooccurrence: Weights, companions: Flags, bars: Weights, present: Flags) -> Flags:
    """Which terms mean something else on a page with the terms ``present`` (Eq. 20)?

    Those whose mean degree with the companions on the page is below their bar. Without any
    companion on the page Eq. 20 divides by zero; the mean is then 0 (ours), so the term goes,
    unless the bar is 0 as well: that tells nothing. A flaw of the paper's rule stands as it
    is: one weak companion beside strong ones pulls the mean down.
    """
    means = mean_degrees(cooccurrence, companions & present[None, :])
    return present & (means < bars - _ROUNDING)


def evidence(cooccurrence: Weights, companions: Flags, present: Flags, few: int) -> Weights:
    """How far each term means the topic on a page with the terms ``present``, in [0, 1].

    Ours: the degrees of its companions on the page, together, over those of its ``few``
    strongest companions; 1 when they are reached, and where no degree is above 0. More company
    never lowers it.
    """
    degrees = np.where(companions, cooccurrence, 0.0)
    expected = -np.sort(-degrees, axis=1)[:, :few].sum(axis=1)
    found = degrees @ present.astype(np.float64)
    return np.where(expected > 0.0, np.minimum(1.0, found / np.maximum(expected, 1e-300)), 1.0)


@dataclass(frozen=True, eq=False)
class DisambiguationGraph:
    """Topic terms, what they go with, and which of them are ambiguous.

    Parameters
    ----------
    nodes : the topic terms.
    cooccurrence : degree of each pair; symmetric, 0 on the diagonal.
    indicators : TR, TP and TI of each term.
    ambiguity : how ambiguous each term is.
    ambiguous : which terms are taken for ambiguous.
    companions : row by row, the disambiguation terms of each ambiguous term.
    rule : what :meth:`factors` gives, ``removal`` (the paper's) or ``evidence`` (ours).
    few : companions that are full evidence.
    """

    nodes: GraphTerms
    cooccurrence: Weights
    indicators: Weights
    ambiguity: Weights
    ambiguous: Flags
    companions: Flags
    rule: str = "removal"
    few: int = 3

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UnknownNameError("rule of a disambiguation graph", self.rule, RULES)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def kept_mean(self) -> Weights:
        """T_P of Eq. 20: each ambiguous term's mean degree over all its companions; else 0."""
        return mean_degrees(self.cooccurrence, self.companions)

    def dropped(self, page: Bag) -> Numbers:
        """Ambiguous terms that do not mean the topic on this page, by the paper's rule."""
        return self.nodes.numbers[self._removed(self._present(page))]

    def factors(self, page: Bag) -> tuple[Numbers, Weights]:
        """Ambiguous terms of the page, and what to multiply how often each occurs by.

        0 or 1 by the rule ``removal``, anything between by ``evidence``. Every other term
        counts in full.
        """
        present = self._present(page)
        chosen = present & self.ambiguous
        if self.rule == "removal":
            factors = 1.0 - self._removed(present).astype(np.float64)
        else:
            factors = evidence(self.cooccurrence, self.companions, present, self.few)
        return self.nodes.numbers[chosen], factors[chosen]

    def _present(self, page: Bag) -> Flags:
        return occurrences(page, self.nodes.numbers) > 0

    def _removed(self, present: Flags) -> Flags:
        return removed(self.cooccurrence, self.companions, self.kept_mean, present)

"""Soft SVSM, ours: the double-term numerator of SVSM over norms that similarity does not shrink.

A faint relation then counts for little, whatever else the text has; see ``svsm`` for the flaw
it mends.
"""

from __future__ import annotations

import numpy as np

from scenthound.relevance.likeness import TermTable
from scenthound.relevance.model import quotients
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Numbers, Weights


def soft_svsm(bags: Bags, weights: Weights, a: Weights, topic_norm: float) -> Weights:
    """``sum_ij w_i t_j s_ij^p / (|w| sqrt(sum_jk t_j t_k s_jk^p))``, at most 1.

    One number a term, ``a_i = sum_j t_j s_ij^p``. The text is measured by its plain length
    and the topic by its soft one, so that a text of k synonyms could reach ``sqrt(k)``: it is cut
    off at 1.
    """
    return quotients(bags.sums(weights * a), np.sqrt(bags.sums(weights**2)) * topic_norm)


class SoftSvsm:
    """The form; floor and exponent of the similarities are those of the likeness."""

    def __init__(self, likeness: TermTable) -> None:
        self._likeness = likeness

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic's weights, and the soft length of each of its columns."""
        self._likeness.take(ids)
        self._weights = weights
        among = self._likeness.among()
        self._norms = np.sqrt(np.einsum("jp,jk,kp->p", weights, among, weights))

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        columns = zip(self._likeness.sums(bags.ids, self._weights).T, self._norms, strict=True)
        found: Weights = np.maximum.reduce(
            [soft_svsm(bags, weights, a, norm) for a, norm in columns]
        )
        return found

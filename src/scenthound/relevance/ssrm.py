"""Semantic similarity retrieval model (sdvsm Eq. 18)."""

from __future__ import annotations

import numpy as np

from scenthound.relevance.likeness import TermTable
from scenthound.relevance.model import distinct_terms, quotients
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Numbers, Weights


def ssrm(bags: Bags, weights: Weights, likeness: Weights) -> Weights:
    """``sum_ij s_ij w_i t_j / sum_ij w_i t_j`` of each text (sdvsm Eq. 18); 0 if it is empty.

    Fast form: ``(w . e) / |w|_1`` with one number a term, ``e_i = sum_j s_ij t_j / |t|_1``.
    The weights must not be negative.

    Parameters
    ----------
    bags : the texts.
    weights : ``w``, of each entry.
    likeness : ``e``, of each entry.
    """
    return quotients(bags.sums(weights * likeness), bags.sums(weights))


class Ssrm:
    """The form. With a floor, faint similarities do not add up: ours, the paper has none."""

    def __init__(self, likeness: TermTable) -> None:
        self._likeness = likeness

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic's weights as shares."""
        self._likeness.take(ids)
        sums = weights.sum(axis=0)
        self._shares = weights / np.where(sums > 0.0, sums, 1.0)

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        terms, places = distinct_terms(bags)
        e = self._likeness.rows(terms) @ self._shares
        found: Weights = np.maximum.reduce([ssrm(bags, weights, each[places]) for each in e.T])
        return found

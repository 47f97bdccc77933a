"""Semantic similarity retrieval model (sdvsm Eq. 18)."""

from __future__ import annotations

import numpy as np

from scenthound.relevance.likeness import Likeness, per_slot
from scenthound.relevance.model import quotients
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

    def __init__(self, likeness: Likeness) -> None:
        self._likeness = likeness

    def take(self, ids: Numbers, weights: Weights) -> None:
        """Work out ``e`` for every slot."""
        sums = weights.sum(axis=0)
        shares = weights / np.where(sums > 0.0, sums, 1.0)
        self._mean = per_slot(shares, self._likeness.take(ids))

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        mean = self._mean[:, self._likeness.slots(bags.ids)]
        highest: Weights = np.maximum.reduce([ssrm(bags, weights, column) for column in mean])
        return highest

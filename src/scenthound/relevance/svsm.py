"""Semantic vector space model, SVSM = SSVSM (sdvsm Eq. 19, svsm-mcoa Eq. 2-3).

Text and topic are mapped to the space of all pairs (text term, topic term):
``DSV = (w_i s_ij)``, ``TSV = (t_j s_ij)``, and the similarity is the cosine of the two.

Known flaw: numerator and both norms carry the same ``s``, so the score does not fall when
every ``s`` is small. A text of one word is as similar as a synonym would be, however faint
its relation to the topic.
"""

from __future__ import annotations

import numpy as np

from scenthound.relevance.likeness import Likeness, per_slot
from scenthound.relevance.model import quotients
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Numbers, Weights


def svsm(bags: Bags, weights: Weights, a: Weights, b: Weights, c: Weights) -> Weights:
    """Cosine of the semantic vectors of each text and of the topic (sdvsm Eq. 19).

    ``sum_ij w_i t_j s_ij^2 / (sqrt(sum_ij (w_i s_ij)^2) sqrt(sum_ij (t_j s_ij)^2))``, in
    the fast form ``w . a / (sqrt(w^2 . b) sqrt(sum_i c_i))`` with three numbers a term:
    ``a_i = sum_j t_j s_ij^2``, ``b_i = sum_j s_ij^2``, ``c_i = sum_j t_j^2 s_ij^2``. Terms
    without weight are not there: those of the text do not enter the sum of ``c``, and those of
    the topic do not enter ``b``, which matters where each page is a topic of its own.
    """
    norms = np.sqrt(bags.sums(weights**2 * b) * bags.sums(np.where(weights > 0.0, c, 0.0)))
    return quotients(bags.sums(weights * a), norms)


class Svsm:
    """The form."""

    def __init__(self, likeness: Likeness) -> None:
        self._likeness = likeness

    def take(self, ids: Numbers, weights: Weights) -> None:
        """Work out ``a``, ``b`` and ``c`` for every slot."""
        table = self._likeness.take(ids)
        squares = np.square(table, out=table)
        self._a = per_slot(weights, squares)
        self._b = per_slot((weights > 0.0).astype(np.float64), squares)
        self._c = per_slot(weights**2, squares)

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        slots = self._likeness.slots(bags.ids)
        columns = zip(self._a[:, slots], self._b[:, slots], self._c[:, slots], strict=True)
        found = [svsm(bags, weights, a, b, c) for a, b, c in columns]
        highest: Weights = np.maximum.reduce(found)
        return highest

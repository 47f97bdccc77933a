"""Semantic vector space model, SVSM = SSVSM (sdvsm Eq. 19, svsm-mcoa Eq. 2-3).

Text and topic are mapped to the space of all pairs (text term, topic term):
``DSV = (w_i s_ij)``, ``TSV = (t_j s_ij)``, and the similarity is the cosine of the two.

Known flaw: numerator and both norms carry the same ``s``, so the score does not fall when
every ``s`` is small. A text of one word is as similar as a synonym would be, however faint
its relation to the topic.
"""

from __future__ import annotations

import numpy as np

from scenthound.relevance.likeness import TermTable
from scenthound.relevance.model import distinct_terms, quotients
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

    def __init__(self, likeness: TermTable) -> None:
        self._likeness = likeness

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic is now this; a page has the terms that weigh something in its column."""
        self._likeness.take(ids)
        self._weights = weights
        self._has = (weights > 0.0).astype(np.float64)

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        terms, places = distinct_terms(bags)
        squares = self._likeness.rows(terms) ** 2
        a, b, c = (squares @ self._weights, squares @ self._has, squares @ self._weights**2)
        columns = zip(a.T, b.T, c.T, strict=True)
        found: Weights = np.maximum.reduce(
            [svsm(bags, weights, a[places], b[places], c[places]) for a, b, c in columns]
        )
        return found

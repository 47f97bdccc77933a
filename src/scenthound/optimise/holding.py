"""Holding on to weights one begins with, as long as few links speak for others.

Ours. The links that a crawl has followed are few at first and of one kind: those that its weights
thought best. Ridge regression (Hoerl and Kennard 1970) draws the weights towards a point; here
the point is the best multiple of the weights at the start, and each weight is held in the scale of
its own text.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.optimise.problem import Moments

_FAINTEST = 0.01
"""A text whose mean square is a smaller share of the mean over all is held as if it were this."""


def held(moments: Moments, start: npt.ArrayLike, links: float) -> Moments:
    """The moments with as many more ``links`` that agree with the weights at the start.

    Their least squares minimise ``sum (y - X w)^2 + links * sum_i m_i (w_i - s w0_i)^2``, where
    ``w0`` is ``start``, ``m_i`` the mean square of text i over the links, and ``s`` the multiple
    of ``w0`` with the least squared error: only the proportions are held, for the similarities
    of a model and the relevance of pages are not on one scale. ``m_i`` is at least a hundredth of
    the mean over all texts, so that one that said nothing so far keeps its weight until it does.
    Unchanged without links or where ``links`` is 0.
    """
    if not moments.count or not links:
        return moments
    w0 = np.asarray(start, float)
    squares = np.diagonal(moments.gram)
    pull = links / moments.count * np.maximum(squares, _FAINTEST * squares.mean())
    centre = best_multiple(moments, w0) * w0
    return Moments(
        moments.gram + np.diag(pull),
        moments.moment + pull * centre,
        moments.square + float(pull @ centre**2),
        moments.total,
        moments.count,
    )


def best_multiple(moments: Moments, weights: npt.ArrayLike) -> float:
    """The factor s for which ``s * weights`` has the least squared error; 1 where none counts."""
    w = np.asarray(weights, float)
    square = float(w @ moments.gram @ w)
    return float(w @ moments.moment) / square if square > 0.0 else 1.0

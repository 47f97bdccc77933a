"""Least squares by the sums of the weight problem: whether links determine weights, the exact
solution, and a prior at the initial weights.

All of it is ours; the papers search (``svsm_mcoa``, ``bsvsm_ha``).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.papers.weight_problem import Array, Moments

MIN_TRAINING_LINKS = 20
_ROUNDING = 1e-12


def untrainable_reason(moments: Moments) -> str | None:
    """Return why weights cannot be learned from the links, in one sentence; None if they can."""
    count, gram = moments.count, moments.gram
    if count < MIN_TRAINING_LINKS:
        return (
            f"there are {count} training links and at least {MIN_TRAINING_LINKS} are needed; "
            f"take a larger crawl or archive."
        )
    if not moments.finite:
        return "a similarity or a target is not a finite number; correct or leave out that link."
    if not gram.any():
        return "no text of any link has a term of the topic: every similarity is 0."
    # The variance of the targets is 0, but for rounding.
    if count * moments.square - moments.total**2 <= _ROUNDING * count * moments.square:
        return "all targets are equally relevant: no link is better than another."
    # A single text with similarities is fine: its weight is well defined.
    present = np.flatnonzero(np.diagonal(gram))
    values = np.linalg.eigvalsh(gram[np.ix_(present, present)])
    if len(present) > 1 and values[-2] <= _ROUNDING * values[-1]:
        return (
            "all links have the same similarities, or multiples of them: "
            "what each text adds cannot be separated."
        )
    return None


# The exact solution: least squares with every weight within 0 and 1.
#
# The objective of svsm-mcoa Eq. 4 and bsvsm-ha Eq. 6 is a convex quadratic on a box. It has no
# local optimum, and a bounded least-squares solver finds the best weights in less than a
# millisecond. The papers' optimisers are measured against it.

_RANK = 1e-12
"""Directions with less than this share of the largest eigenvalue are not determined by the links.
Rounding alone gives about 1e-16 times the number of texts."""
_PULL = 1e-3
"""Pull of an undetermined direction towards 0; any value above 0 gives the same weights."""
_TOLERANCE = 1e-14


def exact_weights(moments: Moments) -> Array:
    """Return the weights within 0 and 1 of least squared error.

    Where the links do not determine a direction, the weights have the least component in it: texts
    that are always alike share their weight, a text without any similarity gets 0, and without
    links all are 0.
    """
    from scipy.optimize import lsq_linear

    matrix, target = square_root(moments.gram, moments.moment)
    if not matrix.any():
        return np.zeros(moments.texts)
    solution = lsq_linear(matrix, target, bounds=(0.0, 1.0), method="bvls", tol=_TOLERANCE)
    weights: Array = np.clip(solution.x, 0.0, 1.0)
    return weights


def square_root(gram: Array, moment: Array) -> tuple[Array, Array]:
    """Return a square table with the same least squares as all links: ``A'A = G`` and ``A'b = g``.

    From the eigenvectors of G, since Cholesky's would fail for a singular G. Undetermined
    directions have a row that pulls them to 0.
    """
    values, vectors = np.linalg.eigh(gram)
    largest = max(float(values[-1]), 0.0)
    known = values > _RANK * largest
    scale = np.where(known, np.sqrt(np.maximum(values, 0.0)), _PULL * np.sqrt(largest))
    target = np.zeros(len(moment))
    target[known] = (vectors.T @ moment)[known] / scale[known]
    return scale[:, None] * vectors.T, target


# The prior, ours. The links that a crawl has followed are few at first and of one kind: those of
# the best scores. Ridge regression (Hoerl and Kennard 1970) draws the weights towards a point; here
# the point is the best multiple of the initial weights, and the pull on each weight is in the scale
# of its own text.

_FAINTEST = 0.01
"""Least mean square of a text that the pull is based on, as a share of the mean over all texts."""


def with_prior(moments: Moments, start: npt.ArrayLike, links: float) -> Moments:
    """Return the moments with as many more ``links`` that agree with the initial weights.

    Their least squares minimise ``sum (y - X w)^2 + links * sum_i m_i (w_i - s w0_i)^2``, where
    ``w0`` is ``start``, ``m_i`` the mean square of text i over the links, and ``s`` the multiple of
    ``w0`` with the least squared error: similarities and relevance are not on one scale, so only
    the proportions of ``w0`` count. ``m_i`` is at least a hundredth of the mean over all texts, so
    that a text without any similarity so far keeps its weight.
    """
    if not moments.count or not links:
        return moments
    w0 = np.asarray(start, float)
    squares = np.diagonal(moments.gram)
    pull = links / moments.count * np.maximum(squares, _FAINTEST * squares.mean())
    centre = best_scale(moments, w0) * w0
    return Moments(
        moments.gram + np.diag(pull),
        moments.moment + pull * centre,
        moments.square + float(pull @ centre**2),
        moments.total,
        moments.count,
    )


def best_scale(moments: Moments, weights: npt.ArrayLike) -> float:
    """Return the factor s for which ``s * weights`` has the least squared error; else 1."""
    w = np.asarray(weights, float)
    square = float(w @ moments.gram @ w)
    return float(w @ moments.moment) / square if square > 0.0 else 1.0

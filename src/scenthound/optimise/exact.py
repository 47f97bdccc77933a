"""The best weights themselves: least squares with every weight within 0 and 1.

The objective of svsm-mcoa Eq. 4 and bsvsm-ha Eq. 6 is a convex quadratic on a box. It has no
local optimum to fall into, and a bounded least-squares solver finds the best weights in less
than a millisecond. What the papers' optimisers reach is measured against this.
"""

from __future__ import annotations

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.optimise.problem import Moments

_RANK = 1e-12
"""Directions with less than this share of the largest eigenvalue are not determined by the links.

Rounding alone gives about 1e-16 times the number of texts.
"""
_PULL = 1e-3
"""How firmly an undetermined direction is held at 0; any value above 0 gives the same weights."""
_TOLERANCE = 1e-14


def exact_weights(moments: Moments) -> Array:
    """The weights within 0 and 1 of least squared error.

    Where the links leave a direction open, many weights are equally good. Of those the ones are
    given that go least far into the open directions: texts that are always alike share their
    weight, a text that never has a similarity gets 0, and without links all are 0.
    """
    from scipy.optimize import lsq_linear

    matrix, target = square_root(moments.gram, moments.moment)
    if not matrix.any():
        return np.zeros(moments.texts)
    found = lsq_linear(matrix, target, bounds=(0.0, 1.0), method="bvls", tol=_TOLERANCE)
    weights: Array = np.clip(found.x, 0.0, 1.0)
    return weights


def square_root(gram: Array, moment: Array) -> tuple[Array, Array]:
    """A square table with the same least squares as all links: ``A'A = G`` and ``A'b = g``.

    From the eigenvectors of G, so that a singular G does no harm (Cholesky's would fail). A row
    for each direction the links determine, and for each open one a row that pulls it to 0.
    """
    values, vectors = np.linalg.eigh(gram)
    largest = max(float(values[-1]), 0.0)
    known = values > _RANK * largest
    scale = np.where(known, np.sqrt(np.maximum(values, 0.0)), _PULL * np.sqrt(largest))
    target = np.zeros(len(moment))
    target[known] = (vectors.T @ moment)[known] / scale[known]
    return scale[:, None] * vectors.T, target

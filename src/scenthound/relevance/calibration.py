"""Where does "relevant" begin? Learnt from the example pages, where a paper prints no value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.text.vocabulary import Weights

PERCENTILE = 5.0
DEFAULT_THRESHOLD = 0.1


def leave_one_out(vectors: Weights) -> list[float]:
    """For each unit vector (a column) its highest cosine with one of the others.

    Empty for fewer than two.
    """
    if vectors.shape[1] < 2:
        return []
    cosines = np.clip(vectors.T @ vectors, 0.0, 1.0)
    np.fill_diagonal(cosines, -np.inf)
    return [float(highest) for highest in cosines.max(axis=0)]


def calibrated_threshold(similarities: Sequence[float]) -> float | None:
    """The 5th percentile of the example pages' own similarities; None where there are none."""
    return float(np.percentile(similarities, PERCENTILE)) if similarities else None

"""Where does "relevant" begin? Learnt from the example pages, where a paper prints no value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.relevance.vsm import cosine
from scenthound.text.weights import Vector

PERCENTILE = 5.0
DEFAULT_THRESHOLD = 0.1


def leave_one_out(vectors: Sequence[Vector]) -> list[float]:
    """For each vector its highest cosine with one of the others; empty for fewer than two."""
    if len(vectors) < 2:
        return []
    return [
        max(cosine(one, other) for j, other in enumerate(vectors) if j != i)
        for i, one in enumerate(vectors)
    ]


def calibrated_threshold(similarities: Sequence[float]) -> float | None:
    """The 5th percentile of the example pages' own similarities; None where there are none."""
    return float(np.percentile(similarities, PERCENTILE)) if similarities else None

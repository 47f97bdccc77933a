"""Vectors of length 1, so that a product of two is the cosine of the angle between them."""

from __future__ import annotations

import numpy as np

from scenthound.vectors.protocols import Vectors


def unit_rows(vectors: Vectors) -> Vectors:
    """Each row divided by its length; zeros stay zeros, and no row gives no row."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)

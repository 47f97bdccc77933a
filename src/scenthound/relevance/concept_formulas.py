"""Relevance of pages and anchors by the concepts that they name (olmoaco section 3.2).

Counts come as arrays with one column for each concept of the topic vector ``TK``. The topic itself
is one weight for each concept (Eq. 4).
"""

from __future__ import annotations

import numpy as np

from scenthound.core.errors import UnknownNameError
from scenthound.text.vocabulary import Weights

GROUP_WEIGHTS = (2.0, 1.5, 1.2, 1.0, 0.2)
"""W_1..W_5 (olmoaco 3.2.1): title and first heading; second and third; others and bold; body;
the rest."""
OVER_GROUPS, IN_GROUP = "word", "group"
NORMS = (OVER_GROUPS, IN_GROUP)


def page_weights(counts: Weights, norm: str = OVER_GROUPS) -> Weights:
    """The weight of each concept on a page (olmoaco Eq. 5).

    Parameters
    ----------
    counts : how often each concept (columns) stands in each group of tags (rows).
    norm : what ``max f_il`` runs over, which the paper leaves open. "word": the groups in which
        that word stands, as it is printed, so that a word of one group weighs ``W_l`` whether it
        stands there once or a hundred times; "group": the words of that group.

    Examples
    --------
    >>> page_weights(np.array([[1.0, 0], [0, 0], [0, 0], [2, 4], [0, 0]])).tolist()
    [2.0, 1.0]
    """
    if norm not in NORMS:
        raise UnknownNameError("norm", norm, NORMS)
    highest = counts.max(axis=0 if norm == OVER_GROUPS else 1, initial=0.0)
    largest = highest[None, :] if norm == OVER_GROUPS else highest[:, None]
    shares = np.divide(counts, largest, out=np.zeros_like(counts), where=largest > 0.0)
    weights: Weights = np.array(GROUP_WEIGHTS) @ shares
    return weights


def anchor_weights(counts: Weights, pages: int, containing: Weights) -> Weights:
    """The weight of each concept in some anchors (olmoaco Eq. 7), one row an anchor.

    ``f_i / sum f`` and the base of the logarithm are factors of a whole row and cancel in the
    cosine of Eq. 8: they are left out.

    Parameters
    ----------
    counts : how often each concept stands in each anchor.
    pages : fetched so far (N); at least 1 is taken.
    containing : in how many of them each concept stands (N_i); at least 1 is taken.
    """
    share = max(1, pages) / np.maximum(containing, 1.0)
    return counts * np.log(np.maximum(share, 1.0) + 0.01)


def cosines(rows: Weights, topic: Weights) -> Weights:
    """Cosine of each row with the topic vector (olmoaco Eq. 6 and 8), in [0, 1]; 0 for no concept.

    Examples
    --------
    >>> cosines(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([3.0, 4.0])).tolist()
    [0.6, 0.0]
    """
    norms = np.linalg.norm(rows, axis=1) * np.linalg.norm(topic)
    found = np.divide(rows @ topic, norms, out=np.zeros(len(rows)), where=norms > 0.0)
    bounded: Weights = np.minimum(found, 1.0)
    return bounded

"""Information content of concepts and the measures of their similarity, as equations."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.text.taxonomy import ROOT, Taxonomy

Array = npt.NDArray[np.float64]


def information_content(taxonomy: Taxonomy) -> Array:
    """Intrinsic information content of every concept, in [0, 1] (sdvsm Eq. 7, right-hand side).

    ``IC(c) = 1 - log(hypo(c) + 1) / log(max_nodes)``, where ``hypo`` counts the distinct
    concepts below ``c`` and ``max_nodes`` all concepts. A leaf has 1, the root 0, and every
    concept more than those it is a kind of. The middle part of Eq. 7 as printed, ``-log(c)``,
    is the logarithm of a probability and another quantity.

    A taxonomy of one concept gives 0/0; its information is 0, because it is the root.
    """
    below = np.log(taxonomy.hyponyms + 1.0)
    highest = np.log(float(max(2, len(taxonomy))))
    information: Array = 1.0 - below / highest  # Eq. 7
    information[ROOT] = 0.0  # what it is but for rounding, and but for 0/0
    return information


# Similarity of two concepts, measure by measure, as equations and nothing else.
#
# Every function takes numbers or arrays alike. What they are given:
#
# - ``lso``, ``first``, ``second``: information content of the common ancestor and of the two
# concepts; - ``length``: edges on the shortest way from one to the other through a common
# ancestor; - ``depth``: depth of the deepest common ancestor, 1 for the root; - ``common``,
# ``first_only``, ``second_only``: numbers of features.
#
# The ranges hold for the intrinsic information content of :mod:`.information`, which is in [0,
# 1].


Number = TypeVar("Number", float, Array)


TINY = float(np.finfo(np.float64).tiny)

LI_LENGTH = 0.2

LI_DEPTH = 0.6


def lin(lso: Number, first: Number, second: Number) -> Number:
    """``2 IC(lso) / (IC(c1) + IC(c2))`` (sdvsm Eq. 6, svsm-mcoa Eq. 1; Lin 1998), in [0, 1].

    Written as ``1 - (IC(c1) + IC(c2) - 2 IC(lso)) / (IC(c1) + IC(c2))``, which is the same and
    gives 1, not 0/0, for the root with itself.
    """
    both = first + second
    divisor: Number = np.maximum(both, TINY)
    return 1.0 - (both - 2.0 * lso) / divisor


def resnik(lso: Number) -> Number:
    """``IC(lso)`` (Resnik 1995), in [0, 1]. A concept with itself gives its own information."""
    return lso


def jiang_conrath(lso: Number, first: Number, second: Number) -> Number:
    """Distance ``IC(c1) + IC(c2) - 2 IC(lso)`` (Jiang and Conrath 1997), in [0, 2]."""
    return first + second - 2.0 * lso


def jiang_conrath_similarity(lso: Number, first: Number, second: Number) -> Number:
    """1 - half of the distance of :func:`jiang_conrath`, in [0, 1].

    Two concepts high up in the taxonomy are near each other although they share the root only.
    """
    return 1.0 - 0.5 * jiang_conrath(lso, first, second)


def wu_palmer(length: Number, depth: Number) -> Number:
    """``1 - len / (len + 2 depth(lso))`` (sdvsm Eq. 5; Wu and Palmer 1994), in (0, 1].

    In a tree this is ``2 depth(lso) / (depth(c1) + depth(c2))`` with depths counted along it.
    """
    return 1.0 - length / (length + 2.0 * depth)


def leacock_chodorow(length: Number, levels: float) -> Number:
    """``-log((len + 1) / (2 D))`` (Leacock and Chodorow 1998) over its maximum ``log(2 D)``.

    In (0, 1]. The paper counts the concepts on the path, both ends included: one more than the
    edges. ``levels`` is its D, the concepts on the longest path from the root down to a leaf.
    """
    logarithm: Number = np.log(length + 1.0)
    return 1.0 - logarithm / float(np.log(2.0 * levels))


def li_bandar_mclean(length: Number, depth: Number) -> Number:
    """``exp(-0.2 l) tanh(0.6 h)`` (Li, Bandar and McLean 2003, strategy 4), in [0, 1).

    The constants are the ones that paper found best. ``h`` is the number of edges above the
    common ancestor, ``depth - 1``: concepts that share the root alone have nothing in common
    and get 0, which is what the factor for the depth is there for.
    """
    nearness: Number = np.exp(-LI_LENGTH * length)
    specificity: Number = np.tanh(LI_DEPTH * (depth - 1.0))
    return nearness * specificity


def tversky_ratio(
    common: Number,
    first_only: Number,
    second_only: Number,
    gamma: float = 1.0,
    alpha: float = 0.5,
    beta: float = 0.5,
) -> Number:
    """The common features as a share of all, in [0, 1] (Tversky 1977).

    Ours for sdvsm Eq. 8, ``gamma f(c1 & c2) - alpha f(c1 - c2) - beta f(c2 - c1)``, which can be
    negative. sdvsm prints no weights; the defaults are ours and give Dice's coefficient. It is
    symmetric if ``alpha == beta``.
    """
    shared = gamma * common
    return shared / (shared + alpha * first_only + beta * second_only)

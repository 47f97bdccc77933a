"""How often to cross and to mutate: the more alike the objects and the later, the less.

svsm-mcoa Eq. 5, bsvsm-ha Eq. 8 and 9. Both rates follow a logistic curve in the entropy of the
population: equal vectors are one category, counted after the selection. The logarithm of the
generation divides the entropy, so that the rates fall even among objects that all differ: with
the printed constants from 0.70 at t = 1 through 0.50 at t = 3 to 0.303 at t = 15. From there on
nothing changes any more, though the papers run 3,000 generations.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scenthound.optimise.arrays import Array
from scenthound.optimise.groups import Groups

_GROUP_BITS = 8


def entropies(objects: Array, groups: Groups) -> Array:
    """``H = - sum P_d log2 P_d`` of each population over its categories of equal objects.

    With ``P_d = n_d / N`` that is ``log2 N - (sum n_d log2 n_d) / N``. Objects are compared by a
    56-bit fingerprint: sorting it is several times faster than sorting the vectors, and two
    different vectors of 150 share one with probability 2e-13.
    """
    keys = _fingerprints(objects, groups)
    keys.sort()
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    counts = np.diff(begins, append=len(keys))
    owner = (keys[begins] >> np.uint64(64 - _GROUP_BITS)).astype(np.intp)
    spent = np.bincount(owner, counts * np.log2(counts), minlength=len(groups))
    return np.asarray(np.maximum(np.log2(groups.sizes) - spent / groups.sizes, 0.0))


def diversity(entropy: Array, sizes: npt.NDArray[np.intp], generation: int) -> Array:
    """``U(t) = 2 H / (log2(1 + t) log2 N) - 1``, from -1 (all alike) to 1 (all differ, t = 1).

    Generations count from 1: at 0 the logarithm is 0. A population of one object has no entropy
    to speak of (0 / 0): -1.
    """
    scale = np.log2(1 + generation) * np.log2(sizes)
    share: Array = np.divide(entropy, scale, out=np.zeros_like(entropy), where=scale > 0.0)
    return 2.0 * share - 1.0


def logistic(diversities: Array, steepness: float) -> Array:
    """``1 / (1 + exp(-a U))``: where between its lowest and its highest a rate lies."""
    share: Array = 1.0 / (1.0 + np.exp(-steepness * diversities))
    return share


def _fingerprints(objects: Array, groups: Groups) -> npt.NDArray[np.uint64]:
    """Population in the upper 8 bits, a hash of the vector in the others."""
    bits = np.ascontiguousarray(objects).view(np.uint64)
    hashes = (bits * _multipliers(objects.shape[1])).sum(axis=1, dtype=np.uint64)
    owner = groups.member.astype(np.uint64) << np.uint64(64 - _GROUP_BITS)
    return np.asarray((hashes >> np.uint64(_GROUP_BITS)) | owner, np.uint64)


@lru_cache
def _multipliers(width: int) -> npt.NDArray[np.uint64]:
    """Odd numbers without a pattern, always the same."""
    return np.random.SeedSequence(width).generate_state(width, np.uint64) | np.uint64(1)

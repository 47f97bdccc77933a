"""Could the differences be chance? If so, each might as well have had the other sign."""

from __future__ import annotations

from collections.abc import Sequence

_RESAMPLES = 9_999
"""Up to 13 differences all signs are tried, beyond that so many at random."""
_SEED = 0


def sign_flip_p(differences: Sequence[float]) -> float:
    """Two-sided p-value of the mean difference under all flips of signs; 1 without differences."""
    if not any(differences):
        return 1.0
    import numpy as np
    from scipy import stats

    def mean(sample: object, axis: int) -> object:
        return np.mean(sample, axis=axis)  # type: ignore[call-overload]

    found = stats.permutation_test(
        (np.asarray(differences, dtype=float),),
        mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=_RESAMPLES,
        random_state=np.random.default_rng(_SEED),
    )
    return min(1.0, float(found.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values as they are once it counts that so many were looked at (Holm 1979).

    The smallest is multiplied by their number, the next by one less, and so on; none becomes
    smaller than one before it, nor larger than 1. Empty for none.
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted

"""Which links are no worse than any other in all that is wanted of them: non-dominated sorting.

A link dominates another if it is at least as good in every objective and better in one. All
objectives are to be large. moocore does the sorting: the first front by Kung's algorithm, in
about n log n steps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.linkgraph.graph import Reals
from scenthound.linkgraph.rows import Places


def first_front(objectives: Reals) -> Places:
    """The links that no other dominates, by place, ascending.

    Links that are equal in everything dominate neither: all of them are in the front, or none.

    Parameters
    ----------
    objectives : a row for each link, a column for each objective; no row gives no link. A value
        that is not finite is a ValueError.
    """
    import moocore

    _check(objectives)
    kept = moocore.is_nondominated(objectives, maximise=True, keep_weakly=True)
    return np.flatnonzero(kept)


def fronts(objectives: Reals) -> npt.NDArray[np.intp]:
    """The number of the front of each link: 0 for the first, 1 for what is left without it, ...

    For some thousand links at most: front after front is taken away, which in the worst case are
    as many as links. Parameters as of :func:`first_front`.
    """
    import moocore

    _check(objectives)
    ranks: npt.NDArray[np.intp] = moocore.pareto_rank(objectives, maximise=True).astype(np.intp)
    return ranks


def _check(objectives: Reals) -> None:
    if objectives.ndim != 2 or not objectives.shape[1]:
        raise ValueError("objectives must be a table with a column for each objective")
    if not np.isfinite(objectives).all():
        raise ValueError("every objective of every link must be a finite number")

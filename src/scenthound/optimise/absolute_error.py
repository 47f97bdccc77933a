"""How far priorities lie from the relevance found: the papers' figures for the test links.

These need the links themselves: they are no function of the moments.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import InputError
from scenthound.optimise.arrays import Array
from scenthound.optimise.optimiser import at_least
from scenthound.optimise.problem import link_table

GROUPS = 50
"""As both papers have it: 500 test links, 10 in a group."""


def absolute_errors(rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike) -> Array:
    """``|target - priority|`` of each link, the priority by svsm-mcoa Eq. 7; none without links.

    Where a number of a link is not finite neither is its error; that of the others is.
    """
    x, y = link_table(rows, targets)
    w = np.asarray(weights, float)
    if w.shape != x.shape[1:]:
        raise InputError(
            f"there are {x.shape[1]} texts a link but {w.size} weights; give each text one weight."
        )
    with np.errstate(all="ignore"):  # the error that is not finite tells
        errors: Array = np.abs(y - x @ w)
    return errors


def mean_absolute_error(
    rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike
) -> float:
    """The mean of the absolute errors; 0 without links, not finite if one error is not."""
    errors = absolute_errors(rows, targets, weights)
    return float(errors.mean()) if len(errors) else 0.0


def grouped_errors(
    rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike, groups: int = GROUPS
) -> Array:
    """The mean absolute error in each group of consecutive links (svsm-mcoa Fig. 3).

    Where the links cannot be divided evenly the first groups have one link more. Fewer links
    than groups give a group each, no links an empty array. A number that is not finite spoils
    only the group it stands in: its mean is not finite either.

    Parameters
    ----------
    rows : similarities, one row a link, in the order of the links.
    targets : the relevance of the page each link leads to.
    weights : one for each text.
    groups : how many groups, at least 1.
    """
    at_least(1, groups=groups)
    errors = absolute_errors(rows, targets, weights)
    parts = np.array_split(errors, min(groups, max(len(errors), 1)))
    return np.array([part.mean() for part in parts if len(part)], float)  # svsm-mcoa Fig. 3

"""Can weights be learnt from these links at all?"""

from __future__ import annotations

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.optimise.problem import Moments

LEAST_LINKS = 20
_ROUNDING = 1e-12


def why_not(moments: Moments) -> str | None:
    """What keeps the links from teaching weights, in one sentence; None if nothing does.

    Where there is a reason, equal weights are the answer.
    """
    if moments.count < LEAST_LINKS:
        return (
            f"there are {moments.count} training links and at least {LEAST_LINKS} are needed; "
            f"take a larger crawl or archive."
        )
    if not moments.finite:
        return "a similarity or a target is not a finite number; correct or leave out that link."
    if not moments.gram.any():
        return "no text of any link has a term of the topic: every similarity is 0."
    if _all_equal(moments):
        return "all targets are equally relevant: no link is better than another."
    if _same_rows(moments.gram):
        return (
            "all links have the same similarities, or multiples of them: "
            "what each text adds cannot be told apart."
        )
    return None


def _all_equal(moments: Moments) -> bool:
    """Is the variance of the targets 0? ``n y'y = (sum of y)^2``, but for rounding."""
    spread = moments.count * moments.square - moments.total**2
    return spread <= _ROUNDING * moments.count * moments.square


def _same_rows(gram: Array) -> bool:
    """Do the rows lie on one line through 0 although several texts have similarities?

    A single text with similarities is no such case: its weight is well defined.
    """
    present = np.flatnonzero(np.diagonal(gram))
    if len(present) < 2:
        return False
    second, largest = np.linalg.eigvalsh(gram[np.ix_(present, present)])[-2:]
    return bool(second <= _ROUNDING * largest)

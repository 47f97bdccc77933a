"""What part of its PageRank a page passes on along each of its links (olmoaco Eq. 15)."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.linkgraph.graph import Reals

PRINTED, NORMALISED = FORMS = ("printed", "normalised")


def printed_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """d * (1 + omega * R) / C for each link, C being the number of links (olmoaco Eq. 15).

    Parameters
    ----------
    anchors : R, the relevance of the anchor of each link; no link gives no share.
    damping, omega : d and omega.
    """
    return damping * (1.0 + omega * anchors) / max(len(anchors), 1)


def normalised_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """d * (1 + omega * R) / (sum of 1 + omega * R over the links): together d, whatever omega is.

    Ours; parameters as of :func:`printed_shares`.
    """
    weights = 1.0 + omega * anchors
    return damping * weights / max(float(weights.sum()), 1.0)


def largest_omega(damping: float) -> float:
    """The printed form needs an omega below this, so that d * (1 + omega) < 1."""
    return (1.0 - damping) / damping


@dataclass(frozen=True, slots=True)
class LinkShares:
    """How pages share out their PageRank.

    Parameters
    ----------
    damping : d, between 0 and 1.
    omega : how much a relevant anchor adds. In the printed form a page passes on up to
        d * (1 + omega) of its value; from (1 - d) / d on that is all of it or more, the sums may
        grow without end, and it is refused.
    form : "printed" as in the paper; "normalised" has no such limit.
    """

    damping: float = 0.85
    omega: float = 0.10
    form: str = PRINTED

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownNameError("form of PageRank", self.form, FORMS)
        if not 0.0 < self.damping < 1.0:
            raise SettingsError(f"damping is {self.damping}; give a number between 0 and 1.")
        if not 0.0 <= self.omega < inf:
            raise SettingsError(f"omega is {self.omega}; give a number of 0 or more.")
        if self.most >= 1.0:
            raise SettingsError(
                f"omega is {self.omega}, and with damping {self.damping} PageRank grows without "
                f"end from (1 - damping) / damping = {largest_omega(self.damping):.4g} on; give a "
                f"smaller omega, or the form {NORMALISED!r}."
            )

    @property
    def base(self) -> float:
        """1 - d: the PageRank of a URL that no page links to."""
        return 1.0 - self.damping

    @property
    def most(self) -> float:
        """The largest part of its value that a page can pass on."""
        return self.damping * (1.0 + self.omega * (self.form == PRINTED))

    def of(self, anchors: Reals) -> Reals:
        """The share of each link of a page.

        ``anchors`` outside 0 to 1 count as the nearer end, what is no number as 0: the sums end
        only for relevances up to 1.
        """
        relevances = np.fmin(np.fmax(anchors, 0.0), 1.0)
        shares = printed_shares if self.form == PRINTED else normalised_shares
        return shares(relevances, self.damping, self.omega)

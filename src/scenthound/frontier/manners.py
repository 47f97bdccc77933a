"""How politely hosts are asked, and how many pages one of them may have."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scenthound.core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Manners:
    """What holds for every host alike.

    Parameters
    ----------
    delay : seconds that a host rests between two requests; 0 is no rest.
    per_host : requests to one host at once; None is no limit.
    pages_per_host : pages that one host may have in all; None is no limit.
    share : a host that has had more than this share of all pages fetched waits while another
        host has something to offer; None is no such rule.
    """

    delay: float = 0.0
    per_host: int | None = None
    pages_per_host: int | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.delay < math.inf:
            raise SettingsError(
                f"a delay of {self.delay} seconds cannot be kept; give 0 or more seconds."
            )
        if self.per_host is not None and self.per_host < 1:
            raise SettingsError(
                f"{self.per_host} requests at once to a host fetch nothing; give 1 or more."
            )
        if self.pages_per_host is not None and self.pages_per_host < 1:
            raise SettingsError(
                f"{self.pages_per_host} pages of a host fetch nothing; give 1 or more."
            )
        if self.share is not None and not 0.0 < self.share <= 1.0:
            raise SettingsError(
                f"a host's share of {self.share} is no share; give a number above 0, at most 1."
            )

    @property
    def rests_after_answer(self) -> bool:
        """Does a host rest from the end of an answer on? (Else from the start of a request on.)"""
        return self.per_host is None or self.per_host == 1


AS_FAST_AS_IT_GOES = Manners()
"""No delay and no limits."""

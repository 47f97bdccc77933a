"""Manners that cannot be kept are refused."""

from __future__ import annotations

import math

import pytest

from scenthound.core.errors import SettingsError
from scenthound.frontier.manners import Manners


@pytest.mark.parametrize("delay", [-0.1, math.inf, math.nan])
def test_a_delay_is_a_number_of_seconds(delay: float) -> None:
    with pytest.raises(SettingsError, match="give 0 or more seconds"):
        Manners(delay=delay)


@pytest.mark.parametrize("most", [0, -1])
def test_limits_start_at_one(most: int) -> None:
    with pytest.raises(SettingsError, match="at once to a host fetch nothing"):
        Manners(per_host=most)
    with pytest.raises(SettingsError, match="pages of a host fetch nothing"):
        Manners(pages_per_host=most)


@pytest.mark.parametrize("share", [0.0, -0.5, 1.5, math.nan])
def test_a_share_is_a_part_of_the_whole(share: float) -> None:
    with pytest.raises(SettingsError, match="is no share"):
        Manners(share=share)


def test_the_edges_are_allowed() -> None:
    assert Manners(0.0, 1, 1, 1.0) == Manners(delay=0, per_host=1, pages_per_host=1, share=1)

"""Manners that cannot be kept are refused."""

from __future__ import annotations

import math

import pytest

from scenthound.core.errors import SettingsError
from scenthound.frontier.politeness import PolitenessPolicy


def test_a_delay_is_a_number_of_seconds() -> None:
    for delay in [-0.1, math.inf, math.nan]:
        with pytest.raises(SettingsError, match="give 0 or more seconds"):
            PolitenessPolicy(delay=delay)


def test_limits_start_at_one() -> None:
    for most in [0, -1]:
        with pytest.raises(SettingsError, match="at once to a host fetch nothing"):
            PolitenessPolicy(per_host=most)
        with pytest.raises(SettingsError, match="pages of a host fetch nothing"):
            PolitenessPolicy(pages_per_host=most)


def test_a_share_is_a_part_of_the_whole() -> None:
    for share in [0.0, -0.5, 1.5, math.nan]:
        with pytest.raises(SettingsError, match="is no share"):
            PolitenessPolicy(share=share)


def test_the_edges_are_allowed() -> None:
    assert PolitenessPolicy(0.0, 1, 1, 1.0) == PolitenessPolicy(
        delay=0, per_host=1, pages_per_host=1, share=1
    )

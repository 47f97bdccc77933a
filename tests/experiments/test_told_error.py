"""Errors as journals and comparisons have them."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError, StrategyError, UnknownNameError
from scenthound.experiments.runner import told_error


@pytest.mark.parametrize(
    "error, told",
    [
        (ValueError("too\nlow."), "ValueError: too low"),
        (ZeroDivisionError(), "ZeroDivisionError: ZeroDivisionError"),
        (SettingsError("no\x1b[31m\nseeds."), "SettingsError: no [31m seeds."),
        (
            StrategyError("mine", "failed in score()"),
            "StrategyError: strategy 'mine' failed in score(); correct the package it comes from.",
        ),
    ],
)
def test_an_error_is_one_line(error: Exception, told: str) -> None:
    assert told_error(error) == told


def test_a_long_one_is_cut() -> None:
    told = told_error(UnknownNameError("strategy", "x" * 5_000, ["vsm"]))
    assert told.startswith("UnknownNameError: unknown strategy 'xxx") and len(told) == 500

"""Fewer examples of a property than elsewhere: what is compared here are formulas, not states."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("formulas", parent=settings.get_profile("scenthound"), max_examples=25)


@pytest.fixture(scope="module", autouse=True)
def few_examples() -> Iterator[None]:
    """For every module of this folder."""
    settings.load_profile("formulas")
    yield
    settings.load_profile("scenthound")

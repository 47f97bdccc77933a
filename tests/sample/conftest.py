"""The sample web of the default seed, built once for all tests of this folder."""

from __future__ import annotations

import pytest

from sample.sample_once import sample_web
from scenthound.sample.web import SampleWeb


@pytest.fixture(scope="session")
def web() -> SampleWeb:
    """The sample web everybody gets."""
    return sample_web()

"""Settings for all tests: what hypothesis tries is the same on every run and on every machine."""

from __future__ import annotations

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("frontier.frontier_contract", "frontier.frontier_model")

settings.register_profile("scenthound", deadline=None, derandomize=True, database=None)
settings.load_profile("scenthound")

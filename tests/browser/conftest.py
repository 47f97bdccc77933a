"""Tests that need a browser; they are not collected unless asked for: ``make browser``."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

import pytest

from scenthound.live.launching import NAMES, VARIABLE


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what is missing in one line, rather than in every test."""
    if find_spec("playwright") is None:
        pytest.exit("Playwright is missing: pip install 'scenthound[js]'", returncode=1)
    if os.environ.get(VARIABLE) is None and not any(map(shutil.which, NAMES)):
        pytest.exit(f"no Chromium: apt install chromium, or name one in {VARIABLE}", returncode=1)

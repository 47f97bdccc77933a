"""Small archives, and a web in memory, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crawler.live_web import LiveWeb, MemoryWeb
from crawler.web_building import Plant


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    """Call it with responses to get an archive of them."""
    with ExitStack() as stack:
        yield Plant(tmp_path, stack)


@pytest.fixture
def web() -> Iterator[LiveWeb]:
    """An empty web in memory."""
    with MemoryWeb() as served:
        yield served

"""A web in memory, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawler.live_web import LiveWeb, MemoryWeb


@pytest.fixture
def web() -> Iterator[LiveWeb]:
    """An empty web in memory."""
    with MemoryWeb() as served:
        yield served

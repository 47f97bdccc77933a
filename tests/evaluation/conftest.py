"""One small web for all tests of comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crawler.web_building import Plant
from evaluation.grid_web import write_web


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, topics and labels of :func:`write_web`; tests write nothing but grid files."""
    return write_web(tmp_path_factory.mktemp("web"))


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    """Call it with responses to get an archive of them."""
    with ExitStack() as stack:
        yield Plant(tmp_path, stack)

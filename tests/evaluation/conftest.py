"""One small web for all tests of comparisons."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.grid_web import write_web


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, topics and labels of :func:`write_web`; tests write nothing but grid files."""
    return write_web(tmp_path_factory.mktemp("web"))

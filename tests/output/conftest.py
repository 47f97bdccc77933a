"""One live crawl for all tests that only read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from output.corpus_making import live_folder, replay_folder
from output.explained_web import Crawled, crawled


@pytest.fixture(scope="session")
def live_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_folder(tmp_path_factory.mktemp("corpus") / "storms")


@pytest.fixture(scope="session")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return replay_folder(tmp_path_factory.mktemp("replayed"))


# One live crawl for all tests of this folder: they only read it.


@pytest.fixture(scope="package")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("explained") / "live")

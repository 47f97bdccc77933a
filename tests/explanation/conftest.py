"""One live crawl for all tests of this folder: they only read it."""

from __future__ import annotations

import pytest

from explanation.explained_web import Crawled, crawled


@pytest.fixture(scope="package")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("explained") / "live")

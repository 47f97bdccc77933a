"""One live crawl for all tests that only read it."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup

from output.corpus_making import Crawled, crawled, live_folder, replay_folder
from scenthound.output.report.document import Plot


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


@pytest.fixture
def drawn() -> None:
    """For tests that look at the plots of a report."""


@pytest.fixture
def undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without their plots, which take most of the time, but where a test is ``drawn``."""
    if "drawn" not in request.fixturenames:

        def draw(plot: Plot, _: Path | None) -> Markup:
            return Markup(f'<svg aria-labelledby="{plot.name}-title"></svg>')

        monkeypatch.setattr("scenthound.output.report.file._draw", draw)

"""The command, run in this process, on the sample web."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command, Words
from cli.live_making import LINKED_PAGES, FakeEngine, linked_page
from sample.sample_once import sample_web, write_sample
from scenthound.crawler import session
from scenthound.sample.server import WebServer
from strategies.plugin_installing import FAILING, install, install_example


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(autouse=True)
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo gets the sample web that is there."""
    monkeypatch.setattr("scenthound.cli.demo.build", sample_web)


@pytest.fixture(scope="session")
def storms(sample: Path) -> Words:
    """An archive and a topic of it, as commands take them."""
    return sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml"


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    """A topic file whose seed is a page of the sample web."""
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n')
    return path


@pytest.fixture(scope="session")
def proxy() -> Iterator[str]:
    """Serves the pages of ``linked_page``."""
    with WebServer({each.url: each for each in map(linked_page, range(LINKED_PAGES))}) as server:
        yield server.proxy


@pytest.fixture
def live_topic(tmp_path: Path) -> Path:
    """A topic file whose seed is the first of those pages."""
    path = tmp_path / "live.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://storms.test/0"]\n')
    return path


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """No crawl is run: the engine notes the jobs that it is given."""
    fake = FakeEngine()
    monkeypatch.setattr(session, "start_crawl", fake.start)
    monkeypatch.setattr(session, "resume_crawl", fake.resume)
    return fake


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """All tests of a run share their caches, so that the sample web is read once."""
    return Command(capsys, monkeypatch)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two installed packages, one of which fails; worker processes find them too."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    for name in ("url_words", "failing"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    install(folder, "failing-pack", {"failing": "failing:RECIPE"}, {"failing": FAILING})
    return install_example(folder)

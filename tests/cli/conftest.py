"""The command, run in this process, on the sample web."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.commands import Answer, Command
from cli.live_making import FakeEngine
from sample.sample_once import sample_web, write_sample
from scenthound.cli.main import main
from scenthound.crawler import session


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(autouse=True)
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo gets the sample web that is there."""
    monkeypatch.setattr("scenthound.cli.demo.build", sample_web)


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    """A topic file whose seed is a page of the sample web."""
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n')
    return path


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """No crawl is run: the engine notes the jobs that it is given."""
    fake = FakeEngine()
    monkeypatch.setattr(session, "start_crawl", fake.start)
    monkeypatch.setattr(session, "resume_crawl", fake.resume)
    return fake


@pytest.fixture
def scenthound(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """All tests of a run share their caches, so that the sample web is read once."""

    def command(*arguments: str | Path) -> Answer:
        monkeypatch.setattr(sys, "argv", ["scenthound", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return command

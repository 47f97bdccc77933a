"""The command, run in this process, on the sample web."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.commands import Answer, Command
from scenthound.cli.main import main
from scenthound.sample import build, write_labels, write_topics, write_warc


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    web = build(0)
    write_warc(web, folder / "sample.warc.gz")
    write_topics(web, folder / "topics")
    write_labels(web, folder / "labels.tsv")
    return folder


@pytest.fixture
def scenthound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

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

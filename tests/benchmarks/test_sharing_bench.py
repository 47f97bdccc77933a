"""The bench of shared reading: what it prints of a little web, and that no run differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.sharing import main, sharing

from sample.sample_once import sample_web
from scenthound.sample.web import write_labels, write_topics, write_warc


@pytest.fixture
def schools(tmp_path: Path) -> Path:
    """The sample web in place of the schools, with one topic."""
    folder, web = tmp_path / "webs" / "schools", sample_web()
    folder.mkdir(parents=True)
    labels = {url: name for url, name in web.labels.items() if name == web.topics[0].name}
    web = replace(web, topics=web.topics[:1], labels=dict(list(labels.items())[:12]))
    write_warc(web, folder / "schools.warc.gz")
    write_topics(web, folder / "topics")
    write_labels(web, folder / "labels.tsv")
    return folder


def test_what_it_prints(schools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sharing(schools, ("vsm", "shark"))
    alone, cold, warm, kept = capsys.readouterr().out.splitlines()
    assert alone.startswith("2 runs, 48 pages fetched") and "s as commands" in alone
    assert "cold cache" in cold and "as commands (bar: 3)" in cold
    assert cold.endswith("times as one process; 0 runs differ")
    assert "warm cache" in warm and warm.endswith("0 runs differ")
    assert kept.startswith("kept: ") and kept.endswith("kB a page")


def test_a_folder_without_a_web(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--webs", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("bench: ")

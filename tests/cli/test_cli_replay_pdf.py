"""``scenthound replay --pdf``: the PDFs of an archive are pages where that is asked for."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli.commands import Command
from scenthound import read_topic, replay
from text.pdf_writing import Drawn, pdf

HOST = "http://gauge.test"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page, the PDF that it links to, and the page that the PDF links to."""
    site = tmp_path / "archive" / "gauge.test"
    site.mkdir(parents=True)
    (site / "index.html").write_text('<p>Storms: <a href="surge.pdf">storm surge</a>')
    body = pdf(["Storm surge", "More on storms"], links=[[Drawn("more.html", 1, 0, 4)]])
    (site / "surge.pdf").write_bytes(body)
    (site / "more.html").write_text("<p>A storm.")
    topic = f'name = "storms"\nkeywords = ["storm"]\nseeds = ["{HOST}/"]\n'
    (tmp_path / "storms.toml").write_text(topic)
    return tmp_path


def test_pdfs_are_followed_where_asked(scenthound: Command, folder: Path) -> None:
    for options, pages in [
        ((), 2),
        (("--pdf",), 3),
        (("--set", "replay.pdf=true"), 3),
        (("--set", "replay.pdf=true", "--no-pdf"), 2),
    ]:
        answer = scenthound(
            "replay", folder / "archive", "-t", folder / "storms.toml", "-s", "vsm", *options,
            "--json", "-", "--quiet",
        )  # fmt: skip
        assert answer.code == 0, answer.err
        (run,) = json.loads(answer.out)["runs"]
        assert run["order"] == [f"{HOST}/", f"{HOST}/surge.pdf", f"{HOST}/more.html"][:pages]


def test_from_python(folder: Path) -> None:
    run = replay(folder / "archive", read_topic(folder / "storms.toml"), "vsm", pdf=True)
    assert run.order[-1] == f"{HOST}/more.html"


def test_without_the_extra(
    scenthound: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    answer = scenthound("replay", folder / "archive", "-t", folder / "storms.toml", "--pdf")
    assert answer.code == 2
    assert "pip install 'scenthound[pdf]'" in answer.err

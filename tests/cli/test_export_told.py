"""``scenthound export``: the format by the name of the file, and what is told at the end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.commands import Command, refused
from cli.test_export_command import json_rows
from output.corpus_making import live_folder
from scenthound import Topic, replay
from text.pdf_writing import pdf


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_folder(tmp_path_factory.mktemp("told") / "storms")


def test_the_name_of_the_file_tells_the_format(
    scenthound: Command, folder: Path, tmp_path: Path
) -> None:
    for name in ("x.csv", "x.PARQUET", "x.wacz", "x.ndjson", "x.txt"):
        assert scenthound("export", folder, "-o", tmp_path / name, "--no-text").code == 0
    starts = {path.name: path.read_bytes()[:4] for path in tmp_path.iterdir()}
    assert starts == {
        "x.csv": b"\xef\xbb\xbfn", "x.PARQUET": b"PAR1", "x.wacz": b"PK\x03\x04",
        "x.ndjson": b'{"n"', "x.txt": b'{"n"',
    }  # fmt: skip
    answer = scenthound("export", folder, "-f", "jsonl", "-o", tmp_path / "y.csv")
    refused(answer, "y.csv has an extension that does not match --format jsonl")
    assert scenthound("export", folder, "-f", "csv", "-o", tmp_path / "y.txt", "-qj1").code == 0


def test_pages_that_are_lost_are_told_and_the_rest_is_written(
    scenthound: Command, folder: Path, tmp_path: Path
) -> None:
    damaged = tmp_path / "storms"
    shutil.copytree(folder, damaged)
    warc = damaged / "pages-00001.warc.gz"
    warc.write_bytes(warc.read_bytes()[:2_000] + bytes(50) + warc.read_bytes()[2_050:])
    answer = scenthound("export", damaged, "-o", tmp_path / "x.jsonl", "--jobs", "1")
    told, warning = answer.err.splitlines()
    assert answer.code == 1 and told.startswith(f"wrote {tmp_path / 'x.jsonl'}: 4 pages")
    assert warning.startswith("warning: the crawl is damaged, 1 page lost; the first damage: ")
    quiet = scenthound("export", damaged, "-o", tmp_path / "x.wacz", "-q", "--no-text")
    assert quiet.code == 1 and quiet.err.count("\n") == 1 and "1 page lost" in quiet.err


def test_pdfs_that_nobody_here_can_read_are_told(
    scenthound: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = tmp_path / "web" / "w.test"
    host.mkdir(parents=True)
    (host / "index.html").write_text("<p>A storm.")
    (host / "storm.pdf").write_bytes(pdf(["A storm came in from the sea"]))
    topic = Topic("storms", keywords=("storm",), seeds=("http://w.test/storm.pdf",))
    replay(tmp_path / "web", topic, "vsm", budget=1, out=tmp_path / "replay", pdf=True)
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "sitecustomize.py").write_text("import sys\nsys.modules['pypdf'] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(missing))
    answer = scenthound("export", tmp_path / "replay", "-o", "-", "--fields", "text", "-j", "1")
    assert answer.code == 0 and json_rows(answer.out) == [{"text": ""}]
    assert "1 PDF without a text" in answer.err and "pip install 'scenthound[pdf]'" in answer.err
    assert "too long" not in answer.err

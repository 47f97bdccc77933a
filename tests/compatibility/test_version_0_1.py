"""What version 0.1 wrote is still read: crawl folders, topics, weights, links, caches, comparisons.

``version-0.1.tar.xz`` holds what that version made of the sample web: live crawls of 12 pages with
three strategies, a replay of 15, ``tune`` and ``compare``. Paths in it begin with ``@FOLDER@``.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest

from scenthound.cli.main import main
from scenthound.sample.server import serve
from scenthound.sample.web import build, write_labels, write_warc
from scenthound.storage.cache import VectorCache

PACKED = Path(__file__).with_name("version-0.1.tar.xz")
LIVE = ("scent", "mcoa", "soft-sdvsm")


def run(*words: str | Path) -> str:
    """What a command prints; it must succeed."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(TextIOWrapper(BytesIO())) as out:
        patch.setattr(sys, "argv", ["scenthound", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code
    out.flush()
    return out.buffer.getvalue().decode()


def rows(folder: Path, *options: str) -> list[dict[str, object]]:
    """The pages of a crawl, exported."""
    out = run("export", folder, "--format", "jsonl", "--out", "-", *options)
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of version 0.1, unpacked, with the sample web they were made from beside them."""
    folder = tmp_path_factory.mktemp("version-0.1")
    with tarfile.open(PACKED) as packed:
        packed.extractall(folder, filter="data")
    for path in folder.rglob("*"):
        if path.suffix in (".json", ".toml", ".csv"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("@FOLDER@", str(folder)), encoding="utf-8")
    web = build()
    write_warc(web, folder / "sample.warc.gz")
    write_labels(web, folder / "labels.tsv")
    return folder


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    """The sample web, served."""
    with serve(build()) as server:
        yield server.proxy


@pytest.mark.parametrize("strategy", LIVE)
def test_a_live_crawl_opens_resumes_and_exports(old: Path, proxy: str, strategy: str) -> None:
    folder = old / "live" / strategy
    before = rows(folder, "--no-text")
    assert len(before) == 12
    assert "12" in run("status", folder)
    run("resume", folder, "--max-pages", "16", "--proxy", proxy, "--cache", "none")
    after = rows(folder, *(("--jobs", "1") if strategy == "scent" else ("--no-text",)))
    assert len(after) == 16
    same = zip(after[:12], before, strict=True)
    assert all({name: new[name] for name in old_row} == old_row for new, old_row in same)
    assert strategy != "scent" or all(row["text"] for row in after if row["status"] == 200)


def test_a_replay_is_explained_and_a_comparison_reported(old: Path, tmp_path: Path) -> None:
    found = rows(old / "replay", "--no-text")
    assert len(found) == 15
    reported = json.loads(run("explain", old / "replay", str(found[5]["url"]), "--json"))
    assert str(found[5]["url"]) in json.dumps(reported)
    run("report", old / "comparison", "--out", tmp_path / "report.html")
    assert "vsm" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_weights_and_links_of_tune(old: Path) -> None:
    weights = old / "tuned" / "storms" / "weights.toml"
    topic = old / "topics" / "storms.toml"
    options = f"--topic {topic} --strategy vsm --weights {weights} --budget 10 --cache none"
    printed = run("replay", old / "sample.warc.gz", *options.split(), "--json", "-")
    assert "vsm" in printed
    tuned = json.loads(run("tune", old / "tuned" / "storms" / "links.csv", "--json"))
    assert "storms" in json.dumps(tuned)


def test_a_cache_is_opened(old: Path, tmp_path: Path) -> None:
    options = f"--labels {old}/labels.tsv --out {tmp_path}/comparison --cache {old}/cache"
    options += " --strategy breadth-first --budget 6 --workers 1"
    run("compare", old / "sample.warc.gz", old / "topics" / "storms.toml", *options.split())
    assert (tmp_path / "comparison" / "comparison.json").exists()
    # Nobody reads the rows of that version any more: they would only take room.
    assert {path.name for path in (old / "cache").glob("pages-*.sqlite")} == {"pages-3.sqlite"}


def test_cached_vectors_are_taken_over(tmp_path: Path) -> None:
    alone, several = np.array([1, 2], np.float16), np.array([[3], [4], [5]], np.float16)
    with closing(sqlite3.connect(tmp_path / "vectors-1.sqlite")) as old, old:
        old.executescript(
            """CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE vectors (id INTEGER PRIMARY KEY, model INTEGER NOT NULL,
                key BLOB NOT NULL, rows INTEGER, length INTEGER NOT NULL, vector BLOB NOT NULL,
                UNIQUE (model, key));
            INSERT INTO models VALUES (77, 'minilm')"""
        )
        insert = "INSERT INTO vectors (model, key, rows, length, vector) VALUES (77, ?, ?, ?, ?)"
        old.execute(insert, (b"alone", None, 2, alone.tobytes()))
        old.execute(insert, (b"several", 3, 1, several.tobytes()))
    (tmp_path / "vectors-2.sqlite").write_bytes(b"of a format between, which was never released")
    assert VectorCache(tmp_path).usage().bytes > 0
    with VectorCache(tmp_path) as cache:
        cache.prepare()
        found = cache.find("minilm", [b"alone", b"several", b"other"])
    kept = {key: vector.tolist() for key, vector in found.items()}
    assert kept == {b"alone": [1.0, 2.0], b"several": [[3.0], [4.0], [5.0]]}
    assert [path.name for path in tmp_path.glob("*.sqlite")] == ["vectors-3.sqlite"]

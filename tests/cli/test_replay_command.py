"""``scenthound replay``: options, figures, PDFs, and bad input."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Answer, Command, Words, interrupted, refused
from scenthound.crawler.replay import run_job
from scenthound.storage.journal import read_journal
from text.pdf_writing import Drawn, pdf

KEYS = {"topic", "strategy", "budget", "fetched", "missing", "seconds", "pages_per_second",
        "peak_rss_mb", "final", "checkpoints", "order"}  # fmt: skip
ROW = {"fetched", "labelled_harvest", "target_recall", "hr", "as", "ar", "sd", "ae"}


@pytest.fixture
def replay(cli: Command, storms: Words) -> Command:
    return cli.begun("replay", *storms)


@pytest.fixture
def small(cli: Command, sample: Path, topic: Path) -> Command:
    """Of five pages, for a topic of one keyword."""
    return cli.begun("replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5")


def test_the_whole_line_of_the_readme(replay: Command, sample: Path, tmp_path: Path) -> None:
    answer = replay.ok(
        "--topic", sample / "topics" / "coffee.toml",
        "--strategy", "breadth-first", "--strategy", "vsm", "--strategy", "vsm-mean",
        "--labels", sample / "labels.tsv", "--budget", "2x",
        "--json", tmp_path / "figures.json", "--out", tmp_path / "crawls",
    )  # fmt: skip
    assert "harvest, recall: against the labels" in answer.out and "mean" in answer.out
    runs = json.loads((tmp_path / "figures.json").read_text())["runs"]
    asked = product(("storms", "coffee"), ("breadth-first", "vsm", "vsm-mean"))
    assert [(run["topic"], run["strategy"]) for run in runs] == list(asked)
    for run in runs:
        assert set(run) >= KEYS
        assert all(set(row) >= ROW for row in [run["final"], *run["checkpoints"]])
        assert run["fetched"] == len(run["order"]) == len(set(run["order"])) <= run["budget"]
        assert run["budget"] == 2 * run["labelled_pages"]
        folder = tmp_path / "crawls" / run["topic"] / run["strategy"]
        pages = [e["url"] for e in read_journal(folder / "journal.jsonl") if e["event"] == "page"]
        assert pages == run["order"]
        assert json.loads((folder / "results.json").read_text()) == run


def figures(answer: Answer) -> dict[str, Any]:
    (run,) = json.loads(answer.out)["runs"]
    return dict(run)


def test_options_win_over_set_and_set_over_the_file(replay: Command, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[replay]\nbudget = 30\nrandom_seed = 5\n[shark]\ndecay = 0.1\n")
    by_file, by_set, by_option = (
        figures(replay.ok("-s", "shark", "--config", config, "--json", "-", *more))
        for more in (
            (),
            ("--set", "shark.decay=0.2", "--set", "replay.budget=40"),
            ("--set", "replay.budget=40", "--budget", "50", "--random-seed", "0"),
        )
    )
    assert (by_file["budget"], by_file["seed"]) == (30, 5)
    assert by_file["parameters"] == {"decay": 0.1, "inherited_weight": 0.5, "anchor_weight": 0.8}
    assert (by_set["budget"], by_set["parameters"]["decay"]) == (40, 0.2)
    assert by_option["budget"] == 50
    free, charged, spelled_out = (
        figures(replay.ok("-s", "breadth-first", "--budget", "300", "--json", "-", *more))
        for more in (
            (),
            ("--count-missing",),
            ("--set", "replay.count_missing=true", "--free-missing"),
        )
    )
    assert free["missing"] > 0 and free["fetched"] == spelled_out["fetched"] == 300
    assert charged["fetched"] + charged["missing"] == 300


def test_keywords_only_leaves_examples_out(cli: Command, sample: Path, tmp_path: Path) -> None:
    replay = cli.begun("replay", sample / "sample.warc.gz", "-s", "vsm", "--budget", "40", "-q")

    def run(topic: Path, name: str, *more: str) -> tuple[bytes, list[str]]:
        replay.ok("-t", topic, "--out", tmp_path / name, *more)
        folder = tmp_path / name / "storms" / "vsm"
        kept = json.loads((folder / "crawl.json").read_text())["topic"]["examples"]
        return (folder / "journal.jsonl").read_bytes(), kept

    given = sample / "topics" / "storms.toml"
    bare = tmp_path / "bare.toml"
    bare.write_text(re.sub(r"examples = \[.*?\]", "", given.read_text(), flags=re.DOTALL))
    words = run(given, "words", "--keywords-only")
    assert words == run(bare, "bare") and words[1] == []
    whole = run(given, "whole")
    assert whole[0] != words[0] and whole[1]
    bare.write_text('name = "x"\nseeds = ["http://a.test/"]\nexamples = ["A storm is wind."]\n')
    refused(replay("-t", bare, "--keywords-only"), "has no keywords, and with keywords only")
    taken = tmp_path / "words" / "storms" / "vsm"
    refused(replay("-t", given, "--out", taken), f"{taken} holds a crawl itself; choose another")


def test_version_and_strategies(cli: Command) -> None:
    assert cli("--version").out.startswith("scenthound 0.")
    listed = json.loads(cli("strategies", "--json").out)
    text = cli("strategies").out
    assert {row["name"] for row in listed} >= {"vsm", "oracle", "fish"}
    for row in listed:
        assert row["name"] in text and row["paper"] in text
        for key, value in row["parameters"].items():
            assert f"{row['name']}.{key} = {value}" in text


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


def test_pdfs_are_followed_where_asked(cli: Command, folder: Path) -> None:
    replay = cli.begun("replay", folder / "archive", "-t", folder / "storms.toml", "-s", "vsm")
    for options, pages in [
        ((), 2),
        (("--pdf",), 3),
        (("--set", "replay.pdf=true"), 3),
        (("--set", "replay.pdf=true", "--no-pdf"), 2),
    ]:
        run = figures(replay.ok(*options, "--json", "-", "--quiet"))
        assert run["order"] == [f"{HOST}/", f"{HOST}/surge.pdf", f"{HOST}/more.html"][:pages]
    assert "storms vsm: frontier empty after 2 pages." in replay.ok().out
    cli.monkeypatch.setitem(sys.modules, "pypdf", None)
    answer = replay("--pdf")
    assert answer.code == 2 and "pip install 'scenthound[pdf]'" in answer.err


def test_archives_and_topic_files(cli: Command, sample: Path, topic: Path, tmp_path: Path) -> None:
    refused(cli("replay", "nowhere.warc.gz", "-t", topic), "nowhere.warc.gz")
    whole = (sample / "sample.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    refused(cli("replay", tmp_path / "cut.warc.gz", "-t", topic), "cut.warc.gz", "truncated")
    for text, words in [
        ("", ["name"]),
        ('name = "x"', ["empty", "keywords"]),
        ('name = "x"\nkeyword = ["a"]', ["keyword", "did you mean", "keywords"]),
        ('name = "x\nkeywords', ["TOML"]),
        ('name = "x"\nkeywords = ["a"]\nseeds = ["ftp://x/"]', ["seed"]),
        ('name = "x"\nkeywords = ["a"]', ["no seeds"]),
        ('name = "x"\nkeywords = ["a"]\nseeds = ["http://nowhere.test/"]', ["none of its 1 seeds"]),
    ]:
        path = tmp_path / "bad.toml"
        path.write_text(text)
        refused(cli("replay", sample / "sample.warc.gz", "-t", path), *words)


def test_bad_options(small: Command) -> None:
    for options, words in [
        (["-s", "vms"], ["vms", "did you mean", "vsm"]),
        (["-s", "vsm", "-s", "vsm"], ["vsm", "twice"]),
        (["-s", "shark", "--set", "shark.decay=much"], ["shark.decay", "much"]),
        (["-s", "shark", "--set", "shark.decay=7"], ["'shark': decay", "0 and 1"]),
        (["--config", "no.toml"], ["no.toml"]),
        (["--budget", "many"], ["many"]),
        (["--budget", "2x"], ["2x", "give labels"]),
        (["-s", "oracle"], ["oracle", "--labels"]),
        (["--labels", "no.tsv"], ["no.tsv"]),
        (["--json", "no/such/folder.json"], ["--json", "folder"]),
    ]:
        refused(small(*options), *words)


def test_some_missing_is_a_warning(cli: Command, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(
        'name = "storms"\nkeywords = ["storm"]\n'
        'seeds = ["http://stormwatch.test/", "http://nowhere.test/"]\n'
        'examples = ["A storm surge floods the coast.", "http://nowhere.test/a", "no.html"]\n'
    )
    labels = tmp_path / "l.tsv"
    labels.write_text("http://stormwatch.test/\tstorms\nhttp://nowhere.test/\tstorms\n")
    answer = cli.ok(
        "replay", sample / "sample.warc.gz", "-t", path, "--labels", labels, "--budget", "5"
    )
    for words in ("1 of 2 seeds", "2 of 3 examples", "1 of 2 labelled pages"):
        assert words in answer.err


def test_figures_of_finished_runs_survive_a_later_failure(small: Command, tmp_path: Path) -> None:
    calls: Iterator[Callable[..., Any]] = iter([run_job, interrupted])
    small.monkeypatch.setattr("scenthound.cli.replay.run_job", lambda *given: next(calls)(*given))
    answer = small("-s", "vsm", "-s", "shark", "--json", tmp_path / "f.json")
    assert answer.code == 130
    assert "interrupted" in answer.err and "vsm" in answer.out
    runs = json.loads((tmp_path / "f.json").read_text())["runs"]
    assert [run["strategy"] for run in runs] == ["vsm"]


def test_the_demo_overwrites_nothing(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("mine")
    refused(cli("demo", "--topic", "coffee", "--out", tmp_path), "labels.tsv", "--out")
    assert (tmp_path / "labels.tsv").read_text() == "mine"


def test_where_crawls_and_figures_go(small: Command, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    small.ok("--json", tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["runs"][0]["fetched"] == 5
    assert figures(small("--json", "-"))["fetched"] == 5
    replay = small.begun("--out", tmp_path / "o")
    replay.ok()
    journal = tmp_path / "o" / "storms" / "scent" / "journal.jsonl"
    before = journal.read_bytes()
    refused(replay(), "scent", "already")
    assert journal.read_bytes() == before


def test_results_that_cannot_be_written(small: Command, tmp_path: Path) -> None:
    def full(path: Path, value: object) -> None:
        if not path.name.endswith(".writable"):
            raise OSError(28, "No space left on device")
        path.touch()

    small.monkeypatch.setattr("scenthound.cli.results.write_json", full)
    answer = small("--json", tmp_path / "f.json")
    assert answer.code == 2
    assert "No space left" in answer.err and "scent" in answer.out

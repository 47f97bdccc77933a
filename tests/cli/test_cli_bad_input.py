"""Bad input: one clear sentence that names the file or option, exit code 2, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commands import Command, refused
from scenthound.crawler.replay import run_job

TOPIC = 'name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n'


def test_missing_archive(scenthound: Command, topic: Path) -> None:
    refused(scenthound("replay", "nowhere.warc.gz", "-t", topic), "nowhere.warc.gz")


def test_truncated_archive(scenthound: Command, sample: Path, topic: Path, tmp_path: Path) -> None:
    whole = (sample / "sample.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    refused(scenthound("replay", tmp_path / "cut.warc.gz", "-t", topic), "cut.warc.gz", "truncated")


def test_topic_files(scenthound: Command, sample: Path, tmp_path: Path) -> None:
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
        refused(scenthound("replay", sample / "sample.warc.gz", "-t", path), *words)


def test_options(scenthound: Command, sample: Path, topic: Path) -> None:
    for options, words in [
        (["-s", "vms"], ["vms", "did you mean", "vsm"]),
        (["-s", "vsm", "-s", "vsm"], ["vsm", "twice"]),
        (["-s", "shark", "--set", "shark.decay=much"], ["shark.decay", "much"]),
        (["-s", "shark", "--set", "shark.decay=7"], ["'shark': decay", "0 and 1"]),
        (["--config", "no.toml"], ["no.toml"]),
        (["--budget", "many"], ["many"]),
        (["--budget", "2x"], ["2x", "--labels"]),
        (["-s", "oracle"], ["oracle", "--labels"]),
        (["--labels", "no.tsv"], ["no.tsv"]),
        (["--json", "no/such/folder.json"], ["--json", "folder"]),
    ]:
        refused(scenthound("replay", sample / "sample.warc.gz", "-t", topic, *options), *words)


def test_labels_of_another_web(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "l.tsv"
    labels.write_text("http://other.test/\tstorms\n")
    answer = scenthound("replay", sample / "sample.warc.gz", "-t", topic, "--labels", labels)
    refused(answer, "none of its 1 labelled pages")


def test_a_broken_line_of_labels(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "l.tsv"
    labels.write_text("http://stormwatch.test/\tstorms\nhttp://stormwatch.test/a storms\n")
    answer = scenthound("replay", sample / "sample.warc.gz", "-t", topic, "--labels", labels)
    refused(answer, "l.tsv", "line 2")


def test_some_missing_is_a_warning_with_the_count(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    path = tmp_path / "t.toml"
    path.write_text(
        'name = "storms"\nkeywords = ["storm"]\n'
        'seeds = ["http://stormwatch.test/", "http://nowhere.test/"]\n'
        'examples = ["A storm surge floods the coast.", "http://nowhere.test/a", "no.html"]\n'
    )
    labels = tmp_path / "l.tsv"
    labels.write_text("http://stormwatch.test/\tstorms\nhttp://nowhere.test/\tstorms\n")
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", path, "--labels", labels, "--budget", "5"
    )
    assert answer.code == 0
    for words in ("1 of 2 seeds", "2 of 3 examples", "1 of 2 labelled pages"):
        assert words in answer.err


def test_a_taken_folder_is_refused_before_anything_runs(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    line = ["replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5",
            "--out", tmp_path / "o"]  # fmt: skip
    assert scenthound(*line).code == 0
    journal = tmp_path / "o" / "storms" / "scent" / "journal.jsonl"
    before = journal.read_bytes()
    refused(scenthound(*line), "scent", "already")
    assert journal.read_bytes() == before


def test_figures_of_finished_runs_survive_a_later_failure(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def second_one_fails(*arguments: object, **more: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return run_job(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("scenthound.cli.replay.run_job", second_one_fails)
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", topic, "-s", "vsm", "-s", "shark",
        "--budget", "5", "--json", tmp_path / "f.json",
    )  # fmt: skip
    assert answer.code == 130
    assert "interrupted" in answer.err and "vsm" in answer.out
    runs = json.loads((tmp_path / "f.json").read_text())["runs"]
    assert [run["strategy"] for run in runs] == ["vsm"]


def test_the_demo_overwrites_nothing(scenthound: Command, tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("mine")
    refused(scenthound("demo", "--topic", "coffee", "--out", tmp_path), "labels.tsv", "--out")
    assert (tmp_path / "labels.tsv").read_text() == "mine"


def test_the_figures_may_go_through_a_link_or_to_standard_output(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    line = ["replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5", "--json"]
    assert scenthound(*line, tmp_path / "link.json").code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["runs"][0]["fetched"] == 5
    assert json.loads(scenthound(*line, "-").out)["runs"][0]["fetched"] == 5


def test_a_results_file_that_cannot_be_written_later_on_keeps_the_table(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, value: object) -> None:
        if not path.name.endswith(".writable"):
            raise OSError(28, "No space left on device")
        path.touch()

    monkeypatch.setattr("scenthound.cli.results.write_json", full)
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5",
        "--json", tmp_path / "f.json",
    )  # fmt: skip
    assert answer.code == 2
    assert "No space left" in answer.err and "scent" in answer.out

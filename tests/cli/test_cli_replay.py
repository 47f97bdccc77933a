""""""

from __future__ import annotations

import json
import re
from pathlib import Path

from cli.commands import Command
from scenthound.storage.journal import read_journal

KEYS = {"topic", "strategy", "budget", "fetched", "missing", "seconds", "pages_per_second",
        "peak_rss_mb", "final", "checkpoints", "order"}  # fmt: skip
ROW = {"fetched", "labelled_harvest", "target_recall", "hr", "as", "ar", "sd", "ae"}


def test_the_whole_line_of_the_readme(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    answer = scenthound(
        "replay", sample / "sample.warc.gz",
        "--topic", sample / "topics" / "storms.toml",
        "--topic", sample / "topics" / "coffee.toml",
        "--strategy", "breadth-first", "--strategy", "vsm", "--strategy", "vsm-mean",
        "--labels", sample / "labels.tsv", "--budget", "2x",
        "--json", tmp_path / "figures.json", "--out", tmp_path / "crawls",
    )  # fmt: skip
    assert answer.code == 0
    assert "harvest, recall: against the labels" in answer.out and "mean" in answer.out
    runs = json.loads((tmp_path / "figures.json").read_text())["runs"]
    assert [(r["topic"], r["strategy"]) for r in runs] == [
        (topic, name)
        for topic in ("storms", "coffee")
        for name in ("breadth-first", "vsm", "vsm-mean")
    ]
    for run in runs:
        assert set(run) >= KEYS
        assert all(set(row) >= ROW for row in [run["final"], *run["checkpoints"]])
        assert run["fetched"] == len(run["order"]) == len(set(run["order"])) <= run["budget"]
        assert run["budget"] == 2 * run["labelled_pages"]
        folder = tmp_path / "crawls" / run["topic"] / run["strategy"]
        pages = [e["url"] for e in read_journal(folder / "journal.jsonl") if e["event"] == "page"]
        assert pages == run["order"]
        assert json.loads((folder / "results.json").read_text()) == run


def test_checkpoints_come_every_hundred_pages_and_at_the_end(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    scenthound(
        "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
        "-s", "vsm", "--budget", "250", "--json", tmp_path / "f.json", "--quiet",
    )  # fmt: skip
    (run,) = json.loads((tmp_path / "f.json").read_text())["runs"]
    assert [row["fetched"] for row in run["checkpoints"]] == [100, 200, 250]
    assert run["final"]["labelled_harvest"] is None


def test_quiet_says_nothing(scenthound: Command, sample: Path) -> None:
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
        "--budget", "20", "-q",
    )  # fmt: skip
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_options_win_over_set_and_set_over_the_file(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[replay]\nbudget = 30\nrandom_seed = 5\n[shark]\ndecay = 0.1\n")

    def run(*more: str) -> dict[str, object]:
        answer = scenthound(
            "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
            "-s", "shark", "--config", config, "--json", tmp_path / "f.json", *more,
        )  # fmt: skip
        assert answer.code == 0, answer.err
        return dict(json.loads((tmp_path / "f.json").read_text())["runs"][0])

    by_file = run()
    assert (by_file["budget"], by_file["seed"]) == (30, 5)
    assert by_file["parameters"] == {"decay": 0.1, "inherited_weight": 0.5, "anchor_weight": 0.8}
    by_set = run("--set", "shark.decay=0.2", "--set", "replay.budget=40")
    assert (by_set["budget"], by_set["parameters"]["decay"]) == (40, 0.2)  # type: ignore[index]
    assert run("--set", "replay.budget=40", "--budget", "50", "--random-seed", "0")["budget"] == 50


def test_count_missing_charges_the_budget(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    def run(*more: str) -> dict[str, int]:
        answer = scenthound(
            "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
            "-s", "breadth-first", "--budget", "300", "--json", tmp_path / "f.json", *more,
        )  # fmt: skip
        assert answer.code == 0
        return dict(json.loads((tmp_path / "f.json").read_text())["runs"][0])

    free, charged = run(), run("--count-missing")
    assert free["missing"] > 0 and free["fetched"] == 300
    assert charged["fetched"] + charged["missing"] == 300
    spelled_out = run("--set", "replay.count_missing=true", "--free-missing")
    assert spelled_out["fetched"] == 300


def test_keywords_only_leaves_out_the_example_pages(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    def run(topic: Path, name: str, *more: str) -> tuple[bytes, list[str]]:
        answer = scenthound(
            "replay", sample / "sample.warc.gz", "-t", topic, "-s", "vsm", "--budget", "40", "-q",
            "--out", tmp_path / name, *more,
        )  # fmt: skip
        assert answer.code == 0, answer.err
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
    answer = scenthound("replay", sample / "sample.warc.gz", "-t", bare, "--keywords-only")
    assert answer.code == 2 and "has no keywords, and with keywords only" in answer.err


def test_the_random_strategy_follows_the_seed(
    scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    orders = []
    for seed in ("1", "1", "2"):
        scenthound(
            "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
            "-s", "random", "--budget", "60", "--random-seed", seed, "--json", tmp_path / "f.json",
        )  # fmt: skip
        orders.append(json.loads((tmp_path / "f.json").read_text())["runs"][0]["order"])
    assert orders[0] == orders[1] != orders[2]


def test_strategies_lists_every_row_and_parameter(scenthound: Command) -> None:
    listed = json.loads(scenthound("strategies", "--json").out)
    text = scenthound("strategies").out
    assert {row["name"] for row in listed} >= {"vsm", "oracle", "fish"}
    for row in listed:
        assert row["name"] in text and row["paper"] in text
        for key, value in row["parameters"].items():
            assert f"{row['name']}.{key} = {value}" in text


def test_version(scenthound: Command) -> None:
    assert scenthound("--version").out.startswith("scenthound 0.")

"""Strategies of installed packages, by name in every command."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli.commands import Command, Words
from sample.sample_once import sample_web
from scenthound.sample.server import serve
from strategies.plugin_installing import FAILING, install, install_example


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for name in ("url_words", "failing"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    install(folder, "failing-pack", {"failing": "failing:RECIPE"}, {"failing": FAILING})
    return install_example(folder)


def test_they_are_listed_with_their_package(cli: Command, packages: Path) -> None:
    install(packages, "broken-pack", {"vsm": "x:Y", "gone": "no_such_module:RECIPE"})
    answer = cli("strategies")
    (line,) = (line for line in answer.out.splitlines() if line.startswith("url-words "))
    assert "an example; the package scenthound-url-words 1.0" in line
    assert "url-words.enough = 2" in answer.out and "gone" not in answer.out
    assert answer.err.count("warning: ") == 2
    assert "'gone' of broken-pack 1.0 cannot be loaded" in " ".join(answer.err.split())
    rows = {row["name"]: row for row in json.loads(cli("strategies", "--json").out)}
    assert rows["url-words"]["package"] == "scenthound-url-words 1.0"
    assert rows["vsm"]["package"] is None


def test_one_strategy_is_explained(cli: Command, packages: Path) -> None:
    told = cli("strategies", "url-words").out
    assert "url-words.anchor_weight 0.6" in told and "weight of the anchor; the address" in told
    row = json.loads(cli("strategies", "shark", "--json").out)
    assert row["explained"]["decay"] == "share of the relevance that a link inherits."
    unknown = cli("strategies", "sharc")
    assert (unknown.code, unknown.out) == (2, "") and "did you mean 'shark'" in unknown.err


@pytest.fixture
def replay(cli: Command, storms: Words, packages: Path) -> Command:
    return cli.begun("replay", *storms, "--budget", "30")


def test_a_replay_takes_its_name_and_parameters(replay: Command, tmp_path: Path) -> None:
    replay.ok("--strategy", "url-words", "--set", "url-words.enough=3", "--out", tmp_path / "o")
    crawl_spec = json.loads((tmp_path / "o" / "storms" / "url-words" / "crawl.json").read_text())
    assert crawl_spec["parameters"] == {"anchor_weight": 0.6, "enough": 3}
    wrong = replay("-s", "url-words", "--set", "url-words.enough=0")
    assert wrong.code == 2 and "strategy 'url-words': enough must be 1 or more" in wrong.err


def test_one_that_fails_is_a_sentence(replay: Command) -> None:
    answer = replay("--strategy", "failing")
    told = " ".join(answer.err.split())
    assert answer.code == 2 and "Traceback" not in told
    assert (
        "error: strategy 'failing' failed in score(): ZeroDivisionError: division by zero "
        "(failing.py, line 6); correct the package it comes from." in told
    )


def test_a_name_of_ours_that_is_taken_is_told(replay: Command, packages: Path) -> None:
    install(packages, "thief", {"shark": "nowhere:RECIPE"})
    assert "thief 1.0 adds a strategy 'shark'" in replay.ok("--strategy", "shark").err


def test_a_live_crawl_takes_it_and_goes_on_with_it(
    cli: Command, sample: Path, packages: Path, tmp_path: Path
) -> None:
    topic, out = sample / "topics" / "storms.toml", tmp_path / "crawl"
    with serve(sample_web()) as server:
        cli.ok(
            "crawl", "--topic", topic, "--out", out, "--strategy", "url-words", "--max-pages", "12",
            "--delay", "0", "--proxy", server.proxy, "--set", "url-words.enough=1", "--quiet",
        )  # fmt: skip
        again = cli("resume", out, "--max-pages", "16", "--proxy", server.proxy, "--quiet")
    assert again.code == 0, again.err
    events = [json.loads(line) for line in (out / "journal.jsonl").read_text().splitlines()]
    pages = [event for event in events if event["event"] == "page"]
    assert len(pages) == 16 and {"anchor", "address"} in [set(e.get("parts", ())) for e in pages]
    told = cli("explain", out, pages[-1]["url"]).out
    assert "address" in told and "the best score first" in told

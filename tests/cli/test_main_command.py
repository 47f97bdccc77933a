"""Help of every command; strategies that are listed, those of installed packages too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer.main

from cli.commands import Command, Words
from sample.sample_once import sample_web
from scenthound.cli.main import app
from scenthound.sample.server import serve
from strategies.plugin_installing import install

LINES, COLUMNS = 40, 100


def commands() -> list[tuple[str, ...]]:
    """Every command, those of groups too."""
    found: list[tuple[str, ...]] = [()]
    waiting: list[tuple[tuple[str, ...], object]] = [((), typer.main.get_command(app))]
    while waiting:
        names, command = waiting.pop()
        for name, below in sorted(getattr(command, "commands", {}).items()):
            found.append((*names, name))
            waiting.append(((*names, name), below))
    return found


def options_of(names: tuple[str, ...]) -> set[str]:
    """The long names of every option that the command takes."""
    command = typer.main.get_command(app)
    for name in names:
        command = command.commands[name]  # type: ignore[attr-defined]
    written = [name for param in command.params for name in (*param.opts, *param.secondary_opts)]
    return {name for name in written if name.startswith("--")} - {"--help-all"}


def test_help_of_every_command(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fits a screen, and names every option or the page that does."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    for names in commands():
        answer = cli(*names, "--help")
        lines = answer.out.splitlines()
        assert answer.code == 0 and len(lines) <= LINES and max(map(len, lines)) <= COLUMNS, names
        reported = answer.out
        if reported.endswith("--help-all lists every option.\n"):
            reported = cli(*names, "--help-all").out
        assert options_of(names) <= set(re.findall(r"--[a-z][a-z-]*", reported)), names


def test_many_options_need_two_pages(cli: Command) -> None:
    short, long = (cli("crawl", page).out for page in ("--help", "--help-all"))
    assert "--seed" in short and "--auth" not in short and "15m" in short
    assert "Requests:" in long and "--auth HOST=USER:PASSWORD" in long
    assert "--help-all lists" not in long and "SCENTHOUND_REDIS" in long
    short, long = (cli("resume", page).out for page in ("--help", "--help-all"))
    assert short == long and "--auth" in short


def test_strategies_of_packages_are_listed_and_explained(cli: Command, packages: Path) -> None:
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
    reported = cli("strategies", "url-words").out
    assert (
        "url-words.anchor_weight 0.6" in reported
        and "weight of the anchor; the address" in reported
    )
    row = json.loads(cli("strategies", "shark", "--json").out)
    assert row["explained"]["decay"] == "share of the relevance that a link inherits."
    unknown = cli("strategies", "sharc")
    assert (unknown.code, unknown.out) == (2, "") and "did you mean 'shark'" in unknown.err


def test_a_replay_takes_them(cli: Command, storms: Words, packages: Path, tmp_path: Path) -> None:
    replay = cli.begun("replay", *storms, "--budget", "30")
    replay.ok("--strategy", "url-words", "--set", "url-words.enough=3", "--out", tmp_path / "o")
    crawl_spec = json.loads((tmp_path / "o" / "storms" / "url-words" / "crawl.json").read_text())
    assert crawl_spec["parameters"] == {"anchor_weight": 0.6, "enough": 3}
    wrong = replay("-s", "url-words", "--set", "url-words.enough=0")
    assert wrong.code == 2 and "strategy 'url-words': enough must be 1 or more" in wrong.err
    answer = replay("--strategy", "failing")
    reported = " ".join(answer.err.split())
    assert answer.code == 2 and "Traceback" not in reported
    assert (
        "error: strategy 'failing' failed in score(): ZeroDivisionError: division by zero "
        "(failing.py, line 6); correct the package it comes from." in reported
    )


def test_a_live_crawl_takes_it(cli: Command, sample: Path, packages: Path, tmp_path: Path) -> None:
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
    reported = cli("explain", out, pages[-1]["url"]).out
    assert "address" in reported and "the best score first" in reported

"""Help fits a screen, and nothing is kept from those who ask for all of it."""

from __future__ import annotations

import re

import pytest
import typer.main

from cli.commands import Command
from scenthound.cli.main import app

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
        told = answer.out
        if told.endswith("--help-all lists every option.\n"):
            told = cli(*names, "--help-all").out
        assert options_of(names) <= set(re.findall(r"--[a-z][a-z-]*", told)), names


def test_many_options_need_two_pages(cli: Command) -> None:
    short, long = (cli("crawl", page).out for page in ("--help", "--help-all"))
    assert "--seed" in short and "--auth" not in short and "15m" in short
    assert "Requests:" in long and "--auth HOST=USER:PASSWORD" in long
    assert "--help-all lists" not in long and "SCENTHOUND_REDIS" in long
    short, long = (cli("resume", page).out for page in ("--help", "--help-all"))
    assert short == long and "--auth" in short

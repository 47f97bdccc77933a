"""The command, run in this process, what it answers; and consoles that keep what is written."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console

from scenthound.cli.main import main

Words = tuple[str | Path, ...]
"""Of a command line."""


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Command:
    """``scenthound``, or one command of it with the ``words`` that every call begins with."""

    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch
    words: tuple[object, ...] = ()

    def __call__(self, *arguments: object) -> Answer:
        self.monkeypatch.setattr(sys, "argv", ["scenthound", *map(str, (*self.words, *arguments))])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        captured = self.capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    def begun(self, *words: object) -> Command:
        """The same, with ``words`` before the arguments."""
        return replace(self, words=(*self.words, *words))

    def ok(self, *arguments: object) -> Answer:
        """The answer to a command that must succeed."""
        answer = self(*arguments)
        assert answer.code == 0, answer.err
        return answer


def refused(answer: Answer, *words: str) -> None:
    """Bad input: one sentence that names what is wrong, exit code 2, nothing on stdout."""
    assert (answer.code, answer.out) == (2, ""), answer.err
    message = answer.err.strip()
    assert message.startswith("error: ") and "\n" not in message, message
    for word in words:
        assert word in message, message


def interrupted(*given: object, **options: object) -> None:
    """Ctrl-C, in place of a function."""
    raise KeyboardInterrupt


PATIENCE_S = 60.0


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def terminal(term: str = "xterm") -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=100, _environ={"TERM": term})


def pipe(width: int = 200) -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=width, highlight=False)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def shown(console: Console) -> str:
    """What was written, without the signs that steer a terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written(console))

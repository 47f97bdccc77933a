"""What ``scenthound compare`` shows while it works, whatever a topic is called."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from scenthound.cli.compare import CompareBars, outcome_line, run_title
from scenthound.cli.screen import bars
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import Cell, Outcome

CELL = Cell("web", "storms", "vsm")
FINAL = Indicators(10, 4, 0.4, 0.5, 0.3, 0.1, None, 3, 0.3, 0.5)


def terminal(screen: io.StringIO) -> Console:
    return Console(file=screen, force_terminal=True, width=100, _environ={"TERM": "xterm"})


def shown(screen: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def test_a_bar_for_all_runs_and_one_for_each() -> None:
    screen = io.StringIO()
    with bars(terminal(screen), quiet=False) as progress:
        watch = CompareBars(progress, quiet=False)
        watch.reading("a.warc.gz", 5 << 20, 10 << 20)
        assert [task.description for task in progress.tasks] == ["reading a.warc.gz"]
        watch.planned(3, 1, 2)
        watch.begun(CELL, 40)
        watch.fetched(CELL, 7)
        tasks = [(task.description, task.completed, task.total) for task in progress.tasks]
        assert tasks == [("all runs", 1, 3), ("web storms vsm", 7, 40)]
        progress.refresh()
        watch.ended(Outcome(CELL, error="ValueError: no"))
        watch.fetched(CELL, 8)
        (left,) = progress.tasks
        assert (left.completed, left.fields["found"]) == (2, "1 failed")
    assert "web storms vsm" in shown(screen) and "7/40" in shown(screen)


def test_a_run_that_is_tried_again_has_one_bar() -> None:
    with bars(terminal(io.StringIO()), quiet=False) as progress:
        watch = CompareBars(progress, quiet=False)
        watch.planned(1, 0, 1)
        watch.begun(CELL, 40)
        watch.begun(CELL, 40)
        assert len(progress.tasks) == 2


@pytest.mark.parametrize("quiet", [True, False])
def test_without_a_terminal_a_line_tells_of_each_run(quiet: bool) -> None:
    screen = io.StringIO()
    with bars(Console(file=screen, width=200), quiet=quiet) as progress:
        watch = CompareBars(progress, quiet)
        watch.planned(3, 1, 2)
        watch.begun(CELL, 40)
        watch.ended(Outcome(CELL, fetched=10, stopped="budget spent", final=FINAL))
    lines = [
        "1 of 3 runs are finished already",
        "2 runs, 2 at once",
        "2/3 web storms vsm: 10 pages, labelled harvest 0.300 (budget spent)",
    ]
    assert screen.getvalue().split("\n") == [*([] if quiet else lines), ""]


def test_names_of_topics_are_neither_markup_nor_control_signs() -> None:
    for topic in ["x[/]", "[red]y", "\x1b[2Jz"]:
        screen = io.StringIO()
        hostile = Cell("web", topic, "vsm")
        with bars(terminal(screen), quiet=False) as progress:
            watch = CompareBars(progress, quiet=False)
            watch.planned(1, 0, 1)
            watch.begun(hostile, 4)
            progress.refresh()
            assert "\x1b" not in progress.tasks[-1].description
        assert "\x1b[2Jz" not in screen.getvalue()
        assert topic.replace("\x1b", " ") in shown(screen)


def test_a_run_in_a_few_words() -> None:
    assert run_title(CELL) == "web storms vsm"
    drawn = Cell("web", "storms", "random", "irrelevant", 2, 1)
    assert run_title(drawn) == "web storms random irrelevant seeds draw 2 random seed 1"
    assert outcome_line(Outcome(CELL, error="OSError: gone")).endswith("failed: OSError: gone")

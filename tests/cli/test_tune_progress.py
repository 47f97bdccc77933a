"""What ``scenthound tune`` shows while it works, whatever a topic is called."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress, TaskID

from cli.commands import Command
from scenthound.cli.screen import bars
from scenthound.cli.tune import Parameters, tune_topics
from scenthound.core.options import TuneOptions
from scenthound.similarity.topic_file import read_topic

NOTHING_SET = Parameters({}, {})


def shown(screen: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def drawing(screen: io.StringIO) -> Console:
    return Console(file=screen, force_terminal=True, width=100, _environ={"TERM": "xterm"})


@pytest.fixture
def stages() -> list[tuple[object, ...]]:
    """What bars were drawn: description, total, unit."""
    return []


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def progress(
    screen: io.StringIO, stages: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Progress]:
    """On a terminal, drawn anew with every stage and not only now and then."""
    with bars(drawing(screen), quiet=False) as progress:
        reset = progress.reset

        def noted(*given: object, **fields: object) -> None:
            stages.append((fields["description"], fields["total"], fields["found"]))
            reset(*given, **fields)  # type: ignore[arg-type]
            progress.refresh()

        monkeypatch.setattr(progress, "reset", noted)
        yield progress


def test_names_of_topics_are_no_markup(
    tmp_path: Path, progress: Progress, screen: io.StringIO
) -> None:
    for topic in ["x[/]", "[red]y", "\x1b[2Jz", ""]:
        links = tmp_path / "links.csv"
        rows = [f"0.{n % 7},0.{n % 5},0.{n % 3},{topic}" for n in range(60)]
        links.write_text("sim_full,sim_anchor,relevance,topic\n" + "\n".join(rows) + "\n")
        (found,) = tune_topics(links, [], TuneOptions(optimiser="sa"), NOTHING_SET, progress)
        name = topic.replace("\x1b", "")
        assert found.tuning.topic == name and found.tuning.evaluations > 0
        assert (f"{name}: learning weights" if name else "learning weights") in shown(screen)
        assert "\x1b[2Jz" not in screen.getvalue()


def test_a_file_of_links_has_no_topic_to_read(
    tmp_path: Path, progress: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    add = progress.add_task

    def noted(description: str, **fields: object) -> TaskID:
        begun.append(description)
        return add(description, **fields)  # type: ignore[arg-type]

    monkeypatch.setattr(progress, "add_task", noted)
    links = tmp_path / "links.csv"
    links.write_text("sim_full,relevance,topic\n" + "1,1,sea\n" * 3)
    list(tune_topics(links, [], TuneOptions(), NOTHING_SET, progress))
    assert begun == ["reading the links", "sea: learning weights"]


def test_every_stage_has_its_bar(
    sample: Path, scenthound: Command, progress: Progress, stages: list[tuple[object, ...]]
) -> None:
    topic = read_topic(sample / "topics" / "storms.toml")
    options = TuneOptions(model="vsm", links=40, optimiser="sa")
    (found,) = tune_topics(sample / "sample.warc.gz", [topic], options, NOTHING_SET, progress)
    assert found.tuning.train == 20
    assert stages == [
        ("storms: collecting links", 40, "links"),
        ("storms: learning weights", 100, "%"),
    ]

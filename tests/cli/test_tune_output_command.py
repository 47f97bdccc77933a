"""How tunings are printed and written, and what is shown while they are learned."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress, TaskID

from cli.commands import Command, interrupted, pipe, shown, terminal, written
from crawler.web_building import Plant
from evaluation.link_making import STORMS, hub
from evaluation.tuning_values import QUARTERS, searched, tuning
from scenthound.cli.screen import bars
from scenthound.cli.tune import Parameters, links_text, print_tunings, tune_topics
from scenthound.core.command_options import TuneOptions
from scenthound.evaluation.training_links import CollectedLinks, TrainingLinks
from scenthound.evaluation.tune import TunedTopic
from scenthound.evaluation.tuning_result import Tuning
from scenthound.output.plots.tuning import draw_tuning

NAN = float("nan")


def printed(*tunings: Tuning, width: int = 100) -> list[list[str]]:
    console = pipe(width)
    print_tunings(tunings, console)
    return [line.split() for line in written(console).splitlines()]


def collected(wanted: int, left_out: dict[str, int]) -> CollectedLinks:
    return CollectedLinks(TrainingLinks("t", "vsm", (), ()), 1234, wanted, left_out, "an archive")


def test_errors_are_reported_against_equal_weights() -> None:
    """0.1 against 0.2 is half the error; 0.15 is a quarter less."""
    lines = printed(searched("sea"))
    assert "sea 0.100 0.200 0.300 0.000".split() in lines
    assert "sea 0.1000 0.2000 50.0 % 0.1500 0.2000 25.0 % 0.9500".split() in lines
    lines = printed(searched("a"), tuning("b", test_error=0.25, train_error=0.3))
    assert "mean 0.2000 0.2000 0.0 % 0.2000 0.2000 0.0 % 0.9750".split() in lines
    assert not [line for line in printed(searched("a")) if line[:1] == ["mean"] and len(line) > 5]
    lines = printed(
        tuning("a", reason="few", weights=QUARTERS, share=None, test=0, train_error=NAN),
        tuning("b", test_error_equal=0.0, test_error=0.0),
    )
    assert "a - 0.2000 - - - - -".split() in lines
    assert "b 0.1000 0.2000 50.0 % 0.0000 0.0000 - 1.0000".split() in lines


def test_topics_cannot_steer_the_terminal() -> None:
    reported = printed(tuning("\x1b[31mred[/]\u202e"), tuning(""))
    flat = " ".join(" ".join(line) for line in reported)
    assert "\x1b" not in flat and "\u202e" not in flat and "[31mred[/]" in flat
    assert ["links", "0.100", "0.200", "0.300", "0.000"] in reported


def test_no_figure_is_cut_on_any_screen() -> None:
    for width in [10, 20, 40, 60]:
        names = ("severe-weather-and-other-storms", "\u53f0\u98ce" * 20)
        lines = printed(*map(searched, names), width=width)
        words = [word for line in lines for word in line]
        assert words.count("0.300") == 2 and words.count("0.9500") == 3
        assert words.count("25.0") == 3 and words.count("context") == (2 if width < 40 else 1)
        if width == 40:
            assert ["training", "0.1000"] in lines and ["better", "25.0", "%"] in lines


def test_where_the_links_came_from() -> None:
    for given, reported in [
        (None, "sea: 10 training and 10 test links."),
        (collected(20, {}), "sea: 10 training and 10 test links from 1,234 pages."),
        (collected(1000, {"not in the archive": 3000, "copy": 0, "failed": 2}),
         "sea: 10 training and 10 test links of the 1,000 wanted from 1,234 pages; "
         "targets left out: not in the archive 3,000, failed 2."),
    ]:  # fmt: skip
        assert links_text(tuning("sea"), given) == reported


NOTHING_SET = Parameters({}, {})


@pytest.fixture
def stages() -> list[tuple[object, ...]]:
    """What bars were drawn: description, total, unit."""
    return []


@pytest.fixture
def screen() -> Console:
    return terminal()


@pytest.fixture
def progress(
    screen: Console, stages: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Progress]:
    """On a terminal, drawn again with every stage and not only now and then."""
    with bars(screen, quiet=False) as progress:
        reset = progress.reset

        def noted(*given: object, **fields: object) -> None:
            stages.append((fields["description"], fields["total"], fields["found"]))
            reset(*given, **fields)  # type: ignore[arg-type]
            progress.refresh()

        monkeypatch.setattr(progress, "reset", noted)
        yield progress


def test_names_of_topics_are_no_markup(tmp_path: Path, progress: Progress, screen: Console) -> None:
    for topic in ["x[/]", "[red]y", "\x1b[2Jz", ""]:
        links = tmp_path / "links.csv"
        rows = [f"0.{n % 7},0.{n % 5},0.{n % 3},{topic}" for n in range(60)]
        links.write_text("sim_full,sim_anchor,relevance,topic\n" + "\n".join(rows) + "\n")
        (found,) = tune_topics(links, [], TuneOptions(optimiser="sa"), NOTHING_SET, progress)
        name = topic.replace("\x1b", "")
        assert found.tuning.topic == name and found.tuning.evaluations > 0
        assert (f"{name}: learning weights" if name else "learning weights") in shown(screen)
        assert "\x1b[2Jz" not in written(screen)


def test_links_alone(tmp_path: Path, progress: Progress, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_bars_of_stages(
    tmp_path: Path, progress: Progress, stages: list[tuple[object, ...]]
) -> None:
    options = TuneOptions(model="vsm", links=40, optimiser="sa")
    with ExitStack() as stack:
        path = Plant(tmp_path, stack)(*hub(45)).archive.path
    (found,) = tune_topics(path, [STORMS], options, NOTHING_SET, progress)
    assert found.tuning.train == 20
    assert stages == [
        (f"reading {path.name}", 1, "MB"),
        ("storms: collecting links", 40, "links"),
        ("storms: learning weights", 100, "%"),
    ]


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def tune(cli: Command, sample: Path) -> Command:
    """Tunings of an archive and two topics."""
    topics = sample / "topics"
    return cli.begun(
        "tune", sample / "sample.warc.gz", "-t", topics / "storms.toml",
        "-t", topics / "coffee.toml", "--model", "vsm", "--links", "60",
    )  # fmt: skip


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException, topic: str) -> None:
    """The weights of this topic cannot be written."""
    real = TunedTopic.write_weights

    def write(self: TunedTopic, path: Path) -> None:
        if self.tuning.topic == topic:
            raise error
        real(self, path)

    monkeypatch.setattr(TunedTopic, "write_weights", write)


def test_a_full_disk_loses_no_figures_and_claims_no_files(tune: Command, tmp_path: Path) -> None:
    out, second = tmp_path / "t", tmp_path / "u"
    with tune.monkeypatch.context() as first:
        failing(first, FULL, "storms")
        answer = tune("--out", out)
    assert answer.code == 2 and "No space left on device; choose another folder" in answer.err
    assert "storms: 30 training and 30 test links" in answer.out
    assert "written to" not in answer.out and "figures there" not in answer.out
    assert "not (fully) written: storms" in answer.out and "Use the weights" not in answer.out
    assert not (out / "heat-map.svg").exists() and not (out / "tuning.json").exists()
    failing(tune.monkeypatch, FULL, "coffee")  # what was written before is reported
    answer = tune("--out", second)
    assert f"written to {second}: TOPIC/weights.toml" in answer.out
    assert "not (fully) written: coffee" in answer.out and "heat-map.svg" in answer.out
    topics = json.loads((second / "tuning.json").read_text())["topics"]
    assert [each["topic"] for each in topics] == ["storms"]


@pytest.mark.parametrize(
    ("place", "reported"),
    [("links", "nothing was written"), ("weights", "what was written so far is kept")],
)
def test_interrupted_while_writing(
    tune: Command, tmp_path: Path, place: str, reported: str
) -> None:
    tune.monkeypatch.setattr(TunedTopic, f"write_{place}", interrupted)
    answer = tune("--out", tmp_path / "t")
    assert answer.code == 130
    assert [line for line in answer.err.splitlines() if line.startswith("error")] == [
        f"error: interrupted; {reported}."
    ]
    assert "written to" not in answer.out and "not (fully) written: storms" in answer.out


def test_an_interruption_without_a_folder(tune: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.evaluation.tune.tune", interrupted)
    answer = tune()
    assert (answer.code, answer.out) == (130, "")
    assert "error: interrupted; nothing was written." in answer.err


def test_figures_that_cannot_be_drawn(tune: Command, tmp_path: Path) -> None:

    def draw(tunings: Sequence[Tuning], folder: Path) -> object:
        (folder / "heat-map.svg").mkdir()
        return draw_tuning(tunings, folder)

    tune.monkeypatch.setattr("scenthound.cli.tune.draw_tuning", draw)
    answer = tune("--out", tmp_path / "t")
    assert answer.code == 2 and "heat-map.svg" in answer.err
    assert "written to" in answer.out and "figures there" not in answer.out

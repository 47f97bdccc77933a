"""``scenthound report``: the options, what is printed, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.progress import Progress

from cli.commands import Command, refused
from evaluation.outcomes_made import by_topic
from output.report_making import STARTED, STOPPED, crawl_folder, off_topic, page, read
from scenthound.cli.screen import stage_bar
from scenthound.evaluation.results import Comparison, write_results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return crawl_folder(tmp_path / "storms", [STARTED, page(1), off_topic(2), page(3), STOPPED])


def test_where_it_is_goes_to_stdout(cli: Command, folder: Path) -> None:
    answer = cli("report", folder)
    assert (answer.code, answer.out, answer.err) == (0, f"{folder / 'report.html'}\n", "")
    assert (folder / "report" / "harvest.svg").read_bytes().startswith(b"<?xml")
    assert (folder / "report" / "harvest.png").read_bytes().startswith(b"\x89PNG")
    assert cli("report", folder, "--quiet").code == 0, "a report is replaced"


def test_stages_are_drawn_one_after_the_other_with_their_units() -> None:
    progress = Progress(disable=True)
    told = stage_bar(progress, ("copying",))
    (task,) = progress.tasks
    assert not task.visible
    told("reading", 3, 7)
    assert (task.description, task.completed, task.total) == ("reading", 3, 7)
    told("copying", 5 << 20, 9 << 20)
    assert (task.description, task.completed, task.total) == ("copying", 5, 9)
    assert task.fields["found"] == "MB" and task.visible
    told("drawing", 0, 0)
    assert (task.completed, task.total, task.fields["found"]) == (0, 1, "")


def test_another_file_without_plots(cli: Command, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "x.html"
    assert cli("report", folder, "--out", out, "--no-files", "-q").out == f"{out}\n"
    assert [each.name for each in out.parent.iterdir()] == ["x.html"]
    cli.ok("report", folder, "-o", out, "--files")
    assert (out.parent / "x" / "harvest.csv").exists()


def test_options_of_crawls(cli: Command, folder: Path, tmp_path: Path) -> None:
    labels, judged = tmp_path / "l.tsv", tmp_path / "j.csv"
    labels.write_text("http://w.test/3\tstorms\n")
    judged.write_text("url,judgement\nhttp://w.test/3,yes\n")
    answer = cli.ok("report", folder, "--top", "1", "--labels", labels, "--judged", judged)
    parsed = read(folder / "report.html")
    assert "warning: " in answer.err
    assert len(parsed.named("article")) == 1
    assert "Target recall" in parsed.text and "Judged by a person" in parsed.text


def test_options_of_comparisons(cli: Command, folder: Path, tmp_path: Path) -> None:
    outcomes = tuple(by_topic({"bf": [0.1] * 5, "vsm": [0.2] * 5}))
    write_results(tmp_path, Comparison({"baseline": "bf"}, outcomes, True), tables=False)
    cli.ok("report", tmp_path, "--baseline", "vsm", "--measure", "rn")
    assert "less vsm" in read(tmp_path / "report.html").text
    refused(cli("report", tmp_path, "--top", "3"), "top is for the report of a crawl")
    refused(cli("report", tmp_path, "--baseline", "vsn"), "did you mean 'vsm'")
    for options in (["--baseline", "vsm"], ["--measure", "hr"]):
        answer = cli("report", folder, *options)
        refused(answer, "is for the report of a comparison", "drop it")


def test_folders_that_hold_nothing_to_report_on(cli: Command, folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(cli("report", empty), "holds nothing to report on", "comparison.json")
    refused(cli("report", tmp_path / "none"), "is not there")
    refused(cli("report", folder / "crawl.json"), "is no folder")
    refused(cli("report", tmp_path), "holds a crawl further down; give it", str(folder))
    (folder / "tuning.json").write_text("{}")
    refused(cli("report", folder), "crawl.json and tuning.json")
    (empty / "crawl.json").write_text("{")
    refused(cli("report", empty), "cannot be read")


def test_files_of_others_are_never_replaced(cli: Command, folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "thesis.html"
    precious.write_text("<h1>Years of work</h1>")
    refused(cli("report", folder, "--out", precious), "is no report", "--out")
    assert precious.read_text() == "<h1>Years of work</h1>"
    refused(cli("report", folder, "--out", tmp_path), "is a folder")
    refused(cli("report", folder, "--out", precious / "x.html"), "choose another file")

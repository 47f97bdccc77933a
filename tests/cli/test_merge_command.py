"""``scenthound merge``, and the commands that read the folders of workers as one crawl."""

from __future__ import annotations

import errno
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.commands import Command, interrupted, refused
from output.worker_making import WorkerMaking
from scenthound.cli import export as module
from scenthound.core.model import global_page_number
from scenthound.evaluation.tune import TunedTopic
from scenthound.evaluation.tuning_result import Tuning
from scenthound.output.tuning_figures import draw_tuning


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Three pages of two workers, one of them stored by both, and one that was never saved."""
    first = WorkerMaking(tmp_path / "w" / "worker-1", 1)
    second = WorkerMaking(tmp_path / "w" / "worker-2", 2)
    first.page("http://a.test/", 1)
    first.page("b", 3, sources=[1])
    second.page("a", 2, sources=[global_page_number(1, 1)])
    second.page("b", 4, sources=[global_page_number(1, 1)])
    second.commit()
    second.page("lost", 5)
    first.stop(8)
    second.close()
    return tmp_path / "w"


def test_one_line_says_what_was_made(cli: Command, parent: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    answer = cli("merge", parent, "--out", out)
    told = "3 pages of 2 workers, 1 page stored twice left out, 1 page never saved left out, "
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{out}: {told}") and answer.out.endswith(" kB\n")
    again = cli("merge", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "n", "-q")
    assert (again.code, again.out, again.err) == (0, "", "")
    crawl_spec, other = ((each / "crawl.json").read_text() for each in (out, tmp_path / "n"))
    assert crawl_spec == other
    refused(cli("resume", out), "cannot be resumed", "merge again")


def test_what_is_odd_is_told(cli: Command, parent: Path, tmp_path: Path) -> None:
    answer = cli.ok("merge", parent / "worker-2", "--out", tmp_path / "m", "--quiet")
    assert answer.out == ""
    assert answer.err.startswith("warning: 2 links came from pages of worker 1 ")


def test_bad_input(cli: Command, parent: Path, tmp_path: Path) -> None:
    refused(cli("merge", parent, "--out", parent), "is there already")
    refused(cli("merge", tmp_path / "none", "--out", tmp_path / "m"), "is not there")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["w"]


def test_an_interruption_leaves_nothing(
    cli: Command, parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "merge_folders", interrupted)
    answer = cli("merge", parent, "--out", tmp_path / "m")
    assert answer.code == 130 and "interrupted; " in answer.err and not (tmp_path / "m").exists()


def test_other_commands_read_all_workers_as_one(cli: Command, parent: Path, tmp_path: Path) -> None:
    report = cli("report", parent, "--no-files")
    assert (report.code, report.out) == (0, f"{parent / 'report.html'}\n")
    cli.ok(
        "report", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "r.html", "--no-files"
    )
    export = cli.ok("export", parent, "--no-text")
    assert "3 pages" in export.err
    assert len((tmp_path / "w.jsonl").read_text().splitlines()) == 3
    explained = cli("explain", parent, "--page", "3")
    assert "Fetched as page 3 of 3." in explained.out and "page 1  http://a.test/" in explained.out


def test_explain_names_pages_of_other_workers(cli: Command, parent: Path) -> None:
    told = cli("explain", parent / "worker-2", "a.test/a").out
    assert "  page 1 of worker 1  (in the folder of that worker)\n" in told
    assert 'page 1 of worker 1  (in the folder of that worker)  "link' in told
    (only,) = json.loads(cli("explain", parent / "worker-2", "1", "--json").out)["explanations"]
    assert [(each["page"], each["worker"]) for each in only["path"]] == [(1, 1), (1, 0)]


# ``scenthound tune --out`` says what was written, and nothing else.


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


def test_a_full_disk_loses_no_figures_and_claims_no_files(
    tune: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, second = tmp_path / "t", tmp_path / "u"
    with monkeypatch.context() as first:
        failing(first, FULL, "storms")
        answer = tune("--out", out)
    assert answer.code == 2 and "No space left on device; choose another folder" in answer.err
    assert "storms: 30 training and 30 test links" in answer.out
    assert "written to" not in answer.out and "figures there" not in answer.out
    assert "not (fully) written: storms" in answer.out and "Use the weights" not in answer.out
    assert not (out / "heat-map.svg").exists() and not (out / "tuning.json").exists()
    failing(monkeypatch, FULL, "coffee")  # what was written before is told
    answer = tune("--out", second)
    assert f"written to {second}: TOPIC/weights.toml" in answer.out
    assert "not (fully) written: coffee" in answer.out and "heat-map.svg" in answer.out
    topics = json.loads((second / "tuning.json").read_text())["topics"]
    assert [each["topic"] for each in topics] == ["storms"]


@pytest.mark.parametrize(
    ("place", "told"),
    [("links", "nothing was written"), ("weights", "what was written so far is kept")],
)
def test_an_interruption_while_writing(
    tune: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    place: str, told: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(TunedTopic, f"write_{place}", interrupted)
    answer = tune("--out", tmp_path / "t")
    assert answer.code == 130
    assert [line for line in answer.err.splitlines() if line.startswith("error")] == [
        f"error: interrupted; {told}."
    ]
    assert "written to" not in answer.out and "not (fully) written: storms" in answer.out


def test_an_interruption_without_a_folder(tune: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.evaluation.tune.tune", interrupted)
    answer = tune()
    assert (answer.code, answer.out) == (130, "")
    assert "error: interrupted; nothing was written." in answer.err


def test_figures_that_cannot_be_drawn_are_an_error_after_what_was_written(
    tune: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def draw(tunings: Sequence[Tuning], folder: Path) -> object:
        (folder / "heat-map.svg").mkdir()
        return draw_tuning(tunings, folder)

    monkeypatch.setattr("scenthound.cli.tune_output.draw_tuning", draw)
    answer = tune("--out", tmp_path / "t")
    assert answer.code == 2 and "heat-map.svg" in answer.err
    assert "written to" in answer.out and "figures there" not in answer.out

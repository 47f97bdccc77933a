"""``scenthound merge``, and the commands that read the folders of workers as one crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commands import Answer, Command
from corpus.worker_making import WorkerMaking, changed_order
from scenthound.cli import merge as module
from scenthound.core.page_numbers import foreign


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Three pages of two workers, one of them stored by both, and one that was never saved."""
    first = WorkerMaking(tmp_path / "w" / "worker-1", 1)
    second = WorkerMaking(tmp_path / "w" / "worker-2", 2)
    first.page("http://a.test/", 1)
    first.page("b", 3, sources=[1])
    second.page("a", 2, sources=[foreign(1, 1)])
    second.page("b", 4, sources=[foreign(1, 1)])
    second.commit()
    second.page("lost", 5)
    first.stop(8)
    second.close()
    return tmp_path / "w"


def refused(answer: Answer, *words: str) -> None:
    assert (answer.code, answer.out) == (2, "")
    message = answer.err.strip()
    assert message.startswith("error: ") and "\n" not in message, message
    for word in words:
        assert word in message, message


def test_one_line_says_what_was_made(scenthound: Command, parent: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    answer = scenthound("merge", parent, "--out", out)
    told = "3 pages of 2 workers, 1 page stored twice left out, 1 page never saved left out, "
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{out}: {told}") and answer.out.endswith(" kB\n")
    again = scenthound(
        "merge", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "n", "-q"
    )
    assert (again.code, again.out, again.err) == (0, "", "")
    order, other = ((each / "crawl.json").read_text() for each in (out, tmp_path / "n"))
    assert order == other


def test_what_is_odd_is_told(scenthound: Command, parent: Path, tmp_path: Path) -> None:
    answer = scenthound("merge", parent / "worker-2", "--out", tmp_path / "m", "--quiet")
    assert answer.code == 0 and answer.out == ""
    assert answer.err.startswith("warning: 2 links came from pages of worker 1 ")


def test_bad_input(scenthound: Command, parent: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    refused(scenthound("merge", "--out", out), "nothing to read")
    refused(scenthound("merge", parent, "--out", parent), "is there already")
    refused(scenthound("merge", parent, parent, "--out", out), "is given twice")
    refused(scenthound("merge", tmp_path / "none", "--out", out), "is not there")
    (parent / "worker-2" / "journal.jsonl").write_text("")
    refused(scenthound("merge", parent, "--out", out), "is shorter than it was")
    changed_order(parent / "worker-2", worker=None)
    refused(scenthound("merge", parent / "worker-2", "--out", out), "holds a whole crawl")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["w"]


def test_an_interruption_leaves_nothing(
    scenthound: Command, parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "merge_folders", interrupted)
    answer = scenthound("merge", parent, "--out", tmp_path / "m")
    assert answer.code == 130 and "interrupted; " in answer.err and not (tmp_path / "m").exists()


def test_a_merged_folder_is_not_resumed(scenthound: Command, parent: Path, tmp_path: Path) -> None:
    scenthound("merge", parent, "--out", tmp_path / "m")
    refused(scenthound("resume", tmp_path / "m"), "cannot be resumed", "merge again")


def test_other_commands_read_all_workers_as_one(
    scenthound: Command, parent: Path, tmp_path: Path
) -> None:
    report = scenthound("report", parent, "--no-files")
    assert (report.code, report.out) == (0, f"{parent / 'report.html'}\n")
    several = scenthound(
        "report", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "r.html", "--no-files"
    )
    assert several.code == 0
    export = scenthound("export", parent, "--no-text")
    assert export.code == 0 and "3 pages" in export.err
    assert len((tmp_path / "w.jsonl").read_text().splitlines()) == 3
    explained = scenthound("explain", parent, "--page", "3")
    assert "Fetched as page 3 of 3." in explained.out and "page 1  http://a.test/" in explained.out


def test_explain_names_pages_of_other_workers(scenthound: Command, parent: Path) -> None:
    told = scenthound("explain", parent / "worker-2", "a.test/a").out
    assert "  page 1 of worker 1  (in the folder of that worker)\n" in told
    assert 'page 1 of worker 1  (in the folder of that worker)  "link' in told
    (only,) = json.loads(scenthound("explain", parent / "worker-2", "1", "--json").out)[
        "explanations"
    ]
    assert [(each["page"], each["worker"]) for each in only["path"]] == [(1, 1), (1, 0)]

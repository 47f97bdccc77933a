"""How a report says that a crawl ended, and what is wrong with its files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scenthound
from output.corpus_making import live_folder
from output.report_making import STARTED, STOPPED, Json, crawl_folder, page, read
from scenthound.core.errors import FolderError
from scenthound.output.crawl_reading import read_results
from scenthound.storage.folder import FolderLock
from scenthound.storage.stored_crawl import open_crawl


def text_of(folder: Path) -> str:
    return read(scenthound.report(folder, files=False)).text


def stopped(reason: str) -> Json:
    return {**STOPPED, "reason": reason}


def test_the_words_of_the_dashboard(tmp_path: Path) -> None:
    cases: list[tuple[list[Json], str]] = [
        ([stopped("budget spent")], "finished after 2 pages: budget spent"),
        ([stopped("stopped")], "stopped after 2 pages: on request"),
        ([stopped("interrupted")], "stopped after 2 pages: by Ctrl-C or a signal"),
        ([stopped("error: KeyError: 'a'")], "failed after 2 pages: KeyError: 'a'"),
        ([stopped("stopped"), {"event": "resumed", "at": 9.5}],
         "interrupted after 2 pages: its process ended without a word"),
        ([], "interrupted after 2 pages: its process ended without a word"),
    ]  # fmt: skip
    for number, (last, told) in enumerate(cases):
        here = tmp_path / str(number)
        here.mkdir()
        folder = crawl_folder(here / "c", [STARTED, page(1), page(2), *last])
        assert told in text_of(folder)


def test_a_replay_that_runs_and_one_that_has_not_begun(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1)])
    with FolderLock(folder):
        assert "running, 1 page so far" in text_of(folder)
    prepared = crawl_folder(tmp_path / "d", [{"event": "missing", "count": 1, "examples": []}])
    assert "not begun: nothing is on record" in text_of(prepared)


def test_pages_that_were_not_saved_are_told(tmp_path: Path) -> None:
    folder = live_folder(tmp_path / "live")
    before = text_of(folder)
    assert "not saved yet" not in before
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write(json.dumps(page(7)) + "\n")
    assert "1 more page was fetched and not saved yet" in text_of(folder)
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write(json.dumps(page(8)) + '\n{"event":"pa')
    text = text_of(folder)
    assert "2 more pages were fetched" in text and "after 6 pages" in text


def test_a_line_that_no_crawl_wrote(tmp_path: Path) -> None:
    cases: list[tuple[Json, str]] = [
        (page(2, similarity="high"), "similarity is 'high'"),
        (page(2, depth=[1]), r"depth is \[1\]"),
        ({"event": "page", "n": 2}, "it has no 'at'"),
        (page(2, dropped={"nofollow": ["x", []]}), "invalid literal"),
        ({"event": "missing", "count": "some"}, "'some'"),
    ]
    for number, (event, why) in enumerate(cases):
        here = tmp_path / str(number)
        here.mkdir()
        folder = crawl_folder(here / "c", [STARTED, page(1), event])
        with pytest.raises(
            FolderError, match=rf"{folder}/journal.jsonl, line 3 is not .* \(.*{why}"
        ):
            scenthound.report(folder, files=False)


def test_other_readers_name_the_line_too(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [{**STARTED, "threshold": "x"}, page(1, status="ok")])
    with open_crawl(folder) as stored:
        with pytest.raises(FolderError, match=r"line 2 is not what a crawl writes .*'ok'"):
            list(stored.pages())
        with pytest.raises(FolderError, match="line 1 is not"):
            assert stored.threshold


def test_what_a_line_holds_is_not_told_without_end(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1, similarity="\n" + "x" * 10_000)])
    with pytest.raises(FolderError) as raised:
        scenthound.report(folder, files=False)
    assert len(str(raised.value)) < 500 and "\n" not in str(raised.value)


def test_damaged_results_are_told(tmp_path: Path) -> None:
    cases = ["{", "[]", '{"seconds": NaN}', '{"checkpoints": [{"labelled": 1}]}', "[" * 100_000]
    for number, content in enumerate(cases):
        here = tmp_path / str(number)
        here.mkdir()
        folder = crawl_folder(here / "c", [STARTED, page(1), STOPPED])
        (folder / "results.json").write_text(content)
        assert text_of(folder).count("results.json is damaged") == 2, (
            "in the summary and under cost"
        )


def test_results_of_another_run_are_no_damage(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), STOPPED])
    results = {"fetched": 9, "seconds": None, "checkpoints": None}
    (folder / "results.json").write_text(json.dumps(results))
    assert read_results(folder / "results.json").of(1).figures == {}
    assert "results.json is damaged" not in text_of(folder)
    (folder / "results.json").unlink()
    (folder / "results.json").mkdir()
    assert "results.json cannot be read: Is a directory." in text_of(folder)


def test_crawls_further_down_are_named_ten_at_most(tmp_path: Path) -> None:
    deep = crawl_folder(tmp_path / "live" / "evil" / "storms" / "vsm", [STARTED])
    with pytest.raises(FolderError, match=f"holds a crawl further down; give it: {deep}.$"):
        scenthound.report(tmp_path / "live")
    for number in range(11):
        crawl_folder(tmp_path / f"c{number:02}", [STARTED])
    with pytest.raises(FolderError, match=r"several crawls; .*/c00, .*/c09 and 1 more\.$"):
        scenthound.report(tmp_path)

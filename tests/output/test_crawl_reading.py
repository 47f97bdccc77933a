"""How a report says that a crawl ended, and what is wrong with its files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import scenthound
from output.report_making import STARTED, STOPPED, Json, crawl_folder, off_topic, page, read
from scenthound.core.errors import FolderError
from scenthound.output.crawl_reading import CrawlResults, curve_step, read_results
from scenthound.output.crawl_report import table_pages
from scenthound.output.crawl_tally import Best, Counts, CrawlTally, Shares
from scenthound.storage.folder import FolderLock
from scenthound.storage.stored_crawl import open_crawl

pytestmark = pytest.mark.usefixtures("undrawn")


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
        folder = crawl_folder(tmp_path / str(number), [STARTED, page(1), page(2), *last])
        assert told in text_of(folder)
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1)])
    with FolderLock(folder):
        assert "running, 1 page so far" in text_of(folder)
    prepared = crawl_folder(tmp_path / "d", [{"event": "missing", "count": 1, "examples": []}])
    assert "not begun: nothing is on record" in text_of(prepared)


def test_pages_that_were_not_saved_are_told(live_crawl: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(live_crawl, tmp_path / "live"))
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
        (page(2, similarity="high"), "'high'"),
        (page(2, depth=[1]), r"'\[1\]'"),
        (page(2, similarity="\n" + "x" * 10_000), "xxx"),
        ({"event": "page", "n": 2}, "it has no 'at'"),
        (page(2, dropped={"nofollow": ["x", []]}), "invalid literal"),
        ({"event": "missing", "count": "some"}, "'some'"),
    ]
    for number, (event, why) in enumerate(cases):
        folder = crawl_folder(tmp_path / str(number), [STARTED, page(1), event])
        at_line = rf"{folder}/journal.jsonl, line 3 is not .* \(.*{why}"
        with pytest.raises(FolderError, match=at_line) as raised:
            scenthound.report(folder, files=False)
        assert len(str(raised.value)) < 500 and "\n" not in str(raised.value)
    folder = crawl_folder(tmp_path / "c", [{**STARTED, "threshold": "x"}, page(1, status="ok")])
    with open_crawl(folder) as stored:
        with pytest.raises(FolderError, match=r"line 2 is not what a crawl writes .*'ok'"):
            list(stored.pages())
        with pytest.raises(FolderError, match="line 1 is not"):
            assert stored.threshold


def test_damaged_results_are_told_and_those_of_another_run_left_out(tmp_path: Path) -> None:
    cases = ["{", "[]", '{"seconds": NaN}', '{"checkpoints": [{"labelled": 1}]}', "[" * 100_000]
    for number, content in enumerate(cases):
        folder = crawl_folder(tmp_path / str(number), [STARTED, page(1), STOPPED])
        (folder / "results.json").write_text(content)
        assert text_of(folder).count("results.json is damaged") == 2, (
            "in the summary and under cost"
        )
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), STOPPED])
    results = {"fetched": 9, "seconds": None, "checkpoints": None}
    (folder / "results.json").write_text(json.dumps(results))
    assert read_results(folder / "results.json").of(1) == CrawlResults()
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


# What one reading of a journal counts.


JOURNAL = Path("journal.jsonl")


def tally_of(*events: Json) -> tuple[CrawlTally, list[int]]:
    told: list[int] = []
    tally = CrawlTally(2, 2)
    assert len(list(tally.read(JOURNAL, events, told.append))) == tally.pages
    return tally, told


def test_where_pages_came_from() -> None:
    second_seed = page(3, "http://other.test/", depth=0, inlinks=[], parts={}, priority=None)
    tally, told = tally_of(
        STARTED, page(1), off_topic(2, language="de"), second_seed,
        off_topic(4, "http://other.test/x", depth=2, inlinks=[[3, 0.4, "on"]]), STOPPED,
    )  # fmt: skip
    assert told == [4] and tally.stopped == "budget spent"
    assert tally.hosts.by_name() == [("w.test", 1, 1), ("other.test", 1, 1)]
    assert tally.depths.by_name() == [(0, 2, 0), (1, 0, 1), (2, 0, 1)]
    assert tally.seeds.by_name() == [(1, 1, 1), (3, 1, 1)]
    assert tally.parents.by_name() == [(1, 0, 1), (3, 0, 1)]
    assert tally.misled.by_name() == [("anchor", 0, 2)]
    assert tally.dropped.most_common() == [("nofollow", 8)]
    assert dict(tally.languages.most_common())["de"] == 1


def test_tops_are_pages_that_the_crawl_found_and_the_worst_predictions_come_first() -> None:
    tally, _ = tally_of(page(1, similarity=1.0), page(2, similarity=0.2), page(3, similarity=0.6))
    assert tally.tops.ordered() == [3, 2] and tally.named.ordered() == [1]
    # Example pages of the topic are no finds.
    tally = CrawlTally(3, 2, frozenset({"http://w.test/2", "http://w.test/moved"}))
    events = [page(1), page(2, similarity=1.0), page(3, similarity=0.6),
              page(4, similarity=1.0, redirects=["http://w.test/moved"])]  # fmt: skip
    assert len(list(tally.read(JOURNAL, events, lambda pages: None))) == 4
    assert tally.tops.ordered() == [3] and tally.named.ordered() == [2, 4, 1]
    priorities = {2: 0.3, 3: 0.9, 4: 0.4}
    tally, _ = tally_of(page(1), *(off_topic(n, priority=p) for n, p in priorities.items()))
    assert [record.n for record in tally.worst.ordered()] == [3, 4]


def test_what_gave_no_page_and_whether_it_goes_on() -> None:
    events: list[Json] = [
        {"event": "refused", "url": "u", "reason": "robots.txt"},
        {"event": "redirect", "url": "u", "target": "v", "reason": "fetched before"},
        {"event": "redirect", "url": "u", "target": "v", "reason": "followed"},
        {"event": "failed", "url": "u", "reason": "no answer", "retry_at": 3.0},
        {"event": "failed", "url": "u", "reason": "no answer", "retry_at": None},
        {"event": "missing", "count": 3, "urls": []},
        {"event": "dropped", "count": 5, "reason": "host budget"},
        {"event": "of a later version"},
    ]
    tally, _ = tally_of(*events)
    assert dict(tally.rejected_urls.most_common()) == {
        "robots.txt": 1, "redirect: fetched before": 1, "given up: no answer": 1,
        "not in the archive": 3, "host budget": 5,
    }  # fmt: skip
    resumed: Json = {"event": "resumed", "at": 10.0, "budget": 20}
    paused: Json = {"event": "paused", "at": 11.0, "budget": 20}
    tally, _ = tally_of(STARTED, page(1), STOPPED, resumed, page(2), paused)
    assert tally.stopped == "" and tally.paused and tally.pages == 2


# What a report counts with stays small, and its checkpoints are those of the papers.


def test_names_beyond_the_bound_are_counted_together_and_the_best_kept() -> None:
    shares: Shares[str] = Shares(2)
    for name, relevant in (("a", True), ("b", False), ("b", False), ("c", False), ("a", False)):
        shares.add(name, relevant)
    assert shares.by_name() == [("a", 1, 1), ("b", 0, 2)] and shares.others == [0, 1]
    assert shares.by_off_topic(1) == [("b", 0, 2)] and len(shares) == 2
    counts = Counts(1)
    for name in ("x", "y", "z"):
        counts.add(name)
    assert counts.most_common() == [("others", 2), ("x", 1)]
    best: Best[str] = Best(2)
    for rank, name in ((0.5, "a"), (0.9, "b"), (0.5, "c"), (0.1, "d")):
        best.add(rank, name)
    assert best.ordered() == ["b", "a"]
    none: Best[str] = Best(0)
    none.add(1.0, "a")
    assert none.ordered() == []


def test_rows_are_those_of_the_papers() -> None:
    hundreds = [*range(100, 1_001, 100)]
    five_hundreds = [*range(1_500, 5_001, 500)]
    cases: list[tuple[int, list[int]]] = [
        (0, []),
        (1, [1]),
        (7, [1, 2, 3, 4, 5, 6, 7]),
        (99, [10, 20, 30, 40, 50, 60, 70, 80, 90, 99]),
        (19, [*range(2, 19, 2), 19]),
        (100, [10, 20, 50, 100]),
        (1_100, [*hundreds, 1_100]),
        (5_000, [*hundreds, *five_hundreds]),
        (12_000, [*hundreds, *five_hundreds, *range(6_000, 12_001, 1_000)]),
    ]
    for pages, rows in cases:
        assert table_pages(pages) == rows
        assert all(row % curve_step(pages) == 0 for row in rows[:-1])
    assert table_pages(100_000)[18:] == list(range(10_000, 100_001, 5_000))
    assert len(table_pages(10_000_000)) < 70, "a huge crawl has a short table"

"""Reports of crawls: good, empty, broken, hostile; how a crawl ended; what a tally counts."""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from output.report_making import STARTED, STOPPED, TOPIC, Json, crawl_folder, off_topic, page, read
from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.output.report.crawl import repeat_blocks, repeat_command, settings_text, table_pages
from scenthound.output.report.crawl_reading import CrawlResults, curve_step, read_results
from scenthound.output.report.crawl_tally import Best, Counts, CrawlTally, Shares
from scenthound.storage.folder import FolderLock
from scenthound.storage.stored_crawl import open_crawl

pytestmark = pytest.mark.usefixtures("undrawn")
HOSTILE = "\"><img src=x onerror=alert(1)><script>alert(1)</script>'\u202e"


def text_of(folder: Path) -> str:
    return read(scenthound.report(folder, files=False)).text


def test_a_replay_has_figures_pages_and_settings_to_repeat_it(
    replayed: Path, tmp_path: Path
) -> None:
    path = scenthound.report(replayed, tmp_path / "r.html", files=False)
    parsed = read(path)
    text = parsed.text
    assert path == tmp_path / "r.html" and "storms, by vsm" in text
    assert "finished after 2 pages: budget spent" in text
    assert "Second storm" in text and "What made it relevant" in text
    assert "more on b.html" in text and "scenthound replay" in text
    assert "measured without human labels" in text
    assert len(parsed.named("svg")) == 3, "harvest, relevant pages, similarity"
    # Nothing is asked for from anywhere.
    loading = {"script", "link", "iframe", "object", "embed", "base", "form", "img"}
    assert [tag for tag, _ in parsed.tags if tag in loading] == []
    policy = next(m for m in parsed.named("meta") if m.get("http-equiv"))
    assert str(policy["content"]).startswith("default-src 'none';")
    outward = [a for a in parsed.named("a") if not str(a["href"]).startswith("#")]
    assert outward and all(a["rel"] == "noopener noreferrer nofollow" for a in outward)
    assert all(str(a["href"]).startswith("http://") for a in outward)
    with open_crawl(replayed) as stored:
        blocks, reported = repeat_blocks(stored), repeat_command(stored)
    topic = tmp_path / "topic.toml"
    topic.write_text(blocks[1].text)
    archive = Path(reported.split()[2])
    scenthound.replay(archive, scenthound.read_topic(topic), "vsm", budget=2, out=tmp_path / "x")
    assert (tmp_path / "x" / "journal.jsonl").read_bytes() == (
        replayed / "journal.jsonl"
    ).read_bytes()


def test_the_ways_of_reading_and_what_mattered(tmp_path: Path) -> None:
    reading = {"ways": ["words", "meaning"], "fewer": "the extra <b>neural</b> is not installed"}
    parts = {"page words": [0.2, 0.1], "anchor words": [0.9, 0.4], "anchor meaning": [0.3, 0.4]}
    pages = [page(1), page(2, parts=parts, priority=0.5), off_topic(3, parts=parts)]
    events = [{**STARTED, "reading": reading}, *pages, STOPPED]
    folder = crawl_folder(tmp_path / "c", events)
    text = read(scenthound.report(folder, tmp_path / "r.html", files=False)).text
    assert "Texts were read by words and meaning: the extra <b>neural</b> is not" in text
    assert "mostly the text of the link (0.48 of 0.50)" in text and "72%" in text
    assert "anchor words 0.360, anchor meaning 0.120, page words 0.020" in text
    assert text.index("the text of the link, by its words") > 0


@pytest.mark.usefixtures("drawn")
def test_the_same_folder_gives_the_same_report(replayed: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "r.html", tmp_path / "b" / "r.html"
    scenthound.report(replayed, first)
    scenthound.report(replayed, second)
    assert first.read_bytes() == second.read_bytes()
    names = sorted(path.name for path in first.with_suffix("").iterdir())
    assert "harvest.csv" in names and "harvest.png" in names and "harvest.svg" in names
    for name in names:
        assert (first.parent / "r" / name).read_bytes() == (second.parent / "r" / name).read_bytes()


def test_a_live_crawl_tells_its_bytes_and_no_private_setting(
    live_crawl: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(live_crawl, tmp_path / "live"))
    before = {p.name for p in folder.iterdir()}
    text = read(scenthound.report(folder)).text
    assert "WARC records, compressed" in text and "scenthound crawl" in text
    assert "copy" in text and "peak of the whole process" in text
    assert {p.name for p in folder.iterdir()} - before == {"report.html", "report"}
    with FolderLock(folder):
        assert "running, 6 pages so far" in text_of(folder)
    private = {"header": ["Authorization: secret"], "cookie_file": "/home/me/c.txt"}
    endless = {"max_depth": None, "max_time": None, "stay": True}
    with_settings(folder, **private, **endless)
    text = text_of(folder)
    assert "secret" not in text and "/home/me" not in text
    assert "left out of reports: header, cookie_file" in text
    assert "left out, and to be given again: header, cookie_file" in text
    with open_crawl(folder) as stored:
        reported = tomllib.loads(settings_text(stored))["crawl"]
    assert (
        reported["max_depth"] == 1_000_000_000
        and reported["stay"] is True
        and "max_time" not in reported
    )
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1)])
    labels = {"pages": 3, "sha256": "x"}
    text = text_of(with_settings(folder, labels=labels))
    assert "labels.tsv stands for the labels, whose file is not known" in text


@pytest.mark.usefixtures("drawn")
def test_labels_and_a_judged_sample(tmp_path: Path, replayed: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), off_topic(2), page(3)])
    labels = tmp_path / "labels.tsv"
    labels.write_text("http://w.test/1\tstorms\nhttp://w.test/2\tstorms\nhttp://w.test/9\tstorms\n")
    parsed = read(scenthound.report(folder, labels=labels))
    assert "labelled harvest" in parsed.text and "0.667" in parsed.text
    rows = (folder / "report" / "recall.csv").read_text(encoding="utf-8-sig").split()
    assert rows == ["fetched,target_recall", "1,0.333333", "2,0.666667", "3,0.666667"]
    judged = tmp_path / "own.csv"
    judged.write_text("url,judgement\nhttp://w.test/index.html,yes\nhttp://w.test/b.html,no\n")
    with pytest.warns(scenthound.ScenthoundWarning) as warned:
        path = scenthound.report(replayed, tmp_path / "r.html", judged=judged)
    text = read(path).text
    assert "Judged by a person" in text and "95% interval" in text
    assert "no random sample" in text and len(warned) == 1


def test_results_are_reported_if_they_are_whole_and_of_this_run(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), page(2), page(3), STOPPED])
    row = {"labelled": 1, "target_recall": 0.25}
    results = {
        "fetched": 3, "seconds": 2.0, "peak_rss_mb": 77.0,
        "checkpoints": [{**row, "fetched": 2}, {**row, "labelled": 2, "fetched": 3}],
    }  # fmt: skip
    (folder / "results.json").write_text(json.dumps(results))
    text = text_of(folder)
    assert "77 MB" in text and "1.5" in text
    assert "0.222" in text, "2 labelled pages over the budget of 9"
    cases = ["{", "[]", '{"seconds": NaN}', '{"checkpoints": [{"labelled": 1}]}', "[" * 100_000]
    for number, content in enumerate(cases):
        folder = crawl_folder(tmp_path / str(number), [STARTED, page(1), STOPPED])
        (folder / "results.json").write_text(content)
        assert text_of(folder).count("results.json is damaged") == 2  # and under cost
    folder = crawl_folder(tmp_path / "d", [STARTED, page(1), STOPPED])
    (folder / "results.json").write_text('{"fetched": 9, "seconds": null, "checkpoints": null}')
    assert read_results(folder / "results.json").of(1) == CrawlResults()
    assert "results.json is damaged" not in text_of(folder)
    (folder / "results.json").unlink()
    (folder / "results.json").mkdir()
    assert "results.json cannot be read: Is a directory." in text_of(folder)


def test_an_empty_crawl_says_why_and_one_that_has_begun_that_it_has(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, STOPPED])
    text = read(scenthound.report(folder)).text
    assert "Not one page could be fetched" in text and "finished after 0 pages" in text
    assert not (folder / "report").exists()
    refused: Json = {"event": "refused", "url": "http://w.test/", "reason": "robots.txt"}
    text = text_of(crawl_folder(tmp_path / "refused", [STARTED, refused, STOPPED]))
    assert "Not one page could be fetched (robots.txt 1): there is" in text
    assert "Nothing was fetched so far" in text_of(crawl_folder(tmp_path / "begun", [STARTED]))
    text = text_of(crawl_folder(tmp_path / "one", [STARTED, off_topic(1, language="de")]))
    assert "after 1 page" in text and "No page was relevant" in text
    assert "Languages that pages state language count" in text


def with_settings(folder: Path, **settings: object) -> Path:
    """The folder, with these settings in its ``crawl.json``."""
    crawl_spec = json.loads((folder / "crawl.json").read_text())
    crawl_spec["settings"] |= settings
    (folder / "crawl.json").write_text(json.dumps(crawl_spec))
    return folder


def test_a_journal_that_is_being_written_or_not_saved(tmp_path: Path, live_crawl: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), page(2)], tail='{"event":"pa')
    (folder / "results.json").write_text('{"fetched": 1, "seconds": 5.5}')
    text = text_of(folder)
    assert "interrupted after 2 pages: its process was killed" in text
    assert "last line of its journal is cut" in text
    assert "5.5" not in text and "Time and memory are known when" in text
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


@pytest.mark.usefixtures("drawn")
def test_hostile_pages_stay_text(tmp_path: Path) -> None:
    topic = Topic(HOSTILE, keywords=("storm",), seeds=("http://w.test/",))
    events = [
        STARTED,
        page(1, title=HOSTILE),
        page(2, "javascript:alert(1)", title=HOSTILE, inlinks=[[1, 0.5, HOSTILE]]),
        off_topic(3, f"http://w.test/{HOSTILE}", title="", problem=HOSTILE, language=HOSTILE,
                  dropped={HOSTILE: [1, []]}, parts={HOSTILE: [1.0, 0.5]}),
        off_topic(4, "data:text/html,x", title=HOSTILE, inlinks=[[2, 0.5, HOSTILE]]),
    ]  # fmt: skip
    path = scenthound.report(crawl_folder(tmp_path / "c", events, topic=topic))
    parsed = read(path)
    assert not {"script", "img", "iframe"} & {tag for tag, _ in parsed.tags}
    events_of = [name for _, tag in parsed.tags for name in tag if name.startswith("on")]
    assert events_of == []
    assert all(str(a["href"]).startswith(("#", "http://")) for a in parsed.named("a"))
    assert "\u202e" not in path.read_text(encoding="utf-8") and "[U+202E]" in parsed.text
    assert "<script>alert(1)</script>" in parsed.text


def test_as_many_pages_are_explained_as_wanted_but_no_example_pages(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, *(page(n) for n in range(1, 6))])
    for top in (0, 2):
        path = scenthound.report(folder, top=top, files=False)
        assert len(read(path).named("article")) == top
    for bad in (-1, 201, 1.5):
        with pytest.raises(scenthound.InputError, match="top"):
            scenthound.report(folder, top=bad)
    topic = replace(TOPIC, examples=("http://w.test/2#top", "storms/none.html", "A storm."))
    events = [STARTED, page(1), page(2, title="My example"), page(3, title="A find")]
    path = scenthound.report(crawl_folder(tmp_path / "d", events, topic=topic), files=False)
    html = path.read_text(encoding="utf-8")
    articles = html[html.index("<article") : html.rindex("</article>")]
    assert "A find" in articles and "My example" not in articles
    assert "the topic's own example pages are left out" in read(path).text


# How a report says that a crawl ended, and what is wrong with its files.


def test_the_words_of_the_dashboard(tmp_path: Path) -> None:
    cases: list[tuple[list[Json], str]] = [
        ([{**STOPPED, "reason": "budget spent"}], "finished after 2 pages: budget spent"),
        ([{**STOPPED, "reason": "stopped"}], "stopped after 2 pages: on request"),
        ([{**STOPPED, "reason": "interrupted"}], "stopped after 2 pages: by Ctrl-C or a signal"),
        ([{**STOPPED, "reason": "error: KeyError: 'a'"}], "failed after 2 pages: KeyError: 'a'"),
        ([{**STOPPED, "reason": "stopped"}, {"event": "resumed", "at": 9.5}],
         "interrupted after 2 pages: its process was killed"),
        ([], "interrupted after 2 pages: its process was killed"),
    ]  # fmt: skip
    for number, (last, reported) in enumerate(cases):
        folder = crawl_folder(tmp_path / str(number), [STARTED, page(1), page(2), *last])
        assert reported in text_of(folder)
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1)])
    with FolderLock(folder):
        assert "running, 1 page so far" in text_of(folder)
    prepared = crawl_folder(tmp_path / "d", [{"event": "missing", "count": 1, "examples": []}])
    assert "not begun: nothing is on record" in text_of(prepared)


def test_a_line_that_no_crawl_wrote(tmp_path: Path) -> None:
    cases: list[tuple[Json, str]] = [
        (page(2, similarity="\n" + "x" * 10_000), "'similarity': .* valid number"),
        ({"event": "page", "n": 2}, "'at': Field required"),
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
        with pytest.raises(FolderError, match=r"line 2 is not what a crawl writes .*'status'"):
            list(stored.pages())
        assert stored.threshold == 0.0


def test_crawls_further_down_are_named_ten_at_most(tmp_path: Path) -> None:
    deep = crawl_folder(tmp_path / "live" / "evil" / "storms" / "vsm", [STARTED])
    with pytest.raises(FolderError, match=f"holds a crawl further down; give it: {deep}.$"):
        scenthound.report(tmp_path / "live")
    for number in range(11):
        crawl_folder(tmp_path / f"c{number:02}", [STARTED])
    with pytest.raises(FolderError, match=r"several crawls; .*/c00, .*/c09 and 1 more\.$"):
        scenthound.report(tmp_path)


JOURNAL = Path("journal.jsonl")


def tally_of(*events: Json) -> tuple[CrawlTally, list[int]]:
    reported: list[int] = []
    tally = CrawlTally(2, 2)
    assert len(list(tally.read(JOURNAL, events, reported.append))) == tally.pages
    return tally, reported


def test_tops_are_pages_that_the_crawl_found_and_what_is_kept_has_a_bound() -> None:
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


def test_what_one_reading_of_a_journal_counts() -> None:
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
    second_seed = page(3, "http://other.test/", depth=0, inlinks=[], parts={}, priority=None)
    tally, reported = tally_of(
        STARTED, page(1), off_topic(2, language="de"), second_seed,
        off_topic(4, "http://other.test/x", depth=2, inlinks=[[3, 0.4, "on"]]), STOPPED,
    )  # fmt: skip
    assert reported == [4] and tally.stopped == "budget spent"
    assert tally.hosts.by_name() == [("w.test", 1, 1), ("other.test", 1, 1)]
    assert tally.depths.by_name() == [(0, 2, 0), (1, 0, 1), (2, 0, 1)]
    assert tally.seeds.by_name() == [(1, 1, 1), (3, 1, 1)]
    assert tally.parents.by_name() == [(1, 0, 1), (3, 0, 1)]
    assert tally.misled.by_name() == [("anchor", 0, 2)]
    assert tally.dropped.most_common() == [("nofollow", 8)]
    assert dict(tally.languages.most_common())["de"] == 1


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

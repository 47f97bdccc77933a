"""Reports of crawls: good ones, empty ones, broken ones, hostile ones."""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from output.report_making import STARTED, STOPPED, TOPIC, Json, crawl_folder, off_topic, page, read
from scenthound.core.model import Topic
from scenthound.output.crawl_report import settings_text
from scenthound.storage.folder import FolderLock
from scenthound.storage.stored_crawl import open_crawl

pytestmark = pytest.mark.usefixtures("undrawn")
HOSTILE = "\"><img src=x onerror=alert(1)><script>alert(1)</script>'\u202e"


def test_a_replay_has_figures_explained_pages_and_the_settings(
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


def test_a_live_crawl_tells_its_bytes_and_copies(live_crawl: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(live_crawl, tmp_path / "live"))
    before = {p.name for p in folder.iterdir()}
    text = read(scenthound.report(folder)).text
    assert "WARC records, compressed" in text and "scenthound crawl" in text
    assert "copy" in text and "peak of the whole process" in text
    assert {p.name for p in folder.iterdir()} - before == {"report.html", "report"}
    with FolderLock(folder):
        assert "running, 6 pages so far" in read(scenthound.report(folder, files=False)).text


@pytest.mark.usefixtures("drawn")
def test_labels_that_are_given_are_measured_by(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), off_topic(2), page(3)])
    labels = tmp_path / "labels.tsv"
    labels.write_text("http://w.test/1\tstorms\nhttp://w.test/2\tstorms\nhttp://w.test/9\tstorms\n")
    parsed = read(scenthound.report(folder, labels=labels))
    assert "labelled harvest" in parsed.text and "0.667" in parsed.text
    rows = (folder / "report" / "recall.csv").read_text(encoding="utf-8-sig").split()
    assert rows == ["fetched,target_recall", "1,0.333333", "2,0.666667", "3,0.666667"]


def test_figures_of_the_results_are_told_where_they_are(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), page(2), page(3), STOPPED])
    row = {"labelled": 1, "target_recall": 0.25}
    results = {
        "fetched": 3, "seconds": 2.0, "peak_rss_mb": 77.0,
        "checkpoints": [{**row, "fetched": 2}, {**row, "labelled": 2, "fetched": 3}],
    }  # fmt: skip
    (folder / "results.json").write_text(json.dumps(results))
    text = read(scenthound.report(folder, files=False)).text
    assert "77 MB" in text and "1.5" in text
    assert "0.222" in text, "2 labelled pages over the budget of 9"


def test_an_empty_crawl_says_why_and_one_that_has_begun_that_it_has(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, STOPPED])
    text = read(scenthound.report(folder)).text
    assert "Not one page could be fetched" in text and "finished after 0 pages" in text
    assert not (folder / "report").exists()
    refused: Json = {"event": "refused", "url": "http://w.test/", "reason": "robots.txt"}
    text = report_of(tmp_path / "refused", STARTED, refused, STOPPED)
    assert "Not one page could be fetched (robots.txt 1): there is" in text
    assert "Nothing was fetched so far" in report_of(tmp_path / "begun", STARTED)
    text = report_of(tmp_path / "one", STARTED, off_topic(1, language="de"))
    assert "after 1 page" in text and "No page was relevant" in text
    assert "Languages that pages state language count" in text


def report_of(path: Path, *events: Json) -> str:
    return read(scenthound.report(crawl_folder(path, events), files=False)).text


def with_settings(folder: Path, **settings: object) -> Path:
    """The folder, with these settings in its ``crawl.json``."""
    crawl_spec = json.loads((folder / "crawl.json").read_text())
    crawl_spec["settings"] |= settings
    (folder / "crawl.json").write_text(json.dumps(crawl_spec))
    return folder


def test_settings_that_are_private_or_endless_or_of_an_unknown_file(
    live_crawl: Path, tmp_path: Path
) -> None:
    private = {"header": ["Authorization: secret"], "cookie_file": "/home/me/c.txt"}
    endless = {"max_depth": None, "max_time": None, "stay": True}
    copied = Path(shutil.copytree(live_crawl, tmp_path / "live"))
    folder = with_settings(copied, **private, **endless)
    text = read(scenthound.report(folder, files=False)).text
    assert "secret" not in text and "/home/me" not in text
    assert "left out of reports: header, cookie_file" in text
    assert "left out, and to be given again: header, cookie_file" in text
    with open_crawl(folder) as stored:
        told = tomllib.loads(settings_text(stored))["crawl"]
    assert told["max_depth"] == 1_000_000_000 and told["stay"] is True and "max_time" not in told
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1)])
    labels = {"pages": 3, "sha256": "x"}
    text = read(scenthound.report(with_settings(folder, labels=labels), files=False)).text
    assert "labels.tsv stands for the labels, whose file is not known" in text


def test_example_pages_of_the_topic_are_not_among_the_tops(tmp_path: Path) -> None:
    topic = replace(TOPIC, examples=("http://w.test/2#top", "storms/none.html", "A storm."))
    events = [STARTED, page(1), page(2, title="My example"), page(3, title="A find")]
    path = scenthound.report(crawl_folder(tmp_path / "c", events, topic=topic), files=False)
    html = path.read_text(encoding="utf-8")
    articles = html[html.index("<article") : html.rindex("</article>")]
    assert "A find" in articles and "My example" not in articles
    assert "the topic's own example pages are left out" in read(path).text


def test_a_journal_that_is_being_written_and_results_of_an_earlier_run(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, page(1), page(2)], tail='{"event":"pa')
    (folder / "results.json").write_text('{"fetched": 1, "seconds": 5.5}')
    text = read(scenthound.report(folder, files=False)).text
    assert "interrupted after 2 pages: its process ended without a word" in text
    assert "last line of its journal is cut" in text
    assert "5.5" not in text and "Time and memory are known when" in text


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


def test_few_or_no_pages_are_explained_where_that_is_wanted(tmp_path: Path) -> None:
    folder = crawl_folder(tmp_path / "c", [STARTED, *(page(n) for n in range(1, 6))])
    for top in (0, 2):
        path = scenthound.report(folder, top=top, files=False)
        assert len(read(path).named("article")) == top
    for bad in (-1, 201, 1.5):
        with pytest.raises(scenthound.InputError, match="top"):
            scenthound.report(folder, top=bad)


def test_a_judged_sample_is_told_with_its_intervals(replayed: Path, tmp_path: Path) -> None:
    judged = tmp_path / "own.csv"
    judged.write_text("url,judgement\nhttp://w.test/index.html,yes\nhttp://w.test/b.html,no\n")
    with pytest.warns(scenthound.ScenthoundWarning) as warned:
        path = scenthound.report(replayed, tmp_path / "r.html", judged=judged)
    text = read(path).text
    assert "Judged by a person" in text and "95% interval" in text
    assert "no random sample" in text and len(warned) == 1


def test_the_settings_in_the_report_give_the_same_crawl(replayed: Path, tmp_path: Path) -> None:
    from scenthound.output.crawl_report import repeat_blocks as repeating
    from scenthound.output.crawl_report import repeat_command as command

    with open_crawl(replayed) as stored:
        blocks, told = repeating(stored), command(stored)
    topic = tmp_path / "topic.toml"
    topic.write_text(blocks[1].text)
    archive = Path(told.split()[2])
    scenthound.replay(archive, scenthound.read_topic(topic), "vsm", budget=2, out=tmp_path / "x")
    assert (tmp_path / "x" / "journal.jsonl").read_bytes() == (
        replayed / "journal.jsonl"
    ).read_bytes()

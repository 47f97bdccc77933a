"""Folders of workers merged into one: pages, numbers, totals, records; and what goes wrong."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from output.worker_making import AT, WorkerMaking, events_in, pages_in, storm
from scenthound.core.errors import InputError
from scenthound.core.events import FailedEvent, RejectedEvent, RevisedEvent
from scenthound.core.model import global_page_number
from scenthound.storage.archive import open_archive
from scenthound.storage.files import segments_in
from scenthound.storage.folder import FolderLock
from scenthound.storage.merge import COPYING_PAGES, READING_JOURNALS, Merged, merge_workers
from scenthound.storage.merged_journal import MergedNumbers, events_in_order
from scenthound.storage.stored_crawl import open_crawl
from scenthound.storage.worker_folders import find_worker_folders
from storage.warc_making import check, pages

URL = "http://a.test/{}"


def merged(*folders: Path, out: Path) -> Merged:
    return merge_workers(find_worker_folders(folders), out, lambda *reported: None)


def bodies(folder: Path) -> dict[str, bytes]:
    """The bodies by URL, as the crawl's own reader finds them."""
    with open_crawl(folder) as crawl:
        found = {record.url: crawl.bodies.body(record) for record in crawl.pages()}
    return {url: b"" if body is None else body.body for url, body in found.items()}


def pair(path: Path) -> tuple[WorkerMaking, WorkerMaking]:
    return WorkerMaking(path / "1", 1), WorkerMaking(path / "2", 2, started=1)


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Two workers: five pages, one of them stored by both, a copy, and a redirect.

    ======  ==========  ==============  =========================
    second  worker 1    worker 2        linked from
    ======  ==========  ==============  =========================
    1       1 ``/``
    2                   1 ``/a``        page 1 of worker 1
    3       2 ``/b``                    its own page 1
    4                   2 ``/b`` again  page 1 of worker 1
    5                   3 ``/c``        its own page 2
    6       3 ``/d``                    page 1 of worker 2; a copy of its own page 1
    ======  ==========  ==============  =========================
    """
    first = WorkerMaking(tmp_path / "w" / "worker-1", 1)
    second = WorkerMaking(tmp_path / "w" / "worker-2", 2, started=0.5)
    first.page(URL.format(""), 1, storm("seed"))
    second.page("a", 2, sources=[global_page_number(1, 1)])
    first.page("b", 3, sources=[1])
    second.redirect(URL.format("old"), URL.format("b"), 3.5)
    second.page(
        "b", 4, b"another b", sources=[global_page_number(1, 1)], redirects=[URL.format("old")]
    )
    second.page("c", 5, sources=[2], similarity=0.05)
    first.page("d", 6, storm("seed"), sources=[global_page_number(2, 1)], copy_of=1)
    first.stop(8)
    second.stop(7, "stopped")
    return tmp_path / "w"


def test_every_url_once_with_the_numbers_and_totals_of_one_crawl(
    parent: Path, tmp_path: Path
) -> None:
    done = merged(parent, out=tmp_path / "m")
    assert (done.pages, done.copies, done.unsaved, done.workers, done.running) == (5, 1, 0, 2, 0)
    assert done.links_from_other_workers == {}
    assert done.size == sum(p.stat().st_size for p in (tmp_path / "m").glob("pages-*"))
    reported = pages_in(tmp_path / "m")
    assert [(page["n"], str(page["url"])[-1], page["worker"]) for page in reported] == [
        (1, "/", 1), (2, "a", 2), (3, "b", 1), (4, "c", 2), (5, "d", 1),
    ]  # fmt: skip
    sources = [[each[0] for each in page.get("inlinks", [])] for page in reported]  # type: ignore[attr-defined]
    assert sources == [[], [1], [1], [3], [2]]
    assert [page.get("copy_of") for page in reported] == [None, None, None, None, 1]
    crawl_spec = json.loads((tmp_path / "m" / "crawl.json").read_text())
    was = json.loads((parent / "worker-1" / "crawl.json").read_text())
    settings = crawl_spec.pop("settings")
    assert settings.pop("merged") == {
        "crawl": "storms", "id": "c0ffee", "workers": [
            {"name": "worker-1", "number": 1, "pages": 3},
            {"name": "worker-2", "number": 2, "pages": 3},
        ],
    }  # fmt: skip
    kept = was.pop("settings")
    del kept["worker"]
    assert (crawl_spec, settings) == (was, kept)
    assert (tmp_path / "m" / "topic.json").exists()
    with open_crawl(tmp_path / "m") as crawl:
        assert crawl.frontier is None and not crawl.is_running
        assert crawl.threshold == 0.1
    first, *between, last = events_in(tmp_path / "m")
    kinds = [str(event["event"]) for event in between]
    assert (first["event"], first["at"]) == ("started", AT)
    assert kinds == ["page", "page", "page", "redirect", "page", "page"]
    assert between[3] == {
        "event": "redirect", "url": URL.format("old"), "target": URL.format("b"),
        "reason": "fetched before", "worker": 2,
    }  # fmt: skip
    assert (last["event"], last["at"], last["reason"]) == ("stopped", AT + 8, "budget spent")
    summaries = [event["summary"] for event in [*between, last] if "summary" in event]
    assert [each["fetched"] for each in summaries] == [1, 2, 3, 4, 5, 5]  # type: ignore[index]
    assert summaries[-1] == {
        "fetched": 5, "failed": 0, "missing": 0, "relevant": 3, "similarity": 2.05,
        "similarity_squared": 1.0025, "relevant_similarity": 1.5, "predicted": 4, "error": 0.95,
        "waiting": 0, "copies": 1, "refused": 0, "given_up": 0,
    }  # fmt: skip


def test_a_copy_of_a_page_that_is_left_out_keeps_its_body(tmp_path: Path) -> None:
    first, second = pair(tmp_path)
    first.page("", 2, storm("earlier"))
    first.page("a", 3, storm("earlier"), copy_of=1)
    second.page("a", 4, storm("later"))
    second.page("x", 5, storm("later"), copy_of=1)
    first.stop(6)
    second.stop(7)
    merged(tmp_path / "1", tmp_path / "2", out=tmp_path / "m")
    assert bodies(tmp_path / "m") == {
        URL.format(""): storm("earlier"), URL.format("a"): storm("earlier"),
        URL.format("x"): storm("later"),
    }  # fmt: skip


def test_a_part_of_the_workers_and_one_that_crawls(parent: Path, tmp_path: Path) -> None:
    done = merged(parent / "worker-2", out=tmp_path / "part")
    assert done.links_from_other_workers == {1: 2}
    first, second, third = pages_in(tmp_path / "part")
    assert first["inlinks"] == [
        [global_page_number(1, 1), 0.25, f"link {global_page_number(1, 1)}"]
    ]
    assert third["inlinks"] == [[2, 0.25, "link 2"]] and second["n"] == 2
    with FolderLock(parent / "worker-1"):
        done = merged(parent, out=tmp_path / "m")
    assert done.running == 1
    assert events_in(tmp_path / "m")[-1]["reason"] == "merged while workers were crawling"


def test_warc_files_are_those_of_the_workers_up_to_the_last_commit(
    parent: Path, tmp_path: Path
) -> None:
    merged(parent, out=tmp_path / "m")
    second = bodies(parent / "worker-2")
    assert second.pop(URL.format("b")) == b"another b"
    assert bodies(tmp_path / "m") == bodies(parent / "worker-1") | second
    assert check(tmp_path / "m") == 0
    for number in (1, 2):
        whole = parent / f"worker-{number}" / "pages-00001.warc.gz"
        copy = tmp_path / "m" / f"pages-0000{number}.warc.gz"
        assert copy.read_bytes() == whole.read_bytes() and not copy.is_symlink()
    with open_archive(tmp_path / "m") as archive:
        found = {url: archive.fetch(url) for url in bodies(tmp_path / "m")}
    read = {url: b"" if each is None else each.body for url, each in found.items()}
    assert read == bodies(tmp_path / "m"), "a replay reads the same, the copy too"


def test_copies_of_what_is_left_out_and_of_a_worker_s_own_page(tmp_path: Path) -> None:
    first, second = pair(tmp_path)
    first.page("a", 1)
    second.page("a", 2)
    second.page("b", 3, storm("a"), copy_of=1)
    merged(first.stop(5), second.stop(6), out=tmp_path / "m")
    assert bodies(tmp_path / "m") == {URL.format("a"): storm("a"), URL.format("b"): storm("a")}
    assert [page.get("copy_of") for page in pages_in(tmp_path / "m")] == [None, 1]
    assert check(tmp_path / "m") == 0
    only = WorkerMaking(tmp_path / "3", 1)
    only.page("a", 1)
    only.page("a", 2)
    only.page("b", 3, sources=[2, 1])
    done = merged(only.stop(5), out=tmp_path / "n")
    assert (done.pages, done.copies) == (2, 1)
    assert pages_in(tmp_path / "n")[1]["inlinks"] == [[1, 0.25, "link 2"]]
    assert pages(tmp_path / "n") == [URL.format(each) for each in "aab"]  # both records stay


def test_segments_keep_their_order(parent: Path, tmp_path: Path) -> None:
    cut = WorkerMaking(parent / "worker-3", 3, segment_bytes=500)
    for number in range(6):
        cut.page(f"cut{number}", 10 + number)
    assert len(segments_in(cut.stop(20))) > 2
    merged(parent, out=tmp_path / "m")
    segments = len(segments_in(parent / "worker-3")) + 2
    assert segments_in(tmp_path / "m") == list(range(1, segments + 1))
    assert check(tmp_path / "m") == 0
    found = bodies(tmp_path / "m")
    assert len(found) == 11 and found[URL.format("cut5")] == storm("cut5")


def test_what_was_never_saved_is_left_out_and_counted(parent: Path, tmp_path: Path) -> None:
    killed = WorkerMaking(parent / "worker-3", 3)
    killed.page("saved", 10)
    killed.commit()
    killed.page("lost", 11)
    killed.redirect(URL.format("from"), URL.format("to"), 12)
    killed.close()
    done = merged(parent, out=tmp_path / "m")
    assert (done.pages, done.unsaved) == (6, 1)
    assert "lost" not in str(pages_in(tmp_path / "m"))
    assert not {URL.format("lost"), URL.format("from")} & set(pages(tmp_path / "m"))
    assert events_in(tmp_path / "m")[-1]["reason"] == "budget spent", "the crawl as a whole ended"


@pytest.mark.parametrize(
    ("endings", "reported"),
    [
        ((("stopped", 5), ("interrupted", 9)), "interrupted"),
        ((("frontier empty", 5), ("interrupted", 9)), "frontier empty"),
        ((("interrupted", 9), (None, 5)), "interrupted"),
        ((("interrupted", 5), (None, 9)), None),
        (((None, 5), (None, 9)), None),
    ],
)
def test_how_it_ended(
    tmp_path: Path, endings: tuple[tuple[str | None, float], ...], reported: str | None
) -> None:
    for number, (reason, at) in enumerate(endings, start=1):
        worker = WorkerMaking(tmp_path / "w" / str(number), number)
        worker.page(f"{number}", at - 1)
        if reason is None:
            worker.control("unpaused", at)
            worker.commit().close()
        else:
            worker.stop(at, reason)
    merged(tmp_path / "w", out=tmp_path / "m")
    last = events_in(tmp_path / "m")[-1]
    assert (last.get("reason") if last["event"] == "stopped" else None) == reported


def test_other_events(tmp_path: Path) -> None:
    first, second = WorkerMaking(tmp_path / "1", 1), WorkerMaking(tmp_path / "2", 2)
    first.page("a", 1)
    first.tell(RejectedEvent(AT + 2, URL.format("x"), "robots.txt"))
    first.tell(RevisedEvent(AT + 4, 1, {"anchor": 0.5}, 20))
    second.page("b", 3)
    second.tell(FailedEvent(AT + 4, URL.format("y"), "timeout", 1, AT + 9))
    second.tell(FailedEvent(AT + 5, URL.format("y"), "timeout", 2, None))
    second.tell(RevisedEvent(AT + 6, 1, {"anchor": 0.5}, 20))  # heard from the first one
    second.control("paused", 7)
    merged(first.stop(5), second.stop(8), out=tmp_path / "m")
    reported = [(event["event"], event.get("n")) for event in events_in(tmp_path / "m")]
    assert reported == [
        ("started", None), ("page", 1), ("refused", None), ("page", 2), ("revised", 2),
        ("failed", None), ("failed", None), ("paused", None), ("stopped", None),
    ]  # fmt: skip
    summary = events_in(tmp_path / "m")[-1]["summary"]
    assert (summary["refused"], summary["given_up"]) == (1, 1)  # type: ignore[index]


def test_seconds_are_those_of_the_crawl(tmp_path: Path) -> None:
    """Ten of each: side by side no more than the events span, one after another the sum."""
    for name, start, seconds in (("together", 0.0, 12.0), ("apart", 100.0, 20.0)):
        parent = tmp_path / name
        for number in (1, 2):
            began = start * (number - 1)
            worker = WorkerMaking(parent / str(number), number, started=began)
            worker.page(f"{number}", began + 1)
            worker.stop(began + 12)
        merged(parent, out=tmp_path / f"{name}-merged")
        with open_crawl(tmp_path / f"{name}-merged") as crawl:
            assert crawl.database is not None
            ((progress,),) = crawl.database.execute("SELECT value FROM meta WHERE key = 'progress'")
        assert json.loads(progress)["seconds"] == seconds


def test_progress_is_reported_and_nothing_is_left_behind(parent: Path, tmp_path: Path) -> None:
    reported: list[tuple[str, int, int]] = []
    files = sorted(path.name for path in parent.rglob("*"))
    merge_workers(
        find_worker_folders([parent]), tmp_path / "m", lambda *each: reported.append(each)
    )
    assert {stage for stage, _, _ in reported} == {READING_JOURNALS, COPYING_PAGES}
    assert all(0 <= done <= total for _, done, total in reported)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m", "w"]
    assert sorted(path.name for path in parent.rglob("*")) == files
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == [
        "crawl.json", "frontier.sqlite", "journal.jsonl", "pages-00001.warc.gz",
        "pages-00002.warc.gz", "topic.json",
    ]  # fmt: skip


def refused(parent: Path, out: Path, *words: str) -> None:
    there = sorted(each.name for each in out.parent.iterdir()) if out.parent.is_dir() else []
    with pytest.raises(InputError) as raised:
        merged(parent, out=out)
    for word in words:
        assert word in str(raised.value), raised.value
    if out.parent.is_dir():
        assert sorted(each.name for each in out.parent.iterdir()) == there, "nothing is left"


def test_nothing_is_overwritten(parent: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    refused(parent, tmp_path / "empty", "is there already")
    refused(parent, tmp_path / "link", "is there already")
    refused(parent, tmp_path / "none" / "m", "there is no folder")
    refused(parent, parent / "worker-1" / "m", "is in", "give another --out")
    assert merged(parent, out=parent / "m").pages == 5, "beside the workers it may lie"
    assert [each.number for each in find_worker_folders([parent])] == [1, 2]


def test_damage_stops_it_and_leaves_nothing(parent: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(parent, whole)

    def damaged(name: str, change: tuple[bytes, bytes], *words: str) -> None:
        path = parent / "worker-2" / name
        content = path.read_bytes()
        assert change[0] in content
        path.write_bytes(content.replace(change[0], change[1], 1))
        refused(parent, tmp_path / "m", str(path), *words)
        path.write_bytes(content)

    damaged("journal.jsonl", (b'"n":2', b'"n":7'), "page 7 stands where page 2 should")
    damaged("journal.jsonl", (b'"url":"http', b'"uri":"http'), "'url': Field required")
    damaged("journal.jsonl", (b'{"event":"page"', b'-"event":"page"'), "is not a journal line")
    database = parent / "worker-2" / "frontier.sqlite"
    stored = database.read_bytes()
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("DELETE FROM pages WHERE n = 2")
    refused(parent, tmp_path / "m", "it has 2 pages of the 3 in the journal")
    database.write_bytes(stored)
    assert merged(parent, out=tmp_path / "m").pages == 5


# Events of several workers in one order, whatever their clocks say.


def order(*makers: WorkerMaking) -> list[str]:
    """The events in order: ``worker.page`` for a page, or the kind of another one."""
    paths = [maker.commit().close() for maker in makers]
    return [
        f"{reported.worker.number}.{reported.page.n}"
        if reported.page
        else str(reported.event["event"])
        for reported in events_in_order(find_worker_folders(paths))
    ]


def test_pages_come_by_time_and_after_the_pages_that_link_to_them(tmp_path: Path) -> None:
    first, second = pair(tmp_path / "late")
    first.page("a", 5)
    first.page("b", 3)  # came early, was read late: it stands where it was read
    first.led("o", "a")  # has no time
    second.page("c", 4)
    second.page("d", 6)
    assert order(first, second) == [
        "started", "started", "2.1", "1.1", "1.2", "redirect", "2.2",
    ]  # fmt: skip
    first, second = pair(tmp_path / "none")
    first.page("a", 50)
    first.page("b", 60, sources=[1])
    second.page("c", 2, sources=[global_page_number(1, 1)])  # its clock is late
    second.page("d", 3)
    assert order(first, second) == ["started", "started", "1.1", "2.1", "2.2", "1.2"]
    first, second = pair(tmp_path / "own")
    first.page("a", 1, sources=[global_page_number(2, 9), global_page_number(7, 1)])
    second.page("b", 2, sources=[global_page_number(1, 8)])
    assert order(first, second) == ["started", "started", "1.1", "2.1"]


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_any_crawl_comes_in_an_order_that_it_can_have_had(data: st.DataObject) -> None:
    """Pages in their true order go to workers with clocks of their own."""
    skews = data.draw(st.lists(st.integers(-50, 50), min_size=1, max_size=4))
    owners = data.draw(st.lists(st.integers(0, len(skews) - 1), max_size=12))
    picks = data.draw(st.lists(st.integers(0, 11), min_size=len(owners), max_size=len(owners)))
    with TemporaryDirectory() as folder:
        makers = [
            WorkerMaking(Path(folder) / str(i), i + 1, started=s) for i, s in enumerate(skews)
        ]
        named: list[int] = []
        for now, (owner, pick) in enumerate(zip(owners, picks, strict=True)):
            source = [named[pick % len(named)]] if named else []
            maker = makers[owner]
            own = [each & 0xFFFFFFFF if each >> 32 == maker.number else each for each in source]
            n = maker.page(f"{now}", now + skews[owner], sources=own)
            named.append(global_page_number(maker.number, n))
        paths = [maker.commit().close() for maker in makers]
        with closing(MergedNumbers()) as numbers:
            for reported in events_in_order(find_worker_folders(paths)):
                if reported.page is None:
                    continue
                number = numbers.enter(reported.worker.number, reported.page.url)
                assert number == numbers.pages
                for each in reported.page.inlinks:
                    assert numbers.number_of(reported.worker.number, each.source) < number
            assert numbers.pages == len(owners)

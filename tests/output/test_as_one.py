"""Folders of workers read as one crawl: which belong together, rows, reports, explanations."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

import scenthound
from output.worker_making import WorkerMaking, changed_spec, storm
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.model import global_page_number
from scenthound.output.explain.explain import explain
from scenthound.output.explain.explanation import NOT_KEPT, UNKNOWN
from scenthound.output.export.export import merge
from scenthound.storage.folder import FolderLock, contains_workers
from scenthound.storage.stored_crawl import open_crawl, open_whole_crawl
from scenthound.storage.worker_folders import find_worker_folders

URL = "http://a.test/{}"
LINK = b"<title>Storm</title><p>A storm. <a href='/nowhere'>no page</a></p>"


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pages of two workers, one of them stored by both."""
    parent = tmp_path_factory.mktemp("together") / "storms"
    first, second = WorkerMaking(parent / "worker-1", 1), WorkerMaking(parent / "worker-2", 2)
    first.page(URL.format(""), 1, LINK)
    second.page("a", 2, sources=[global_page_number(1, 1)])
    first.page("b", 3, sources=[1])
    second.page("b", 4, sources=[global_page_number(1, 1)])
    second.page("c", 5, sources=[2, global_page_number(1, 2), 1])
    first.stop(8)
    second.stop(7)
    return parent


def test_several_are_one_while_it_lasts_and_one_is_opened_as_it_is(
    parent: Path, tmp_path: Path
) -> None:
    with open_whole_crawl([parent]) as crawl:
        folder = crawl.folder.path
        assert crawl.sources == (parent / "worker-1", parent / "worker-2")
        assert [record.url[-1] for record in crawl.pages()] == ["/", "a", "b", "c"]
        found = [crawl.bodies.body(record) for record in crawl.pages()]
        assert [body.body for body in found if body] == [LINK, *map(storm, "abc")]
        assert not crawl.is_running
        with FolderLock(parent / "worker-2"):
            assert crawl.is_running
    assert not folder.exists()
    with open_whole_crawl([parent / "worker-1"]) as crawl:
        assert crawl.folder.path == parent / "worker-1" == crawl.sources[0]
        assert len(list(crawl.pages())) == 2 and crawl.frontier is None
    assert len(scenthound.draw_sample(parent, tmp_path / "judged.csv", 10).file.lines) == 4


def test_rows_name_the_files_where_pages_lie_and_exports(parent: Path, tmp_path: Path) -> None:
    rows = list(scenthound.corpus_rows(parent, text=False))
    files = [str(row["warc_file"]) for row in rows]
    assert files == [f"worker-{n}/pages-00001.warc.gz" for n in (1, 2, 1, 2)]
    assert [row["parent"] for row in rows] == [None, *(URL.format(each) for each in ["", "", "b"])]
    given: list[str | Path] = [parent / "worker-2", str(parent / "worker-1")]
    assert list(scenthound.corpus_rows(given, text=False)) == rows
    data = (parent / files[3]).read_bytes()
    assert data[int(str(rows[3]["warc_offset"])) :].startswith(b"\x1f\x8b")
    done = scenthound.export(parent, tmp_path / "x.jsonl", text=False)
    assert (done.rows, done.lost, done.damage) == (4, 0, "")
    wacz = scenthound.export(parent, tmp_path / "x.wacz", text=False)
    assert (wacz.rows, wacz.lost) == (4, 0)
    with zipfile.ZipFile(wacz.path) as file:
        assert [name for name in file.namelist() if name.startswith("archive/")] == [
            "archive/pages-00001.warc.gz",
            "archive/pages-00002.warc.gz",
        ]
    folders = [parent / "worker-1", parent / "worker-2"]
    with pytest.raises(SettingsError, match="give out"):
        scenthound.export(folders)
    with pytest.raises(SettingsError, match="is in the crawl folder"):
        scenthound.export(folders, parent / "worker-2" / "x.csv")


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_all(parent: Path, tmp_path: Path) -> None:
    out = scenthound.report(parent, tmp_path / "r.html", files=False)
    text = out.read_text(encoding="utf-8")
    assert "finished after 4 pages" in text and "fetched as page 4 of 4" in text
    several = [parent / "worker-1", parent / "worker-2"]
    assert scenthound.report(several, tmp_path / "s.html", files=False).exists()
    with pytest.raises(SettingsError, match="give its file"):
        scenthound.report(several)
    with FolderLock(parent / "worker-2"):
        scenthound.report(parent, out, files=False)
    assert "running, 4 pages so far" in out.read_text(encoding="utf-8")
    scenthound.report(parent / "worker-2", out, files=False)
    assert "page 1 of worker 1" in out.read_text(encoding="utf-8")


def test_explained_over_all_workers(parent: Path) -> None:
    reported = explain(parent, URL.format("c"))
    assert reported.verdict == "fetched as page 4 of 4" and reported.priority is not None
    assert [(step.page, step.worker) for step in reported.path] == [(1, 0), (3, 0), (4, 0)]
    assert [(each.page, each.url[-1]) for each in reported.priority.inlinks] == [(3, "b"), (2, "a")]
    nowhere = explain(parent, URL.format("nowhere"))
    assert nowhere.state == NOT_KEPT and "on the server" in nowhere.verdict


@pytest.mark.parametrize("what", [3, URL.format("c")])
def test_explained_in_the_folder_of_one_worker(parent: Path, what: str | int) -> None:
    reported = explain(parent / "worker-2", what)
    assert reported.priority is not None
    steps = [(step.page, step.worker) for step in reported.path]
    assert steps == [(1, 1), (2, 0), (3, 0)], "the way begins in another folder"
    inlinks = [(each.page, each.worker, each.url) for each in reported.priority.inlinks]
    assert inlinks == [
        (2, 0, URL.format("b")), (2, 1, "(in the folder of that worker)"), (1, 0, URL.format("a")),
    ]  # fmt: skip
    assert json.loads(json.dumps(reported.to_json()))["path"][0]["worker"] == 1
    nowhere = explain(parent / "worker-2", URL.format("nowhere"))
    assert nowhere.state == UNKNOWN
    assert nowhere.verdict.endswith("explain the folder that holds those of all")


def test_the_copy_of_another_workers_page(tmp_path: Path) -> None:
    only = WorkerMaking(tmp_path / "w", 1)
    only.page("a", 1)
    only.stop(2)
    journal = tmp_path / "w" / "journal.jsonl"
    number = global_page_number(3, 12)
    reported_so = f'"copy_of":{number},"depth"'
    journal.write_text(journal.read_text().replace('"depth"', reported_so, 1))
    with closing(sqlite3.connect(tmp_path / "w" / "frontier.sqlite")) as database, database:
        size = (journal.stat().st_size,)
        database.execute("UPDATE meta SET value = json_set(value, '$.journal', ?)", size)
    reported = explain(tmp_path / "w", 1)
    assert reported.page is not None and reported.page.copy_of == "page 12 of worker 3"


def test_who_reads_one_folder_is_reported_of_merge_and_what_a_merge_warns_of(
    parent: Path, tmp_path: Path
) -> None:
    with pytest.raises(FolderError, match="scenthound merge"), open_crawl(parent):
        pass
    merge(parent, tmp_path / "m")
    with pytest.raises(FolderError, match="cannot be resumed"):
        scenthound.resume(tmp_path / "m")
    with pytest.raises(FolderError, match="scenthound worker"):
        scenthound.resume(parent / "worker-1")
    assert explain(tmp_path / "m", 4) == explain(parent, 4)
    with FolderLock(parent / "worker-2"), pytest.warns(scenthound.ScenthoundWarning) as warned:
        merge([parent / "worker-2"], tmp_path / "w")
    running, strangers = (str(each.message) for each in warned)
    assert running.startswith("1 worker of the crawl is still crawling")
    assert strangers.startswith("3 links came from pages of worker 1 that are not in the folders")
    with pytest.raises(SettingsError, match="folders takes a path"):
        merge(7, tmp_path / "n")  # type: ignore[arg-type]


# Which folders are workers' of one crawl, and what is said of others.


@pytest.fixture
def two_workers(parent: Path, tmp_path: Path) -> Path:
    """The first has two pages, the second three."""
    return Path(shutil.copytree(parent, tmp_path / "w"))


def test_a_folder_that_holds_them_or_each_by_itself(two_workers: Path) -> None:
    found = find_worker_folders([two_workers])
    assert [(each.number, each.name, each.pages) for each in found] == [
        (1, "worker-1", 2), (2, "worker-2", 3),
    ]  # fmt: skip
    assert {(each.crawl, each.id, each.seconds, each.running) for each in found} == {
        ("storms", "c0ffee", 10.0, False)
    }
    assert find_worker_folders([two_workers / "worker-2", two_workers / "worker-1"]) == found
    assert contains_workers(two_workers) and not contains_workers(two_workers / "worker-1")
    assert not contains_workers(two_workers / "none") and not contains_workers(two_workers.parent)
    (two_workers / "report").mkdir()  # other things beside them are passed over
    (two_workers / "report.html").touch()
    (two_workers / ".hidden").mkdir()
    shutil.copytree(two_workers / "worker-1", two_workers / "merged")
    changed_spec(two_workers / "merged", worker=None)
    third = WorkerMaking(two_workers / "worker-3", 3)
    third.page("z", 5)
    third.close()  # before its first commit
    with FolderLock(two_workers / "worker-2"):
        found = find_worker_folders([two_workers])
    assert [(each.number, each.pages, each.journal > 0, each.running) for each in found] == [
        (1, 2, True, False), (2, 3, True, True), (3, 0, False, False),
    ]  # fmt: skip


def not_found(paths: list[Path], *words: str) -> None:
    with pytest.raises(InputError) as raised:
        find_worker_folders(paths)
    message = str(raised.value)
    assert message.endswith(".") and "\n" not in message
    for word in words:
        assert word in message, message


def test_folders_that_do_not_belong_together_or_are_no_workers(
    two_workers: Path, tmp_path: Path
) -> None:
    first, second, empty = two_workers / "worker-1", two_workers / "worker-2", tmp_path / "empty"
    not_found([], "nothing to read", "folders of a crawl's workers")
    not_found([first, two_workers], str(first), "is given twice")
    shutil.copytree(first, tmp_path / "again")
    not_found([two_workers, tmp_path / "again"], "both worker 1 of storms")
    other = WorkerMaking(tmp_path / "other", 3, crawl="gales", id_="beef")
    other.page("http://b.test/", 1)
    not_found([two_workers, other.stop(2)], "different crawls (storms and gales)")
    empty.mkdir()
    not_found([tmp_path / "none"], "is not there")
    not_found([first / "crawl.json"], "is no folder")
    not_found([empty], "holds no worker's part")
    changed_spec(second, worker=None)
    not_found([second], "holds a whole crawl")
    changed_spec(second, merged={})
    not_found([second], "is merged already")
    (first / "crawl.json").unlink()
    not_found([two_workers], "worker-1 holds no crawl: ")
    assert contains_workers(two_workers)


def test_damage_is_reported_and_nobody_is_passed_over_for_it(
    two_workers: Path, tmp_path: Path
) -> None:
    def damaged(name: str, content: bytes | None, *words: str) -> None:
        copy = tmp_path / "copy"
        shutil.copytree(two_workers, copy)
        path = copy / "worker-2" / name
        path.unlink() if content is None else path.write_bytes(content)
        not_found([copy], str(path), *words)
        shutil.rmtree(copy)

    changed = (two_workers / "worker-2" / "crawl.json").read_bytes()
    damaged("crawl.json", b"{", "cannot be read")
    damaged("crawl.json", changed.replace(b'"number"', b'"numbers"'), "is damaged")
    damaged("frontier.sqlite", b"SQLite? No, no.", "is not a database")
    damaged("journal.jsonl", b"{}\n", "is shorter than it was")
    damaged("journal.jsonl", None, "put it back")
    damaged("pages-00001.warc.gz", b"\x1f\x8b", "is shorter than it was")
    damaged("pages-00001.warc.gz", None, "put it back")

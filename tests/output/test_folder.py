"""Which folders are workers' of one crawl, and what is said of others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from output.worker_making import WorkerMaking, changed_order
from scenthound.core.errors import InputError
from scenthound.storage.folder import FolderLock, contains_workers
from scenthound.storage.merged_journal import find_worker_folders


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Two workers of one crawl; the first has two pages, the second one."""
    first = WorkerMaking(tmp_path / "w" / "worker-1", 1)
    first.page("http://a.test/", 1)
    first.page("x", 2, sources=[1])
    first.stop(3)
    second = WorkerMaking(tmp_path / "w" / "worker-2", 2)
    second.page("y", 2)
    second.stop(4)
    return tmp_path / "w"


def test_a_folder_that_holds_them_or_each_by_itself(parent: Path) -> None:
    found = find_worker_folders([parent])
    assert [(each.number, each.name, each.pages) for each in found] == [
        (1, "worker-1", 2), (2, "worker-2", 1),
    ]  # fmt: skip
    assert {(each.crawl, each.id, each.seconds, each.running) for each in found} == {
        ("storms", "c0ffee", 10.0, False)
    }
    assert find_worker_folders([parent / "worker-2", parent / "worker-1"]) == found
    assert contains_workers(parent) and not contains_workers(parent / "worker-1")
    assert not contains_workers(parent / "none") and not contains_workers(parent.parent)


def test_other_things_beside_them_are_passed_over(parent: Path) -> None:
    (parent / "report").mkdir()
    (parent / "report.html").touch()
    (parent / ".hidden").mkdir()
    shutil.copytree(parent / "worker-1", parent / "merged")
    changed_order(parent / "merged", worker=None)
    assert [each.number for each in find_worker_folders([parent])] == [1, 2]


def test_one_that_runs_and_one_that_has_not_begun(parent: Path) -> None:
    third = WorkerMaking(parent / "worker-3", 3)
    third.page("z", 5)
    third.close()  # before its first commit
    with FolderLock(parent / "worker-2"):
        found = find_worker_folders([parent])
    assert [(each.pages, each.journal > 0, each.running) for each in found] == [
        (2, True, False), (1, True, True), (0, False, False),
    ]  # fmt: skip


def refused(paths: list[Path], *words: str) -> None:
    with pytest.raises(InputError) as raised:
        find_worker_folders(paths)
    message = str(raised.value)
    assert message.endswith(".") and "\n" not in message
    for word in words:
        assert word in message, message


def test_folders_that_do_not_belong_together(parent: Path, tmp_path: Path) -> None:
    first = parent / "worker-1"
    refused([], "nothing to read", "folders of a crawl's workers")
    refused([first, parent], str(first), "is given twice")
    shutil.copytree(first, tmp_path / "again")
    refused([parent, tmp_path / "again"], "both worker 1 of storms")
    other = WorkerMaking(tmp_path / "other", 3, crawl="gales", id_="beef")
    other.page("http://b.test/", 1)
    refused([parent, other.stop(2)], "different crawls (storms and gales)")


def test_what_is_no_worker(parent: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    refused([tmp_path / "none"], "is not there")
    refused([parent / "worker-1" / "crawl.json"], "is no folder")
    refused([empty], "holds no worker's part")
    changed_order(parent / "worker-2", worker=None)
    refused([parent / "worker-2"], "holds a whole crawl")
    changed_order(parent / "worker-2", merged={})
    refused([parent / "worker-2"], "is merged already")


def test_damage_is_told_and_nobody_is_passed_over_for_it(parent: Path, tmp_path: Path) -> None:
    def damaged(name: str, content: bytes | None, *words: str) -> None:
        copy = tmp_path / "copy"
        shutil.copytree(parent, copy)
        path = copy / "worker-2" / name
        path.unlink() if content is None else path.write_bytes(content)
        refused([copy], str(path), *words)
        shutil.rmtree(copy)

    changed = (parent / "worker-2" / "crawl.json").read_bytes()
    damaged("crawl.json", b"{", "cannot be read")
    damaged("crawl.json", changed.replace(b'"number"', b'"numbers"'), "is damaged")
    damaged("frontier.sqlite", b"SQLite? No, no.", "is not a database")
    damaged("journal.jsonl", b"{}\n", "is shorter than it was")
    damaged("journal.jsonl", None, "put it back")
    damaged("pages-00001.warc.gz", b"\x1f\x8b", "is shorter than it was")
    damaged("pages-00001.warc.gz", None, "put it back")


def test_a_worker_whose_order_is_gone_is_not_passed_over(parent: Path) -> None:
    (parent / "worker-1" / "crawl.json").unlink()
    with pytest.raises(InputError, match="worker-1 holds no crawl: "):
        find_worker_folders([parent])
    assert contains_workers(parent)

"""A crawl folder is made once, opened only if it is ours, and never anywhere else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.core.errors import FolderError
from scenthound.core.events import RedirectEvent
from scenthound.core.model import Topic
from scenthound.crawler.control import ControlRequests
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    CrawlFolder,
    CrawlSpec,
    FolderLock,
    folder_name,
    lock_holder,
)
from scenthound.storage.journal import FileJournal, read_journal

ORDER = CrawlSpec(
    kind="replay",
    topic=Topic("storms", keywords=("hurricane",), seeds=("http://a.test/",)),
    strategy='"\n\x00 Stürme',
    parameters={"decay": 0.5},
    budget=10,
    seed=7,
    source={"archive": "web.warc.gz"},
    settings={"threshold": None},
)


@pytest.fixture
def folder(tmp_path: Path) -> CrawlFolder:
    return CrawlFolder.create(tmp_path / "deep" / "crawl", ORDER)


def test_the_order_says_what_was_asked_and_everything_has_its_place(folder: CrawlFolder) -> None:
    crawl_spec = CrawlFolder.open(folder.path).crawl_spec()
    versions = crawl_spec.pop("versions")
    assert isinstance(versions, dict)
    assert versions.keys() == {"python", "scenthound", "selectolax", "w3lib", "numpy"}
    assert crawl_spec == {
        "format": "scenthound-crawl",
        "version": 1,
        "kind": "replay",
        "topic": {
            "name": "storms", "keywords": ["hurricane"], "seeds": ["http://a.test/"],
            "examples": [], "exclude": [], "language": "en", "ontology": None, "file": None,
        },
        "strategy": '"\n\x00 Stürme',
        "parameters": {"decay": 0.5},
        "budget": 10,
        "seed": 7,
        "source": {"archive": "web.warc.gz"},
        "settings": {"threshold": None},
    }  # fmt: skip
    assert [path.name for path in folder.path.iterdir()] == ["crawl.json"]
    with closing(FileJournal(folder.journal_path)) as journal:
        journal.append(RedirectEvent("u", "v"))
    folder.save_state({"n": 1})
    folder.write_results({"hr": 0.5})
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "crawl.json", "journal.jsonl", "results.json", "state.npz",
    ]  # fmt: skip
    assert [event["url"] for event in read_journal(folder.journal_path)] == ["u"]
    assert folder.load_state() == {"n": 1}
    assert json.loads(folder.results_path.read_text()) == {"hr": 0.5}


def test_a_taken_folder_is_left_alone_and_one_that_cannot_be_written_reported(
    tmp_path: Path,
) -> None:
    for name in [
        "crawl.json", "journal.jsonl", "state.npz", "results.json", "frontier.sqlite",
        "pages-00001.warc.gz",
    ]:  # fmt: skip
        (tmp_path / name).write_text("mine")
        with pytest.raises(FolderError, match="holds a crawl already; choose another --out folder"):
            CrawlFolder.create(tmp_path, ORDER)
        assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [(name, "mine")]
        (tmp_path / name).unlink()
    (tmp_path / "notes.txt").write_text("mine")
    CrawlFolder.create(tmp_path, ORDER)  # other things may be in it
    assert (tmp_path / "notes.txt").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(FolderError, match=r"cannot write the crawl folder|is a file; choose"):
            CrawlFolder.create(path, ORDER)
    with pytest.raises(FolderError, match=r"^cannot use the crawl folder .*: File name too long"):
        CrawlFolder.create(tmp_path / ("x" * 300), ORDER)
    (tmp_path / "results.json").mkdir()
    with pytest.raises(FolderError, match=r"results\.json cannot be written: Is a directory\.$"):
        CrawlFolder(tmp_path).write_results({})
    gone = CrawlFolder(tmp_path / "gone")
    with pytest.raises(FolderError, match="No such file or directory"):
        gone.save_state({})


def test_an_order_that_is_not_ours_or_not_there_is_refused(tmp_path: Path) -> None:
    for content, message in [
        (b"", "cannot be read"),
        (b"{", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"[]", "is not what Scenthound writes"),
        (b"{}", "holds no Scenthound crawl"),
        (b'{"format":"another-crawl","version":1}', "holds no Scenthound crawl"),
        (b'{"format":"scenthound-crawl"}', "has format version None, this Scenthound reads 1"),
        (b'{"format":"scenthound-crawl","version":2}', "has format version 2, this Scenthound"),
    ]:
        (tmp_path / "crawl.json").write_bytes(content)
        with pytest.raises(FolderError, match=message) as caught:
            CrawlFolder.open(tmp_path)
        assert str(tmp_path) in str(caught.value)
    (tmp_path / "crawl.json").unlink()
    (tmp_path / "crawl.json").mkdir()
    with pytest.raises(FolderError, match=r"crawl\.json cannot be read"):
        CrawlFolder.open(tmp_path)
    (tmp_path / "crawl.json").rmdir()
    for name in ["", "gone"]:
        with pytest.raises(
            FolderError, match=r"holds no crawl: there is no crawl\.json; give the folder"
        ):
            CrawlFolder.open(tmp_path / name)


def test_a_name_becomes_a_folder_name() -> None:
    expected = {
        "storms": "storms", "vsm-four": "vsm-four", "v1.2": "v1.2", "Big cats": "Big-cats",
        "a/b\\c": "a-b-c", "../../etc/passwd": "etc-passwd", ".hidden": "hidden", "-rf": "rf",
        "a\x00b\nc": "a-b-c", "Stürme 風": "Stürme-風", "x" * 300: "x" * 80, "風" * 100: "風" * 26,
        **dict.fromkeys(["..", ".", "", "///", "\ud800"], "unnamed"),
    }  # fmt: skip
    assert {name: folder_name(name) for name in expected} == expected


@given(st.text(st.characters(), max_size=400))
@example("\U0001d4d0" * 100)
def test_a_folder_name_never_leaves_its_folder(name: str) -> None:
    made = folder_name(name)
    assert made not in ("", ".", "..")
    assert not set(made) & {"/", "\\", "\x00", "\n"}
    assert made[0] not in ".-"
    assert len(made.encode("utf-8")) <= 80


HOLD = """
import sys
from pathlib import Path
from scenthound.storage.folder import FolderLock
lock = FolderLock(Path(sys.argv[1]))
sys.stdout.write("locked\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def test_a_released_folder_can_be_locked_again_and_a_locked_one_is_reported(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.release()
    lock.release()
    for content in [None, b"", b"1\n", b"not a number"]:
        if content is not None:
            (tmp_path / LOCK_NAME).write_bytes(content)
        assert lock_holder(tmp_path) is None
        with FolderLock(tmp_path):
            assert lock_holder(tmp_path) == os.getpid()
            assert (tmp_path / LOCK_NAME).read_text() == f"{os.getpid()}\n"
    with FolderLock(tmp_path):
        with pytest.raises(FolderError, match=f"is being crawled by process {os.getpid()}: stop"):
            FolderLock(tmp_path)
        (tmp_path / LOCK_NAME).write_bytes(b"")
        with pytest.raises(FolderError, match="is being crawled by another process"):
            FolderLock(tmp_path)
    assert lock_holder(tmp_path / "none") is None
    with pytest.raises(FolderError, match="cannot be locked: No such file"):
        FolderLock(tmp_path / "none")


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        assert lock_holder(tmp_path) == process.pid
        with pytest.raises(FolderError, match=f"is being crawled by process {process.pid}"):
            FolderLock(tmp_path)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with FolderLock(tmp_path):
        assert lock_holder(tmp_path) == os.getpid()


def test_a_request_is_there_until_it_is_withdrawn_and_needs_a_folder(tmp_path: Path) -> None:
    requests = ControlRequests(tmp_path)
    assert not requests.is_left(PAUSE)
    requests.leave(PAUSE)
    requests.leave(PAUSE)
    assert ControlRequests(tmp_path).is_left(PAUSE)
    assert not requests.is_left(STOP)
    assert requests.withdraw(PAUSE)
    assert not requests.withdraw(PAUSE)
    assert not requests.is_left(PAUSE)
    requests.leave(STOP)
    assert [path.name for path in tmp_path.iterdir()] == ["stop.request"]
    gone = ControlRequests(tmp_path / "gone")
    assert not gone.withdraw(STOP)
    with pytest.raises(FolderError, match=r"cannot leave a request in .*gone: No such file"):
        gone.leave(STOP)
    (tmp_path / "file").touch()
    requests = ControlRequests(tmp_path / "file")
    assert not requests.is_left(STOP)
    with pytest.raises(FolderError, match="Not a directory"):
        requests.leave(STOP)
    with pytest.raises(FolderError, match=r"cannot remove the request from .*: Not a directory"):
        requests.withdraw(STOP)

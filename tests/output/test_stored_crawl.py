"""A crawl folder read back: live or replayed, up to its last commit, without a change."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenthound
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.storage.stored_crawl import open_crawl

STORM = page("Storm", "A storm and a hurricane in bad weather.", ["/2", "/3"])


@pytest.fixture
def live(tmp_path: Path) -> Path:
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", STORM)
        web.add(1, "/2", page("Hurricane", "The hurricane came with the storm."))
        web.add(1, "/3", STORM)
        crawl(tmp_path / "live", [seed])
    return tmp_path / "live"


def test_pages_of_a_live_crawl(live: Path) -> None:
    with open_crawl(live) as stored:
        first, *others = stored.pages()
        assert stored.is_live and stored.strategy == "vsm" and stored.topic.name == "storms"
        assert stored.threshold == 0.1
        assert (first.n, first.title, first.depth, first.parent) == (1, "Storm", 0, None)
        assert {record.parent for record in others} == {1}
        found = stored.bodies.page(first)
        assert found is not None and "bad weather" in found.document.text
        assert [link.url[-2:] for link in found.links] == ["/2", "/3"]


def test_a_copy_has_the_body_of_its_original(live: Path) -> None:
    with open_crawl(live) as stored:
        first = next(stored.pages())
        (copy,) = (record for record in stored.pages() if record.copy_of)
        body, original = stored.bodies.body(copy), stored.bodies.body(first)
        assert not copy.has_document and first.has_document
        assert body is not None and original is not None and body.content == original.content
        assert stored.bodies.page(copy) is None


def test_a_place_is_where_the_record_starts(live: Path) -> None:
    with open_crawl(live) as stored:
        place = stored.bodies.place(next(stored.pages()))
    assert place is not None and place.offset > 0
    data = (live / place.file).read_bytes()[place.offset : place.offset + place.length]
    assert data[:2] == b"\x1f\x8b"


def test_what_is_not_committed_is_not_read(live: Path) -> None:
    with (live / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"page","n":99}\n')
    with open_crawl(live) as stored:
        assert [record.n for record in stored.pages()] == [1, 2, 3]


def test_nothing_in_the_folder_changes(live: Path) -> None:
    before = {path.name: path.read_bytes() for path in live.iterdir()}
    with open_crawl(live) as stored:
        assert all(stored.bodies.body(record) for record in stored.pages())
        assert {path.name for path in live.iterdir()} == before.keys()
    assert {path.name: path.read_bytes() for path in live.iterdir()} == before


def test_pages_of_a_replay_lie_in_its_archive(tmp_path: Path) -> None:
    folder = tmp_path / "web" / "w.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<title>Storms</title><p>A storm and hail.</p>")
    topic = Topic("t", keywords=("storm",), seeds=("http://w.test/index.html",))
    scenthound.replay(tmp_path / "web", topic, "vsm", budget=1, out=tmp_path / "replay")
    with open_crawl(tmp_path / "replay") as stored:
        (record,) = stored.pages()
        body, found = stored.bodies.body(record), stored.bodies.page(record)
        assert not stored.is_live and stored.bodies.place(record) is None
        assert body is not None and body.content.startswith(b"<title>")
        assert found is not None and found.document.title == "Storms"


def test_a_folder_without_a_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no crawl"), open_crawl(tmp_path):
        pass


def test_a_page_event_that_is_not_ours_is_refused(live: Path) -> None:
    journal = live / "journal.jsonl"
    first, second, rest = journal.read_text().split("\n", 2)
    broken = second.replace('"status":200', '"status":"x0"')
    journal.write_text("\n".join([first, broken, rest]))
    with pytest.raises(FolderError, match="line 2 is not what"), open_crawl(live) as stored:
        list(stored.pages())

"""A crawl folder read back: live or replayed, up to its last commit, without a change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from scenthound.core.errors import FolderError
from scenthound.storage.stored_crawl import open_crawl

STORM = page("Storm", "A storm and a hurricane in bad weather.", ["/2", "/3"])


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stored") / "live"
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", STORM)
        web.add(1, "/2", page("Hurricane", "The hurricane came with the storm."))
        web.add(1, "/3", STORM)
        crawl(out, [seed])
    return out


@pytest.fixture
def live(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "live"))


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


def test_nothing_in_the_folder_changes(live: Path) -> None:
    before = {path.name: path.read_bytes() for path in live.iterdir()}
    with open_crawl(live) as stored:
        assert all(stored.bodies.body(record) for record in stored.pages())
        assert {path.name for path in live.iterdir()} == before.keys()
    assert {path.name: path.read_bytes() for path in live.iterdir()} == before


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

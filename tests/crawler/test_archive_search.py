""""""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.seed_site import store_pages
from scenthound.crawler import archive_search
from scenthound.crawler.archive_search import ArchiveSearch
from scenthound.storage.archive import Archive, open_archive
from scenthound.text.analyzer import Analyzer

PAGES = {
    "storm.html": "<title>Storm surge</title><p>A storm surge follows a typhoon.",
    "often.html": "<title>Typhoon</title><p>Typhoon, typhoon, typhoon.",
    "long.html": f"<title>Much</title><p>A typhoon and {'some other words ' * 200}",
    "garden.html": '<title>Garden</title><meta name="description" content="Roses"><p>Roses.',
    "empty.html": "",
}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    pages = store_pages(tmp_path, PAGES)
    with open_archive(pages, cache=tmp_path / "cache") as opened:
        yield opened


def search(archive: Archive, query: str, count: int = 10) -> list[str]:
    provider = ArchiveSearch(archive, Analyzer(), ["typhoon", "storm surge", "rose"])
    return [each.url.rpartition("/")[2] for each in provider.search(query, count)]


def test_pages_with_more_of_the_words_and_less_of_others_come_first(archive: Archive) -> None:
    assert search(archive, "typhoons") == ["often.html", "storm.html", "long.html"]
    assert search(archive, "typhoon storm surge")[0] == "storm.html"
    assert search(archive, "typhoon", 1) == ["often.html"]
    assert search(archive, "typhoon", 0) == []
    assert search(archive, "volcano") == [] == search(archive, "the")


def test_results_have_title_snippet_and_rank(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_search, "_SHOWN_EVERY", 2)
    told: list[str] = []
    provider = ArchiveSearch(archive, Analyzer(), ["rose"], told.append)
    (found,) = provider.search("rose", 5)
    assert (found.title, found.snippet, found.rank, found.source) == (
        "Garden", "Roses", 1, "archive"
    )  # fmt: skip
    provider.search("rose", 5)
    assert told == [f"reading the archive: {read} of 5 pages" for read in (2, 4)]

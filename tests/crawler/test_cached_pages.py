"""Pages that are kept are those that would be read, and nothing is kept of what is not there."""

from __future__ import annotations

from core.dictionary_rows import DictionaryRows as Rows
from crawler.web_building import Plant, at, moved, page
from scenthound.core.cache import LruCache
from scenthound.core.model import Document, Link, Page
from scenthound.storage.archived_pages import (
    ArchivedPages,
    CachedPages,
    PageSource,
    ReadPage,
    page_from_row,
    page_to_row,
    size_of,
)

FULL = ReadPage(
    Page(
        at("/ü"),
        203,
        Document("Ti\ntle", "text 雨\n\x00", "", {"body": "text", "empty": ""}, language="de"),
        (Link(at("/a"), "anchor", "con\ntext", frozenset({"nofollow", "me"})), Link(at("/b"))),
        {"media": (7, ("a.png", "b.png"))},
        follow=False,
        size=70,
        problem="cut",
        index=False,
        canonical=at("/c"),
    )
)
PLAIN = ReadPage(Page(at("/"), 200, Document()))
MOVED = ReadPage(Page(at("/"), 301, Document(), size=5, problem="status 301"), at("/to"))


class Counting:
    """A source that counts what is read from it."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self.read_urls: list[str] = []

    def read(self, url: str) -> ReadPage | None:
        self.read_urls.append(url)
        return self._source.read(url)


def kept(
    source: PageSource, rows: Rows | None, limit: int = 10**6, version: str = "1"
) -> CachedPages:
    return CachedPages(source, version, LruCache(limit, size_of), rows)


def test_a_row_is_the_whole_page_and_what_is_no_row_is_no_page() -> None:
    for read in (FULL, PLAIN, MOVED):
        row = page_to_row(read)
        assert row is not None and page_from_row(row) == read
    row = page_to_row(FULL)
    assert row is not None
    damaged = (row.replace(b'"status":', b'"state":'), row.replace(b'"size":70', b'"size":"x"'))
    for each in (b"", b"{}\n", b"[]", row[:-1], row + b"x", b"\xff" * 50, *damaged):
        assert each != row and page_from_row(each) is None
    assert page_to_row(ReadPage(Page(at("/"), 200, Document("\ud800")))) is None


def test_each_page_is_read_once_in_a_process_and_in_the_next(plant: Plant) -> None:
    archive = plant(page("/", "/old"), moved("/old", "/new"), page("/new", status=404)).archive
    rows = Rows()
    plain, source = ArchivedPages(archive), Counting(ArchivedPages(archive))
    urls = [at(path) for path in ("/", "/old", "/new")]
    for pages in (kept(source, rows), kept(source, rows), kept(source, None)):
        for url in [*urls, *urls]:
            assert pages.read(url) == plain.read(url) is not None
    assert source.read_urls == [*urls, *urls]  # the second time for the one without rows
    assert len(rows.kept) == 3


def test_that_nothing_is_there_is_remembered_but_not_kept(plant: Plant) -> None:
    source, rows = Counting(ArchivedPages(plant(page("/")).archive)), Rows()
    for pages in (kept(source, rows), kept(source, rows)):
        assert pages.read(at("/gone")) is None and pages.read(at("/gone")) is None
    assert len(source.read_urls) == 2 and not rows.kept


def test_a_damaged_row_is_read_again(plant: Plant) -> None:
    archive = plant(page("/", text="storm")).archive
    rows = Rows()
    first = kept(ArchivedPages(archive), rows).read(at("/"))
    rows.kept = dict.fromkeys(rows.kept, b"no row")
    assert kept(ArchivedPages(archive), rows).read(at("/")) == first
    assert rows.kept != dict.fromkeys(rows.kept, b"no row")

"""Pages that are kept are those that would be read, and nothing is kept of what is not there."""

from __future__ import annotations

from core.dictionary_rows import DictionaryRows as Rows
from crawler.web_building import Plant, at, moved, page
from scenthound.core.cache import LruCache
from scenthound.core.model import Document, Link, Page
from scenthound.storage.pages import (
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
        Document(
            "Ti\ntle", "text \ud800 雨\n\x00", "", {"body": "text", "empty": ""}, language="de"
        ),
        (
            Link(at("/a"), "anchor", "con\ntext", frozenset({"nofollow", "me"})),
            Link(at("/b")),
        ),
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


def test_a_row_is_the_whole_page() -> None:
    for read in (
        FULL,
        PLAIN,
        MOVED,
    ):
        assert page_from_row(page_to_row(read)) == read


def test_a_field_that_pages_get_later_must_be_kept_too() -> None:
    beside = {"redirects", "fetched_at", "copy_of", "rendered"}
    assert set(Page.__dataclass_fields__) - beside == {
        "url", "status", "document", "links", "unusable", "follow", "size", "problem", "index",
        "canonical",
    }  # fmt: skip
    assert set(Document.__dataclass_fields__) == {
        "title", "text", "description", "groups", "language",
    }  # fmt: skip
    assert set(Link.__dataclass_fields__) == {"url", "anchor", "context", "rel"}


def test_what_is_no_row_is_no_page() -> None:
    for row in (
        b"",
        b"{}\n",
        b"[]\ntext",
        page_to_row(FULL)[:-1],
        page_to_row(FULL) + b"x",
        page_to_row(FULL).replace(b'"groups":["body"', b'"groups":["body","more"'),
        page_to_row(FULL).replace(b'"sizes":[', b'"sizes":[-1,1,'),
        page_to_row(FULL).replace(b'"rel":{"0"', b'"rel":{"x"'),
        page_to_row(PLAIN).replace(b"[0,0,0]", b"[]"),
        page_to_row(PLAIN).replace(b'"status":', b'"state":'),
        b"\xff" * 50,
    ):
        assert page_from_row(row) is None


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

"""Pages that are kept are those that would be read, and nothing is kept of what is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.crawl_building import rig
from core.dictionary_rows import DictionaryRows as Rows
from engines.web_building import Plant, at, moved, page, raw
from scenthound.core.errors import PeekError
from scenthound.core.keeping import Remembered
from scenthound.core.model import Document, Link, Page
from scenthound.engines.archived_pages import ArchivedPages, PageSource, ReadPage
from scenthound.engines.kept_pages import KeptPages, PageMemory, size_of
from scenthound.engines.page_row import page_of, row_of
from scenthound.engines.replay import LeasedArchive
from text.pdf_writing import pdf

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
) -> KeptPages:
    return KeptPages(source, version, Remembered(limit, size_of), rows)


@pytest.mark.parametrize("read", [FULL, PLAIN, MOVED])
def test_a_row_is_the_whole_page(read: ReadPage) -> None:
    assert page_of(row_of(read)) == read


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


@pytest.mark.parametrize(
    "row",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\ntext",
        b"null\n",
        row_of(FULL)[:-1],
        row_of(FULL) + b"x",
        row_of(FULL).replace(b'"groups":["body"', b'"groups":["body","more"'),
        row_of(FULL).replace(b'"sizes":[', b'"sizes":[-1,1,'),
        row_of(FULL).replace(b'"rel":{"0"', b'"rel":{"x"'),
        row_of(PLAIN).replace(b"[0,0,0]", b"[]"),
        row_of(PLAIN).replace(b"[0,0,0]", b'["0"]'),
        row_of(PLAIN).replace(b'"status":', b'"state":'),
        b"\xff" * 50,
    ],
)
def test_what_is_no_row_is_no_page(row: bytes) -> None:
    assert page_of(row) is None


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


def test_another_version_has_other_pages(plant: Plant) -> None:
    source, rows = Counting(ArchivedPages(plant(page("/")).archive)), Rows()
    for version in ("1", "2", "1"):
        assert kept(source, rows, version=version).read(at("/")) is not None
    assert len(source.read_urls) == 2


def test_pages_with_and_without_pdf(plant: Plant) -> None:
    archive = plant(raw("/p", pdf(["Storm surge"]), "application/pdf")).archive
    with_pdf, without = ArchivedPages(archive, True), ArchivedPages(archive)
    rows = Rows()
    for _ in range(2):
        found = kept(with_pdf, rows, version="pdf").read(at("/p"))
        assert found is not None and "Storm surge" in found.page.document.text
        found = kept(without, rows, version="").read(at("/p"))
        assert found is not None and found.page.document.text == ""


def test_memory_is_bounded(plant: Plant) -> None:
    archive = plant(*(page(f"/{n}", text="storm " * 100) for n in range(9))).archive
    source = Counting(ArchivedPages(archive))
    memory: PageMemory = Remembered(10_000, size_of)
    pages = KeptPages(source, "1", memory, None)
    for n in range(9):
        pages.read(at(f"/{n}"))
    assert 2 <= len(memory) < 9 and memory.bytes <= 10_000
    pages.read(at("/8"))
    pages.read(at("/0"))
    assert len(source.read_urls) == 10


def test_a_page_counts_with_all_its_texts() -> None:
    document = Document("t", "x" * 5_000, groups={"body": "x" * 5_000})
    link = Link(at("/a"), "anchor", "c" * 300)
    small, large = (replace(PLAIN.page, document=document, links=(link,) * n) for n in (0, 10))
    assert 15_000 < size_of(ReadPage(small)) < 18_000
    assert size_of(ReadPage(large)) - size_of(ReadPage(small)) > 3_000


def test_nobody_peeks_at_a_kept_page(plant: Plant) -> None:
    archive = plant(page("/0")).archive
    pages = kept(ArchivedPages(archive), None)
    assert pages.read(at("/0")) is not None
    crawl = rig(at("/0")).crawl
    leased = LeasedArchive(archive, crawl, pages=pages)
    with pytest.raises(PeekError):
        leased.fetch(at("/0"), 0.0)
    assert crawl.next() is not None
    assert isinstance(leased.fetch(at("/0"), 0.0), Page)

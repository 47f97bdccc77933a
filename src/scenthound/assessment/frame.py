"""The sampling frame: the documents of a crawl, from which a sample is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenthound.core.page_numbers import told_page
from scenthound.corpus.record import PageRecord


@dataclass(frozen=True, slots=True)
class FramePage:
    """One document: its number and address, and what the crawl found it to be."""

    n: int
    url: str
    title: str
    similarity: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """All documents among the first ``pages`` pages of a crawl.

    ``others`` are pages that are no document, each with the reason.
    """

    pages: int
    documents: tuple[FramePage, ...]
    others: Mapping[str, str]

    def first(self, pages: int) -> Frame:
        """The frame as it was when the crawl had so many pages: a crawl only grows at its end."""
        kept = tuple(each for each in self.documents if each.n <= pages)
        return Frame(min(pages, self.pages), kept, self.others)


def read_frame(records: Iterable[PageRecord]) -> Frame:
    """The frame of a crawl's pages; without documents if there are none.

    A URL that was fetched twice is one document, the first.
    """
    documents: dict[str, FramePage] = {}
    others: dict[str, str] = {}
    pages = 0
    for record in records:
        pages = max(pages, record.n)
        if record.has_document:
            documents.setdefault(record.url, _page(record))
        else:
            others[record.url] = _reason(record)
    return Frame(pages, tuple(documents.values()), others)


def _page(record: PageRecord) -> FramePage:
    return FramePage(record.n, record.url, record.title, record.similarity, record.relevant)


def _reason(record: PageRecord) -> str:
    if record.copy_of is not None:
        return f"a copy of {told_page(record.copy_of)}"
    return record.problem or f"status {record.status}"

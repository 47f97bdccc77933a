"""WARC records copied as they are: all of a crawl's, or those of some of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.corpus.choosing import Choice
from scenthound.corpus.losses import Losses
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.warc_records import REVISIT, NamedWarc, RecordHead, record_heads
from scenthound.corpus.warc_sources import WarcFiles

_PIECE = 1024 * 1024


def wanted_addresses(crawl: StoredCrawl, choice: Choice, files: WarcFiles) -> set[str] | None:
    """Canonical addresses whose records are taken; None for all of them.

    Of a live crawl all, unless pages are chosen by relevance. Then, and of the archive behind a
    replay, those of the wanted pages, of redirects that led to them, and of pages they are exact
    copies of.
    """
    if crawl.is_live and not choice.by_relevance:
        return None
    wanted = _of_pages(crawl, choice)
    # Our own copies are known by number; in a foreign archive the records themselves must tell.
    return wanted if crawl.is_live else wanted | _repeated(files, wanted)


def copy_records(
    warc: NamedWarc, write: Callable[[bytes], int], wanted: set[str] | None, losses: Losses
) -> Iterator[tuple[RecordHead, int | None]]:
    """Write the wanted records of a file one after another, and what is about no page at all.

    Gives every record, with the byte at which it lies now; None for one that is not wanted. What
    is damaged is left out, and ``losses`` is told.
    """
    offset = 0
    for head in record_heads(warc, losses):
        if wanted is not None and head.url and canonical_or_same(head.url) not in wanted:
            yield head, None
            continue
        for start in range(0, head.length, _PIECE):
            write(warc.window.read_at(head.offset + start, min(_PIECE, head.length - start)))
        yield head, offset
        offset += head.length


def canonical_or_same(url: str) -> str:
    """As the crawl writes addresses; what is none stays as it is."""
    try:
        return canonical(url)
    except MalformedUrlError:
        return url


def _of_pages(crawl: StoredCrawl, choice: Choice) -> set[str]:
    wanted: set[str] = set()
    urls: dict[int | None, str] = {}
    for record in crawl.pages():
        urls[record.n] = record.url
        if choice.refusal(record) is None:
            wanted.update((record.url, *record.redirects))
            wanted.update(urls[n] for n in (record.copy_of,) if n in urls)
    return wanted


def _repeated(files: WarcFiles, wanted: set[str]) -> set[str]:
    """Where the bodies of wanted revisits are."""
    return {
        canonical_or_same(head.refers_to)
        for warc in files
        for head in record_heads(warc, files.losses)
        if head.kind == REVISIT and head.refers_to and canonical_or_same(head.url) in wanted
    }

"""A crawl as one WACZ file: its WARC records, an index of them, a list of pages with their text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from importlib.metadata import version
from typing import IO

from scenthound.corpus.cdx import DATA_NAME, SortedLines, index_line, write_index
from scenthound.corpus.choosing import NO_RECORD, Counts
from scenthound.corpus.data_package import DataPackage
from scenthound.corpus.fields import Row, chosen_fields
from scenthound.corpus.losses import LOST, Losses
from scenthound.corpus.rows import pages_of, rows
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.warc_copy import canonical_or_same, copy_records, wanted_addresses
from scenthound.corpus.warc_records import CAPTURES
from scenthound.corpus.warc_sources import warc_files
from scenthound.corpus.wish import COPYING, READING, OnProgress, Wish

Dates = Mapping[str, str]
"""When each page was captured, by its canonical address."""

_LISTED = ("n", "url", "title", "depth", "relevance", "problem")


def write_wacz(
    crawl: StoredCrawl,
    file: IO[bytes],
    wish: Wish,
    counts: Counts,
    now: datetime,
    on_progress: OnProgress,
) -> int:
    """Write the crawl as a WACZ; how many pages it lists. See ``wanted_addresses`` for which."""
    with DataPackage(file, now) as package:
        dates = _write_archive(crawl, package, wish, counts.losses, on_progress)
        listed, first = 0, ""
        with package.entry("pages/pages.jsonl") as entry:
            entry.write(_line(_list_head(wish.text)))
            for page in _pages(crawl, wish, counts, dates, on_progress):
                entry.write(_line(page))
                listed, first = listed + 1, first or str(page["url"])
        package.finish(_about(crawl, listed, first))
    return listed


def _write_archive(
    crawl: StoredCrawl,
    package: DataPackage,
    wish: Wish,
    losses: Losses,
    on_progress: OnProgress,
) -> Dates:
    """The records and their index."""
    dates: dict[str, str] = {}
    done = 0
    with warc_files(crawl, losses) as files, SortedLines() as lines:
        wanted = wanted_addresses(crawl, wish.choice, files)
        for warc in files:
            path = f"archive/{warc.name}"
            with package.entry(path, packed=False, most=warc.window.size) as entry:
                for head, offset in copy_records(warc, entry.write, wanted, losses):
                    if offset is not None and head.kind in CAPTURES and head.url:
                        dates.setdefault(canonical_or_same(head.url), head.date)
                        lines.add(index_line(head, warc.name, offset))
                    done += head.length
                    on_progress(COPYING, done, files.size)
        _write_index(package, lines)
    return dates


def _write_index(package: DataPackage, lines: SortedLines) -> None:
    with package.entry(f"indexes/{DATA_NAME}", packed=False) as entry:
        blocks = list(write_index(lines, entry.write))
    with package.entry("indexes/index.idx") as entry:
        entry.write("".join(blocks).encode("utf-8"))


def _pages(
    crawl: StoredCrawl, wish: Wish, counts: Counts, dates: Dates, on_progress: OnProgress
) -> Iterator[dict[str, object]]:
    """The wanted pages that are in the archive, for the list; the others are left out."""
    fields = chosen_fields([*_LISTED, "text"] if wish.text else _LISTED)
    total = pages_of(crawl)
    found = rows(
        crawl, fields, wish.choice, counts, wish.jobs, lambda n: on_progress(READING, n, total)
    )
    with closing(found):
        for row in found:
            date = dates.get(str(row["url"]))
            if date is not None:
                yield _listed(row, date)
                continue
            counts.left_out[NO_RECORD] += 1
            if row["problem"] != LOST and counts.losses.damage:  # not counted by the reading
                counts.losses.pages += 1


def _list_head(text: bool) -> Mapping[str, object]:
    return {"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": text}


def _listed(row: Row, date: str) -> dict[str, object]:
    """A page for the list; its time is that of its record, to the second as in the index."""
    listed: dict[str, object] = {
        "id": str(row["n"]),
        "url": row["url"],
        "ts": f"{date[:19]}Z",
        "title": row["title"] or row["url"],
        "seed": row["depth"] == 0,
        "depth": row["depth"],
        "relevance": row["relevance"],
    }
    return listed | {"text": row["text"]} if row.get("text") else listed


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def _about(crawl: StoredCrawl, pages: int, first: str) -> dict[str, str]:
    """What a viewer shows of the package, and the page that it opens."""
    strategy = f" by {crawl.strategy}" if crawl.strategy else ""
    about = {
        "title": crawl.topic.name,
        "description": f"{pages} pages about {crawl.topic.name}, found{strategy}.",
        "software": f"scenthound {version('scenthound')}",
    }
    return about | {"mainPageUrl": first} if first else about

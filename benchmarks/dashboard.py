"""What does the dashboard read of a long journal, and does its memory grow? Linux only.

Each size is served by a process of its own, which counts the bytes that it reads.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from scenthound.core.events import DroppedLinks, PageEvent, StartedEvent, Summary
from scenthound.core.model import Inlink, Part, Score, Topic
from scenthound.crawler.metrics import peak_rss_mb
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.pages import PageQuery
from scenthound.output.dashboard.values import crawl_id
from scenthound.storage.folder import CrawlFolder, CrawlSpec
from scenthound.storage.journal import FileJournal, open_journal

SIZES = (1_000, 10_000, 100_000)
_PARTS = tuple(Part(name, 0.41234, 0.25) for name in ("full", "anchor", "context", "title"))
_ROWS = 50


@dataclass(frozen=True)
class Cost:
    """What one question costs, once the code is warm."""

    name: str
    kilobytes: float
    milliseconds: float


def dashboard(sizes: Sequence[int] = SIZES) -> None:
    """Print bytes and milliseconds of each question, and the server's peak memory, by size."""
    with tempfile.TemporaryDirectory() as folder:
        peaks = [_print_size(Path(folder) / str(size), size) for size in sizes]
    growth = peaks[-1] - peaks[0]
    print(
        f"dashboard: peak memory grows by {growth:.1f} MB from {sizes[0]:,} to {sizes[-1]:,} pages"
    )


def _print_size(folder: Path, pages: int) -> float:
    written = write_crawl(folder, pages)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        costs, peak = pool.submit(asked, folder, pages).result()
    listed = ", ".join(f"{c.name} {c.kilobytes:,.0f} kB {c.milliseconds:.1f} ms" for c in costs)
    print(
        f"dashboard, {pages:,} pages ({written / 1e6:.1f} MB of journal): {listed}; {peak:.0f} MB"
    )
    return peak


def asked(folder: Path, pages: int) -> tuple[list[Cost], float]:
    """What the questions of a browser cost on this crawl, and the peak memory of this process."""
    small = folder.with_name(f"{folder.name}-small")
    write_crawl(small, 100)
    for question in _questions(small).values():
        question()
    questions = _questions(folder)
    costs = [_cost(what, question) for what, question in questions.items()]
    write_pages(CrawlFolder(folder), pages + 1, pages + 5)
    costs.append(
        _cost("update of 5 pages", lambda: (questions["first view"](), questions["curve"]()))
    )
    with open_journal(CrawlFolder(folder).journal_path) as journal:
        costs.append(_cost("one page by its number", lambda: journal.page(pages // 3)))
    return costs, peak_rss_mb()


def _questions(folder: Path) -> dict[str, Callable[[], object]]:
    """What a browser asks of the crawl in this folder, by name."""
    crawls = CrawlList([folder], time.time, time.monotonic)
    crawl = crawls.find(crawl_id(folder.resolve()))
    return {
        "first view": lambda: (crawls.overviews(), crawl.detail(time.time())),
        "curve": lambda: crawl.curve(),
        "page table": lambda: crawl.pages(PageQuery(), "", _ROWS),
        "search in vain": lambda: crawl.pages(PageQuery(("xyzzy",)), "", _ROWS),
    }


def _cost(name: str, question: Callable[[], object]) -> Cost:
    before, began = _read(), time.perf_counter()
    question()
    seconds = time.perf_counter() - began
    return Cost(name, (_read() - before) / 1e3, 1e3 * seconds)


def _read() -> int:
    """Bytes that this process has read so far."""
    (line,) = [each for each in Path("/proc/self/io").read_text().splitlines() if "rchar" in each]
    return int(line.split()[1])


def write_crawl(folder: Path, pages: int) -> int:
    """A finished replay of so many pages; the size of its journal."""
    topic = Topic("storms", ("storm",), seeds=("http://a.test/",))
    crawl_spec = CrawlSpec("replay", topic, "vsm", {}, pages, 0, {"archive": "a.warc.gz"}, {})
    made = CrawlFolder.create(folder, crawl_spec)
    with closing(FileJournal(made.journal_path)) as journal:
        journal.append(StartedEvent(0.0, "storms", "vsm", pages, topic.seeds, 0.2))
    write_pages(made, 1, pages)
    return made.journal_path.stat().st_size


def write_pages(folder: CrawlFolder, first: int, last: int) -> None:
    """Pages as a crawl with four parts a score writes them."""
    with folder.journal_path.open("ab") as journal:
        for number in range(first, last + 1):
            line = json.dumps(_page(number).to_json(), ensure_ascii=False, separators=(",", ":"))
            journal.write(line.encode() + b"\n")


def _page(n: int) -> PageEvent:
    summary = Summary(
        fetched=n, relevant=n // 3, similarity=0.3 * n, predicted=n, waiting=20 * n, missing=n
    )
    inlink = Inlink(max(1, n // 2), Score(0.4, _PARTS), "words of a link to this page")
    return PageEvent(
        n=n, at=float(n), url=f"http://host{n % 900}.test/news/2026/article-{n}.html", status=200,
        title=f"Article {n}: what the storm has left behind on the coast", depth=7, priority=0.4,
        parts=_PARTS, inlinks=(inlink,) * 3, linked_from=3, similarity=0.3, relevant=n % 3 == 0,
        links=80, new=20, rescored=40, closed=15, repeated=5,
        drops=DroppedLinks({"nofollow": (3, ("http://host1.test/login", "http://host2.test/share"))}),
        redirects=(), summary=summary,
    )  # fmt: skip

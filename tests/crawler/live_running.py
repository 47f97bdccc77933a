"""Live crawls for tests: started, gone on with, killed, and read back from their folders."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crawler.warning_recording import recorded_warnings
from scenthound.core.events import Event as JournalEvent
from scenthound.core.events import PageEvent
from scenthound.core.model import Topic
from scenthound.crawler.control import Status, Watcher
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.metrics import Result
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.session import resume_crawl, start_crawl
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import read_journal
from scenthound.strategies.catalogue import CATALOGUE
from storage.warc_making import Found, check, records

Event = dict[str, Any]

KEYWORDS = ("storm", "hurricane", "weather")
QUICK: Mapping[str, Any] = {
    "max_pages": 2_000, "delay": 0.0, "concurrency": 8, "allow_private": True, "timeout": 10.0,
    "retries": 1, "retry_wait": 0.1, "threshold": 0.1, "min_disk": 0
}  # fmt: skip
"""Options of a crawl of a small web on loopback; everything that would wait is short."""

_SCRIPT = """
import sys
from pathlib import Path
from crawler.live_running import again
again(Path(sys.argv[1]))
"""


@dataclass(frozen=True)
class Kept:
    """What a crawl left in its folder; ``run`` is its result, ``warned`` its warnings."""

    folder: Path
    run: Result
    warned: list[str] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        return events(self.folder)

    @property
    def pages(self) -> list[Event]:
        return self.of("page")

    @property
    def urls(self) -> list[str]:
        """The pages in the order they were fetched."""
        return [event["url"] for event in self.pages]

    @property
    def stopped(self) -> str:
        """Why it stopped, by the journal; the results must say the same."""
        reason: str = self.of("stopped")[-1]["reason"]
        assert CrawlFolder(self.folder).crawl_spec()["kind"] == "crawl"
        assert self.run.stopped == reason
        return reason

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["event"] == kind]

    def page(self, url: str) -> Event:
        (event,) = (event for event in self.pages if event["url"] == url)
        return event

    def why(self, url: str) -> list[str]:
        """The reasons on record for a URL that was not simply fetched, in order."""
        kinds = ("refused", "failed", "redirect")
        return [e["reason"] for e in self.events if e["event"] in kinds and e["url"] == url]

    def dropped(self) -> Counter[str]:
        """Links that were not followed, by reason."""
        counts: Counter[str] = Counter()
        for event in self.pages:
            for reason, (count, _) in event.get("dropped", {}).items():
                counts[reason] += count
        return counts


class AtPage:
    """Watches a crawl and does something when its page of this number is there."""

    def __init__(self, number: int, act: Callable[[], object]) -> None:
        self._number = number
        self._act = act

    def saw(self, event: JournalEvent) -> None:
        if isinstance(event, PageEvent) and event.n == self._number:
            self._act()

    def look(self, status: Status) -> None:
        """Every look is the same."""


def job(seeds: Iterable[str], strategy: str = "vsm", **options: Any) -> LiveJob:
    """A crawl from ``seeds``; ``keywords``, ``examples`` and the like are the topic's.

    ``parameters`` are the strategy's, all others options.
    """
    topic = Topic(
        name="storms",
        keywords=options.pop("keywords", KEYWORDS),
        seeds=tuple(seeds),
        examples=options.pop("examples", ()),
        exclude=options.pop("exclude", ()),
        ontology=options.pop("ontology", None),
    )
    parameters = options.pop("parameters", {})
    return LiveJob(topic, CATALOGUE[strategy], parameters, CrawlOptions(**{**QUICK, **options}))


def crawl(out: Path, seeds: Iterable[str], *, watcher: Watcher | None = None, **given: Any) -> Kept:
    """Crawl into a new folder."""
    with recorded_warnings() as warned:
        return Kept(out, start_crawl(job(seeds, **given), out, watcher), warned)


def again(out: Path, watcher: Watcher | None = None, **changes: Any) -> Kept:
    """Go on with a crawl; its options come from the folder."""
    with recorded_warnings() as warned:
        stored = stored_job(CrawlFolder.open(out), **changes)
        return Kept(out, resume_crawl(out, stored, watcher), warned)


def prepare(out: Path, seeds: Iterable[str], **given: Any) -> None:
    """A folder that says what to crawl; nothing is fetched yet."""
    CrawlFolder.create(out, job(seeds, **given).crawl_spec())


@contextmanager
def crawling(out: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that goes on with the crawl in ``out``; it is ended with the context."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(out)], env=with_tests(), stderr=subprocess.PIPE
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def with_tests() -> dict[str, str]:
    """The environment for a process that imports these modules."""
    path = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def events(folder: Path) -> list[Event]:
    return list(read_journal(folder / "journal.jsonl"))


def stored(folder: Path) -> list[Found]:
    """The response and revisit records of pages in all WARC files; see :func:`redirects`."""
    return [record for record in _answers(folder) if not _leads_elsewhere(record)]


def redirects(folder: Path) -> list[tuple[str, str]]:
    """Stored redirects: from where to where."""
    return [
        (record.warc["WARC-Target-URI"], dict(record.http)["Location"])
        for record in _answers(folder)
        if _leads_elsewhere(record)
    ]


def _answers(folder: Path) -> list[Found]:
    paths = sorted(folder.glob("pages-*.warc.gz"))
    found = (record for path in paths for record in records(path))
    return [record for record in found if record.kind in ("response", "revisit")]


def _leads_elsewhere(record: Found) -> bool:
    return record.line.split(" ")[1].startswith("3")


def check_kept(folder: Path) -> list[str]:
    """Journal, ledger and WARC files tell of the same pages, each once; returns their URLs."""
    pages = [event for event in events(folder) if event["event"] == "page"]
    numbered = [(event["n"], event["url"]) for event in pages]
    assert [n for n, _ in numbered] == list(range(1, len(pages) + 1))
    assert len({url for _, url in numbered}) == len(pages)
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as database:
        assert database.execute("SELECT n, url FROM pages ORDER BY n").fetchall() == numbered
        rows = database.execute("SELECT url FROM pages WHERE segment > 0 ORDER BY n").fetchall()
    placed = [url for (url,) in rows]
    assert [record.warc["WARC-Target-URI"] for record in stored(folder)] == placed
    left_out = [event for event in pages if event["url"] not in placed]
    assert all(event.get("problem") in ("noindex", "copy", "near copy") for event in left_out)
    assert check(folder) == 0
    return [url for _, url in numbered]

"""Live crawls that are not crawled: runs, figures and events made by hand; and a small live web."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import warn_caller
from scenthound.core.events import DroppedLinks, PageEvent, Summary
from scenthound.crawler.control import Status, Watcher
from scenthound.crawler.job import LiveJob
from scenthound.crawler.metrics import Result, checkpoints
from scenthound.sample.responses import Response
from scenthound.similarity.judge import Threshold
from scenthound.storage.folder import CrawlFolder

HTML = (("Content-Type", "text/html"),)
LINKED_PAGES = 12


def linked_page(number: int) -> Response:
    """A page of a web of pages that all link to each other."""
    links = "".join(f'<a href="/{n}">storm {n}</a> ' for n in range(LINKED_PAGES))
    body = f"<title>Storm {number}</title><p>A storm named {'abcdefghijkl'[number] * 9}.</p>{links}"
    return Response(f"http://storms.test/{number}", 200, HTML, body.encode())


def made_run(stopped: str = "budget spent", fetched: int = 10, **fields: object) -> Result:
    (final,) = checkpoints([], None)
    given: dict[str, object] = {
        "topic": "storms", "strategy": "vsm", "parameters": {}, "seed": 0, "budget": 10,
        "fetched": fetched, "missing": 0, "failed": 0, "stopped": stopped, "seconds": 4.0,
        "peak_rss_mb": 80.0, "threshold": Threshold(0.1, "given"), "labelled_pages": None,
        "dropped": {}, "problems": {}, "final": final, "checkpoints": (final,), "order": (),
        **fields,
    }  # fmt: skip
    return Result(**given)  # type: ignore[arg-type]


@dataclass
class FakeEngine:
    """Stands in for ``start_crawl`` and ``resume_crawl``: notes what it is asked for."""

    run: Result = field(default_factory=made_run)
    jobs: list[LiveJob] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    error: Exception | None = None
    begun: bool = True
    writes: bool = False
    warns: bool = False

    def start(self, job: LiveJob, out: Path, watcher: Watcher | None) -> Result:
        if self.writes:
            CrawlFolder.create(out, job.crawl_spec())
        return self._run(job, out, watcher)

    def resume(self, folder: Path, job: LiveJob, watcher: Watcher | None) -> Result:
        if self.warns:
            warn_caller("something")
        logging.getLogger("scenthound").debug("a line of the log")
        if self.writes:
            CrawlFolder.open(folder).replace_spec(job.crawl_spec())
        return self._run(job, folder, watcher)

    def _run(self, job: LiveJob, folder: Path, watcher: Watcher | None) -> Result:
        self.jobs.append(job)
        self.folders.append(folder)
        if watcher is not None and self.begun:
            watcher.saw(page_event())
            watcher.look(status())
        if self.error is not None:
            raise self.error
        return self.run


def page_event(**fields: object) -> PageEvent:
    given: dict[str, object] = {
        "n": 1, "at": 0.0, "url": "http://a.test/", "status": 200, "title": "A storm", "depth": 0,
        "priority": None, "parts": (), "inlinks": (), "linked_from": 0, "similarity": 0.5,
        "relevant": True, "links": 0, "new": 0, "rescored": 0, "closed": 0, "repeated": 0,
        "drops": DroppedLinks(), "redirects": (), "summary": Summary(fetched=1, relevant=1),
        **fields,
    }  # fmt: skip
    return PageEvent(**given)  # type: ignore[arg-type]


def status(**fields: object) -> Status:
    given: dict[str, object] = {
        "summary": Summary(fetched=40, relevant=10, waiting=1200), "budget": 100, "in_flight": 3,
        "hosts": 7, "run_pages": 40, "run_seconds": 20.0, "seconds": 20.0, "recent_harvest": 0.5,
        **fields,
    }  # fmt: skip
    return Status(**given)  # type: ignore[arg-type]

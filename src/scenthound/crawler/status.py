"""How far a crawl is: for the views of this process, and read from the folder of another one."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from scenthound.core.errors import FolderError
from scenthound.core.events import Event, Summary
from scenthound.crawler.control import ControlRequests
from scenthound.storage.folder import (
    PAUSE,
    STOP,
    WORKER,
    CrawlFolder,
    check_required_path,
    find_crawls,
    lock_holder,
)
from scenthound.storage.journal import last_summary
from scenthound.storage.stored_crawl import KILLED, ending_of

CRAWLING = "crawling"
READING = "reading the example pages"


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of this moment.

    Parameters
    ----------
    summary : counts over the whole crawl.
    budget : pages that may be fetched; of all workers together in a shared crawl.
    under_way : pages requested and not read yet.
    hosts : that are known.
    run_pages, run_seconds : of this run, pauses left out.
    seconds : over all runs, pauses left out.
    recent_harvest : share of relevant pages over the harvest window; None before the first page.
    paused : is nothing requested until the pause is withdrawn?
    phase : what the crawl is doing: :data:`READING` or :data:`CRAWLING`.
    """

    summary: Summary
    budget: int
    under_way: int
    hosts: int
    run_pages: int
    run_seconds: float
    seconds: float
    recent_harvest: float | None
    paused: bool = False
    phase: str = CRAWLING


class Watcher(Protocol):
    """Watches a crawl. Both methods are called in the thread of the crawl: be quick."""

    def saw(self, event: Event) -> None:
        """Called with every event that is recorded."""

    def look(self, status: Status) -> None:
        """Called a few times a second."""


class SilentWatcher:
    """Does nothing."""

    def saw(self, event: Event) -> None:
        """Do nothing."""

    def look(self, status: Status) -> None:
        """Do nothing."""


# Of a crawl in another process: from its folder.

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """One crawl: ``pages`` of ``budget``, ``relevant`` of them relevant; ``process`` if it runs.

    Of a worker's folder ``crawl`` and ``crawl_id`` are those of the crawl that it works for, whose
    ``budget`` is one for all workers.
    """

    folder: str
    topic: str
    strategy: str
    state: str
    reason: str
    pages: int
    budget: int
    relevant: int
    waiting: int
    process: int | None
    crawl: str | None = None
    crawl_id: str | None = None

    @property
    def harvest(self) -> float | None:
        """Share of relevant pages; None before the first."""
        return self.relevant / self.pages if self.pages else None

    def to_json(self) -> dict[str, object]:
        """Return the values by name."""
        return {**asdict(self), "harvest": self.harvest}


def crawl_status(folder: str | Path) -> list[CrawlStatus]:
    """Return the status of the crawl in a folder, or of each of those below it.

    FolderError where there is none.
    """
    check_required_path("folder", folder)
    found = find_crawls(Path(folder))
    if not found:
        CrawlFolder.open(Path(folder))  # says what is amiss
        raise FolderError(f"{folder} holds no crawl.")
    return [_status(CrawlFolder.open(path)) for path in found]


def _status(folder: CrawlFolder) -> CrawlStatus:
    """Read the status of one crawl folder."""
    crawl_spec = folder.crawl_spec()
    topic, mark = crawl_spec.get("topic"), worker_mark(folder) or {}
    has_events = folder.journal_path.exists()
    summary = (last_summary(folder.journal_path) if has_events else None) or {}
    process = lock_holder(folder.path)
    state, reason = _state(folder, process)
    return CrawlStatus(
        folder=str(folder.path),
        topic=str(topic.get("name")) if isinstance(topic, dict) else "",
        strategy=str(crawl_spec.get("strategy")),
        state=state,
        reason=reason,
        pages=integer(summary.get("fetched")),
        budget=integer(crawl_spec.get("budget")),
        relevant=integer(summary.get("relevant")),
        waiting=integer(summary.get("waiting")),
        process=process,
        crawl=str(mark["crawl"]) if "crawl" in mark else None,
        crawl_id=str(mark["id"]) if "id" in mark else None,
    )


def _state(folder: CrawlFolder, process: int | None) -> tuple[str, str]:
    """Return the state of a crawl, and why it ended."""
    if process is not None:
        requests = ControlRequests(folder.path)
        if requests.is_left(STOP):
            return STOPPING, ""
        return (PAUSED if requests.is_left(PAUSE) else RUNNING), ""
    reason = last_reason(folder)
    return KILLED if reason is None else ending_of(reason)


def integer(value: object) -> int:
    """Return an integer of a stored file; 0 for anything else."""
    return value if isinstance(value, int) else 0


_TAIL_BYTES = 64 * 1024
"""Of the end of a journal. A stopped event is far shorter; where the last line does not fit, it is
that of a page, and the crawl was killed."""


def last_reason(folder: CrawlFolder) -> str | None:
    """Return why the crawl ended; None where it was killed, or where nothing is on record."""
    try:
        with folder.journal_path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            event = json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return None
    stopped = isinstance(event, dict) and event.get("event") == "stopped"
    return str(event.get("reason")) if stopped else None


def worker_command(folder: CrawlFolder) -> str | None:
    """Return the command by which a worker continues in its folder; None for other folders."""
    mark = worker_mark(folder)
    if mark is None:
        return None
    words = "--redis", "URL", "--crawl", str(mark.get("crawl")), "--out", str(folder.path)
    return shlex.join(["scenthound", "worker", *words])


def worker_mark(folder: CrawlFolder) -> dict[str, object] | None:
    """Return which crawl a worker's folder belongs to; None for other folders."""
    settings = folder.crawl_spec().get("settings")
    mark = settings.get(WORKER) if isinstance(settings, dict) else None
    return mark if isinstance(mark, dict) else None

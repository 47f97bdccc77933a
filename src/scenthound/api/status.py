"""How crawls in folders stand, from Python."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.api.arguments import check_given_path
from scenthound.api.going_on import last_reason
from scenthound.core.errors import FolderError
from scenthound.corpus.ending import KILLED, ending_of
from scenthound.corpus.finding import crawls_in
from scenthound.live.job import WORKER
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import last_summary
from scenthound.store.lock import holder
from scenthound.store.requests import PAUSE, STOP, Requests

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
        """By name."""
        return {**asdict(self), "harvest": self.harvest}


def crawl_status(folder: str | Path) -> list[CrawlStatus]:
    """How the crawl in a folder stands, or each of those below it.

    FolderError where there is none.
    """
    check_given_path("folder", folder)
    found = crawls_in(Path(folder))
    if not found:
        CrawlFolder.open(Path(folder))  # says what is amiss
        raise FolderError(f"{folder} holds no crawl.")
    return [_status(CrawlFolder.open(path)) for path in found]


def _status(folder: CrawlFolder) -> CrawlStatus:
    order = folder.order()
    topic = order.get("topic")
    summary = _summary(folder)
    process = holder(folder.path)
    state, reason = _state(folder, process)
    return CrawlStatus(
        folder=str(folder.path),
        topic=str(topic.get("name")) if isinstance(topic, dict) else "",
        strategy=str(order.get("strategy")),
        state=state,
        reason=reason,
        pages=_whole(summary.get("fetched")),
        budget=_whole(order.get("budget")),
        relevant=_whole(summary.get("relevant")),
        waiting=_whole(summary.get("waiting")),
        process=process,
        **_shared(order.get("settings")),
    )


def _shared(settings: object) -> dict[str, str]:
    """Which crawl a worker works for."""
    mark = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(mark, dict):
        return {}
    return {"crawl": str(mark.get("crawl")), "crawl_id": str(mark.get("id"))}


def _summary(folder: CrawlFolder) -> dict[str, object]:
    if not folder.journal_path.exists():
        return {}
    return last_summary(folder.journal_path) or {}


def _state(folder: CrawlFolder, process: int | None) -> tuple[str, str]:
    if process is not None:
        requests = Requests(folder.path)
        if requests.is_left(STOP):
            return STOPPING, ""
        return (PAUSED if requests.is_left(PAUSE) else RUNNING), ""
    reason = last_reason(folder)
    return KILLED if reason is None else ending_of(reason)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0

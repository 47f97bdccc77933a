"""The overview of a crawl by several workers: the figures of their folders on this machine, joined,
and those that their server has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.redis.crawl_status import SharedCrawlStatus
from scenthound.frontier.redis.workers import ENDED, LOST, WORKING, WorkerEntry
from scenthound.output.dashboard.crawl_folder import (
    CONTROLLABLE,
    DAMAGED,
    LIVE,
    NOT_BEGUN,
    PAUSED,
    RUNNING,
    CrawlReader,
    Overview,
    controls,
    paused_by_server,
)
from scenthound.output.dashboard.journal_tail import Totals
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.values import crawl_id, share
from scenthound.storage.stored_crawl import FAILED, FINISHED, INTERRUPTED, STOPPED, ending_of

_ENDED = (FINISHED, STOPPED, FAILED)
_NO_WORKER = "no worker is at work now"


@dataclass(frozen=True, slots=True)
class WorkerFolder:
    """A worker whose folder is here, and how it stands."""

    worker: WorkerIdentity
    reader: CrawlReader
    overview: Overview

    @property
    def at(self) -> float:
        """When its last page came; 0 before the first."""
        return self.reader.last_page_at or 0.0

    @property
    def row(self) -> WorkerRow:
        """The worker in the table of all."""
        fetched, relevant = self.overview.total("fetched"), self.overview.total("relevant")
        return WorkerRow(
            crawl_id(self.reader.path), self.worker.number, self.worker.name, self.overview.state,
            self.overview.reason, fetched, relevant, share(relevant, fetched), self.overview.rate,
            self.reader.last_page_at, self.overview.folder, "",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker as a row of the table of all; ``id`` is None for one whose folder is not here."""

    id: str | None
    number: int
    name: str
    state: str
    reason: str
    fetched: int
    relevant: int
    harvest: float | None
    rate: float | None
    last_at: float | None
    folder: str
    host: str


def folders_overview(members: Sequence[WorkerFolder], folder: str) -> Overview:
    """How the crawl of these workers stands; ``folder`` is the one that holds theirs."""
    overviews = [member.overview for member in members]
    state, reason = _joint_state(members)
    problems = [f"{m.worker.name}: {m.overview.problem}" for m in members if m.overview.problem]
    # Where all that pause were paused on their server, their folders cannot let them go on.
    can_resume = any(each.controls["resume"] for each in overviews if each.state == PAUSED)
    by_server = state == PAUSED and not can_resume
    first = next((each for each in overviews if each.topic), Overview())
    return Overview(
        folder=folder,
        kind=LIVE,
        topic=first.topic,
        strategy=first.strategy,
        reading=next((each.reading for each in overviews if each.reading), ""),
        state=state,
        reason=reason,
        budget=max((each.budget or 0 for each in overviews), default=0) or None,
        summary=_joint_summary(members),
        started_at=min((o.started_at for o in overviews if o.started_at is not None), default=None),
        rate=_total_rate([each.rate for each in overviews], state),
        problem=" ".join(problems),
        controls=paused_by_server() if by_server else controls(state, _NO_WORKER),
    )


def _total_rate(rates: Sequence[float | None], state: str) -> float | None:
    """Pages a second of all workers; None where no rate is known, or the crawl does not run."""
    known = [rate for rate in rates if rate is not None]
    return round(sum(known), 2) if known and state == RUNNING else None


def _joint_state(members: Sequence[WorkerFolder]) -> tuple[str, str]:
    """The state of the crawl in one word, and why it ended.

    It goes on while one worker does. Where all are over it ended as the last one did: one that was
    killed earlier did not end the crawl.
    """
    states = [member.overview.state for member in members]
    for state in CONTROLLABLE:
        if state in states:
            return state, ""
    for endings in (_ENDED, (INTERRUPTED,)):
        over = [member for member in members if member.overview.state in endings]
        if over:
            last = max(over, key=lambda member: member.at).overview
            return last.state, last.reason
    return (DAMAGED if DAMAGED in states else NOT_BEGUN), ""


def _joint_summary(members: Sequence[WorkerFolder]) -> Totals | None:
    """The totals of all; None before the first. They share a frontier: the newest figure counts."""
    known = [member.overview.summary for member in members if member.overview.summary]
    if not known:
        return None
    totals = {name: sum(each.get(name, 0) for each in known) for name in known[0]}
    newest = max(members, key=lambda member: member.at)
    return {**totals, "waiting": newest.overview.total("waiting")}


# The figures that the server has, completed by those of folders on this machine.

SERVER_AWAY = "server away"
_NO_CONTROL = "the server does not answer, so nothing can be asked of the workers"
_RETRY_NOTE = "It is asked again every few seconds; its last state is shown."
_LOST = (INTERRUPTED, "not heard of any more")


def server_overview(
    monitor: SharedCrawlMonitor, here: Overview, known: Sequence[WorkerRow]
) -> tuple[Overview, list[WorkerRow]]:
    """How the crawl stands by its server, and a row for each worker.

    Parameters
    ----------
    monitor : asks the server.
    here, known : the overview and the rows by folders on this machine.
    """
    status, away = monitor.status, bool(monitor.problem)
    folders = {row.number: row for row in known}
    rows = [_server_row(monitor, each, folders.get(each.number)) for each in status.workers]
    state, reason = (SERVER_AWAY, "") if away else _server_state(status, rows)
    if here.summary is not None and all(row.id for row in rows):
        # All folders are here: they know more than the server, and know it first.
        summary: Totals = {**here.summary, "waiting": status.waiting}
    else:
        summary = {
            "fetched": status.pages,
            "relevant": status.relevant,
            "failed": sum(worker.failed for worker in status.workers),
            "waiting": status.waiting,
        }
    problems = [monitor.problem, _RETRY_NOTE] if away else []
    overview = replace(
        here,
        topic=status.topic,
        strategy=status.strategy,
        state=state,
        reason=reason,
        budget=status.budget or None,
        summary=summary,
        rate=_total_rate([row.rate for row in rows], state),
        problem=" ".join(filter(None, [*problems, here.problem])),
        controls=controls(state, _NO_CONTROL if away else _NO_WORKER),
    )
    return overview, rows


def _server_row(
    monitor: SharedCrawlMonitor, entry: WorkerEntry, here: WorkerRow | None
) -> WorkerRow:
    """A worker by what it reported to the server; a folder that is ``here`` knows more."""
    state, reason = _state_name(entry.shown_state(monitor.status.at), entry.reason)
    if here is not None:
        paused = here.state == RUNNING and state == PAUSED and not monitor.problem
        return replace(here, host=entry.host, state=PAUSED if paused else here.state)
    rate = monitor.rates.get(entry.number) if state == RUNNING else None
    harvest = share(entry.relevant, entry.pages)
    return WorkerRow(
        None, entry.number, entry.name, state, reason, entry.pages, entry.relevant, harvest, rate,
        None, entry.folder, entry.host,
    )  # fmt: skip


def _server_state(status: SharedCrawlStatus, rows: Sequence[WorkerRow]) -> tuple[str, str]:
    """The state and the reason of the whole crawl; workers may also be paused one by one."""
    at_work = {row.state for row in rows} & {RUNNING, PAUSED}
    if status.state == RUNNING and at_work == {PAUSED}:
        return PAUSED, ""
    return _state_name(status.state, status.reason)


def _state_name(state: str, reason: str) -> tuple[str, str]:
    """A state on the server, as crawls in folders name it, and the reason of an end."""
    if state == ENDED:
        return ending_of(reason)
    return _LOST if state == LOST else (RUNNING if state == WORKING else state, "")

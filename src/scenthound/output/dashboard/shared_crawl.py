"""The overview of a crawl by several workers: the figures of their folders on this machine, joined,
and those that their server has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    controls,
    paused_by_server,
)
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor, WorkerActivity
from scenthound.output.dashboard.values import (
    Json,
    as_int,
    as_mapping,
    as_number,
    as_text,
    crawl_id,
    share,
)
from scenthound.storage.stored_crawl import FAILED, FINISHED, INTERRUPTED, STOPPED, ending_of

_ENDED = (FINISHED, STOPPED, FAILED)
_MAX_PROBLEMS = 5
"""Workers whose problems are listed; each of them shows its own."""


@dataclass(frozen=True, slots=True)
class WorkerFolder:
    """A worker whose folder is here, and how it stands."""

    worker: WorkerIdentity
    reader: CrawlReader
    overview: Mapping[str, object]

    @property
    def at(self) -> float:
        """When its last page came; 0 before the first."""
        return self.reader.last_page_at or 0.0


def folders_overview(members: Sequence[WorkerFolder]) -> Json:
    """How the crawl of these workers stands, with the fields of a crawl of one process."""
    overviews = [member.overview for member in members]
    state, reason = _joint_state(members)
    summary = _joint_summary(members)
    pages, relevant = (as_int(as_mapping(summary).get(name)) for name in ("fetched", "relevant"))
    started = [at for each in overviews if (at := as_number(each["started_at"])) is not None]
    problems = [
        f"{each.worker.name}: {each.overview['problem']}"
        for each in members
        if each.overview["problem"]
    ]
    if len(problems) > _MAX_PROBLEMS:
        more = f"{len(problems) - _MAX_PROBLEMS} more workers have problems."
        problems = [*problems[:_MAX_PROBLEMS], more]
    # Where all that pause were paused on their server, their folders cannot let them go on.
    paused = [as_mapping(each["controls"]) for each in overviews if each["state"] == PAUSED]
    by_server = state == PAUSED and not any(each.get("resume") for each in paused)
    return {
        "kind": LIVE,
        **{
            name: next((text for each in overviews if (text := as_text(each[name]))), "")
            for name in ("topic", "strategy", "reading")
        },
        "state": state,
        "reason": reason,
        "budget": max((as_int(each["budget"]) for each in overviews), default=0) or None,
        "summary": summary,
        "harvest": share(relevant, pages),
        "started_at": min(started, default=None),
        "rate": _total_rate(overviews, state),
        "problem": " ".join(problems),
        "controls": paused_by_server() if by_server else controls(state, many=True),
        "workers": [_folder_row(member) for member in members],
    }


def _total_rate(workers: Sequence[Mapping[str, object]], state: str) -> float | None:
    """Pages a second of all workers; None where no rate is known, or the crawl does not run."""
    rates = [rate for each in workers if (rate := as_number(each["rate"])) is not None]
    return round(sum(rates), 2) if rates and state == RUNNING else None


def _folder_row(member: WorkerFolder) -> Json:
    """A worker as a row of the table of all."""
    overview = member.overview
    summary = as_mapping(overview["summary"])
    return {
        "id": crawl_id(member.reader.path),
        "number": member.worker.number,
        "name": member.worker.name,
        **{name: overview[name] for name in ("state", "reason", "harvest", "rate", "folder")},
        "fetched": as_int(summary.get("fetched")),
        "relevant": as_int(summary.get("relevant")),
        "last_at": member.reader.last_page_at,
        "host": "",
    }


def _joint_state(members: Sequence[WorkerFolder]) -> tuple[str, str]:
    """The state of the crawl in one word, and why it ended.

    It goes on while one worker does. Where all are over it ended as the last one did: one that was
    killed earlier did not end the crawl.
    """
    states = [as_text(member.overview["state"]) for member in members]
    for state in CONTROLLABLE:
        if state in states:
            return state, ""
    for endings in (_ENDED, (INTERRUPTED,)):
        over = [member for member in members if member.overview["state"] in endings]
        if over:
            last = max(over, key=lambda member: member.at).overview
            return as_text(last["state"]), as_text(last["reason"])
    return (DAMAGED if DAMAGED in states else NOT_BEGUN), ""


def _joint_summary(members: Sequence[WorkerFolder]) -> Json | None:
    """The totals of all; None before the first. They share a frontier: the newest figure counts."""
    known = [member for member in members if member.overview["summary"] is not None]
    if not known:
        return None
    totals: dict[str, float] = {}
    for member in known:
        for name, value in as_mapping(member.overview["summary"]).items():
            totals[name] = totals.get(name, 0) + (as_number(value) or 0)
    newest = max(known, key=lambda member: member.at)
    return {**totals, "waiting": as_mapping(newest.overview["summary"]).get("waiting")}


# The figures that the server has, completed by those of folders on this machine.

SERVER_AWAY = "server away"
_NO_CONTROL = "the server does not answer, so nothing can be asked of the workers"
_RETRY_NOTE = " It is asked again every few seconds; what it said last is shown."
_LOST = (INTERRUPTED, "not heard of any more")


def server_overview(monitor: SharedCrawlMonitor, here: Json) -> Json:
    """How the crawl stands by its server; ``here`` is its overview by folders on this machine."""
    status, problem = monitor.status, monitor.problem
    rows = _worker_rows(monitor, here)
    state, reason = (SERVER_AWAY, "") if problem else _server_state(status, rows)
    summary = here["summary"]
    if summary is not None and all(row["id"] for row in rows):
        # All folders are here: they know more than the server, and know it first.
        summary = {**as_mapping(summary), "waiting": status.waiting}
    else:
        summary = {
            "fetched": status.pages,
            "relevant": status.relevant,
            "failed": sum(worker.failed for worker in status.workers),
            "waiting": status.waiting,
        }
    relevant, fetched = (as_number(summary.get(name)) for name in ("relevant", "fetched"))
    away = f"{problem}{_RETRY_NOTE}" if problem else ""
    return {
        **here,
        "topic": as_text(status.topic),
        "strategy": as_text(status.strategy),
        "state": state,
        "reason": reason,
        "budget": status.budget or None,
        "summary": summary,
        "harvest": share(relevant or 0, int(fetched or 0)),
        "rate": _total_rate(rows, state),
        "problem": " ".join(filter(None, (away, str(here["problem"])))),
        "controls": controls(state, many=True) | ({"why": _NO_CONTROL} if problem else {}),
        "workers": rows,
    }


def _worker_rows(monitor: SharedCrawlMonitor, here: Json) -> list[Json]:
    """All workers, those on other machines too; a folder that is here knows more."""
    rows = here["workers"]
    known = {row["number"]: row for row in rows} if isinstance(rows, list) else {}
    merged = []
    for entry in monitor.status.workers:
        activity = monitor.activity.get(entry.number, WorkerActivity())
        row = _server_row(entry, monitor.status.at, activity)
        found = known.get(entry.number, {})
        paused = found.get("state") == RUNNING and row["state"] == PAUSED and not monitor.problem
        merged.append({**row, **found, "host": row["host"]} | ({"state": PAUSED} if paused else {}))
    return merged


def _server_row(entry: WorkerEntry, now: float, activity: WorkerActivity) -> Json:
    """A worker by what it reported to the server."""
    state, reason = _state_name(entry.shown_state(now), entry.reason)
    return {
        "id": None,
        "number": entry.number,
        "name": as_text(entry.name),
        "state": state,
        "reason": reason,
        "fetched": entry.pages,
        "relevant": entry.relevant,
        "harvest": share(entry.relevant, entry.pages),
        "rate": activity.rate if state == RUNNING else None,
        "last_at": activity.at,
        "folder": as_text(entry.folder, 1_000),
        "host": as_text(entry.host),
    }


def _server_state(status: SharedCrawlStatus, rows: Sequence[Json]) -> tuple[str, str]:
    """The state and the reason of the whole crawl; workers may also be paused one by one."""
    at_work = {row["state"] for row in rows} & {RUNNING, PAUSED}
    if status.state == RUNNING and at_work == {PAUSED}:
        return PAUSED, ""
    return _state_name(status.state, status.reason)


def _state_name(state: str, reason: str) -> tuple[str, str]:
    """A state on the server, as crawls in folders name it, and the reason of an end."""
    if state == ENDED:
        return ending_of(as_text(reason))
    return _LOST if state == LOST else (RUNNING if state == WORKING else state, "")

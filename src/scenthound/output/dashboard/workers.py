"""A crawl by several workers shown as one, with the figures of all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import LIVE, CrawlReader
from scenthound.output.dashboard.curve import share
from scenthound.output.dashboard.shared_crawl import SharedCrawlMonitor, shared_overview
from scenthound.output.dashboard.status import (
    DAMAGED,
    NOT_BEGUN,
    PAUSED,
    RUNNING,
    STOPPING,
    controls,
    paused_by_server,
)
from scenthound.output.dashboard.updates import DistributedUpdates
from scenthound.output.dashboard.values import (
    Json,
    as_int,
    as_mapping,
    as_number,
    as_text,
    crawl_id,
)
from scenthound.storage.stored_crawl import FAILED, FINISHED, INTERRUPTED, STOPPED

_ENDED = (FINISHED, STOPPED, FAILED)
_MAX_PROBLEMS = 5
"""Workers whose problems are listed; each of them shows its own."""


@dataclass(frozen=True, slots=True)
class WorkerFolder:
    """A worker whose folder is here, and how it stands."""

    mark: WorkerIdentity
    reader: CrawlReader
    overview: Mapping[str, object]

    @property
    def at(self) -> float:
        """When its last page came; 0 before the first."""
        return self.reader.last_page_at or 0.0


def distributed_overview(members: Sequence[WorkerFolder]) -> Json:
    """How the crawl of these workers stands; in the words of a crawl of one process."""
    overviews = [member.overview for member in members]
    state, reason = joint_state(members)
    summary = joint_summary(members)
    pages, relevant = (as_int(as_mapping(summary).get(name)) for name in ("fetched", "relevant"))
    rates = [rate for each in overviews if (rate := as_number(each["rate"])) is not None]
    begun = [at for each in overviews if (at := as_number(each["started_at"])) is not None]
    return {
        "kind": LIVE,
        **{name: _first(overviews, name) for name in ("topic", "strategy", "reading")},
        "state": state,
        "reason": reason,
        "budget": max((as_int(each["budget"]) for each in overviews), default=0) or None,
        "summary": summary,
        "harvest": share(relevant, pages),
        "started_at": min(begun, default=None),
        "rate": round(sum(rates), 2) if rates and state == RUNNING else None,
        "problem": _problems(members),
        "controls": _controls(members, state),
    }


def worker_overview(member: WorkerFolder) -> Json:
    """A worker as a row of the table of all."""
    overview = member.overview
    summary = as_mapping(overview["summary"])
    return {
        "id": crawl_id(member.reader.path),
        "number": member.mark.number,
        "name": member.mark.name,
        "state": overview["state"],
        "reason": overview["reason"],
        "fetched": as_int(summary.get("fetched")),
        "relevant": as_int(summary.get("relevant")),
        "harvest": overview["harvest"],
        "rate": overview["rate"],
        "last_at": member.reader.last_page_at,
        "folder": overview["folder"],
        "host": "",
    }


def joint_state(members: Sequence[WorkerFolder]) -> tuple[str, str]:
    """The state of the crawl in one word, and why it ended.

    It goes on while one worker does. Where all are over it ended as the last one did: one that was
    killed earlier did not end the crawl.
    """
    states = [as_text(member.overview["state"]) for member in members]
    at_work = {state for state in states if state in (RUNNING, PAUSED, STOPPING)}
    for state in (RUNNING, PAUSED, STOPPING):
        if state in at_work:
            return state, ""
    over = [member for member in members if member.overview["state"] in _ENDED]
    for candidates in (over, [each for each in members if each.overview["state"] == INTERRUPTED]):
        if candidates:
            last = max(candidates, key=lambda member: member.at)
            return as_text(last.overview["state"]), as_text(last.overview["reason"])
    return (DAMAGED if DAMAGED in states else NOT_BEGUN), ""


def joint_summary(members: Sequence[WorkerFolder]) -> Json | None:
    """The totals of all; None before the first. What waits is one frontier's: the newest word."""
    known = [member for member in members if member.overview["summary"] is not None]
    if not known:
        return None
    totals: dict[str, float] = {}
    for member in known:
        for name, value in as_mapping(member.overview["summary"]).items():
            totals[name] = totals.get(name, 0) + (as_number(value) or 0)
    newest = max(known, key=lambda member: member.at)
    return {**totals, "waiting": as_mapping(newest.overview["summary"]).get("waiting")}


def _controls(members: Sequence[WorkerFolder], state: str) -> Json:
    """Where all that pause were paused on their server, their folders cannot let them go on."""
    paused = [
        member.overview["controls"] for member in members if member.overview["state"] == PAUSED
    ]
    if state == PAUSED and not any(as_mapping(each).get("resume") for each in paused):
        return paused_by_server()
    return controls(state, many=True)


def _first(overviews: Sequence[Mapping[str, object]], name: str) -> str:
    return next((text for each in overviews if (text := as_text(each[name]))), "")


def _problems(members: Sequence[WorkerFolder]) -> str:
    problems = [
        f"{each.mark.name}: {each.overview['problem']}"
        for each in members
        if each.overview["problem"]
    ]
    more = (
        f" {len(problems) - _MAX_PROBLEMS} more workers have problems."
        if len(problems) > _MAX_PROBLEMS
        else ""
    )
    return " ".join(problems[:_MAX_PROBLEMS]) + more


# A crawl of several workers, as the dashboard sees it: their folders, their server, or both.

Members = tuple[tuple[WorkerIdentity, CrawlReader], ...]


class DistributedCrawl:
    """All that is shown of one crawl: workers by their numbers.

    Parameters
    ----------
    name : of the crawl.
    server : asks the server; None where only folders are shown.
    """

    def __init__(self, name: str, server: SharedCrawlMonitor | None = None) -> None:
        self.name = name
        self.server = server
        self.members: Members = ()
        """Workers whose folders are on this machine; others may come to it later."""

    @property
    def path(self) -> Path:
        """The folder that holds those of its workers; an empty path where none is here."""
        folders = [reader.path for _, reader in self.members]
        return Path(os.path.commonpath(folders)) if folders else Path()

    @property
    def is_there(self) -> bool:
        """Is anything of it left?"""
        return self.server is not None or any(reader.is_there for _, reader in self.members)

    @property
    def has_remote_workers(self) -> bool:
        """Are folders of some workers on other machines?"""
        if self.server is None:
            return False
        here = {mark.number for mark, _ in self.members}
        return any(worker.number not in here for worker in self.server.stands.workers)

    def reader(self, number: int) -> CrawlReader | None:
        """The folder of a worker; None where it is not here."""
        return next((reader for mark, reader in self.members if mark.number == number), None)

    def overview(self) -> Json:
        """How the crawl stands, in a few figures, with a row for each worker."""
        members = [WorkerFolder(mark, reader, reader.overview()) for mark, reader in self.members]
        rows = [worker_overview(member) for member in members]
        overview: Json = {**distributed_overview(members), "workers": rows}
        if self.server is not None:
            overview = shared_overview(self.server, overview, rows)
        folder = str(self.path) if members else ""
        address = "" if self.server is None else self.server.address
        return {"folder": folder, "server": address, **overview}

    def following(self, place: int | None) -> DistributedUpdates:
        """Follows all workers; a window that comes back asks for everything again."""
        return DistributedUpdates(self, place is not None)


DisplayedCrawl = CrawlReader | DistributedCrawl
"""What is shown as one crawl."""

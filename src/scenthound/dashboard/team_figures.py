"""The figures of a crawl by several workers, from those of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.corpus.ending import FAILED, FINISHED, INTERRUPTED, STOPPED
from scenthound.dashboard.crawl_reader import LIVE, CrawlReader
from scenthound.dashboard.curve import share
from scenthound.dashboard.plain_values import Json, number, table, whole, words
from scenthound.dashboard.standing import (
    DAMAGED,
    NOT_BEGUN,
    PAUSED,
    RUNNING,
    STOPPING,
    controls,
    paused_elsewhere,
)
from scenthound.dashboard.worker_marks import crawl_id
from scenthound.live.job import WorkerMark

_OVER = (FINISHED, STOPPED, FAILED)
_PROBLEMS = 5
"""Workers whose problems are told; each of them has its own."""


@dataclass(frozen=True, slots=True)
class Member:
    """A worker whose folder is here, and how it stands."""

    mark: WorkerMark
    reader: CrawlReader
    told: Mapping[str, object]

    @property
    def at(self) -> float:
        """When its last page came; 0 before the first."""
        return self.reader.last_page_at or 0.0


def team_told(members: Sequence[Member]) -> Json:
    """How the crawl of these workers stands; in the words of a crawl of one process."""
    told = [member.told for member in members]
    state, reason = state_of_all(members)
    summary = summed(members)
    pages, relevant = (whole(table(summary).get(name)) for name in ("fetched", "relevant"))
    rates = [rate for each in told if (rate := number(each["rate"])) is not None]
    begun = [at for each in told if (at := number(each["started_at"])) is not None]
    return {
        "kind": LIVE,
        **{name: _first(told, name) for name in ("topic", "strategy", "reading")},
        "state": state,
        "reason": reason,
        "budget": max((whole(each["budget"]) for each in told), default=0) or None,
        "summary": summary,
        "harvest": share(relevant, pages),
        "started_at": min(begun, default=None),
        "rate": round(sum(rates), 2) if rates and state == RUNNING else None,
        "problem": _problems(members),
        "controls": _controls(members, state),
    }


def worker_told(member: Member) -> Json:
    """A worker as a row of the table of all."""
    told = member.told
    summary = table(told["summary"])
    return {
        "id": crawl_id(member.reader.path),
        "number": member.mark.number,
        "name": member.mark.name,
        "state": told["state"],
        "reason": told["reason"],
        "fetched": whole(summary.get("fetched")),
        "relevant": whole(summary.get("relevant")),
        "harvest": told["harvest"],
        "rate": told["rate"],
        "last_at": member.reader.last_page_at,
        "folder": told["folder"],
        "host": "",
    }


def state_of_all(members: Sequence[Member]) -> tuple[str, str]:
    """The state of the crawl in one word, and why it ended.

    It goes on while one worker does. Where all are over it ended as the last one did: one that was
    killed earlier did not end the crawl.
    """
    states = [words(member.told["state"]) for member in members]
    at_work = {state for state in states if state in (RUNNING, PAUSED, STOPPING)}
    for state in (RUNNING, PAUSED, STOPPING):
        if state in at_work:
            return state, ""
    over = [member for member in members if member.told["state"] in _OVER]
    for wanted in (over, [each for each in members if each.told["state"] == INTERRUPTED]):
        if wanted:
            last = max(wanted, key=lambda member: member.at)
            return words(last.told["state"]), words(last.told["reason"])
    return (DAMAGED if DAMAGED in states else NOT_BEGUN), ""


def summed(members: Sequence[Member]) -> Json | None:
    """The totals of all; None before the first. What waits is one frontier's: the newest word."""
    known = [member for member in members if member.told["summary"] is not None]
    if not known:
        return None
    totals: dict[str, float] = {}
    for member in known:
        for name, value in table(member.told["summary"]).items():
            totals[name] = totals.get(name, 0) + (number(value) or 0)
    newest = max(known, key=lambda member: member.at)
    return {**totals, "waiting": table(newest.told["summary"]).get("waiting")}


def _controls(members: Sequence[Member], state: str) -> Json:
    """Where all that pause were paused on their server, their folders cannot let them go on."""
    paused = [member.told["controls"] for member in members if member.told["state"] == PAUSED]
    if state == PAUSED and not any(table(each).get("resume") for each in paused):
        return paused_elsewhere()
    return controls(state, many=True)


def _first(told: Sequence[Mapping[str, object]], name: str) -> str:
    return next((text for each in told if (text := words(each[name]))), "")


def _problems(members: Sequence[Member]) -> str:
    told = [f"{each.mark.name}: {each.told['problem']}" for each in members if each.told["problem"]]
    more = f" {len(told) - _PROBLEMS} more workers have problems." if len(told) > _PROBLEMS else ""
    return " ".join(told[:_PROBLEMS]) + more

"""The figures of a crawl as its server tells them, with what folders on this machine add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.corpus.ending import INTERRUPTED, ending_of
from scenthound.dashboard.curve import share
from scenthound.dashboard.plain_values import Json, number, table, words
from scenthound.dashboard.server_watch import Heard, ServerWatch
from scenthound.dashboard.standing import PAUSED, RUNNING, controls
from scenthound.distributed.overview import Overview
from scenthound.distributed.roll import ENDED, LOST, WORKING, WorkerEntry

AWAY = "server away"
_AWAY = "the server does not answer, so nothing can be asked of the workers"
_AGAIN = " It is asked again every few seconds; what it said last is shown."
_UNHEARD = "not heard of any more"
_OWN_WORDS = {WORKING: RUNNING}


def server_figures(watch: ServerWatch, told: Json, here: Sequence[Json]) -> Json:
    """How the crawl stands by its server.

    Parameters
    ----------
    watch : asks the server.
    told : how it stands by the folders on this machine.
    here : the rows of the workers that have these.
    """
    stands = watch.stands
    rows = worker_rows(watch, here)
    state, reason = (AWAY, "") if watch.problem else _state(stands, rows)
    summary = _summary(stands, told, all(row["id"] for row in rows))
    rates = [rate for row in rows if (rate := number(row["rate"])) is not None]
    return {
        **told,
        "topic": words(stands.topic),
        "strategy": words(stands.strategy),
        "state": state,
        "reason": reason,
        "budget": stands.budget or None,
        "summary": summary,
        "harvest": share(
            number(summary.get("relevant")) or 0, int(number(summary["fetched"]) or 0)
        ),
        "rate": round(sum(rates), 2) if rates and state == RUNNING else None,
        "problem": f"{watch.problem}{_AGAIN if watch.problem else ''} {told['problem']}".strip(),
        "controls": {**controls(state, many=True), **({"why": _AWAY} if watch.problem else {})},
        "workers": rows,
    }


def worker_rows(watch: ServerWatch, here: Sequence[Json]) -> list[Json]:
    """All workers, those on other machines too; a folder that is here knows more than the roll."""
    stands = watch.stands
    known = {row["number"]: row for row in here}
    return [
        _joined(_row(entry, stands.at, watch.heard.get(entry.number, Heard())), known, watch)
        for entry in stands.workers
    ]


def _joined(row: Json, known: Mapping[object, Json], watch: ServerWatch) -> Json:
    found = known.get(row["number"])
    if found is None:
        return row
    paused = found["state"] == RUNNING and row["state"] == PAUSED and not watch.problem
    return {**row, **found, "host": row["host"], **({"state": PAUSED} if paused else {})}


def _row(entry: WorkerEntry, now: float, heard: Heard) -> Json:
    """A worker by what it told the server."""
    state, reason = _worker_state(entry, now)
    return {
        "id": None,
        "number": entry.number,
        "name": words(entry.name),
        "state": state,
        "reason": reason,
        "fetched": entry.pages,
        "relevant": entry.relevant,
        "harvest": share(entry.relevant, entry.pages),
        "rate": heard.rate if state == RUNNING else None,
        "last_at": heard.at,
        "folder": words(entry.folder, 1_000),
        "host": words(entry.host),
    }


def _worker_state(entry: WorkerEntry, now: float) -> tuple[str, str]:
    state = entry.shown_state(now)
    if state == ENDED:
        return ending_of(words(entry.reason))
    return (INTERRUPTED, _UNHEARD) if state == LOST else (_OWN_WORDS.get(state, state), "")


def _state(stands: Overview, rows: Sequence[Json]) -> tuple[str, str]:
    """In the words of crawls in folders; workers may also be paused one by one."""
    at_work = {row["state"] for row in rows} & {RUNNING, PAUSED}
    if stands.state == RUNNING and at_work == {PAUSED}:
        return PAUSED, ""
    if stands.state == ENDED:
        return ending_of(words(stands.reason))
    return (INTERRUPTED, _UNHEARD) if stands.state == LOST else (stands.state, "")


def _summary(stands: Overview, told: Json, all_here: bool) -> Json:
    """By the folders where all are here: they tell more, and first."""
    if all_here and told["summary"] is not None:
        return {**table(told["summary"]), "waiting": stands.waiting}
    return {
        "fetched": stands.pages,
        "relevant": stands.relevant,
        "failed": sum(worker.failed for worker in stands.workers),
        "waiting": stands.waiting,
    }

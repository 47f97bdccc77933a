"""Where a crawl stands: is it running, and if not, how did it end?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.corpus.ending import KILLED, ending_of
from scenthound.dashboard.folder_files import can_be_locked
from scenthound.dashboard.plain_values import Json, words
from scenthound.store.lock import holder
from scenthound.store.requests import PAUSE, STOP, Requests

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
NOT_BEGUN, DAMAGED = "not begun", "damaged"
_NOT_RUNNING = "no process crawls in this folder now"
_NOBODY = "no worker is at work now"
_STOPS = "it is asked to stop already"
_BY_SERVER = "it was paused on its server: scenthound resume --redis URL --crawl NAME"


@dataclass(frozen=True, slots=True)
class Signs:
    """What lies in a folder beside the journal: is it held, and what was asked of its holder?"""

    held: bool
    pause: bool
    stop: bool


def signs_in(folder: Path) -> Signs:
    """The signs in a crawl folder; none in one that is not there."""
    requests = Requests(folder)
    held = can_be_locked(folder) and holder(folder) is not None
    return Signs(held, requests.is_left(PAUSE), requests.is_left(STOP))


def state_of(
    signs: Signs, last: Mapping[str, object] | None, damaged: bool = False
) -> tuple[str, str]:
    """The state in one word, and why it ended; "" where it has not, or nobody says.

    Parameters
    ----------
    signs : what lies in the folder.
    last : the last event of the journal that tells of a page, a begin or an end; None for none.
    damaged : something of the folder cannot be read, so that nobody knows how it ended.
    """
    if signs.held:
        return (STOPPING if signs.stop else PAUSED if signs.pause else RUNNING), ""
    if damaged:
        return DAMAGED, ""
    if last is None:
        return NOT_BEGUN, ""
    if last.get("event") != "stopped":
        return KILLED
    return ending_of(words(last.get("reason")))


def controls(state: str, many: bool = False) -> Json:
    """Which buttons do something, and why the others do not; ``many`` workers are told of so."""
    steered = state in (RUNNING, PAUSED)
    idle = _NOBODY if many else _NOT_RUNNING
    why = "" if steered else _STOPS if state == STOPPING else idle
    return {"pause": state == RUNNING, "resume": state == PAUSED, "stop": steered, "why": why}


def paused_elsewhere() -> Json:
    """The buttons of a worker that pauses without a request in its folder."""
    return {**controls(PAUSED), "resume": False, "why": _BY_SERVER}

"""How a crawl ended, in the words that everything has which shows one."""

from __future__ import annotations

from typing import NamedTuple

from scenthound.core.crawl import BUDGET_SPENT, FRONTIER_EMPTY
from scenthound.live.stopping import INTERRUPTED as ON_A_SIGNAL
from scenthound.live.stopping import LOW_HARVEST, OUT_OF_TIME
from scenthound.live.stopping import STOPPED as ON_REQUEST

FINISHED, STOPPED, FAILED, INTERRUPTED = "finished", "stopped", "failed", "interrupted"
_BY_ITSELF = frozenset({BUDGET_SPENT, FRONTIER_EMPTY, OUT_OF_TIME, LOW_HARVEST})
_IN_WORDS = {ON_REQUEST: "on request", ON_A_SIGNAL: "by Ctrl-C or a signal"}
_ERROR = "error: "


class Ending(NamedTuple):
    """The state of a crawl that is over, in one word, and why; "" where nobody says."""

    state: str
    reason: str


KILLED = Ending(INTERRUPTED, "its process ended without a word")
"""Of a crawl that is not on record as stopped, and that no process goes on with."""


def ending_of(reason: str) -> Ending:
    """The ending of a crawl that was stopped for a reason, as its journal has it.

    Examples
    --------
    >>> ending_of("stopped"), ending_of("error: KeyError: 'a'")
    (Ending(state='stopped', reason='on request'), Ending(state='failed', reason="KeyError: 'a'"))
    """
    if reason.startswith(_ERROR):
        return Ending(FAILED, reason.removeprefix(_ERROR))
    return Ending(FINISHED if reason in _BY_ITSELF else STOPPED, _IN_WORDS.get(reason, reason))

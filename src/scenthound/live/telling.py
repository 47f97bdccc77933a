"""The journal, with somebody watching, and a word to the user where a seed does not answer."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from scenthound.core.addresses import PRIVATE
from scenthound.core.events import ControlEvent, Event, FailedEvent, PageEvent, RefusedEvent
from scenthound.experiments.topic_reading import Warn
from scenthound.live.status import Watcher
from scenthound.store.journal import FileJournal

_OUTAGE = {
    "outage": "nothing answers any more, on any host: is the network, or the proxy, down? "
    "The crawl waits and tries again now and then",
    "network back": "there are answers again; the crawl goes on",
}
_LOG = logging.getLogger(__name__)


class ToldJournal:
    """Puts events on record, then tells of them.

    Parameters
    ----------
    journal : the record.
    watcher : sees every event.
    seeds : URLs that the user gave: what goes wrong with one of them is told at once.
    warn : gets that, in words.
    """

    def __init__(
        self, journal: FileJournal, watcher: Watcher, seeds: Iterable[str], warn: Warn
    ) -> None:
        self._journal = journal
        self._watcher = watcher
        self._seeds = set(seeds)
        self._warn = warn

    def append(self, event: Event) -> None:
        """One more event."""
        self._journal.append(event)
        self._watcher.saw(event)
        if isinstance(event, ControlEvent) and event.what in _OUTAGE:
            self._warn(_OUTAGE[event.what])
        _LOG.info("%s", event.to_json() if not isinstance(event, PageEvent) else _line(event))
        if isinstance(event, FailedEvent | RefusedEvent) and event.url in self._seeds:
            self._seeds.discard(event.url)  # once is enough
            self._warn(f"the seed {event.url} cannot be fetched: {event.reason}{_again(event)}")


def _line(event: PageEvent) -> str:
    found = "relevant" if event.relevant else event.problem or "not relevant"
    return f"page {event.n} {event.url} status {event.status}, {event.similarity:.3f}, {found}"


def _again(event: FailedEvent | RefusedEvent) -> str:
    if event.reason == PRIVATE:
        return " (--allow-private opens those)"
    if isinstance(event, FailedEvent) and event.retry_at is not None:
        return f"; tried again in {max(0.0, event.retry_at - event.at):.0f} s"
    return ""

"""What a crawl has done lately: the last few hundred pages of its journals, their hosts, and what
waits in its frontier.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.frontier.sqlite_reader import FrontierReader
from scenthound.output.dashboard.journal_tail import AnyEvent, ShownPage, read_event
from scenthound.output.dashboard.values import Json
from scenthound.output.explain.link_search import options_of
from scenthound.output.report.crawl_tally import host_name
from scenthound.storage.journal import JournalReader
from scenthound.storage.stored_crawl import open_crawl

_REACH = 16 * 1024 * 1024
"""How far back a page is looked for, whatever was written since."""
RECENT, RELEVANT = 50, 20
"""Rows of the last pages, and of the last relevant ones."""
_HOSTS = 20


@dataclass
class RecentPages:
    """What the last few hundred pages were.

    ``whole`` says that these are all pages of the crawl. ``strange`` lines are none that a crawl
    writes.
    """

    pages: int = 0
    whole: bool = True
    strange: int = 0
    last: list[ShownPage] = field(default_factory=list)
    relevant: list[ShownPage] = field(default_factory=list)
    hosts: Counter[str] = field(default_factory=Counter)
    relevant_hosts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def later(self, events: Sequence[AnyEvent]) -> RecentPages:
        """With the events that were written since, in order."""
        new = RecentPages()
        for event in reversed(events):
            new.add_earlier(event)
        return replace(
            join_recent([new, self]),
            last=[*new.last, *self.last][:RECENT],
            relevant=[*new.relevant, *self.relevant][:RELEVANT],
        )

    def add_earlier(self, event: AnyEvent) -> None:
        """Add an event of an earlier time than those before."""
        if event is None:
            self.strange += 1
        elif isinstance(event, ShownPage):
            self.pages += 1
            self.hosts[host_name(event.url)] += 1
            if len(self.last) < RECENT:
                self.last.append(event)
            if event.relevant:
                self.relevant_hosts[host_name(event.url)] += 1
                if len(self.relevant) < RELEVANT:
                    self.relevant.append(event)
        elif event.event == "refused":
            self.refused[event.reason] += 1

    def host_rows(self) -> list[Json]:
        """The busiest hosts of the last pages; what waits of each is not known."""
        return [
            {
                "host": host,
                "pages": pages,
                "relevant": self.relevant_hosts[host],
                "waiting": None,
                "state": None,
            }
            for host, pages in self.hosts.most_common(_HOSTS)
        ]


def read_recent(journal: JournalReader, most: int) -> RecentPages:
    """The last pages in at most so many bytes."""
    recent = RecentPages()
    for line in journal.backward(least=journal.size - _REACH):
        if journal.size - line.start > most and recent.pages:
            recent.whole = False
            break
        recent.add_earlier(read_event(line.event()))
    return recent


def join_recent(recents: Sequence[RecentPages]) -> RecentPages:
    """The ends of all journals, counted as one."""
    return RecentPages(
        pages=sum(each.pages for each in recents),
        whole=all(each.whole for each in recents),
        strange=sum(each.strange for each in recents),
        hosts=sum((each.hosts for each in recents), Counter()),
        relevant_hosts=sum((each.relevant_hosts for each in recents), Counter()),
        refused=sum((each.refused for each in recents), Counter()),
    )


def read_frontier(folder: Path, now: float, recent: RecentPages) -> tuple[Json, list[Json]]:
    """Counts of what waits, and the hosts with most pages; the crawl may be running.

    The frontier counts a host's redirects as pages and knows no relevant ones: where ``recent``
    holds the whole crawl, that is asked instead. FolderError where the frontier cannot be read
    now: nothing was committed yet, say.
    """
    try:
        with open_crawl(folder) as stored:
            if stored.database is None:
                raise FolderError(f"{folder} holds a replay, which keeps no frontier.")
            reading = FrontierReader(stored.database, options_of(stored).politeness(), now)
            counts, hosts = reading.counts(), reading.busiest(_HOSTS)
    except sqlite3.Error as error:
        raise FolderError(f"the frontier in {folder} cannot be read now ({error}).") from None
    waiting: Json = {
        "waiting": counts.waiting + counts.retrying,  # as the running totals count it
        "retrying": counts.retrying,
        "under_way": counts.under_way,
        "set_aside": counts.set_aside,
    }
    rows: list[Json] = []
    for host in hosts:
        pages = recent.hosts[host.name] if recent.whole else host.had
        relevant = recent.relevant_hosts[host.name] if recent.whole else None
        row: Json = {"host": host.name, "pages": pages, "relevant": relevant}
        rows.append({**row, "waiting": host.waiting, "state": host.state})
    return waiting, rows

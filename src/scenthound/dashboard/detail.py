"""All that is shown of one crawl beside its figures: settings, hosts, frontier, the last pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json, address, number, shown, table, words
from scenthound.dashboard.tail import is_told_well
from scenthound.store.journal_lines import Event
from scenthound.store.journal_places import JournalPlaces

BYTES = 512 * 1024
"""Of the end of a journal: some hundred pages."""
_REACH = 16 * 1024 * 1024
"""Where a page is looked for at all, behind whatever was written since."""
ROWS = 20
_HOSTS = 20
REASONS = 20


@dataclass
class Recent:
    """What the last few hundred pages were; made by :func:`read_recent`.

    ``whole`` says that these are all pages of the crawl. ``strange`` lines are none that a crawl
    writes.
    """

    pages: int = 0
    whole: bool = True
    strange: int = 0
    last: list[Event] = field(default_factory=list)
    relevant: list[Event] = field(default_factory=list)
    hosts: Counter[str] = field(default_factory=Counter)
    relevant_hosts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, event: Event) -> None:
        """One more event, of an earlier time than those before."""
        if event.get("event") == "refused":
            self.refused[words(event.get("reason"))] += 1
        elif event.get("event") == "page":
            self.pages += 1
            host = host_in(event)
            self.hosts[host] += 1
            if len(self.last) < ROWS:
                self.last.append(event)
            if event.get("relevant") is True:
                self.relevant_hosts[host] += 1
                if len(self.relevant) < ROWS:
                    self.relevant.append(event)


def read_recent(journal: JournalPlaces, most: int = BYTES) -> Recent:
    """The end of a journal, at most so many bytes of it."""
    recent = Recent()
    for line in journal.backward(least=journal.size - _REACH):
        if journal.size - line.start > most and recent.pages:
            recent.whole = False
            break
        event = line.event()
        if event is None or not is_told_well(event):
            recent.strange += 1
        if event is not None:
            recent.add(event)
    return recent


def told_recent(recent: Recent) -> Json:
    """The end of a journal as the front end wants it."""
    return {
        "latest": [page_row(event) for event in recent.relevant],
        "recent": [page_row(event) for event in recent.last],
        "refused": dict(recent.refused.most_common(REASONS)),
        "counted": {"pages": recent.pages, "whole": recent.whole},
    }


def hosts_told(recent: Recent) -> list[Json]:
    """The busiest hosts of the last pages; what waits of each is not known."""
    return [
        {
            "host": host,
            "pages": pages,
            "relevant": recent.relevant_hosts[host],
            "waiting": None,
            "state": None,
        }
        for host, pages in recent.hosts.most_common(_HOSTS)
    ]


def settings_told(order: Mapping[str, object]) -> list[list[str]]:
    """Names and values of all that was asked for; none for a crawl not begun."""
    topic = table(order.get("topic"))
    parts = [
        ("", {"keywords": topic.get("keywords"), "seeds": topic.get("seeds")}),
        ("", {"examples": topic.get("examples"), "random seed": order.get("seed")}),
        ("parameter ", table(order.get("parameters"))),
        ("", table(order.get("source"))),
        ("", table(order.get("settings"))),
        ("version of ", table(order.get("versions"))),
    ]
    return [
        [f"{before}{words(name)}".replace("_", " "), shown(value)]
        for before, values in parts
        for name, value in values.items()
    ]


def host_in(event: Mapping[str, object]) -> str:
    """The host of a page; "" where its URL has none."""
    pieces = address(event.get("url")).split("/", 3)
    return pieces[2] if len(pieces) > 2 else ""


def frontier_told(overview: Mapping[str, object]) -> Json:
    """The frontier by the running summary alone."""
    waiting = number(table(overview.get("summary")).get("waiting"))
    return {"waiting": waiting, "retrying": None, "under_way": None, "set_aside": None}

"""JSON views of one crawl, by one process or by several workers: settings, hosts, frontier, curve
and pages.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import format_page_number, local_page_number, worker_of
from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.sqlite_reader import FrontierReader
from scenthound.output.dashboard.crawl_folder import LIVE, Clock, CrawlReader, open_watched_crawl
from scenthound.output.dashboard.curve import CurvePoint, sample_curve
from scenthound.output.dashboard.page_details import PageDetailReader
from scenthound.output.dashboard.pages import (
    OpenJournals,
    PageQuery,
    newest_first,
    page_row,
    search_pages,
)
from scenthound.output.dashboard.status import CONTROLLABLE, describe_damage, is_valid
from scenthound.output.dashboard.values import (
    ApiError,
    Json,
    as_mapping,
    as_number,
    as_text,
    as_url,
    describe_setting,
)
from scenthound.output.dashboard.workers import DisplayedCrawl
from scenthound.output.link_search import options_of
from scenthound.storage.folder import PAUSE, STOP, WORKER, ControlRequests
from scenthound.storage.journal import JournalEvent, JournalReader

BYTES = 512 * 1024
"""Of the end of a journal: some hundred pages."""
_MIN_BYTES = 32 * 1024
"""Of each worker's journal, however many workers there are."""
_REACH = 16 * 1024 * 1024
"""Where a page is looked for at all, behind whatever was written since."""
ROWS = 20
_HOSTS = 20
REASONS = 20


@dataclass
class RecentPages:
    """What the last few hundred pages were; made by :func:`read_recent`.

    ``whole`` says that these are all pages of the crawl. ``strange`` lines are none that a crawl
    writes.
    """

    pages: int = 0
    whole: bool = True
    strange: int = 0
    last: list[JournalEvent] = field(default_factory=list)
    relevant: list[JournalEvent] = field(default_factory=list)
    hosts: Counter[str] = field(default_factory=Counter)
    relevant_hosts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, event: JournalEvent) -> None:
        """One more event, of an earlier time than those before."""
        if event.get("event") == "refused":
            self.refused[as_text(event.get("reason"))] += 1
        elif event.get("event") == "page":
            self.pages += 1
            host = url_host(event)
            self.hosts[host] += 1
            if len(self.last) < ROWS:
                self.last.append(event)
            if event.get("relevant") is True:
                self.relevant_hosts[host] += 1
                if len(self.relevant) < ROWS:
                    self.relevant.append(event)


def read_recent(journal: JournalReader, most: int) -> RecentPages:
    """The end of a journal, at most so many bytes of it."""
    recent = RecentPages()
    for line in journal.backward(least=journal.size - _REACH):
        if journal.size - line.start > most and recent.pages:
            recent.whole = False
            break
        event = line.event()
        if event is None or not is_valid(event):
            recent.strange += 1
        if event is not None:
            recent.add(event)
    return recent


def host_rows(recent: RecentPages) -> list[Json]:
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


def setting_rows(order: Mapping[str, object]) -> list[list[str]]:
    """Names and values of all that was asked for; none for a crawl not begun."""
    topic = as_mapping(order.get("topic"))
    parts = [
        ("", {"keywords": topic.get("keywords"), "seeds": topic.get("seeds")}),
        ("", {"examples": topic.get("examples"), "random seed": order.get("seed")}),
        ("parameter ", as_mapping(order.get("parameters"))),
        ("", as_mapping(order.get("source"))),
        ("", as_mapping(order.get("settings"))),
        ("version of ", as_mapping(order.get("versions"))),
    ]
    return [
        [f"{before}{as_text(name)}".replace("_", " "), describe_setting(value)]
        for before, values in parts
        for name, value in values.items()
    ]


def url_host(event: Mapping[str, object]) -> str:
    """The host of a page; "" where its URL has none."""
    pieces = as_url(event.get("url")).split("/", 3)
    return pieces[2] if len(pieces) > 2 else ""


def read_frontier(folder: Path, now: float, recent: RecentPages) -> tuple[Json, list[Json]]:
    """Counts of what waits, and the hosts with most pages; the crawl may be running.

    The frontier counts a host's redirects as pages and knows no relevant ones: where ``recent``
    holds the whole crawl, that is asked instead. FolderError where the frontier cannot be read
    now: nothing was committed yet, say.
    """
    try:
        with open_watched_crawl(folder) as stored:
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
    rows: list[Json] = [
        {
            "host": host.name,
            "pages": recent.hosts[host.name] if recent.whole else host.had,
            "relevant": recent.relevant_hosts[host.name] if recent.whole else None,
            "waiting": host.waiting,
            "state": host.state,
        }
        for host in hosts
    ]
    return waiting, rows


_FROM_JOURNAL = "What waits, and the hosts, are those that the journal tells of."


class CrawlView:
    """JSON views of one crawl, by one process or by several workers.

    Parameters
    ----------
    crawl : a folder, or the folders and the server of several workers.
    now : the time in seconds since 1970.
    pages : reads single pages.
    """

    def __init__(self, crawl: DisplayedCrawl, now: Clock, pages: PageDetailReader) -> None:
        self._crawl = crawl
        self._now = now
        self._pages = pages

    def detail(self, overview: Json) -> Json:
        """The overview with settings, hosts, frontier and last pages."""
        members = self._crawl.members
        most = max(_MIN_BYTES, BYTES // max(1, len(members)))
        recents = [(worker, _recent_pages(reader, most)) for worker, reader in members]
        recent = _join_recent([each for _, each in recents])
        if recent.strange and not overview["problem"]:
            overview["problem"] = describe_damage(recent.strange)
        server = self._crawl.server
        frontier: Json = {
            "waiting": as_number(as_mapping(overview["summary"]).get("waiting")),
            "retrying": None,
            "under_way": None if server is None else server.stands.leased,
            "set_aside": None,
        }
        hosts, whole = host_rows(recent), recent.whole
        if self._has_frontier(overview):
            try:
                frontier, hosts = read_frontier(self._crawl.path, self._now(), recent)
                whole = True
            except InputError as error:
                overview["problem"] = overview["problem"] or f"{error} {_FROM_JOURNAL}"
        first = members[0][1] if members else None
        started = {} if first is None else first.started()
        return {
            **overview,
            "latest": _rows([(worker, each.relevant) for worker, each in recents]),
            "recent": _rows([(worker, each.last) for worker, each in recents]),
            "refused": dict(recent.refused.most_common(REASONS)),
            "counted": {"pages": recent.pages, "whole": recent.whole},
            "settings": self._settings(),
            "threshold": as_number(started.get("threshold")),
            "hosts": hosts,
            "hosts_whole": whole,
            "frontier": frontier,
        }

    def curve(self, points: int) -> list[CurvePoint]:
        """The curve; where folders are on other machines, as the server reported it."""
        server = self._crawl.server
        if server is not None and self._crawl.has_remote_workers:
            return server.points()[-points:]
        with self._journals() as opened:
            return sample_curve([journal for _, journal in opened], points)

    def pages(self, query: PageQuery, before: str, most: int) -> Json:
        """Pages that match, the newest first; ``before`` is what the last answer gave as next."""
        with self._journals() as opened:
            return search_pages(opened, query, before, most)

    def page(self, page: int) -> Json:
        """One page, by its number among those of all workers; ApiError (404) for none."""
        for worker, reader in self._crawl.members:
            if worker is None:
                details = self._pages.read(reader, page)
            elif worker.number == worker_of(page):
                details = self._pages.read(reader, local_page_number(page), worker)
            else:
                continue
            if details is not None:
                return details
        raise ApiError(404, f"this crawl has no {format_page_number(page)}.")

    def order(self, action: str) -> None:
        """Pause, resume or stop all workers, by their server or by their folders.

        Resuming withdraws the requests in folders too: workers may have been paused one by one.
        """
        if self._crawl.server is not None:
            self._crawl.server.request_action(action)
            if action != "resume":
                return
        for _, reader in self._crawl.members:
            if reader.overview()["state"] in CONTROLLABLE:
                requests = ControlRequests(reader.path)
                if action == "resume":
                    requests.withdraw(PAUSE)
                else:
                    requests.leave(PAUSE if action == "pause" else STOP)

    def _has_frontier(self, overview: Json) -> bool:
        """Is the frontier in the folder? That of several workers is on their server."""
        crawl = self._crawl
        live = overview["kind"] == LIVE and bool(overview["summary"])
        return live and isinstance(crawl, CrawlReader) and crawl.mark() is None

    def _settings(self) -> list[list[str]]:
        """Names and values of the settings; empty where they cannot be read."""
        try:
            rows = setting_rows(self._crawl.members[0][1].order()) if self._crawl.members else []
        except FolderError:
            return []
        alone = isinstance(self._crawl, CrawlReader)
        return rows if alone else [row for row in rows if row[0] != WORKER]

    @contextmanager
    def _journals(self) -> Iterator[OpenJournals]:
        """The journals that have been begun, open.

        One of several that cannot be read is left out: the overview says what is wrong with it.
        """
        with ExitStack() as stack:
            opened = []
            for worker, reader in self._crawl.members:
                try:
                    journal = stack.enter_context(reader.opened())
                except FolderError:
                    if worker is None:
                        raise
                    continue
                if journal is not None:
                    opened.append((worker, journal))
            yield opened


def _recent_pages(reader: CrawlReader, most: int) -> RecentPages:
    """The last pages; none where the journal cannot be read, which the overview says."""
    try:
        with reader.opened() as journal:
            return RecentPages() if journal is None else read_recent(journal, most)
    except FolderError:
        return RecentPages()


def _join_recent(recents: Sequence[RecentPages]) -> RecentPages:
    """The ends of all journals, counted as one."""
    return RecentPages(
        pages=sum(each.pages for each in recents),
        whole=all(each.whole for each in recents),
        strange=sum(each.strange for each in recents),
        hosts=sum((each.hosts for each in recents), Counter()),
        relevant_hosts=sum((each.relevant_hosts for each in recents), Counter()),
        refused=sum((each.refused for each in recents), Counter()),
    )


def _rows(found: Sequence[tuple[WorkerIdentity | None, Sequence[JournalEvent]]]) -> list[Json]:
    rows = [page_row(event, worker) for worker, events in found for event in events]
    return rows if len(found) == 1 else newest_first(rows)[:ROWS]

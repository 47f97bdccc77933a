"""The links of one page on their way into the tables, read and written together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scenthound.core.model import Sighting
from scenthound.core.protocols import Admission
from scenthound.frontier.combination import Combination
from scenthound.frontier.evidence import Evidence
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite_host_row import Host, is_spent
from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import CLOSED, LEASED, READY, SPENT
from scenthound.frontier.sqlite_url_row import UrlRow, host_name
from scenthound.frontier.sqlite_urls import Urls


@dataclass(slots=True)
class _Known:
    """A row that has new evidence, and its score before."""

    row: UrlRow
    before: float


class Batch:
    """What becomes of sightings, kept back until :meth:`write`.

    Parameters
    ----------
    urls, hosts : the tables.
    addresses : the URLs that will be spoken of.
    count : the highest number given so far; new rows count on from it.
    """

    def __init__(self, urls: Urls, hosts: Hosts, addresses: Collection[str], count: int) -> None:
        self._urls = urls
        self._count = count
        self._rows = urls.find(addresses)
        self._named = hosts.named([host_name(url) for url in addresses])
        self._numbered = {host.id: host for host in self._named.values()}
        self._known: dict[int, _Known] = {}
        self.fresh: list[UrlRow] = []
        """The rows that are new."""

    def admit(self, sighting: Sighting, how: Combination, manners: Manners) -> Admission:
        """Insert the URL or add to its evidence."""
        row = self._rows.get(sighting.url)
        if row is not None:
            refused = _refusal(row)
            if refused is None:
                self._touch(row).see(sighting, how)
            return refused or Admission.RESCORED
        if is_spent(self._named[host_name(sighting.url)], manners):
            return Admission.SPENT
        self._begin(sighting.url, Evidence(sighting.depth), ()).see(sighting, how)
        return Admission.NEW

    def take_over(self, target: str, origin: UrlRow, manners: Manners) -> Admission:
        """Let ``target`` wait in the place of ``origin``, which redirects to it."""
        row = self._rows.get(target)
        if row is not None:
            refused = _refusal(row)
            if refused is None:
                self._touch(row)
                row.join(origin)
            return refused or Admission.RESCORED
        if is_spent(self._named[host_name(target)], manners):
            return Admission.SPENT
        self._begin(target, origin, (*origin.redirects, origin.url))
        return Admission.NEW

    def write(self) -> Collection[Host]:
        """Write all rows; the hosts whose counts or best URLs have changed, not yet written."""
        self._urls.insert(self.fresh)
        moved = [k.row for k in self._known.values() if k.row.score != k.before]
        self._urls.rewrite(moved)
        self._urls.rewrite_unmoved([k.row for k in self._known.values() if k.row.score == k.before])
        ready = [row for row in moved if row.state == READY]
        changed = {row.host: self._numbered[row.host] for row in (*self.fresh, *ready)}
        for row in self.fresh:
            changed[row.host].ready += 1
            changed[row.host].offer(row.score, row.id)
        self._reorder(ready)
        return changed.values()

    def _reorder(self, rows: Collection[UrlRow]) -> None:
        """Scores have changed: a host's best URL may be another one."""
        fallen = []
        for row in rows:
            host = self._numbered[row.host]
            if host.best_id == row.id:
                fallen.append(host)
            else:
                host.offer(row.score, row.id)
        for host in fallen:
            host.best, host.best_id = self._urls.best(host.id)

    def _touch(self, row: UrlRow) -> UrlRow:
        if row.id <= self._count:
            self._known.setdefault(row.id, _Known(row, row.score))
        return row

    def _begin(self, url: str, evidence: Evidence, redirects: tuple[str, ...]) -> UrlRow:
        row = UrlRow(
            id=self._count + len(self.fresh) + 1,
            url=url,
            host=self._named[host_name(url)].id,
            depth=evidence.depth,
            score=evidence.score,
            sightings=evidence.sightings,
            parts=evidence.parts,
            inlinks=list(evidence.inlinks),
            redirects=redirects,
        )
        self._rows[url] = row
        self.fresh.append(row)
        return row


def _refusal(row: UrlRow) -> Admission | None:
    """Why a known URL is not open to new evidence; None if it is."""
    if row.state == SPENT:
        return Admission.SPENT
    return Admission.CLOSED if row.state in (LEASED, CLOSED) else None

"""The links of one page on their way to the server, read and written together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Protocol

from scenthound.core.model import Sighting
from scenthound.core.protocols import Admission
from scenthound.distributed.partitions import Partitions
from scenthound.distributed.rows import READY, RETRY, SPENT, Row, Rows, is_open
from scenthound.distributed.scripts import Argument
from scenthound.frontier.combination import Combination

WRITTEN, CHANGED, HOST_IS_SPENT = range(3)
"""What became of a row that was to be written."""
_VERSIONS = 2**16
_WRITTEN_AT_ONCE = 400
_TOLD = Struct("<10s2sBHI")
"""Before a row that is to be written: digest, version, is it new, lengths of host and row."""


class Claim(Protocol):
    """Something that speaks for a URL."""

    @property
    def url(self) -> str:
        """The URL."""
        ...

    def begin(self, number: int) -> Row:
        """The row of a URL that was never seen before."""
        ...

    def change(self, row: Row) -> None:
        """Add to the evidence of one that waits."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """A link to a URL was seen."""

    sighting: Sighting
    how: Combination

    @property
    def url(self) -> str:
        """The URL that it leads to."""
        return self.sighting.url

    def begin(self, number: int) -> Row:
        """A row with this link alone."""
        row = Row(url=self.url, number=number, depth=self.sighting.depth)
        row.see(self.sighting, self.how)
        return row

    def change(self, row: Row) -> None:
        """One more link."""
        row.see(self.sighting, self.how)


@dataclass(frozen=True, slots=True)
class Led:
    """Another URL, whose row is ``origin``, redirects to this one."""

    url: str
    origin: Row

    def begin(self, number: int) -> Row:
        """A row in the place of the other."""
        origin = self.origin
        return Row(
            url=self.url,
            number=number,
            depth=origin.depth,
            score=origin.score,
            sightings=origin.sightings,
            parts=origin.parts,
            inlinks=list(origin.inlinks),
            redirects=(*origin.redirects, origin.url),
        )

    def change(self, row: Row) -> None:
        """What speaks for the other speaks for this one too."""
        row.join(self.origin)


class Entering:
    """Reads rows, changes them here by the rules of every frontier, and writes them.

    A row that another worker has changed between reading and writing is read again.
    """

    def __init__(self, partitions: Partitions, rows: Rows) -> None:
        self._partitions = partitions
        self._rows = rows

    def enter(self, claims: Sequence[Claim]) -> list[Admission]:
        """What became of each."""
        admissions = [Admission.CLOSED] * len(claims)
        todo: Sequence[int] = range(len(claims))
        while todo:
            todo = self._enter_once(claims, todo, admissions)
        return admissions

    def change(self, packed: Iterable[bytes], change: Callable[[Row], None]) -> None:
        """Change the evidence of those of these rows that are not closed."""
        rows = [self._rows.row(each) for each in packed if is_open(each)]
        while rows:
            for row in rows:
                change(row)
            outcomes = self._write(rows, frozenset(), leased_too=True)
            again = [url for url, outcome in outcomes.items() if outcome == CHANGED]
            found, _ = self._partitions.find(again)
            rows = [self._rows.row(each) for each in found.values() if is_open(each)]

    def _enter_once(
        self, claims: Sequence[Claim], todo: Sequence[int], admissions: list[Admission]
    ) -> list[int]:
        """Admit the claims at these places; those that must be admitted again."""
        urls = {place: claims[place].url for place in todo}
        distinct = list(dict.fromkeys(urls.values()))
        found, number = self._partitions.find(distinct, len(distinct))
        changed: dict[str, Row] = {}
        fresh: set[str] = set()
        for place, url in urls.items():
            claim, row, packed = claims[place], changed.get(url), found.get(url)
            if row is not None:
                admissions[place] = Admission.RESCORED
                claim.change(row)
            elif packed is None:
                admissions[place] = Admission.NEW
                changed[url] = claim.begin(number + len(fresh))
                fresh.add(url)
            elif (refused := _refusal(packed)) is not None:
                admissions[place] = refused
            else:
                admissions[place] = Admission.RESCORED
                changed[url] = self._rows.row(packed)
                claim.change(changed[url])
        outcomes = self._write(changed.values(), fresh)
        again = []
        for place, url in urls.items():
            outcome = outcomes.get(url)
            if outcome == HOST_IS_SPENT:
                admissions[place] = Admission.SPENT
            elif outcome == CHANGED:
                again.append(place)
        return again

    def _write(
        self, rows: Collection[Row], fresh: Collection[str], leased_too: bool = False
    ) -> dict[str, int]:
        """What became of each row, by URL."""
        groups: defaultdict[int, list[Row]] = defaultdict(list)
        for row in rows:
            groups[self._partitions.place_of(row.url)].append(row)
        pieces = [
            (place, some[start : start + _WRITTEN_AT_ONCE])
            for place, some in groups.items()
            for start in range(0, len(some), _WRITTEN_AT_ONCE)
        ]
        arguments = [(p, self._arguments(some, fresh, leased_too)) for p, some in pieces]
        outcomes: dict[str, int] = {}
        answers = self._partitions.run_each(arguments, "write", self._rows.needed())
        for (_, some), (_, codes) in zip(pieces, answers, strict=True):
            outcomes.update((row.url, code) for row, code in zip(some, codes, strict=True))
        return outcomes

    def _arguments(
        self, rows: Sequence[Row], fresh: Collection[str], leased_too: bool
    ) -> tuple[Argument, ...]:
        """The rows as one text: to pack many arguments costs the client more than all else."""
        packed: list[bytes] = []
        for row in rows:
            read = row.version.to_bytes(2, "little")
            row.version = (row.version + 1) % _VERSIONS
            host, written = row.host.encode(), self._rows.packed(row)
            head = _TOLD.pack(row.digest, read, row.url in fresh, len(host), len(written))
            packed += (head, host, written)
        return int(leased_too), b"".join(packed)


def _refusal(packed: bytes) -> Admission | None:
    """Why a known URL is not open to new evidence; None if it is."""
    state = packed[2]
    if state in (READY, RETRY):
        return None
    return Admission.SPENT if state == SPENT else Admission.CLOSED

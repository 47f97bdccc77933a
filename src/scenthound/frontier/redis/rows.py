"""One URL as bytes on the server, and the links of a page read and written together.

The server keeps all rows in memory, so they are packed by hand, and of a closed URL only the head
stays. The scripts read the head by position: whoever changes ``_HEAD`` or ``_ROW_HEAD`` changes
``lua/base.lua`` and ``lua/write.lua`` too, and raises ``scripts.LAYOUT``. :class:`RowWriter` is
optimistic: a row carries a version, and one that another worker has changed is read again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING

from scenthound.core.model import Parts, UrlEvidence
from scenthound.core.protocols import Admission
from scenthound.frontier.redis.partitions import Partitions
from scenthound.frontier.redis.scripts import Argument, Step, digest_of
from scenthound.frontier.sqlite_urls import EvidenceCodec, UrlState, host_name

if TYPE_CHECKING:
    from redis import Redis

_HEAD = Struct("<HBH6sdHI")
"""Version, state, attempts, number, score, depth, links: all that is kept of a closed URL."""
_LENGTHS = Struct("<HHH")
"""Bytes of URL, redirects and parts; inlinks are the rest."""
_MAX_DEPTH, _MAX_LINKS = 2**16 - 1, 2**32 - 1


@dataclass(slots=True, kw_only=True)
class Row(UrlEvidence):
    """A URL, its evidence, and its state."""

    number: int
    """Order of arrival, over all workers: decides between equal scores."""
    version: int = 0
    """Grows with every change of the evidence, so that two changes at once are noticed."""
    state: int = UrlState.READY

    @property
    def head(self) -> bytes:
        """What is kept of the row when it is closed."""
        number = self.number.to_bytes(6, "big")
        state = self.version, self.state, self.attempts, number, self.score
        return _HEAD.pack(*state, min(self.depth, _MAX_DEPTH), min(self.link_count, _MAX_LINKS))


def state_of(packed: bytes | None) -> int | None:
    """The state of a packed row; None where there is none."""
    return None if packed is None else packed[2]


def is_open(packed: bytes) -> bool:
    """Does the row wait, or is it leased? (It has evidence then.)"""
    return packed[2] in (UrlState.READY, UrlState.RETRY, UrlState.LEASED)


def admission_of(state: int | None) -> Admission:
    """What becomes of a link to a URL in this state; None is one never seen."""
    if state is None:
        return Admission.NEW
    if state in (UrlState.READY, UrlState.RETRY):
        return Admission.RESCORED
    return Admission.EXHAUSTED if state == UrlState.EXHAUSTED else Admission.CLOSED


class RowCodec(EvidenceCodec):
    """Packs rows and unpacks them; the shapes of parts lie on the server, under one key.

    The number of a shape is a hash, the same for every worker. What rows that are to be written
    need is entered again with each of them (:meth:`needed`): a server may have forgotten its last
    second.

    Parameters
    ----------
    client, key : the server, and where on it the shapes are.
    """

    def __init__(self, client: Redis, key: str) -> None:
        super().__init__()
        self._client = client
        self._key = key
        self._needed: dict[int, Parts] = {}

    def needed(self) -> Step | None:
        """Enters what was packed since this was last called; None where nothing was."""
        needed, self._needed = self._needed, {}
        arguments: list[Argument] = []
        for number, parts in needed.items():
            arguments += (number, json.dumps(list(zip(parts.names, parts.weights, strict=True))))
        return ("store_shapes", self._key, arguments) if arguments else None

    def number_of(self, parts: Parts) -> int:
        """The number of the shape of these parts."""
        number = super().number_of(parts)
        self._needed.setdefault(number, parts)
        return number

    def _store(self, text: str) -> int:
        """32 bits: of 200 shapes two are alike once in 200,000 crawls, and the server says so."""
        return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little")

    def _load(self, number: int) -> bytes:
        text = self._client.hget(self._key, str(number))
        if text is None:
            raise LookupError(f"shape {number} is not under {self._key}")
        return bytes(text)  # type: ignore[arg-type]

    def packed(self, row: Row) -> bytes:
        """The whole row."""
        url, chain = row.url.encode(), "\n".join(row.redirects).encode()
        parts, inlinks = self.packed_evidence(row)
        lengths = _LENGTHS.pack(len(url), len(chain), len(parts))
        return b"".join((row.head, lengths, url, chain, parts, inlinks))

    def row(self, packed: bytes) -> Row:
        """An open row with its evidence: of a closed one not even the URL is kept."""
        version, state, attempts, number, score, depth, links = _HEAD.unpack_from(packed)
        row = Row(
            url="", number=int.from_bytes(number, "big"), version=version, state=state,
            attempts=attempts, score=score, depth=depth, link_count=links,
        )  # fmt: skip
        lengths = _LENGTHS.unpack_from(packed, _HEAD.size)
        start = _HEAD.size + _LENGTHS.size
        texts = []
        for length in lengths:
            texts.append(packed[start : start + length])
            start += length
        url, chain, parts = texts
        row.url = url.decode()
        row.redirects = tuple(chain.decode().split("\n")) if chain else ()
        self.read_evidence(row, parts, packed, start)
        return row


# --- the links of a page, read and written together


CHANGED, HOST_IS_EXHAUSTED = 1, 2
"""Why a row was not written; 0 where it was."""
_VERSIONS = 2**16
"""Versions wrap around: only so many changes between a read and a write would go unseen."""
_WRITTEN_AT_ONCE = 400
_ROW_HEAD = Struct("<10s2sBHI")
"""Before a row that is to be written: digest, version, is it new, lengths of host and row."""
Update = tuple[str, int, Callable[[Row, bool], None]]
"""A URL, the depth of a new row, and what changes its evidence, be the row new (True) or not."""


class RowWriter:
    """Reads rows, changes them here by the rules of every frontier, and writes them.

    A row that another worker has changed between reading and writing is read again.
    """

    def __init__(self, partitions: Partitions, codec: RowCodec) -> None:
        self._partitions = partitions
        self._codec = codec

    def enter(self, updates: Sequence[Update]) -> list[Admission]:
        """What became of each."""
        admissions = [Admission.CLOSED] * len(updates)
        todo: Sequence[int] = range(len(updates))
        while todo:
            todo = self._enter_once(updates, todo, admissions)
        return admissions

    def change(self, packed: Iterable[bytes], change: Callable[[Row], None]) -> None:
        """Change the evidence of those of these rows that are not closed."""
        rows = [self._codec.row(each) for each in packed if is_open(each)]
        while rows:
            for row in rows:
                change(row)
            outcomes = self._write(rows, frozenset(), leased_too=True)
            again = [url for url, outcome in outcomes.items() if outcome == CHANGED]
            found, _ = self._partitions.find(again)
            rows = [self._codec.row(each) for each in found.values() if is_open(each)]

    def _enter_once(
        self, updates: Sequence[Update], todo: Sequence[int], admissions: list[Admission]
    ) -> list[int]:
        """Admit the updates at these places; those that must be admitted again."""
        urls = {place: updates[place][0] for place in todo}
        distinct = list(dict.fromkeys(urls.values()))
        found, number = self._partitions.find(distinct, len(distinct))
        changed: dict[str, Row] = {}
        fresh: set[str] = set()
        for place, url in urls.items():
            _, depth, change = updates[place]
            row, packed = changed.get(url), found.get(url)
            admission = admission_of(state_of(packed)) if row is None else Admission.RESCORED
            admissions[place] = admission
            if admission is Admission.NEW:
                row = changed[url] = Row(url=url, number=number + len(fresh), depth=depth)
                fresh.add(url)
                change(row, True)
            elif admission is Admission.RESCORED:
                if row is None and packed is not None:
                    row = changed[url] = self._codec.row(packed)
                change(changed[url], False)
        outcomes = self._write(changed.values(), fresh)
        again = []
        for place, url in urls.items():
            outcome = outcomes.get(url)
            if outcome == HOST_IS_EXHAUSTED:
                admissions[place] = Admission.EXHAUSTED
            elif outcome == CHANGED:
                again.append(place)
        return again

    def _write(
        self, rows: Collection[Row], fresh: Collection[str], leased_too: bool = False
    ) -> dict[str, int]:
        """What became of each row, by URL."""
        lots = self._partitions.batches(rows, attrgetter("url"), _WRITTEN_AT_ONCE)
        steps = [
            self._partitions.step(place, "write", int(leased_too), self._packed(some, fresh))
            for place, some in lots
        ]
        outcomes: dict[str, int] = {}
        answers = self._partitions.run_all(steps, self._codec.needed())
        for (_, some), (_, codes) in zip(lots, answers, strict=True):
            outcomes.update((row.url, code) for row, code in zip(some, codes, strict=True))
        return outcomes

    def _packed(self, rows: Sequence[Row], fresh: Collection[str]) -> bytes:
        """The rows as one text: to pack many arguments costs the client more than all else."""
        packed: list[bytes] = []
        for row in rows:
            read = row.version.to_bytes(2, "little")
            row.version = (row.version + 1) % _VERSIONS
            host, written = host_name(row.url).encode(), self._codec.packed(row)
            sizes = row.url in fresh, len(host), len(written)
            packed += (_ROW_HEAD.pack(digest_of(row.url), read, *sizes), host, written)
        return b"".join(packed)

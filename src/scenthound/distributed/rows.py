"""One URL: as a value of the program, and as the bytes that lie on the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct

from scenthound.core.model import Inlink, Part
from scenthound.core.parts import Parts
from scenthound.distributed.keys import digest_of, host_name
from scenthound.distributed.scripts import Step
from scenthound.distributed.shapes import Shapes
from scenthound.frontier.evidence import UrlEvidence
from scenthound.frontier.sqlite_schema import CLOSED, LEASED, READY, RETRY, SPENT

__all__ = ["CLOSED", "LEASED", "READY", "RETRY", "SPENT", "Row", "Rows", "state_of"]

_HEAD = Struct("<HBH6sdHI")
"""Version, state, attempts, number, score, depth, sightings: all that is kept of a closed URL."""
_LENGTHS = Struct("<HHH")
"""Bytes of URL, redirects and parts; inlinks are the rest."""
_MOST_DEPTH, _MOST_SIGHTINGS = 2**16 - 1, 2**32 - 1


@dataclass(slots=True, kw_only=True)
class Row(UrlEvidence):
    """A URL, its evidence, and where it stands."""

    number: int
    """Order of first sighting, over all workers: decides between equal scores."""
    version: int = 0
    """Grows with every change of the evidence, so that two changes at once are noticed."""
    state: int = READY
    as_read: dict[int, tuple[Inlink, bytes]] = field(default_factory=dict, compare=False)
    """Inlinks by their ``id``, as they lay on the server: most are written as they were read."""

    @property
    def digest(self) -> bytes:
        """The name of the row."""
        return digest_of(self.url)

    @property
    def host(self) -> str:
        """The host of the URL."""
        return host_name(self.url)


class Rows:
    """Packs rows and unpacks them."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes

    def needed(self) -> Step | None:
        """What the server must know to read what was packed since this was last asked."""
        return self._shapes.needed()

    def packed(self, row: Row) -> bytes:
        """The whole row; parts that are those of the best inlink are not written twice."""
        best = row.inlinks[0].score.parts if row.inlinks else ()
        url, chain = row.url.encode(), "\n".join(row.redirects).encode()
        parts = b"" if _are_same(row.parts, best) else self._shapes.packed_parts(row.parts)
        lengths = _LENGTHS.pack(len(url), len(chain), len(parts))
        inlinks = [self._packed_inlink(row, inlink) for inlink in row.inlinks]
        return b"".join((head_of(row), lengths, url, chain, parts, *inlinks))

    def row(self, packed: bytes, url: str | None = None) -> Row:
        """The row; ``url`` is needed for one that is closed, of which no evidence is kept."""
        version, state, attempts, number, score, depth, sightings = _HEAD.unpack_from(packed)
        row = Row(
            url=url or "",
            number=int.from_bytes(number, "big"),
            version=version,
            state=state,
            attempts=attempts,
            score=score,
            depth=depth,
            sightings=sightings,
        )
        if len(packed) > _HEAD.size:
            self._unpack_rest(row, packed)
        return row

    def _packed_inlink(self, row: Row, inlink: Inlink) -> bytes:
        known, packed = row.as_read.get(id(inlink), (None, b""))
        return packed if known is inlink else self._shapes.packed_inlink(inlink)

    def _unpack_rest(self, row: Row, packed: bytes) -> None:
        lengths = _LENGTHS.unpack_from(packed, _HEAD.size)
        start = _HEAD.size + _LENGTHS.size
        texts = []
        for length in lengths:
            texts.append(packed[start : start + length])
            start += length
        url, chain, parts = texts
        row.url = url.decode()
        row.redirects = tuple(chain.decode().split("\n")) if chain else ()
        for inlink, own in self._shapes.inlinks(packed[start:]):
            row.inlinks.append(inlink)
            row.as_read[id(inlink)] = inlink, own
        if parts:
            row.parts = self._shapes.parts(parts)
        elif row.inlinks:
            row.parts = row.inlinks[0].score.parts


def _are_same(parts: Sequence[Part], others: Sequence[Part]) -> bool:
    """Are they equal? By column, without making a part of each."""
    if parts is others:
        return True
    one, other = Parts.of(parts), Parts.of(others)
    columns = one.values == other.values, one.names == other.names, one.weights == other.weights
    return all(columns)


def head_of(row: Row) -> bytes:
    """What is kept of a row when it is closed."""
    return _HEAD.pack(
        row.version,
        row.state,
        row.attempts,
        row.number.to_bytes(6, "big"),
        row.score,
        min(row.depth, _MOST_DEPTH),
        min(row.sightings, _MOST_SIGHTINGS),
    )


def state_of(packed: bytes | None) -> int | None:
    """The state of a row; None where there is none."""
    return None if packed is None else packed[2]


def is_open(packed: bytes) -> bool:
    """Does the row wait, or is it leased? (It has evidence then.)"""
    return packed[2] in (READY, RETRY, LEASED)

"""One row of the table of URLs: as a value of the program, and as the columns of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

from scenthound.core.urls import host_of
from scenthound.frontier.evidence import UrlEvidence
from scenthound.frontier.sqlite_schema import READY
from scenthound.frontier.sqlite_shapes import Shapes

COLUMNS = (
    "id, key, url, host, state, score, depth, attempts, sightings, due, parts, inlinks, redirects"
)
Raw = tuple[
    int, int, str, int, int, float, int, int, int,
    float | None, bytes | None, bytes | None, str | None,
]  # fmt: skip
"""The values of ``COLUMNS``."""
Key = Callable[[str], int]


def host_name(url: str) -> str:
    """The host of a URL; "" for a bare name, which has none."""
    return host_of(url) if "//" in url else ""


def url_key(url: str) -> int:
    """64 bits of hash: 24 of the host, 40 of the URL.

    The host comes first so that the keys of a page's links, most of which stay on one host, lie
    together in the index: fewer pages of it are read and written.
    """
    host = blake2b(host_name(url).encode(), digest_size=3).digest()
    rest = blake2b(url.encode(), digest_size=5).digest()
    return int.from_bytes(host + rest, "big", signed=True)


@dataclass(slots=True, kw_only=True)
class UrlRow(UrlEvidence):
    """One row: a URL, its evidence, and where it stands."""

    id: int
    host: int
    state: int = READY


def packed_evidence(row: UrlRow, shapes: Shapes) -> tuple[bytes | None, bytes | None]:
    """Parts and inlinks; parts that are those of the best inlink are not written twice."""
    inlinks = shapes.packed_inlinks(row.inlinks) or None
    best = row.inlinks[0].score.parts if row.inlinks else ()
    return (None if row.parts == best else shapes.packed_parts(row.parts)), inlinks


def columns_of(row: UrlRow, key: int, shapes: Shapes) -> Raw:
    """The row as ``COLUMNS``, of a URL that is not due at any time."""
    return (
        row.id,
        key,
        row.url,
        row.host,
        row.state,
        row.score,
        row.depth,
        row.attempts,
        row.sightings,
        None,
        *packed_evidence(row, shapes),
        "\n".join(row.redirects) or None,
    )


def row_of(raw: Raw, shapes: Shapes, needs_evidence: bool = True) -> UrlRow:
    """The row that ``COLUMNS`` stand for; its parts and inlinks only if somebody needs them."""
    number, _, url, host, state, score, depth, attempts, sightings, _, parts, inlinks, chain = raw
    if not needs_evidence:
        parts = inlinks = None
    links = shapes.inlinks(inlinks) if inlinks else []
    return UrlRow(
        id=number,
        url=url,
        host=host,
        state=state,
        score=score,
        depth=depth,
        attempts=attempts,
        sightings=sightings,
        parts=shapes.parts(parts) if parts else links[0].score.parts if links else (),
        inlinks=links,
        redirects=tuple(chain.split("\n")) if chain else (),
    )

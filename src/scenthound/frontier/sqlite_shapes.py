"""Scores and inlinks as a few bytes. Names and weights of parts are written once, as a shape."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from struct import Struct, pack, unpack_from

from scenthound.core.model import Inlink, Part, Score
from scenthound.core.parts import Parts

ANCHOR_KEPT = 200
"""Characters of an anchor text; longer ones are cut."""
_SHAPES_HELD = 4_096
_INLINK = Struct("<QdIH")
_SHAPE = Struct("<I")

Terms = tuple[tuple[str, ...], tuple[float, ...]]
"""Names and weights of the parts."""


class Shapes:
    """The combinations of part names and weights that occur: few in a crawl, each has a number.

    A bounded number of them is held in memory; the rest is looked up.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers: dict[Terms, int] = {}
        self._terms: dict[int, Terms] = {}

    def number(self, parts: Parts) -> int:
        """The number of the shape of these parts; a new one is written down."""
        terms = parts.names, parts.weights
        found = self._numbers.get(terms)
        return self._write(terms) if found is None else found

    def terms(self, number: int) -> Terms:
        """The names and weights that ``number`` stands for."""
        found = self._terms.get(number)
        return self._read(number) if found is None else found

    def packed_parts(self, parts: Sequence[Part]) -> bytes:
        """The number of the shape and the values."""
        own = Parts.of(parts)
        return pack(f"<I{len(own)}d", self.number(own), *own.values)

    def parts(self, packed: bytes) -> Parts:
        """What :meth:`packed_parts` was given."""
        (shape,) = _SHAPE.unpack_from(packed)
        return _parts(self.terms(shape), packed, _SHAPE.size)

    def packed_inlinks(self, inlinks: Iterable[Inlink]) -> bytes:
        """The inlinks one after the other; nothing for none."""
        return b"".join([self._packed_inlink(inlink) for inlink in inlinks])

    def inlinks(self, packed: bytes) -> list[Inlink]:
        """What :meth:`packed_inlinks` was given, anchors cut to ``ANCHOR_KEPT`` characters."""
        inlinks, at = [], 0
        while at < len(packed):
            source, value, shape, length = _INLINK.unpack_from(packed, at)
            terms = self.terms(shape)
            start = at + _INLINK.size + 8 * len(terms[0])
            parts = _parts(terms, packed, at + _INLINK.size)
            at = start + length
            inlinks.append(Inlink(source, Score(value, parts), packed[start:at].decode()))
        return inlinks

    def _packed_inlink(self, inlink: Inlink) -> bytes:
        parts = Parts.of(inlink.score.parts)
        # A page may carry half a surrogate pair, which has no UTF-8 form.
        anchor = inlink.anchor[:ANCHOR_KEPT].encode("utf-8", "replace")
        return pack(
            f"<QdIH{len(parts)}d{len(anchor)}s",
            inlink.source,
            inlink.score.value,
            self.number(parts),
            len(anchor),
            *parts.values,
            anchor,
        )

    def _write(self, terms: Terms) -> int:
        text = json.dumps(list(zip(*terms, strict=True)))
        query = "SELECT id FROM frontier_shapes WHERE terms = ?"
        row = self._connection.execute(query, (text,)).fetchone()
        if row is not None:
            return self._hold(row[0], terms)
        insert = "INSERT INTO frontier_shapes (terms) VALUES (?)"
        return self._hold(int(self._connection.execute(insert, (text,)).lastrowid or 0), terms)

    def _read(self, number: int) -> Terms:
        query = "SELECT terms FROM frontier_shapes WHERE id = ?"
        (text,) = self._connection.execute(query, (number,)).fetchone()
        pairs = json.loads(text)
        terms = tuple(str(name) for name, _ in pairs), tuple(float(weight) for _, weight in pairs)
        self._hold(number, terms)
        return terms

    def _hold(self, number: int, terms: Terms) -> int:
        if len(self._terms) >= _SHAPES_HELD:
            self._terms.clear()
            self._numbers.clear()
        self._terms[number] = terms
        self._numbers[terms] = number
        return number


def _parts(terms: Terms, packed: bytes, at: int) -> Parts:
    names, weights = terms
    return Parts(names, unpack_from(f"<{len(names)}d", packed, at), weights)

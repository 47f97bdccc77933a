"""Scores and inlinks as a few bytes. Names and weights of parts are written once, as a shape."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from struct import Struct, pack, unpack_from

from scenthound.core.model import Inlink, Part, Score

ANCHOR_KEPT = 200
"""Characters of an anchor text; longer ones are cut."""
_SHAPES_HELD = 4_096
_INLINK = Struct("<QdIH")
_SHAPE = Struct("<I")

Terms = tuple[tuple[str, float], ...]
"""Name and weight of each part."""


class Shapes:
    """The combinations of part names and weights that occur: few in a crawl, each has a number.

    A bounded number of them is held in memory; the rest is looked up.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers: dict[Terms, int] = {}
        self._terms: dict[int, Terms] = {}

    def number(self, parts: tuple[Part, ...]) -> int:
        """The number of the shape of these parts; a new one is written down."""
        terms = tuple([(part.name, part.weight) for part in parts])
        found = self._numbers.get(terms)
        return self._write(terms) if found is None else found

    def terms(self, number: int) -> Terms:
        """The names and weights that ``number`` stands for."""
        found = self._terms.get(number)
        return self._read(number) if found is None else found

    def packed_parts(self, parts: tuple[Part, ...]) -> bytes:
        """The number of the shape and the values."""
        values = [part.value for part in parts]
        return pack(f"<I{len(values)}d", self.number(parts), *values)

    def parts(self, packed: bytes) -> tuple[Part, ...]:
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
            start = at + _INLINK.size + 8 * len(terms)
            parts = _parts(terms, packed, at + _INLINK.size)
            at = start + length
            inlinks.append(Inlink(source, Score(value, parts), packed[start:at].decode()))
        return inlinks

    def _packed_inlink(self, inlink: Inlink) -> bytes:
        parts = inlink.score.parts
        # A page may carry half a surrogate pair, which has no UTF-8 form.
        anchor = inlink.anchor[:ANCHOR_KEPT].encode("utf-8", "replace")
        return pack(
            f"<QdIH{len(parts)}d{len(anchor)}s",
            inlink.source,
            inlink.score.value,
            self.number(parts),
            len(anchor),
            *[part.value for part in parts],
            anchor,
        )

    def _write(self, terms: Terms) -> int:
        text = json.dumps(terms)
        query = "SELECT id FROM frontier_shapes WHERE terms = ?"
        row = self._connection.execute(query, (text,)).fetchone()
        if row is not None:
            return self._hold(row[0], terms)
        insert = "INSERT INTO frontier_shapes (terms) VALUES (?)"
        return self._hold(int(self._connection.execute(insert, (text,)).lastrowid or 0), terms)

    def _read(self, number: int) -> Terms:
        query = "SELECT terms FROM frontier_shapes WHERE id = ?"
        (text,) = self._connection.execute(query, (number,)).fetchone()
        terms = tuple((str(name), float(weight)) for name, weight in json.loads(text))
        self._hold(number, terms)
        return terms

    def _hold(self, number: int, terms: Terms) -> int:
        if len(self._terms) >= _SHAPES_HELD:
            self._terms.clear()
            self._numbers.clear()
        self._terms[number] = terms
        self._numbers[terms] = number
        return number


def _parts(terms: Terms, packed: bytes, at: int) -> tuple[Part, ...]:
    values = unpack_from(f"<{len(terms)}d", packed, at)
    return tuple(
        [Part(name, value, weight) for (name, weight), value in zip(terms, values, strict=True)]
    )

"""Scores and inlinks as a few bytes. Names and weights of parts lie on the server once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from struct import Struct, pack, unpack_from
from typing import TYPE_CHECKING

from scenthound.core.model import Inlink, Part, Score
from scenthound.core.parts import Parts
from scenthound.distributed.scripts import Scripts
from scenthound.frontier.sqlite_shapes import ANCHOR_KEPT

if TYPE_CHECKING:
    from redis import Redis

_SHAPES_HELD = 4_096
_INLINK = Struct("<IHH")
"""Source, shape, and bytes of the anchor; then the values of the parts, and the anchor."""
_WIDE, _OWN_VALUE = 0x8000, 0x4000
"""Added to the bytes of the anchor: source and shape follow, as they did not fit; the score
follows, as the parts do not add up to it."""
_LARGEST_SOURCE, _LARGEST_SHAPE = 2**32 - 1, 2**16 - 1
_WIDE_INLINK, _VALUE, _SHAPE = Struct("<QI"), Struct("<d"), Struct("<I")

Terms = tuple[tuple[str, ...], tuple[float, ...]]
"""Names and weights of the parts."""


class Shapes:
    """The combinations of part names and weights that occur: few in a crawl, each has a number.

    Parameters
    ----------
    client, key : the server, and where on it they are.
    """

    def __init__(self, client: Redis, key: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._key = key
        self._numbers: dict[Terms, int] = {}
        self._terms: dict[int, Terms] = {}

    def packed_parts(self, parts: Sequence[Part]) -> bytes:
        """The number of the shape and the values."""
        own = Parts.of(parts)
        return pack(f"<I{len(own)}d", self._number(own), *own.values)

    def parts(self, packed: bytes) -> Parts:
        """What :meth:`packed_parts` was given."""
        (shape,) = _SHAPE.unpack_from(packed)
        return _parts(self._terms_of(shape), packed, _SHAPE.size)

    def packed_inlink(self, inlink: Inlink) -> bytes:
        """One inlink."""
        parts = Parts.of(inlink.score.parts)
        # A page may carry half a surrogate pair, which has no UTF-8 form.
        anchor = inlink.anchor[:ANCHOR_KEPT].encode("utf-8", "replace")
        source, shape, length = inlink.source, self._number(parts), len(anchor)
        more = b""
        if source > _LARGEST_SOURCE or shape > _LARGEST_SHAPE:
            more = _WIDE_INLINK.pack(source, shape)
            source, shape, length = 0, 0, length | _WIDE
        if inlink.score.value != parts.score().value:
            more += _VALUE.pack(inlink.score.value)
            length |= _OWN_VALUE
        values = pack(f"<{len(parts)}d", *parts.values)
        return b"".join((_INLINK.pack(source, shape, length), more, values, anchor))

    def inlinks(self, packed: bytes) -> Iterator[tuple[Inlink, bytes]]:
        """The inlinks that lie one after the other, and each as :meth:`packed_inlink` gave it.

        Anchors were cut to ``ANCHOR_KEPT`` characters.
        """
        at = 0
        while at < len(packed):
            inlink, end = self._inlink(packed, at)
            yield inlink, packed[at:end]
            at = end

    def _inlink(self, packed: bytes, at: int) -> tuple[Inlink, int]:
        """The inlink at a place, and the place after it."""
        source, shape, length = _INLINK.unpack_from(packed, at)
        at += _INLINK.size
        value: float | None = None
        if length & _WIDE:
            source, shape = _WIDE_INLINK.unpack_from(packed, at)
            at += _WIDE_INLINK.size
        if length & _OWN_VALUE:
            (value,) = _VALUE.unpack_from(packed, at)
            at += _VALUE.size
        parts = _parts(self._terms_of(shape), packed, at)
        start = at + 8 * len(parts)
        end = start + (length & ~(_WIDE | _OWN_VALUE))
        score = parts.score() if value is None else Score(value, parts)
        return Inlink(source, score, packed[start:end].decode()), end

    def _number(self, parts: Parts) -> int:
        terms = parts.names, parts.weights
        found = self._numbers.get(terms)
        if found is not None:
            return found
        text = json.dumps(list(zip(*terms, strict=True)))
        return self._hold(int(self._scripts.run("shape", self._key, text)), terms)

    def _terms_of(self, number: int) -> Terms:
        found = self._terms.get(number)
        if found is not None:
            return found
        text = self._client.hget(self._key, f"#{number}")
        if text is None:
            raise LookupError(f"shape {number} is not under {self._key}")
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

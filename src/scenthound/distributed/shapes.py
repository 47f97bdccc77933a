"""Scores and inlinks as a few bytes. Names and weights of parts lie on the server once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from struct import Struct, pack, unpack_from
from typing import TYPE_CHECKING

from scenthound.core.model import Inlink, Part, Score
from scenthound.core.parts import Parts
from scenthound.distributed.scripts import Argument, Step
from scenthound.frontier.sqlite_shapes import ANCHOR_KEPT

if TYPE_CHECKING:
    from redis import Redis

_SHAPES_HELD = 4_096
_INLINK = Struct("<IIH")
"""Source, shape, and bytes of the anchor; then the values of the parts, and the anchor."""
_WIDE, _OWN_VALUE = 0x8000, 0x4000
"""Added to the bytes of the anchor: the source follows, as it did not fit; the score follows, as
the parts do not add up to it."""
_LARGEST_SOURCE = 2**32 - 1
_WIDE_SOURCE, _VALUE, _SHAPE = Struct("<Q"), Struct("<d"), Struct("<I")

Terms = tuple[tuple[str, ...], tuple[float, ...]]
"""Names and weights of the parts."""


class Shapes:
    """The combinations of part names and weights that occur: few in a crawl, each has a number.

    The number is a hash, the same for every worker. What rows that are to be written need is
    entered again with each of them (:meth:`needed`): a server may have forgotten its last second.

    Parameters
    ----------
    client, key : the server, and where on it they are.
    """

    def __init__(self, client: Redis, key: str) -> None:
        self._client = client
        self._key = key
        self._needed: dict[int, str] = {}
        self._numbers: dict[Terms, int] = {}
        self._terms: dict[int, Terms] = {}

    def needed(self) -> Step | None:
        """Enters what was packed since this was last asked; None where nothing was."""
        needed, self._needed = self._needed, {}
        told: list[Argument] = [each for number, text in needed.items() for each in (number, text)]
        return ("shape", self._key, told) if told else None

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
        if source > _LARGEST_SOURCE:
            more = _WIDE_SOURCE.pack(source)
            source, length = 0, length | _WIDE
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
            (source,) = _WIDE_SOURCE.unpack_from(packed, at)
            at += _WIDE_SOURCE.size
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
        if found is None or found not in self._needed:
            text = json.dumps(list(zip(*terms, strict=True)))
            found = self._hold(_hash(text), terms)
            self._needed[found] = text
        return found

    def _terms_of(self, number: int) -> Terms:
        found = self._terms.get(number)
        if found is not None:
            return found
        text = self._client.hget(self._key, str(number))
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


def _hash(text: str) -> int:
    """32 bits: of 200 shapes two are alike once in 200,000 crawls, and the server tells."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little")


def _parts(terms: Terms, packed: bytes, at: int) -> Parts:
    names, weights = terms
    return Parts(names, unpack_from(f"<{len(names)}d", packed, at), weights)

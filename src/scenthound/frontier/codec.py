"""Scores and inlinks as a few bytes, and the states of a URL: what SQLite and Redis rows share.

A crawl has millions of scores whose parts have a few combinations of names and weights. Such a
combination is a *shape*: it is stored once, under a number, and rows hold the number and values.
"""

from __future__ import annotations

import enum
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from struct import Struct, pack, unpack_from

from scenthound.core.model import Part, Parts
from scenthound.core.urls import host_of

MAX_ANCHOR = 200
"""Characters of an anchor text; longer ones are cut."""
_MAX_SHAPES = 4_096
"""Shapes held in memory."""
_SHAPE = Struct("<I")

Shape = tuple[tuple[str, ...], tuple[float, ...]]
"""Names and weights of the parts."""


def host_name(url: str) -> str:
    """The host of a URL; "" for a bare name, which has none."""
    return host_of(url) if "//" in url else ""


def encoded_anchor(anchor: str) -> bytes:
    """An anchor text, cut; a page may carry half a surrogate pair, which has no UTF-8 form."""
    return anchor[:MAX_ANCHOR].encode("utf-8", "replace")


class UrlState(enum.IntEnum):
    """Where a URL stands; rows store the number."""

    READY = 0
    RETRY = 1
    """It waits until it is due."""
    LEASED = 2
    CLOSED = 3
    EXHAUSTED = 4
    """It was set aside, as its host has had all the pages it may have."""

    @property
    def label(self) -> str:
        """The state as frontiers report it."""
        return ("waiting", "waiting", "leased", "closed", "spent")[self]


class PartsCodec(ABC):
    """Packs the parts of scores. A subclass says where shapes are stored, and packs inlinks.

    The two stores pack inlinks differently: that of SQLite lies in users' crawl folders, and that
    of Redis saves 12 bytes a link, since the server holds all rows in memory.
    """

    def __init__(self) -> None:
        self._numbers: dict[Shape, int] = {}
        self._shapes: dict[int, Shape] = {}

    @abstractmethod
    def _store(self, text: str) -> int:
        """The number of a shape that is not in memory, given as JSON; stored if it is new."""

    @abstractmethod
    def _load(self, number: int) -> str | bytes:
        """The JSON of a shape that is not in memory."""

    def number_of(self, parts: Parts) -> int:
        """The number of the shape of these parts."""
        shape = parts.names, parts.weights
        found = self._numbers.get(shape)
        if found is None:
            found = self._store(json.dumps(list(zip(*shape, strict=True))))
            self._remember(found, shape)
        return found

    def packed_parts(self, parts: Sequence[Part]) -> bytes:
        """The number of the shape and the values."""
        own = Parts.of(parts)
        return pack(f"<I{len(own)}d", self.number_of(own), *own.values)

    def parts(self, packed: bytes) -> Parts:
        """What :meth:`packed_parts` was given."""
        (number,) = _SHAPE.unpack_from(packed)
        return self.parts_at(number, packed, _SHAPE.size)

    def parts_at(self, number: int, packed: bytes, at: int) -> Parts:
        """Parts of this shape, whose values begin at a byte."""
        shape = self._shapes.get(number)
        if shape is None:
            pairs = json.loads(self._load(number))
            shape = (
                tuple(str(name) for name, _ in pairs),
                tuple(float(weight) for _, weight in pairs),
            )
            self._remember(number, shape)
        names, weights = shape
        return Parts(names, unpack_from(f"<{len(names)}d", packed, at), weights)

    def _remember(self, number: int, shape: Shape) -> None:
        if len(self._shapes) >= _MAX_SHAPES:
            self._shapes.clear()
            self._numbers.clear()
        self._shapes[number] = shape
        self._numbers[shape] = number

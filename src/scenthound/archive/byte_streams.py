"""Bytes that come in blocks: portions of them, and their decompression, in bounded memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

BLOCK = 64 * 1024
GZIP_MAGIC = b"\x1f\x8b"
GZIP_BITS = 31
"""``wbits`` of zlib for a gzip member with its header and CRC."""

EMPTY_LINE = re.compile(rb"\r?\n\r?\n")

Blocks = Iterator[bytes]


class Pieces:
    """A stream of blocks, handed out in the portions asked for; ``taken`` counts the bytes."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._held = b""
        self.taken = 0

    def head(self, limit: int) -> bytes:
        """Through the first empty line; where none comes, all there is up to about ``limit``."""
        while (end := EMPTY_LINE.search(self._held)) is None and len(self._held) < limit:
            if not self._hold_more():
                break
        return self._cut(end.end() if end else len(self._held))

    def line(self, limit: int) -> bytes:
        """Through the first line end; where none comes, at most ``limit`` bytes."""
        while (end := self._held.find(b"\n", 0, limit)) < 0 and len(self._held) < limit:
            if not self._hold_more():
                break
        return self._cut(end + 1 if end >= 0 else min(limit, len(self._held)))

    def some(self, limit: int) -> bytes:
        """Between 1 and ``limit`` bytes; empty at the end."""
        if not self._held:
            self._held = next(self._blocks, b"")
        return self._cut(min(limit, len(self._held)))

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, or fewer at the end, without taking them."""
        while len(self._held) < size and self._hold_more():
            pass
        return self._held[:size]

    def exactly(self, size: int) -> bytes:
        """``size`` bytes, or fewer at the end."""
        return self._cut(len(self.peek(size)))

    def rest(self) -> Blocks:
        """Everything not yet handed out, block by block."""
        while block := self.some(BLOCK):
            yield block

    def give_back(self, data: bytes) -> None:
        """Undo the taking of ``data``."""
        self._held = data + self._held
        self.taken -= len(data)

    def _hold_more(self) -> bool:
        block = next(self._blocks, b"")
        self._held += block
        return bool(block)

    def _cut(self, size: int) -> bytes:
        piece, self._held = self._held[:size], self._held[size:]
        self.taken += size
        return piece


def inflate(pieces: Pieces, window_bits: int) -> Blocks:
    """One compressed stream, in blocks; afterwards ``pieces`` stands exactly behind it.

    Raises
    ------
    zlib.error
        The stream is damaged.
    EOFError
        It stops before its end.
    """
    inflater = zlib.decompressobj(window_bits)
    while not inflater.eof:
        data = inflater.unconsumed_tail or pieces.some(BLOCK)
        block = inflater.decompress(data, BLOCK)
        if block:
            yield block
        elif not data and not inflater.eof:
            raise EOFError
    pieces.give_back(inflater.unused_data)

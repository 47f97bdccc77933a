"""Undo transfer and content encodings as streams: bounded memory, and dirt never raises.

Many archives keep the header of an encoding that was undone before archiving, so a body that
does not look encoded at all is passed on as it is.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from scenthound.archive.byte_streams import BLOCK, GZIP_BITS, GZIP_MAGIC, Blocks, Pieces, inflate

MAX_ENCODINGS = 4

_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(;[^\n]*)?\r?\n")
_MAX_SIZE_LINE = 4096
_ZLIB_BITS = 15
_RAW_BITS = -15
_SAMPLE = 512


class BrokenBodyError(Exception):
    """The rest of a body cannot be decoded."""


def decode(blocks: Blocks, headers: Mapping[str, str], max_body: int) -> tuple[bytes, bool]:
    """The body behind its encodings, and whether it is cut: at ``max_body`` or where it broke."""
    parts: list[bytes] = []
    room = max_body
    try:
        for block in _decoded(blocks, headers):
            parts.append(block[:room])
            if len(block) > room:
                return b"".join(parts), True
            room -= len(block)
    except (BrokenBodyError, EOFError, zlib.error):
        return b"".join(parts), True
    return b"".join(parts), False


def _decoded(blocks: Blocks, headers: Mapping[str, str]) -> Blocks:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        blocks = _unchunked(Pieces(blocks))
    decoders = _content_decoders(headers.get("content-encoding", ""))
    if len(decoders) > MAX_ENCODINGS:
        raise BrokenBodyError("too many content encodings")
    for decoder in decoders:
        blocks = decoder(Pieces(blocks))
    return blocks


def _content_decoders(header: str) -> list[Callable[[Pieces], Blocks]]:
    """Last applied, first undone; names that are no encoding (``utf-8``, ``none``) are ignored."""
    known: dict[str, Callable[[Pieces], Blocks]] = {
        "gzip": _gunzipped,
        "x-gzip": _gunzipped,
        "deflate": _undeflated,
        "br": _unbrotlied,
        "zstd": _undecodable,
        "compress": _undecodable,
    }
    names = [name.strip().lower() for name in header.split(",")]
    return [known[name] for name in reversed(names) if name in known]


def _unchunked(pieces: Pieces) -> Blocks:
    line = pieces.line(_MAX_SIZE_LINE)
    if not _CHUNK_SIZE.fullmatch(line):
        pieces.give_back(line)
        yield from pieces.rest()
        return
    while size := _chunk_size(line):
        yield from _chunk(pieces, size)
        pieces.line(2)
        line = pieces.line(_MAX_SIZE_LINE)


def _chunk(pieces: Pieces, left: int) -> Blocks:
    while left:
        block = pieces.some(left)
        if not block:
            raise BrokenBodyError("the body ends inside a chunk")
        left -= len(block)
        yield block


def _chunk_size(line: bytes) -> int:
    match = _CHUNK_SIZE.fullmatch(line)
    if match is None:
        raise BrokenBodyError("not the size of a chunk")
    return int(match[1], 16)


def _gunzipped(pieces: Pieces) -> Blocks:
    """All gzip members; bytes that follow the last one are ignored, as browsers do."""
    if pieces.peek(2) != GZIP_MAGIC:
        yield from pieces.rest()
        return
    while pieces.peek(2) == GZIP_MAGIC:
        yield from inflate(pieces, GZIP_BITS)


def _undeflated(pieces: Pieces) -> Blocks:
    """``deflate`` means a zlib stream, but some servers leave out the zlib header."""
    sample = pieces.peek(_SAMPLE)
    for bits in (_ZLIB_BITS, _RAW_BITS):
        if _inflates(sample, bits):
            return inflate(pieces, bits)
    return pieces.rest()


def _inflates(sample: bytes, window_bits: int) -> bool:
    try:
        zlib.decompressobj(window_bits).decompress(sample, BLOCK)
    except zlib.error:
        return False
    return bool(sample)


def _unbrotlied(pieces: Pieces) -> Blocks:
    brotli = _brotli()
    try:
        brotli.Decompressor().process(pieces.peek(_SAMPLE), output_buffer_limit=BLOCK)
    except brotli.error:
        return pieces.rest()
    return _brotli_stream(pieces, brotli)


def _brotli_stream(pieces: Pieces, brotli: Any) -> Blocks:
    decompressor = brotli.Decompressor()
    while not decompressor.is_finished():
        wants_data = decompressor.can_accept_more_data()
        data = pieces.some(BLOCK) if wants_data else b""
        try:
            block: bytes = decompressor.process(data, output_buffer_limit=BLOCK)
        except brotli.error as error:
            raise BrokenBodyError(str(error)) from None
        if block:
            yield block
        elif wants_data and not data:
            raise BrokenBodyError("the brotli stream stops before its end")


def _brotli() -> Any:
    """The brotli module, where there is one that can limit its output (1.2): bombs are real."""
    try:
        module = import_module("brotli")
        module.Decompressor().process(b"", output_buffer_limit=BLOCK)
    except (ImportError, TypeError):
        raise BrokenBodyError("no brotli module that can limit its output") from None
    return module


def _undecodable(pieces: Pieces) -> Blocks:
    raise BrokenBodyError("an encoding that cannot be undone")

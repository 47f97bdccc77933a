"""WARC records of ours taken apart, and put together again with another content."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scenthound.store.exchange import Pairs
from scenthound.store.warc_records import NewId, field_lines, labelled_digest, packed

NumberOf = Callable[[int], int]
"""The number that a page has from now on, by the one that it had."""
INFO, RESPONSE, REVISIT, METADATA = "warcinfo", "response", "revisit", "metadata"
_GZIP_BITS = 31
_EMPTY_LINE = b"\r\n\r\n"
_PAGE, _LINKED_FROM = "page", "linkedFromPage"
_OF_A_REVISIT = frozenset({"WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"})


class Opened(NamedTuple):
    """A record: its headers in order, and its block."""

    headers: Pairs
    block: bytes

    @property
    def kind(self) -> str:
        """``response``, ``metadata``, ..."""
        return next(value for name, value in self.headers if name == "WARC-Type")


def opened(record: bytes) -> Opened:
    """A compressed record of ours; ValueError for what is none."""
    try:
        return opened_text(zlib.decompress(record, _GZIP_BITS))
    except zlib.error as error:
        raise ValueError(str(error)) from None


def opened_text(record: bytes) -> Opened:
    """A record of ours that is not compressed (any more); ValueError for what is none."""
    head, _, rest = record.partition(_EMPTY_LINE)
    headers = _pairs(head)[1:]
    length = dict(headers).get("Content-Length", "")
    if not head.startswith(b"WARC/") or not length.isdecimal() or len(rest) < int(length):
        raise ValueError("no WARC record")
    return Opened(headers, rest[: int(length)])


def fields_in(block: bytes) -> Pairs:
    """What a record of names and values says, in order."""
    return _pairs(block)


def renumbered(metadata: Opened, number_of: NumberOf, new_id: NewId) -> bytes:
    """The metadata of a page, compressed, with the numbers that pages have from now on."""
    fields = [(name, _renumbered(name, value, number_of)) for name, value in _pairs(metadata.block)]
    another = {"WARC-Record-ID": f"<{new_id().urn}>"}  # which it is by now
    return _changed(metadata.headers, field_lines(fields), another)


def restored(revisit: Opened, original: Opened) -> bytes:
    """An exact copy, compressed, with the body of its original, which it needs no longer.

    Its id stays, as the records beside it name it.
    """
    head, _, _ = revisit.block.partition(_EMPTY_LINE)
    _, _, body = original.block.partition(_EMPTY_LINE)
    kept = [(name, value) for name, value in revisit.headers if name not in _OF_A_REVISIT]
    return _changed(kept, head + _EMPTY_LINE + body, {"WARC-Type": RESPONSE})


def _renumbered(name: str, value: str, number_of: NumberOf) -> str:
    if name not in (_PAGE, _LINKED_FROM):
        return value
    number, blank, rest = value.partition(" ")
    return f"{number_of(int(number))}{blank}{rest}" if number.isdecimal() else value


def _changed(headers: Pairs, block: bytes, changes: Mapping[str, str]) -> bytes:
    told = {
        **changes,
        "WARC-Block-Digest": labelled_digest(block),
        "Content-Length": str(len(block)),
    }
    return packed(field_lines([(name, told.get(name, value)) for name, value in headers]), block)


def _pairs(lines: bytes) -> list[tuple[str, str]]:
    pairs = (line.partition(":") for line in lines.decode("utf-8", "replace").split("\r\n"))
    return [(name, value.strip()) for name, _, value in pairs if name]

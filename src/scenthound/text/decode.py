"""Bytes to text: which encoding, and is it text at all?"""

from __future__ import annotations

from w3lib.encoding import html_to_unicode

MAX_BYTES = 10 * 1024 * 1024
_SNIFFED = 1024
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_TEXT_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml")


def is_text(body: bytes, content_type: str) -> bool:
    """Can ``body`` hold a page? Says no to declared media and to bodies with NUL bytes."""
    declared = content_type.partition(";")[0].strip().lower()
    if declared and declared not in _TEXT_TYPES:
        return False
    return b"\x00" not in body[:_SNIFFED] or body.startswith(_BYTE_ORDER_MARKS)


def decode(body: bytes, content_type: str = "") -> str:
    """Text of ``body``: byte order mark, then HTTP header, then meta tag, then UTF-8, cp1252.

    Never raises: what cannot be decoded becomes U+FFFD. At most :data:`MAX_BYTES` are read.
    """
    body = body[:MAX_BYTES]
    try:
        return (
            body.decode("ascii")
            if body.isascii() and b"\x1b" not in body
            else _other(body, content_type)
        )
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")


def _other(body: bytes, content_type: str) -> str:
    return str(html_to_unicode(content_type or None, body, auto_detect_fun=_guess)[1])


def _guess(body: bytes) -> str:
    """UTF-8 where the bytes are, otherwise windows-1252: what browsers assume."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A multi-byte character cut at the size limit is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"

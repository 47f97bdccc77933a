"""Bytes to text: which encoding, and is it text at all?"""

from __future__ import annotations

import re

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
)

MAX_BYTES = 10 * 1024 * 1024
_SNIFFED = 1024
_NOT_OF_THE_WEB = {"unicode-escape", "raw-unicode-escape", "punycode", "idna", "utf-7"}
"""Codecs of Python that no browser knows: a page that names one means something else."""
_DIRTY = 0.05
"""Control bytes among the first of a page that calls itself HTML; media have twice as many."""
_CONTROL_BYTES = bytes(set(range(0x20)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MARKUP = re.compile(
    rb"<(?:!doctype|!--|html|head|title|meta|link|body|div|p|a|h[1-6]|table|ul|br|span)[\s>/-]",
    re.IGNORECASE,
)
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_TEXT_TYPES = (*_HTML_TYPES, "text/plain", "text/xml", "application/xml")
_MEDIA_SIGNATURES = (
    b"%PDF-",
    b"%!PS",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
)


def is_text(body: bytes, content_type: str) -> bool:
    """Can ``body`` hold a page? Says no to media, declared or not, and to NUL bytes.

    A few NUL bytes in what is declared as HTML and has tags are dirt.
    """
    declared = media_type(content_type)
    if (declared and declared not in _TEXT_TYPES) or body.startswith(_MEDIA_SIGNATURES):
        return False
    if b"\x00" not in body[:_SNIFFED] or body.startswith(_BYTE_ORDER_MARKS):
        return True
    return declared in _HTML_TYPES and _is_dirty_html(body[:_SNIFFED])


def _is_dirty_html(start: bytes) -> bool:
    """Tags, and hardly any control bytes: no picture has both."""
    dirt = len(start) - len(start.translate(None, _CONTROL_BYTES))
    return dirt <= _DIRTY * len(start) and _MARKUP.search(start) is not None


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=x``; empty where the header names no type."""
    first = re.split(r"[;,]", content_type, maxsplit=1)[0].strip().lower()
    return first if "/" in first else ""


def decode(body: bytes, content_type: str = "") -> str:
    """Text of ``body``: byte order mark, then HTTP header, then meta tag, then UTF-8, cp1252.

    Never raises: what cannot be decoded becomes U+FFFD. At most :data:`MAX_BYTES` are read.
    """
    body = body[:MAX_BYTES]
    try:
        if body.isascii() and b"\x1b" not in body:
            return body.decode("ascii")
        declared = {http_content_type_encoding(content_type), html_body_declared_encoding(body)}
        if declared & _NOT_OF_THE_WEB:
            return body.decode(_guess(body), "replace")
        return str(html_to_unicode(content_type or None, body, auto_detect_fun=_guess)[1])
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")


def _guess(body: bytes) -> str:
    """UTF-8 where the bytes are, otherwise windows-1252: what browsers assume."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A multi-byte character cut at the size limit is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"

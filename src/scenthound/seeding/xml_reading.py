"""XML of strangers: read as far as it goes, and never more than it is.

Entities are not resolved and nothing is loaded, so neither a billion laughs nor a file of this
machine comes out of it; what is broken is recovered where it can be.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from scenthound.archive.byte_streams import GZIP_MAGIC
from scenthound.archive.http_body import decode

MOST_BYTES = 20 * 1024 * 1024
"""Of a file once unpacked; a sitemap of the most addresses allowed, 50,000, has about half."""
_BARE_AMPERSAND = re.compile(rb"&(?!#?\w{1,20};)")


def unpacked(body: bytes, most: int = MOST_BYTES) -> bytes:
    """``body``, or what is in it where it is a gzip file, cut at ``most`` bytes."""
    if not body.startswith(GZIP_MAGIC):
        return body[:most]
    return decode(iter((body,)), {"content-encoding": "gzip"}, most)[0]


def read_xml(body: bytes) -> Any | None:
    """The root element; None where there is none to recover."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    if b"\x00" not in body:  # UTF-16 has other ampersands
        body = _BARE_AMPERSAND.sub(b"&amp;", body)  # in queries; recovery would drop what follows
    try:
        return etree.fromstring(body.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def name_of(element: Any) -> str:
    """The element's name in lower case, without its namespace; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Any) -> str:
    """All text below an element."""
    return "".join(element.itertext(etree.Element)).strip()


def children(element: Any, *names: str) -> list[Any]:
    """The elements right below that have one of these names, in any namespace."""
    return [child for child in element if name_of(child) in names]


def child_text(element: Any, *names: str) -> str:
    """The text of the first such child that has any; empty where none has."""
    return next(filter(None, map(text_of, children(element, *names))), "")

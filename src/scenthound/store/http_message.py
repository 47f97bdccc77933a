"""Requests and responses as the bytes of an HTTP/1.1 message that any reader understands.

Names and values come from strangers: whatever could end a line is replaced by a space, and
what is no character of a name by ``_``.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from scenthound.store.exchange import Exchange, Pairs

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_NOT_IN_NAME = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_PLAIN_URL = re.compile(r"[!-~]*")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?([^/?#]*)([^#]*)")
_PROTOCOLS = ("HTTP/1.0", "HTTP/1.1")
_PRIVATE = frozenset({"proxy-authorization"})
"""Sent to the user's own proxy, and nobody else's business."""


def request_message(exchange: Exchange) -> bytes:
    """The request, without a body; the target is path and query, ``Host`` is always there."""
    host, target = _host_and_target(exchange.url)
    headers = [h for h in _clean(exchange.request_headers) if h[0].lower() not in _PRIVATE]
    if all(name.lower() != "host" for name, _ in headers):
        headers.insert(0, ("Host", host))
    return _head(f"{clean_name(exchange.method) or 'GET'} {target} HTTP/1.1", headers)


def response_head(exchange: Exchange) -> bytes:
    """Status line and headers, through the empty line, as they fit the body that is stored.

    The transfer encoding is undone, so its header goes; the length is that of the body.
    """
    protocol = exchange.protocol if exchange.protocol in _PROTOCOLS else "HTTP/1.1"
    line = f"{protocol} {exchange.status:03d} {_clean_value(exchange.reason)}"
    return _head(line, _fitted(_clean(exchange.response_headers), len(exchange.body)))


def plain_url(url: str) -> str:
    """``url`` in printable ASCII, without blanks; a canonical URL is left as it is."""
    return url if _PLAIN_URL.fullmatch(url) else quote(url, _PRINTABLE, errors="replace")


def clean_name(name: str) -> str:
    """``name`` with only the characters that HTTP and WARC allow; empty stays empty."""
    return _NOT_IN_NAME.sub("_", name)


def _clean_value(value: str) -> str:
    return _CONTROL.sub(" ", value).strip(" ")


def _clean(headers: Pairs) -> list[tuple[str, str]]:
    return [(clean_name(name), _clean_value(value)) for name, value in headers if name]


def _fitted(headers: list[tuple[str, str]], length: int) -> list[tuple[str, str]]:
    """No transfer encoding, and one length, which is true, where the first one was."""
    names = [name.lower() for name, _ in headers]
    place = names.index("content-length") if "content-length" in names else len(names)
    dropped = ("content-length", "transfer-encoding")
    kept = [h if name not in dropped else None for h, name in zip(headers, names, strict=True)]
    kept[place : place + 1] = [("Content-Length", str(length))]
    return [header for header in kept if header is not None]


def _host_and_target(url: str) -> tuple[str, str]:
    address = _ADDRESS.match(plain_url(url))
    host, target = address.groups() if address else ("", "/")
    return host, target if target.startswith("/") else f"/{target}"


def _head(line: str, headers: Pairs) -> bytes:
    lines = [line, *(f"{name}: {value}" for name, value in headers), "", ""]
    return b"\r\n".join(map(_encoded, lines))


def _encoded(line: str) -> bytes:
    """The bytes of the wire again; UTF-8 for what cannot come from there."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace")

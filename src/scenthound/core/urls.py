"""One canonical form of a URL decides what "the same page" means.

Links, seeds, examples, labels and archive records all pass through :func:`canonical`, so
two spellings meet or differ in every part of the program alike. The form:

* scheme and host in lower case, host names in their ASCII (IDNA) form, default port dropped;
* no fragment: it names a place in a page, not another page;
* dot segments resolved, an empty path written ``/``, an empty query dropped;
* percent-escapes in upper case; the characters RFC 3986 calls unreserved (letters, digits,
  ``-._~``) always bare; everything a URL may not carry always escaped, as UTF-8;
* the characters ``! ' ( ) * ,`` always escaped in the path. RFC 2396 lets a writer escape
  the first five without changing the meaning and servers treat all six alike, so
  ``Sphere_(maths)`` and ``Sphere_%28maths%29`` are one page. (w3lib decodes them, courlan
  keeps both spellings apart; archives and encyclopedias write them escaped.)
* a ``%`` that starts no escape is itself escaped;
* the query is kept in its own order, since the order may matter to the server.

``canonical(canonical(u)) == canonical(u)`` for every ``u`` that is accepted at all.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit

from scenthound.core.errors import MalformedUrlError

MAX_URL_LENGTH = 2_000
DEFAULT_PORTS = {"http": 80, "https": 443}

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_BARE = _UNRESERVED | frozenset("/:@;=&+$")
_QUERY_BARE = _UNRESERVED | frozenset("/:@;=&+$?!'()*,[]|")
_ESCAPE_OR_CHARACTER = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_WHITESPACE_INSIDE = re.compile(r"[\t\n\r]+")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?")
_PLAIN = re.compile(r"https?://[a-z0-9.-]*[a-z0-9](/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?")
"""URLs that are canonical already: most links. Paths with dot segments never match."""
_PLAIN_RELATIVE = re.compile(
    r"(?:\.\./)*[A-Za-z0-9_~-][A-Za-z0-9_.~-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?"
)


def canonical(url: str, base: str | None = None) -> str:
    """The one spelling of ``url`` that decides identity; relative to ``base`` if given.

    Raises
    ------
    MalformedUrlError
        The URL is empty, too long, not http(s), carries a password or has no usable host.
    """
    joined = _join(url, base)
    if _PLAIN.fullmatch(joined) and len(joined) <= MAX_URL_LENGTH and _is_plain_host(joined):
        return joined if joined.count("/") > 2 else joined + "/"
    return _rebuild(joined)


class BaseUrl:
    """The address that the relative links of one page are resolved against."""

    __slots__ = ("_root", "_segments", "url")

    def __init__(self, url: str) -> None:
        self.url = url
        end = url.find("/", url.find("//") + 2)
        self._root = url[:end]
        self._segments = url[end:].partition("?")[0].split("/")[1:-1]

    def resolve(self, href: str) -> str:
        """Canonical form of ``href``; the plain ``../a/b.html`` kind without parsing."""
        if not _PLAIN_RELATIVE.fullmatch(href):
            return canonical(href, self.url)
        segments = self._segments
        while href.startswith("../"):
            href = href[3:]
            segments = segments[:-1]
        resolved = "/".join((self._root, *segments, href))
        if len(resolved) > MAX_URL_LENGTH:
            return canonical(resolved)
        return resolved


def host_of(url: str) -> str:
    """Host (and port, where not the default) of a canonical URL."""
    return url.split("/", 3)[2]


def _join(url: str, base: str | None) -> str:
    cleaned = _WHITESPACE_INSIDE.sub("", url).strip("\x00\x0b\x0c \u00a0\ufeff")
    if not cleaned and base is None:
        raise MalformedUrlError("the URL is empty")
    if base is None:
        return cleaned
    try:
        return urljoin(base, cleaned)
    except ValueError as error:
        raise MalformedUrlError(f"{url[:200]!r} cannot be joined to {base!r}: {error}") from None


@lru_cache(maxsize=4096)
def _checked_host(host: str) -> str:
    """ASCII form of a host name or address; raises MalformedUrlError."""
    name = host.lower()
    if ":" in name:
        try:
            return f"[{ipaddress.IPv6Address(name).compressed}]"
        except ValueError:
            raise MalformedUrlError(f"{host!r} is not a host") from None
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii").lower()
        except UnicodeError:
            raise MalformedUrlError(f"{host!r} is not a host name") from None
    if len(name) > 253 or not _HOST_NAME.fullmatch(name):
        raise MalformedUrlError(f"{host!r} is not a host name")
    return name.removesuffix(".") or name


def _is_plain_host(url: str) -> bool:
    host = host_of(url + "/")
    try:
        return _checked_host(host) == host
    except MalformedUrlError:
        return False


def _rebuild(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise MalformedUrlError(f"{url[:200]!r} is not a URL: {error}") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise MalformedUrlError(f"{url[:200]!r} is not an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise MalformedUrlError(f"{parts.hostname!r}: a URL that carries a user name is refused")
    host = _checked_host(parts.hostname or "")
    netloc = host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"
    result = f"{scheme}://{netloc}{_path(parts)}{_query(parts)}"
    if len(result) > MAX_URL_LENGTH:
        raise MalformedUrlError(f"a URL of {len(result)} characters is too long: {result[:80]}...")
    return result


def _path(parts: SplitResult) -> str:
    return _without_dot_segments(_escape(parts.path, _PATH_BARE)) or "/"


def _query(parts: SplitResult) -> str:
    return f"?{_escape(parts.query, _QUERY_BARE)}" if parts.query else ""


def _escape(text: str, bare: frozenset[str]) -> str:
    """Normalise percent-escapes; reserved characters keep the spelling they came in."""

    def one(match: re.Match[str]) -> str:
        piece = match[0]
        if len(piece) == 3:
            character = chr(int(piece[1:], 16))
            return character if character in _UNRESERVED else piece.upper()
        if piece in bare:
            return piece
        return "".join(f"%{byte:02X}" for byte in piece.encode("utf-8", "replace"))

    return _ESCAPE_OR_CHARACTER.sub(one, text)


def _without_dot_segments(path: str) -> str:
    """RFC 3986 section 5.2.4, on a path that starts with ``/`` (or is empty)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)

r"""One canonical form of a URL decides what "the same page" means.

Links, seeds, examples, labels and archive records all pass through :func:`canonical`, so
two spellings meet or differ in every part of the program alike. The form:

* scheme and host in lower case, host names in their ASCII (IDNA) form, default port dropped;
* no fragment: it names a place in a page, not another page;
* dot segments resolved, empty segments kept, an empty path written ``/``, an empty query
  dropped; a ``\`` in the path is a ``/``, as browsers read it;
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
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import unquote, urlsplit

from scenthound.core.errors import MalformedUrlError

MAX_URL_LENGTH = 2_000
DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST_READ = 10 * MAX_URL_LENGTH
"""Longer texts are refused unread: no escape or dot segment shortens an honest URL so much."""
_LONGEST_HOST = 253
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOT_BARE_IN_PATH = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~/:@;=&+$-]")
_NOT_BARE_IN_QUERY = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~/:@;=&+$?!'()*,\[\]|-]")
_LINE_ENDS = re.compile(r"[\t\n\r]+")
_AROUND = "".join(map(chr, range(33))) + "\u00a0\ufeff"
_QUERY_OR_FRAGMENT = re.compile(r"[?#]")
_REFERENCE = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(//)?([^?#]*)")
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
    if base is not None:
        return BaseUrl(base).resolve(url)
    tidied = tidy(url)
    if not tidied:
        raise MalformedUrlError("the URL is empty")
    if _PLAIN.fullmatch(tidied) and len(tidied) <= MAX_URL_LENGTH and _is_plain_host(tidied):
        return tidied if tidied.count("/") > 2 else tidied + "/"
    return _rebuild(tidied)


def tidy(url: str) -> str:
    """``url`` as browsers read it: nothing blank around it, no line ends or tabs inside."""
    url = _LINE_ENDS.sub("", url).strip(_AROUND)
    if "\\" not in url:
        return url
    path = _QUERY_OR_FRAGMENT.split(url, maxsplit=1)[0]
    return path.replace("\\", "/") + url[len(path) :]


class BaseUrl:
    """The address that the relative links of one page are resolved against.

    Raises MalformedUrlError where ``url`` has no canonical form.
    """

    __slots__ = ("_page", "_root", "_segments", "url")

    def __init__(self, url: str) -> None:
        self.url = canonical(url)
        self._page = self.url.partition("?")[0]
        scheme, _, host, *segments = self._page.split("/")
        self._root = f"{scheme}//{host}"
        self._segments = segments[:-1]

    def resolve(self, href: str) -> str:
        """Canonical form of ``href``; the plain ``../a/b.html`` kind without parsing."""
        if not _PLAIN_RELATIVE.fullmatch(href):
            return canonical(self._absolute(tidy(href)))
        segments = self._segments
        while href.startswith("../"):
            href = href[3:]
            segments = segments[:-1]
        resolved = "/".join((self._root, *segments, href))
        if len(resolved) > MAX_URL_LENGTH:
            return canonical(resolved)
        return resolved

    def _absolute(self, href: str) -> str:
        """RFC 3986 section 5.2.2; ``urljoin`` is another one: it drops empty segments."""
        reference = _REFERENCE.match(href)
        assert reference is not None  # it matches any text
        scheme, slashes, path = reference.groups()
        own = self._root.partition(":")[0]
        if scheme is not None and (slashes or scheme.lower() != own):
            return href
        if scheme is not None:  # "http:page.html" is read as "page.html", as browsers do
            href = href[len(scheme) + 1 :]
        if slashes:
            return f"{own}:{href}"
        if path.startswith("/"):
            return self._root + href
        if path:
            return "/".join((self._root, *self._segments, href))
        return self._page + href if href.startswith("?") else self.url


def host_of(url: str) -> str:
    """Host (and port, where not the default) of a canonical URL."""
    return url.split("/", 3)[2]


@lru_cache(maxsize=4096)
def _checked_host(host: str) -> str:
    """ASCII form of a host name or address; raises MalformedUrlError."""
    name = host.lower()
    if ":" in name:
        return _checked_address(name)
    if len(name) <= _LONGEST_HOST and not name.isascii():
        try:
            name = name.encode("idna").decode("ascii").lower()
        except UnicodeError:
            raise MalformedUrlError(f"{host!r} is not a host name") from None
    if len(name) > _LONGEST_HOST or not _HOST_NAME.fullmatch(name):
        raise MalformedUrlError(f"{host[:200]!r} is not a host name")
    return name.removesuffix(".")


def _checked_address(name: str) -> str:
    try:
        address = ipaddress.IPv6Address(name)
    except ValueError:
        raise MalformedUrlError(f"{name[:200]!r} is not a host") from None
    if address.scope_id is not None:
        raise MalformedUrlError(f"{name[:200]!r} names an interface of this machine, not a host")
    return f"[{address.compressed}]"


def _is_plain_host(url: str) -> bool:
    host = host_of(url + "/")
    try:
        return _checked_host(host) == host
    except MalformedUrlError:
        return False


def _rebuild(url: str) -> str:
    if len(url) > _LONGEST_READ:
        raise MalformedUrlError(f"a URL of {len(url)} characters is too long: {url[:80]}...")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise MalformedUrlError(f"{url[:200]!r} is not a URL: {error}") from None
    scheme = parts.scheme
    if scheme not in DEFAULT_PORTS:
        raise MalformedUrlError(f"{url[:200]!r} is not an http or https URL")
    if "@" in parts.netloc:
        raise MalformedUrlError(f"{parts.hostname!r}: a URL that carries a user name is refused")
    host = _checked_host(parts.hostname or "")
    if "[" in parts.netloc and "[" not in host:
        raise MalformedUrlError(f"{parts.netloc[:200]!r} is not a host")
    netloc = host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"
    path = _without_dot_segments(_NOT_BARE_IN_PATH.sub(_escaped, parts.path)) or "/"
    query = f"?{_NOT_BARE_IN_QUERY.sub(_escaped, parts.query)}" if parts.query else ""
    result = f"{scheme}://{netloc}{path}{query}"
    if len(result) > MAX_URL_LENGTH:
        raise MalformedUrlError(f"a URL of {len(result)} characters is too long: {result[:80]}...")
    return result


def _escaped(match: re.Match[str]) -> str:
    """An escape in its one spelling, or the escapes of a character that may not stand bare."""
    piece = match[0]
    if len(piece) == 3:
        character = chr(int(piece[1:], 16))
        return character if character in _UNRESERVED else piece.upper()
    return "".join(f"%{byte:02X}" for byte in piece.encode("utf-8", "replace"))


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


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:[/?#]|$))")
"""A scheme, and not a host with its port."""
_PORT = re.compile(r"[^/?#]*:([0-9]+)(?:[/?#]|$)")
_GUESSED = ("https", "http")
"""The likelier one first."""


def is_of_another_scheme(text: str) -> bool:
    """Is it something like ``mailto:me@example.org``?"""
    scheme = _SCHEME.match(tidy(text))
    return scheme is not None and scheme[1].lower() not in DEFAULT_PORTS


def possible_urls(text: str) -> tuple[str, ...]:
    """The canonical URLs that a text may mean, the likeliest first: two without a scheme.

    Raises
    ------
    MalformedUrlError
        It means none.
    """
    written = tidy(text)
    if is_of_another_scheme(written):
        raise MalformedUrlError("it is not http or https")
    if not written or _SCHEME.match(written):
        return (canonical(written),)
    bare = written.removeprefix("//")
    port = _PORT.match(bare)
    named = [scheme for scheme in _GUESSED if port and int(port[1][:9]) == DEFAULT_PORTS[scheme]]
    return tuple(canonical(f"{scheme}://{bare}") for scheme in dict.fromkeys((*named, *_GUESSED)))


# Which Internet addresses are open to everyone, and which hosts name one that is not.
#
# A crawler follows links that strangers wrote. A link to ``http://127.0.0.1/`` or to the meta-data
# service of a cloud would read, from inside, what is not for the world. The lists are those of
# the IANA special-purpose registries, written out, because those of ``ipaddress`` differ from one
# version of Python to the next.

PRIVATE = "private address"
"""The reason in the journal for which a host is rejected."""
_NOT_PUBLIC_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by the customers of a provider (RFC 6598)
        "127.0.0.0/8",
        "168.63.129.16/32",  # public by its number, but only a cloud's own machines reach it
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
"""All that was ever given out; the rest is local, multicast, or reserved."""
_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "3fff::/20")  # protocols, documentation
)
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_THIS_MACHINE = frozenset(
    {"localhost", "localhost6", "ip6-localhost", "ip6-loopback", "loopback", "broadcasthost"}
)
_LOCAL_ENDINGS = (".localhost", ".localdomain", ".localdomain6")
_PRIVATE_ENDINGS = (".local", ".internal", ".home.arpa")
"""Names that the public DNS never answers for (RFC 6762, ICANN 2024, RFC 8375)."""


def is_public(address: str) -> bool:
    """Return whether everyone can reach ``address``; False for private, reserved and no address.

    An IPv6 address that carries an IPv4 one (mapped, 6to4, NAT64, Teredo) is as public as that.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return _is_public_4(parsed)
    carried = parsed.ipv4_mapped or parsed.sixtofour
    if carried is None and parsed in _NAT64:
        carried = IPv4Address(int(parsed) & 0xFFFFFFFF)
    elif carried is None and parsed in _TEREDO:
        carried = IPv4Address(~int(parsed) & 0xFFFFFFFF)
    if carried is not None:
        return _is_public_4(carried)
    return parsed in _GLOBAL_6 and not any(parsed in network for network in _NOT_PUBLIC_6)


def literal_address(host: str) -> str | None:
    """The address that ``host`` spells out, in its usual form; None for a name.

    ``host`` is that of a canonical URL without its port. Every spelling is read that browsers
    and resolvers read: ``127.0.0.1``, ``127.1``, ``2130706433``, ``0x7f.1``, ``0177.0.0.1``,
    ``[::1]``, ``::1``.
    """
    if ":" in host:
        try:
            return IPv6Address(host.strip("[]").partition("%")[0]).compressed
        except ValueError:
            return None
    parts = host.lower().removesuffix(".").split(".")
    if not parts[-1][:1].isdigit():  # nearly every host ends so
        return None
    if len(parts) > 4 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    try:
        *leading, last = map(_as_c_reads, parts)
        if max(leading, default=0) > 255 or last >= 256 ** (4 - len(leading)):
            return None
    except ValueError:  # 08 is no octal number
        return None
    return str(IPv4Address(sum(n << 24 - 8 * place for place, n in enumerate(leading)) + last))


def _as_c_reads(number: str) -> int:
    """``0x7f``, ``0177`` or ``127`` as ``inet_aton`` reads it; browsers read a bare ``0x`` as 0."""
    if number.startswith("0x"):
        return int(number[2:] or "0", 16)
    return int(number, 8 if number.startswith("0") else 10)


def names_this_machine(host: str) -> bool:
    """Return whether ``host`` is a name of every system for itself, such as ``localhost``."""
    name = host.lower().removesuffix(".")
    return name in _THIS_MACHINE or name.endswith(_LOCAL_ENDINGS)


@lru_cache(maxsize=4_096)
def rejection_reason(host: str) -> str | None:
    """Why ``host`` (with or without ``:port``) is refused before it is looked up; None if not.

    A name may still lead to a private address: that is for the resolver to see. Behind a proxy,
    which resolves on its own, this is the only check there is.
    """
    if host.startswith("["):
        host = host.partition("]")[0] + "]"
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    name = host.lower().removesuffix(".")
    if names_this_machine(name) or name.endswith(_PRIVATE_ENDINGS):
        return PRIVATE
    address = literal_address(name)
    if address is not None and not is_public(address):
        return PRIVATE
    # 010.0.0.1 is 8.0.0.1 to most programs, but 10.0.0.1 to some: both must be public.
    parts = name.split(".")
    if len(parts) == 4 and all(part.isdecimal() for part in parts):
        with suppress(ValueError):
            if not _is_public_4(IPv4Address(".".join(str(int(part)) for part in parts))):
                return PRIVATE
    return None


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)


# What a canonical URL says of its page.

_NOT_FETCHED = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|bmp|tiff?|mp[34]|m4[av]|og[gv]|wav|avi|mov|wmv|webm|flv|"
    r"zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|iso|jar|deb|rpm|msi|apk|css|js|woff2?|ttf|eot|"
    r"docx?|xlsx?|pptx?|odt|ods|odp|ps|eps)$",
    re.IGNORECASE,
)
_LAST_PARTS = 2
_ENDING = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def is_media(url: str) -> bool:
    """Does the canonical ``url`` end like an image, an archive, or another thing without links?"""
    return _NOT_FETCHED.search(url.partition("?")[0]) is not None


def url_words(url: str) -> str:
    """The words in the last parts of a canonical URL's path, without its ending.

    Empty where they hold no letter.

    Examples
    --------
    >>> url_words("http://example.org/2019/spices/Black_pepper.html?page=2")
    'spices Black pepper'
    """
    path = unquote(url.partition("?")[0].split("/", 3)[3])
    parts = [part for part in path.split("/") if part][-_LAST_PARTS:]
    return _NO_LETTERS.sub(" ", "/".join([_ENDING.sub("", part) for part in parts])).strip()

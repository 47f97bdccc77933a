"""The part of a pattern that stands for a host, in the spelling that canonical URLs have.

Hosts have no capital letters, write other scripts in ASCII (``xn--...``) and leave out the usual
port. A pattern may be written as people write hosts: ``*.Example.org/*``, ``*bücher.de/*``,
``*example.org:80/*``. The host is what stands before the first ``/``, after a scheme if there is
one. A pattern without a ``/`` names none: ``*Storm*`` is about paths as well.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from urllib.parse import quote

from scenthound.core.urls import DEFAULT_PORTS

_ASCII_FORM = "xn--"
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z*?]*:?//)?(?P<host>[^/]*?)(?::(?P<port>80|443))?(?P<rest>/.*)?", re.DOTALL
)
_SCHEMES = {f"{scheme}://": str(port) for scheme, port in DEFAULT_PORTS.items()}


@dataclass(frozen=True, slots=True)
class HostReading:
    """What a pattern means if it names a host.

    Parameters
    ----------
    schemes : how a URL may begin: ``http://``, ``https://``.
    host : a pattern of the host in lower case, without the usual port.
    rest : a pattern of all that follows.
    foreign : is the host in another script? Then :func:`with_written_host` is matched.
    """

    schemes: tuple[str, ...]
    host: str
    rest: str
    foreign: bool


def host_reading(pattern: str) -> HostReading | None:
    """The pattern as it is meant if it names a host; None where it says just that, or names none.

    A star at the beginning stands for the scheme, too.
    """
    found = _PARTS.fullmatch(pattern)
    if found is None or not (found["scheme"] or (found["rest"] and pattern.startswith("*"))):
        return None
    scheme, rest, port = (found["scheme"] or "").lower(), found["rest"] or "/", found["port"]
    host = unicodedata.normalize("NFKC", found["host"]).casefold()
    if host.isascii() and f"{scheme}{host}{rest}" == pattern:
        return None
    fitting = (each for each in _SCHEMES if fnmatchcase(each, scheme or "*"))
    schemes = tuple(each for each in fitting if port in (None, _SCHEMES[each]))
    return HostReading(schemes, host, rest, not host.isascii()) if schemes else None


def with_written_host(url: str) -> str | None:
    """A canonical URL with its host as people write it, escaped as in a path.

    None for a host that is written in ASCII anyway.
    """
    if _ASCII_FORM not in url:
        return None
    scheme, _, host, *path = url.split("/", 3)
    written = _written(host)
    return None if written is None else "/".join((scheme, "", written, *path))


@lru_cache(maxsize=4096)
def _written(host: str) -> str | None:
    try:
        written = host.encode("ascii").decode("idna")
    except UnicodeError:
        return None
    return None if written == host else quote(written, safe=":")

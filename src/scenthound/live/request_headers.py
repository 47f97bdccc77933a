"""Headers that the user adds to every request: read, and refused where they would do harm."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scenthound.core.errors import SettingsError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SEEN_TO = "is seen to by the crawler; leave it out"
_REFUSED = {
    "authorization": "goes to every server; give --auth HOST=USER:PASSWORD or --netrc instead",
    "cookie": "goes to every server; give --cookie-file instead",
    "user-agent": "is the crawler's own name; give --contact to say who you are",
    "proxy-authorization": "belongs to the proxy; write it as --proxy http://user:password@host:port",
    "host": _SEEN_TO,
    "content-length": _SEEN_TO,
    "connection": _SEEN_TO,
    "keep-alive": _SEEN_TO,
    "transfer-encoding": _SEEN_TO,
    "te": _SEEN_TO,
    "upgrade": _SEEN_TO,
    "expect": _SEEN_TO,
    "accept-encoding": "says what the crawler can unpack; leave it out",
    "range": "asks for pieces of pages; leave it out",
}


def parse_headers(lines: Iterable[str]) -> dict[str, str]:
    """Headers by name, from ``Name: value``; of a name given twice the values are joined.

    A name keeps the spelling it was first given with. No lines give no headers. SettingsError,
    in one sentence, for what is no header or must not be one; values are not repeated in it.
    """
    found: dict[str, str] = {}
    spelling: dict[str, str] = {}
    for line in lines:
        name, value = _parsed(line)
        name = spelling.setdefault(name.lower(), name)
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _parsed(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    name, value = name.strip(" \t"), value.strip(" \t")
    if not colon or not _NAME.fullmatch(name):
        first = " ".join(name.split()[:1])  # the rest may be a value
        raise SettingsError(f"--header {first[:80]!r} is no header; write it as 'Name: value'.")
    if name.lower() in _REFUSED:
        raise SettingsError(f"--header {name}: that header {_REFUSED[name.lower()]}.")
    if not value.isascii() or not value.isprintable():
        raise SettingsError(
            f"--header {name} has a line break or another character that cannot be sent in its "
            "value; use plain ASCII."
        )
    return name, value

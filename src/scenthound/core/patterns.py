"""Rules for hosts and patterns of URLs, as users write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import DEFAULT_PORTS, canonical, host_of

_PORT = re.compile(r":(?P<port>[0-9]{1,5})\Z")
_LAST_PORT = 65_535
_PATTERN = re.compile(r"[a-z0-9_.*-]*\*[a-z0-9_.*-]*")


@dataclass(frozen=True, slots=True)
class HostRule:
    """A host with its subdomains, or a pattern with ``*`` for whole host names.

    Parameters
    ----------
    text : as it was given, for messages.
    name : the host in its canonical form, or the pattern.
    port : only this port; None for any.
    """

    text: str
    name: str
    port: int | None = None

    @property
    def is_pattern(self) -> bool:
        """Does it have a ``*``?"""
        return "*" in self.name


def host_rule(text: str) -> HostRule:
    """The rule that a text means; SettingsError where it is a URL, or no host at all."""
    name = text.strip().lower().removesuffix(".")
    if "/" in name:
        raise SettingsError(f"{text!r} is a URL, not a host; write it as example.org.")
    found = _PORT.search(name) if name.count(":") == 1 or "]:" in name else None
    port = None if found is None else int(found["port"])
    if port is not None and not 0 < port <= _LAST_PORT:
        raise SettingsError(f"{text!r} names no port; give one from 1 to {_LAST_PORT}.")
    name = name if found is None else name[: found.start()]
    if "*" in name:
        name = ".".join(map(_ascii_label, name.split(".")))
        if not _PATTERN.fullmatch(name):
            raise SettingsError(f"{text!r} is no pattern of hosts; write it as *.example.org.")
        return HostRule(text, name, port)
    if name.count(":") > 1 and not name.startswith("["):
        name = f"[{name}]"  # IPv6 addresses are written with or without brackets
    try:
        return HostRule(text, host_of(canonical(f"http://{name}/")), port)
    except MalformedUrlError:
        raise SettingsError(f"{text!r} is no host; write it as example.org.") from None


class HostRules:
    """Several host rules, matched at once; none are about no host."""

    def __init__(self, rules: Iterable[HostRule]) -> None:
        self.rules = tuple(rules)
        self._named: dict[str, list[HostRule]] = {}
        for rule in self.rules:
            if not rule.is_pattern:
                self._named.setdefault(rule.name, []).append(rule)
        self._patterns = [(_expression(rule.name), rule) for rule in self.rules if rule.is_pattern]

    def __bool__(self) -> bool:
        return bool(self.rules)

    def first(self, url: str) -> HostRule | None:
        """The rule that the host of the canonical ``url`` falls under; None where it does not."""
        name, port = name_and_port(url)
        return next((rule for rule in self._about(name) if rule.port in (None, port)), None)

    def name_ports_of(self, url: str) -> bool:
        """Is there a rule about the host of ``url`` that names a port, be it another one?"""
        return any(rule.port is not None for rule in self._about(name_and_port(url)[0]))

    def _about(self, name: str) -> Iterator[HostRule]:
        """The rules about a host, whatever their port."""
        for above in (name, *parents(name)):
            yield from self._named.get(above, ())
        for expression, rule in self._patterns:
            if expression.fullmatch(name):
                yield rule


def host_rules(texts: Sequence[str]) -> HostRules:
    """The rules that texts mean; SettingsError for one that means none."""
    return HostRules(map(host_rule, texts))


def site_rules(urls: Iterable[str]) -> HostRules:
    """The hosts of these canonical URLs without a leading ``www.``, whatever their port."""
    return HostRules(HostRule(site, site) for site in dict.fromkeys(map(site_of, urls)))


def site_of(url: str) -> str:
    """The host of a canonical URL without its port and a leading ``www.``."""
    return name_and_port(url)[0].removeprefix("www.")


def name_and_port(url: str) -> tuple[str, int]:
    """Host name and port of a canonical URL, the default port where it names none."""
    host = host_of(url)
    name, colon, port = host.rpartition(":")
    if colon and not host.endswith("]"):
        return name, int(port)
    return host, DEFAULT_PORTS[url.partition(":")[0]]


def parents(name: str) -> list[str]:
    """The domains above a host name, nearest first; an address has none."""
    if name.startswith("[") or name.rpartition(".")[2].isdecimal():
        return []
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(1, len(parts))]


def _expression(name: str) -> re.Pattern[str]:
    """Each star is as many characters as it takes, dots included."""
    first, *rest = map(re.escape, name.split("*"))
    *middle, last = rest
    return re.compile(f"{first}{''.join(f'(?>.*?{piece})' for piece in middle)}.*{last}")


def _ascii_label(label: str) -> str:
    """A label in its ASCII form; one with a star has none."""
    with suppress(UnicodeError):
        return label if "*" in label else label.encode("idna").decode("ascii")
    return label


# The part of a pattern that stands for a host, in the spelling that canonical URLs have.
#
# Hosts have no capital letters, write other scripts in ASCII (``xn--...``) and leave out the
# usual port. A pattern may be written as people write hosts: ``*.Example.org/*``,
# ``*bücher.de/*``, ``*example.org:80/*``. The host is what stands before the first ``/``, after a
# scheme if there is one. A pattern without a ``/`` names none: ``*Storm*`` is about paths as
# well.


_ASCII_FORM = "xn--"
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z*?]*:?//)?(?P<host>[^/]*?)(?::(?P<port>80|443))?(?P<rest>/.*)?", re.DOTALL
)
_SCHEMES = {f"{scheme}://": str(port) for scheme, port in DEFAULT_PORTS.items()}


@dataclass(frozen=True, slots=True)
class HostPattern:
    """What a pattern means if it names a host.

    ``schemes`` are how a URL may begin, ``host`` is a pattern in lower case without the usual
    port, ``rest`` a pattern of all that follows. A host that is ``foreign`` is in another script:
    then :func:`with_unicode_host` is matched.
    """

    schemes: tuple[str, ...]
    host: str
    rest: str
    foreign: bool


def host_pattern(pattern: str) -> HostPattern | None:
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
    return HostPattern(schemes, host, rest, not host.isascii()) if schemes else None


def with_unicode_host(url: str) -> str | None:
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


# Patterns that whole URLs are matched against: ``*`` and ``?``, or ``re:`` and an expression.
#
# They are matched against canonical URLs, so the literal parts of a pattern are read in that
# spelling: ``*/Sphere_(maths)`` and ``*/Sphere_%28maths%29`` are one pattern. An expression is
# searched, not matched whole. It runs on RE2, whose time grows with the length of the URL and no
# faster: the URLs come from the web, and one of them must not stop a crawl.


EXPRESSION = "re:"
_WILD = re.compile(r"[*?]")
_STARTS = ("http://", "https://")
_WITH_HOST = re.compile(r"(https?://[^/*?#]+)(/.*)?", re.IGNORECASE | re.DOTALL)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_ALWAYS_BARE = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~/:@;=&+$%#-"
)
_BARE_IN_QUERY = frozenset("!'(),[]|")
"""Escaped in a path, bare in a query; a pattern means both."""
_UNLIKE = ("http://b/", "https://7.k/Q?w", "http://[::1]/", "https://xn--j6w193g/_;~")
"""URLs that have nothing in common but what all have: who matches them matches everything."""


class UrlPatterns:
    """Several patterns, matched at once; none match nothing.

    SettingsError names an expression that cannot be read.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        globs = [text for text in texts if not is_expression(text)]
        self._globs = _joined([glob for text in globs for glob in _globs(text)])
        self._foreign = _joined([glob for text in globs for glob in _globs(text, foreign=True)])
        self._expressions = tuple(_compiled(text) for text in texts if is_expression(text))
        self.texts = tuple(texts)

    def __bool__(self) -> bool:
        return bool(self.texts)

    def match(self, url: str) -> bool:
        """Does one of them match the canonical ``url``?"""
        if self._globs is not None and self._globs.match(url) is not None:
            return True
        if self._foreign is not None and (written := with_unicode_host(url)) is not None:
            return self._foreign.match(written) is not None or self._searched(url)
        return self._searched(url)

    def _searched(self, url: str) -> bool:
        return any(each.search(url) is not None for each in self._expressions)

    def first(self, url: str) -> str | None:
        """The first pattern that matches, for messages; None where none does."""
        if not self.match(url):
            return None
        return next(text for text in self.texts if _single(text).match(url))


@lru_cache(maxsize=256)
def _single(text: str) -> UrlPatterns:
    """One pattern alone, compiled once: every link that is excluded asks for its pattern."""
    return UrlPatterns((text,))


def is_expression(text: str) -> bool:
    """Is a pattern a regular expression?"""
    return text.startswith(EXPRESSION)


def matches_everything(text: str) -> bool:
    """Does a pattern match every URL, such as ``*``, ``http*`` and ``re:.``?"""
    pattern = UrlPatterns((text,))
    return all(map(pattern.match, _UNLIKE))


def matches_nothing(text: str) -> bool:
    """Can a pattern match no URL, such as ``news``? Of an expression that is not known."""
    if is_expression(text):
        return False
    start = _WILD.split(_spelled(text), maxsplit=1)[0]
    fits = any(known.startswith(start) or start.startswith(known) for known in _STARTS)
    return not text.strip() or not (fits or host_pattern(text)) or "#" in text


def escaped_expression(text: str) -> str | None:
    """An expression with the characters escaped that URLs write so; None where it has none."""
    if not is_expression(text) or text.isascii():
        return None
    return "".join(each if each.isascii() else _escaped(each) for each in text)


def suggest_pattern(text: str) -> str:
    """What was perhaps meant by a pattern that matches nothing: its words anywhere in a URL."""
    words = text.strip().partition("#")[0].strip("*")
    return f"*{words}*" if words else "*news*"


def _joined(globs: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(globs)) if globs else None


def _globs(text: str, foreign: bool = False) -> list[str]:
    """Expressions for a pattern, as it stands and with its host as URLs spell it.

    ``foreign`` are those for URLs with their host as people write it.
    """
    spelled = _spelled(text)
    reading = host_pattern(spelled)
    globs = [] if foreign else [rf"(?s:{_glob(spelled)})\Z"]
    if reading is not None and reading.foreign == foreign:
        schemes, host = "|".join(reading.schemes), _glob(reading.host, "[^/]")
        globs.append(rf"(?s:(?:{schemes}){host}{_glob(reading.rest)})\Z")
    return globs


def _glob(text: str, any_one: str = ".") -> str:
    """An expression for a pattern with ``*`` and ``?``; what a star has passed it never retries.

    ``any_one`` is what a ``?`` stands for, and a ``*`` for any number of.
    """
    first, *rest = (_literal(piece, any_one) for piece in text.split("*"))
    if not rest:
        return first
    *middle, last = rest
    return f"{first}{''.join(f'(?>{any_one}*?{piece})' for piece in middle)}{any_one}*{last}"


def _literal(text: str, any_one: str) -> str:
    spelled = _ESCAPE.sub(lambda escape: escape[0].upper(), text)
    return "".join(any_one if each == "?" else _character(each) for each in spelled)


def _character(character: str) -> str:
    if character in _ALWAYS_BARE:
        return re.escape(character)
    if character in _BARE_IN_QUERY:
        return f"(?:{re.escape(character)}|{_escaped(character)})"
    return _escaped(character)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))


def _spelled(text: str) -> str:
    """A pattern that names its host, with the host as URLs spell it; others as they are."""
    found = _WITH_HOST.fullmatch(text)
    if found is None:
        return text
    try:
        front = canonical(found[1])
    except MalformedUrlError:
        return text
    return front if found[2] is None else front.removesuffix("/") + found[2]


def _compiled(text: str) -> Any:
    import re2  # only for those who write expressions

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text.removeprefix(EXPRESSION), options=options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise SettingsError(
            f"{text!r} is no regular expression ({reason}); correct it, or write a pattern with * "
            "such as '*news*'."
        ) from None

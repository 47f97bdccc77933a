"""Patterns of URLs, as users write them: which URLs they match, and which match all or none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import DEFAULT_PORTS, canonical

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


def pattern_warnings(key: str, patterns: Sequence[str]) -> Iterator[str]:
    """A sentence for each pattern that can match no URL; ``key`` is what they are called.

    Also for each expression with characters that no URL has.
    """
    for text in filter(matches_nothing, patterns):
        yield (
            f"{key} {text!r} can match no URL, as URLs begin with http:// or https:// and have no "
            f"#; did you mean {suggest_pattern(text)!r}?"
        )
    for text in patterns:
        if (escaped := escaped_expression(text)) is not None:
            yield (
                f"{key} {text!r} has characters that no URL has, as URLs write them escaped; did "
                f"you mean {escaped!r}?"
            )

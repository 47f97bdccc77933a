"""Patterns that whole URLs are matched against: ``*`` and ``?``, or ``re:`` and an expression.

They are matched against canonical URLs, so the literal parts of a pattern are read in that
spelling: ``*/Sphere_(maths)`` and ``*/Sphere_%28maths%29`` are one pattern. An expression is
searched, not matched whole. It runs on RE2, whose time grows with the length of the URL and no
faster: strangers write the URLs, and one of theirs must not stop a crawl.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.pattern_hosts import host_reading, with_written_host
from scenthound.core.urls import canonical

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


class _Searching(Protocol):
    def search(self, text: str) -> object | None: ...


class Patterns:
    """Some patterns, asked for at once.

    Parameters
    ----------
    texts : the patterns; none match nothing.

    Raises
    ------
    SettingsError
        An expression that cannot be read, with the expression named.
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
        if self._foreign is not None and (written := with_written_host(url)) is not None:
            return self._foreign.match(written) is not None or self._searched(url)
        return self._searched(url)

    def _searched(self, url: str) -> bool:
        return any(each.search(url) is not None for each in self._expressions)

    def first(self, url: str) -> str | None:
        """The first one that matches, to be told; None where none does."""
        if not self.match(url):
            return None
        return next(text for text in self.texts if _single(text).match(url))


@lru_cache(maxsize=256)
def _single(text: str) -> Patterns:
    """One pattern alone, compiled once: every link that is excluded asks for its pattern."""
    return Patterns((text,))


def is_expression(text: str) -> bool:
    """Is a pattern a regular expression?"""
    return text.startswith(EXPRESSION)


def matches_everything(text: str) -> bool:
    """Does a pattern match every URL, such as ``*``, ``http*`` and ``re:.``?"""
    pattern = Patterns((text,))
    return all(map(pattern.match, _UNLIKE))


def matches_nothing(text: str) -> bool:
    """Can a pattern match no URL, such as ``news``? Of an expression that is not known."""
    if is_expression(text):
        return False
    start = _WILD.split(_spelled(text), maxsplit=1)[0]
    fits = any(known.startswith(start) or start.startswith(known) for known in _STARTS)
    return not text.strip() or not (fits or host_reading(text)) or "#" in text


def escaped_expression(text: str) -> str | None:
    """An expression with the characters escaped that URLs write so; None where it has none."""
    if not is_expression(text) or text.isascii():
        return None
    return "".join(each if each.isascii() else _escaped(each) for each in text)


def likely_meant(text: str) -> str:
    """What was perhaps meant by a pattern that matches nothing: its words anywhere in a URL."""
    words = text.strip().partition("#")[0].strip("*")
    return f"*{words}*" if words else "*news*"


def host_in(text: str) -> str | None:
    """The host that a pattern names before its first wildcard; None where it names none."""
    found = None if is_expression(text) else _WITH_HOST.fullmatch(_spelled(text))
    return None if found is None else found[1].partition("//")[2]


def _joined(globs: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(globs)) if globs else None


def _globs(text: str, foreign: bool = False) -> list[str]:
    """Expressions for a pattern, as it stands and with its host as URLs spell it.

    ``foreign`` are those for URLs with their host as people write it.
    """
    spelled = _spelled(text)
    reading = host_reading(spelled)
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
    escaped = _escaped(character)
    if character in _BARE_IN_QUERY:
        return f"(?:{re.escape(character)}|{escaped})"
    return escaped


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


def _compiled(text: str) -> _Searching:
    import re2  # only for those who write expressions

    options = re2.Options()
    options.log_errors = False
    try:
        compiled: _Searching = re2.compile(text.removeprefix(EXPRESSION), options=options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise SettingsError(
            f"{text!r} is no regular expression ({reason}); correct it, or write a pattern with * "
            "such as '*news*'."
        ) from None
    return compiled

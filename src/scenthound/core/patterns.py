"""Patterns of URLs, as users write them: which URLs they match, and which match all or none.

A pattern is matched against the whole canonical URL: ``*`` is any text, ``?`` any character. Its
literal parts are read in the spelling of such URLs: ``*/Sphere_(maths)`` and
``*/Sphere_%28maths%29`` are one pattern. After ``re:`` stands a regular expression, which is
searched for, not matched whole. It runs on RE2, whose time grows with the length of the URL and no
faster: the URLs come from the web, and one of them must not stop a crawl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from scenthound.core.errors import SettingsError

EXPRESSION = "re:"
_PARTS = re.compile(r"(?P<scheme>[a-z*?]*:?//)?(?P<host>[^/]*)(?P<rest>/.*)?", re.I | re.DOTALL)
"""The host is what stands before the first ``/``, after a scheme if there is one."""
_USUAL_PORTS = {":80": "http://", ":443": "https://"}
"""URLs name no usual port, so a pattern that does means the URLs of its scheme."""
_HOST_PIECE = re.compile(r"[^*?.:\[\]]+")
_WILD = re.compile(r"[*?]")
_STARTS = ("http://", "https://")
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
        self.texts = tuple(texts)
        globs = [glob for text in texts if not is_expression(text) for glob in _globs(text)]
        self._globs = re.compile("|".join(globs)) if globs else None
        self._expressions = tuple(_compiled(text) for text in texts if is_expression(text))

    def __bool__(self) -> bool:
        return bool(self.texts)

    def match(self, url: str) -> bool:
        """Does one of them match the canonical ``url``?"""
        if self._globs is not None and self._globs.match(url) is not None:
            return True
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
    return all(map(UrlPatterns((text,)).match, _UNLIKE))


def matches_nothing(text: str) -> bool:
    """Can a pattern match no URL, such as ``news``? Of an expression that is not known."""
    if is_expression(text):
        return False
    start = _WILD.split(text, maxsplit=1)[0].lower()
    fits = any(known.startswith(start) or start.startswith(known) for known in _STARTS)
    return not fits or not text.strip() or "#" in text


def pattern_warnings(key: str, patterns: Sequence[str]) -> Iterator[str]:
    """A sentence for each pattern that can match no URL; ``key`` is what they are called."""
    for text in filter(matches_nothing, patterns):
        yield (
            f"{key} {text!r} can match no URL, as URLs begin with http:// or https:// and have no "
            "#; write '*news*' for a word anywhere."
        )


def glob_expression(text: str, any_one: str = ".") -> str:
    """An expression for a pattern with ``*`` and ``?``; what a star has passed it never retries.

    ``any_one`` is what a ``?`` stands for, and a ``*`` for any number of.
    """
    first, *rest = (_literal(piece, any_one) for piece in text.split("*"))
    if not rest:
        return first
    *middle, last = rest
    return f"{first}{''.join(f'(?>{any_one}*?{piece})' for piece in middle)}{any_one}*{last}"


def ascii_host(host: str) -> str:
    """A host, perhaps with ``*`` and ``?``, as URLs spell it: in lower case and in ASCII."""

    def spelled(piece: re.Match[str]) -> str:
        try:
            return piece[0].encode("idna").decode("ascii")
        except UnicodeError:
            return piece[0]

    return _HOST_PIECE.sub(spelled, host.lower())


def _globs(text: str) -> list[str]:
    """Expressions for a pattern, as it stands and with its host as URLs spell it.

    A pattern without a scheme names a host where it starts with a star and has a path.
    """
    globs = [rf"(?s:{glob_expression(text)})\Z"]
    found = _PARTS.fullmatch(text)
    if found is not None and (found["scheme"] or (found["rest"] and text.startswith("*"))):
        scheme, host = (found["scheme"] or "").lower(), ascii_host(found["host"])
        for port, usual in _USUAL_PORTS.items():
            if host.endswith(port) and scheme in ("", usual):
                scheme, host = usual, host.removesuffix(port)
        start = glob_expression(scheme, "[^/]") if scheme else "https?://"
        rest = glob_expression(found["rest"] or "/")
        globs.append(rf"(?s:{start}{glob_expression(host, '[^/]')}{rest})\Z")
    return globs


def _literal(text: str, any_one: str) -> str:
    spelled = _ESCAPE.sub(lambda escape: escape[0].upper(), text)
    return "".join(any_one if each == "?" else _character(each) for each in spelled)


def _character(character: str) -> str:
    if character in _ALWAYS_BARE:
        return re.escape(character)
    escaped = "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
    return f"(?:{re.escape(character)}|{escaped})" if character in _BARE_IN_QUERY else escaped


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

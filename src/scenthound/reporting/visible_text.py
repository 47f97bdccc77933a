"""Text of strangers for people to read: nothing in it is invisible, endless or a trick."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 160
_LONGEST_LINK = 2_000
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_WANTED = frozenset("\n\t\u200c\u200d")
"""Line ends and tabs, and the joiners that some scripts are not written without."""
_WEB = re.compile(r"https?://[^\s\x00-\x20\x7f-\xa0\"'<>\\^`{|}/?#@]+(?:[/?#]\S*)?", re.IGNORECASE)
_MARKS_KEPT = 4
"""Accents on one letter; more of them run over the lines above."""


def visible(text: str) -> str:
    """The text with control characters, direction marks and the like spelled out.

    Examples
    --------
    >>> visible("a\\u202eb"), visible("")
    ('a[U+202E]b', '')
    """
    if text.isascii() and text.isprintable():
        return text
    kept, marks = [], 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in _HIDING and character not in _WANTED:
            kept.append(f"[U+{ord(character):04X}]")
        elif marks <= _MARKS_KEPT:
            kept.append(character)
    return "".join(kept)


def cut(text: str, longest: int = LONGEST) -> str:
    """In one line and not too long; what was cut off is told by an ellipsis.

    Examples
    --------
    >>> cut("one   two"), cut("typhoon", 5)
    ('one two', 'typh…')
    """
    line = " ".join(text[: 4 * longest].split())
    shortened = len(line) > longest or len(text) > 4 * longest
    return f"{line[: longest - 1]}\u2026" if shortened else line


def web_address(url: str) -> str | None:
    """The URL where a link may lead there: http or https, a host, no tricks; else None.

    Examples
    --------
    >>> web_address("https://example.org/a?b"), web_address("javascript:alert(1)")
    ('https://example.org/a?b', None)
    """
    if len(url) > _LONGEST_LINK or not _WEB.fullmatch(url) or visible(url) != url:
        return None
    return url

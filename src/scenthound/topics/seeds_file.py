"""A seeds file: a URL a line, for whoever has a list and no wish to write TOML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from scenthound.core.errors import MalformedUrlError, TopicError
from scenthound.core.urls import canonical

MOST_WARNINGS = 10
"""Lines that are told one by one; the others are counted."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside a URL starts a fragment, not a comment."""
_UNDECODED = re.compile("[\udc80-\udcff]")


def read_seeds(path: Path, warn: Callable[[str], None]) -> tuple[str, ...]:
    """The URLs in the file at ``path``, canonical, each once.

    Parameters
    ----------
    path : a text file in UTF-8; blank lines and what follows a ``#`` are passed over.
    warn : gets every line that is no URL, with its number.

    Raises
    ------
    TopicError
        The file cannot be read, or no line of it is a URL.
    """
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
            return seeds_in(lines, f"seeds file {path}", warn)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise TopicError(f"seeds file {path}: {reason}; give a file with a URL a line.") from None


def seeds_in(lines: Iterable[str], where: str, warn: Callable[[str], None]) -> tuple[str, ...]:
    """The URLs in lines of text such as standard input; ``where`` names them in messages.

    Raises TopicError where there is no URL in any line, or no line at all.
    """
    found: dict[str, None] = {}
    junk = 0
    for number, line in enumerate(lines, start=1):
        text = _COMMENT.sub("", line.removeprefix("\ufeff")).strip()
        if not text:
            continue
        try:
            found[_seed(text)] = None
        except MalformedUrlError as error:
            junk += 1
            if junk <= MOST_WARNINGS:
                warn(f"{where}, line {number} is left out: {error}")
    if junk > MOST_WARNINGS:
        warn(f"{where}: {junk - MOST_WARNINGS} more lines are no URLs and left out")
    if not found:
        raise TopicError(f"{where} holds no URL; write one a line, such as https://example.org/.")
    return tuple(found)


def _seed(text: str) -> str:
    if _UNDECODED.search(text):
        raise MalformedUrlError("it is no UTF-8 text")
    if len(text.split()) > 1:
        raise MalformedUrlError(f"{text[:80]!r} is more than one word; write one URL a line")
    return canonical(text)

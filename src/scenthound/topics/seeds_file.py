"""A seeds file: a URL a line, for whoever has a list and no wish to write TOML."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from scenthound.core.errors import MalformedUrlError, TopicError
from scenthound.core.urls import canonical

MOST_WARNINGS = 10
"""Lines that are told one by one; the others are counted."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside a URL starts a fragment, not a comment."""
_TABLE_ROW = re.compile(r"\A[^?]*[,;](?=[^,;]*[^\W\d_])[^/.=?]*\Z")
"""Ends in a comma and a word: ``http://a.test/1.html,storm``, and not ``.../0,1518,7.html``."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF16_STARTS = ("http".encode("utf-16-le"), "http".encode("utf-16-be"))
_HEAD = 1_000
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
        The file cannot be read, is in another encoding, or no line of it is a URL.
    """
    try:
        with path.open("rb") as file:
            _refuse_utf16(file.peek(_HEAD), path)  # a pipe can be read only once
            lines = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape")
            return seeds_in(lines, f"seeds file {path}", warn)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise TopicError(f"seeds file {path}: {reason}; give a file with a URL a line.") from None


def seeds_in(lines: Iterable[str], where: str, warn: Callable[[str], None]) -> tuple[str, ...]:
    """The URLs in lines of text such as standard input; ``where`` names them in messages.

    Raises TopicError where there is no URL in any line, or no line at all.
    """
    found: dict[str, None] = {}
    table_rows: list[int] = []
    junk = 0
    for number, line in enumerate(lines, start=1):
        text = text_of(line)
        if not text:
            continue
        try:
            found[_seed(text)] = None
            if _TABLE_ROW.match(text):
                table_rows.append(number)
        except MalformedUrlError as error:
            junk += 1
            if junk <= MOST_WARNINGS:
                warn(f"{where}, line {number} is left out: {error}")
    if junk > MOST_WARNINGS:
        warn(f"{where}: further lines that are no URLs and left out: {junk - MOST_WARNINGS}")
    if table_rows:
        warn(
            f"{where}, line {table_rows[0]} looks like a row of a table: all of it is taken for "
            f"the URL, the comma too{_and_others(table_rows)}; keep the column with the URLs"
        )
    if not found:
        raise TopicError(f"{where} holds no URL; write one a line, such as https://example.org/.")
    return tuple(found)


def text_of(line: str) -> str:
    """What a line says, without comment and blanks around it; empty for nothing."""
    return _COMMENT.sub("", line.removeprefix("\ufeff")).strip()


def _refuse_utf16(head: bytes, path: Path) -> None:
    """Such a file would be called junk line by line."""
    if head.startswith(_UTF16_MARKS) or any(start in head.lower() for start in _UTF16_STARTS):
        raise TopicError(f"seeds file {path} is in UTF-16; save it as UTF-8.")


def _and_others(rows: Sequence[int]) -> str:
    return f" (so in {len(rows)} lines)" if len(rows) > 1 else ""


def _seed(text: str) -> str:
    if _UNDECODED.search(text):
        raise MalformedUrlError("it is no UTF-8 text")
    if len(text.split()) > 1:
        raise MalformedUrlError(f"{text[:80]!r} is more than one word; write one URL a line")
    return canonical(text)

"""Titles, abstracts and keywords out of BibTeX files."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from scenthound.core.extras import require
from scenthound.ontology.files import INSTALL

MOST_ENTRIES = 2_000
"""Entries read from one file."""
MOST_KEYWORDS = 50
"""Keywords read of one entry."""

_LONGEST_FIELD = 10_000
"""Characters of a field that are read."""
_LONGEST_KEYWORD = 80
_WARNINGS = 5
"""Broken entries that are told of one by one."""
_PURPOSE = "reading BibTeX"
_READ = frozenset({"title", "abstract", "keywords", "keyword"})
_NOISY = ("bibtexparser", "pylatexenc")
_BETWEEN_KEYWORDS = re.compile(r"[;,\n]|\\and\b|\\sep\b")
_MARKUP = re.compile(r"\\[a-zA-Z]+|[\\$]")
_BRACES = str.maketrans("", "", "{}")

Decode = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is read of an entry; ``key`` is the name it is cited by."""

    key: str
    title: str
    abstract: str
    keywords: tuple[str, ...]


def read_entries(text: str, warn: Callable[[str], None]) -> list[Entry]:
    """The entries that have a title or an abstract; none for an empty text.

    Abbreviations (``@string``) and pieces joined with ``#`` are put together, LaTeX's accents
    become letters. What cannot be understood is left out.

    Parameters
    ----------
    text : of a BibTeX file.
    warn : is told of entries that are left out, with the line they begin at.

    Raises
    ------
    SettingsError
        The extra that brings the parser is not installed.
    """
    bibtexparser = require("bibtexparser", _PURPOSE, INSTALL)
    with _quiet(_NOISY):
        library = bibtexparser.parse_string(text, parse_stack=[])
        strings = {each.key.lower(): str(each.value) for each in library.strings}
        decode = _decoder()
        blocks = [*library.entries, *_mended(library.failed_blocks, warn)]
        blocks.sort(key=lambda block: int(block.start_line))
        if len(blocks) > MOST_ENTRIES:
            warn(f"it has more than {MOST_ENTRIES} entries; the others are left out.")
        entries = [_entry(block, strings, decode) for block in blocks[:MOST_ENTRIES]]
    return [entry for entry in entries if entry.title or entry.abstract]


def joined(value: str, strings: Mapping[str, str]) -> str:
    """A value without its braces and quotation marks, abbreviations spelt out.

    Examples
    --------
    >>> joined('"Journal of " # weather', {"weather": "{Weather}"})
    'Journal of Weather'
    """
    if value.startswith("{") and value.endswith("}") and "#" not in value:
        return value[1:-1]
    return "".join(_piece(piece, strings) for piece in _pieces(value))


def _pieces(value: str) -> Iterator[str]:
    """Cut at every ``#`` that stands in no braces and no quotation marks."""
    start = depth = 0
    quoted = False
    for place, character in enumerate(value):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == '"' and depth == 0:
            quoted = not quoted
        elif character == "#" and depth == 0 and not quoted:
            yield value[start:place].strip()
            start = place + 1
    yield value[start:].strip()


def _piece(piece: str, strings: Mapping[str, str]) -> str:
    if len(piece) > 1 and piece[0] + piece[-1] in ('""', "{}"):
        return piece[1:-1]
    known = strings.get(piece.lower())
    # An abbreviation of abbreviations is spelt out one step deep: no circle is followed.
    return piece if known is None else "".join(_piece(each, {}) for each in _pieces(known))


def _entry(block: object, strings: Mapping[str, str], decode: Decode) -> Entry:
    fields: dict[str, str] = {}
    for field in getattr(block, "fields", ()):
        fields.setdefault(field.key.lower(), str(field.value)[:_LONGEST_FIELD])
    read = {name: joined(value, strings) for name, value in fields.items() if name in _READ}
    given = read.get("keywords") or read.get("keyword") or ""
    keywords = (decode(word)[:_LONGEST_KEYWORD] for word in _BETWEEN_KEYWORDS.split(given))
    return Entry(
        str(getattr(block, "key", "")) or "an entry without a key",
        decode(read.get("title", "")),
        decode(read.get("abstract", "")),
        tuple(dict.fromkeys(word for word in keywords if word))[:MOST_KEYWORDS],
    )


def _mended(failed: Iterable[object], warn: Callable[[str], None]) -> list[object]:
    """What failed for a key or a field that is there twice can be read all the same."""
    found, lines = [], []
    for block in failed:
        entry = getattr(block, "ignore_error_block", None)
        if hasattr(entry, "fields"):
            found.append(entry)
        else:
            lines.append(int(getattr(block, "start_line", 0)) + 1)
    for line in lines[:_WARNINGS]:
        warn(f"the entry at line {line} is broken and left out.")
    if len(lines) > _WARNINGS:
        warn(f"{len(lines) - _WARNINGS} more entries are broken and left out.")
    return found


def _decoder() -> Decode:
    """From LaTeX to plain text; what has no LaTeX in it is passed on, which is far quicker."""
    latex = require("pylatexenc.latex2text", _PURPOSE, INSTALL)
    to_text = latex.LatexNodes2Text(math_mode="text").latex_to_text

    def decode(text: str) -> str:
        if _MARKUP.search(text):
            try:
                text = to_text(text)
            except Exception:  # noqa: BLE001  whatever a file makes of it, the words are there
                text = _MARKUP.sub(" ", text)
        return " ".join(text.translate(_BRACES).replace("~", " ").split())

    return decode


@contextmanager
def _quiet(loggers: Iterable[str]) -> Iterator[None]:
    """Libraries that log what we tell ourselves hold their tongue meanwhile."""
    found = [logging.getLogger(name) for name in loggers]
    before = [logger.level for logger in found]
    try:
        for logger in found:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(found, before, strict=True):
            logger.setLevel(level)

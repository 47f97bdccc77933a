"""The texts an ontology is learned from (olmoaco 2.5, step 1): pages, papers, BibTeX entries and
notes, and whether they are in the language of the topic.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from scenthound.core.errors import OntologyError, require_library
from scenthound.core.model import Document
from scenthound.papers.olmoaco.ontology_files import INSTALL
from scenthound.text.extract import extract
from scenthound.text.html import collapse_whitespace, decode, is_text
from scenthound.text.languages import ALGORITHMS, detect, primary_language
from scenthound.text.pdf import is_pdf, read_pdf
from scenthound.text.pdf_pages import can_read_pdf

MOST_CHARACTERS = 200_000
"""Of the body of one source."""
LONGEST_TITLE = 200
LONGEST_ABSTRACT = 20_000
_OPENING = 150
"""Words of the running text that count to the abstract."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text that an ontology is learned from.

    Parameters
    ----------
    name : file name or address, for messages.
    title : of the text; may be empty.
    abstract : what it says first: description, headings, opening words.
    keywords : as its author gave them.
    body : all of its running text.
    """

    name: str
    title: str
    abstract: str
    keywords: tuple[str, ...] = ()
    body: str = ""


def source_of(name: str, document: Document) -> Source:
    """A page as a source: the description, the headings h1 to h3 and the opening are its abstract.

    An empty document gives an empty source.
    """
    groups = document.groups
    running = groups.get("body") or document.text
    parts = (
        document.description,
        _without(groups.get("title", ""), document.title, document.description),
        groups.get("heading", ""),
        " ".join(islice(running[:MOST_CHARACTERS].split(), _OPENING)),
    )
    abstract = "\n".join(part for part in map(collapse_whitespace, parts) if part)
    return Source(
        name,
        collapse_whitespace(document.title)[:LONGEST_TITLE],
        abstract[:LONGEST_ABSTRACT],
        body=document.text[:MOST_CHARACTERS],
    )


def _without(text: str, *parts: str) -> str:
    """``text`` without the first occurrence of each part: the title counts by itself."""
    for part in parts:
        if part:
            text = text.replace(part, " ", 1)
    return text


MOST_ENTRIES = 2_000
"""Entries read from one file."""
MOST_KEYWORDS = 50
"""Keywords read of one entry."""
_LONGEST_FIELD = 10_000
"""Characters of a field that are read."""
_LONGEST_KEYWORD = 80
_WARNINGS = 5
"""Broken entries that get a warning each."""
_PURPOSE = "reading BibTeX"
_BIBTEX_FIELDS = frozenset({"title", "abstract", "keywords", "keyword"})
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
    warn : called for entries that are left out, with the line they begin at.

    Raises
    ------
    SettingsError
        The extra that brings the parser is not installed.
    """
    bibtexparser = require_library("bibtexparser", _PURPOSE, INSTALL)
    with _quiet(_NOISY):
        library = bibtexparser.parse_string(text, parse_stack=[])
        strings = {each.key.lower(): str(each.value) for each in library.strings}
        decode = _decoder()
        blocks = [*library.entries, *_recover(library.failed_blocks, warn)]
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
    read = {
        name: joined(value, strings) for name, value in fields.items() if name in _BIBTEX_FIELDS
    }
    given = read.get("keywords") or read.get("keyword") or ""
    keywords = (decode(word)[:_LONGEST_KEYWORD] for word in _BETWEEN_KEYWORDS.split(given))
    return Entry(
        str(getattr(block, "key", "")) or "an entry without a key",
        decode(read.get("title", "")),
        decode(read.get("abstract", "")),
        tuple(dict.fromkeys(word for word in keywords if word))[:MOST_KEYWORDS],
    )


def _recover(failed: Iterable[object], warn: Callable[[str], None]) -> list[object]:
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
    latex = require_library("pylatexenc.latex2text", _PURPOSE, INSTALL)
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


Warn = Callable[[str], None]
"""Gets what was left out and why, one sentence at a time."""
MOST_SOURCES = 2_000
"""More texts than this are a collection, not a description of a topic."""
MOST_BYTES = 10_000_000
"""Of one file; a larger one is left out."""
_TEXTS, _PAGES, _PAPERS, _PDF = (".txt", ".md"), (".html", ".htm"), (".bib",), (".pdf",)
_SUFFIXES = (*_TEXTS, *_PAGES, *_PAPERS, *_PDF)
_NOWHERE = "http://example.invalid/"


class _UnreadableError(Exception):
    """Why a file is not read: the end of a sentence."""


def read_sources(paths: Sequence[Path], warn: Warn) -> list[Source]:
    """The sources in files and folders: text, HTML, BibTeX, and PDF where it can be read.

    Folders are read with all below them, in order of their names, but for hidden files; files of
    other kinds are passed over there. Every entry of a BibTeX file is a source.

    Parameters
    ----------
    paths : files and folders.
    warn : called for every file that is left out.

    Raises
    ------
    OntologyError
        A path is not there, or nothing is left to read.
    """
    sources: list[Source] = []
    for file in _files(paths):
        for source in _read(file, warn):
            if len(sources) == MOST_SOURCES:
                warn(f"more than {MOST_SOURCES} texts: {file} and what follows is left out.")
                return sources
            sources.append(source)
    if not sources:
        given = ", ".join(map(str, paths[:3])) or "no path"
        raise OntologyError(
            f"{given}: no text to learn from; give files or folders with "
            f"{', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]} files."
        )
    return sources


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from _below(path)
        elif path.is_file():
            yield path
        else:
            raise OntologyError(f"{path}: there is no such file or folder; correct the path.")


def _below(folder: Path) -> Iterator[Path]:
    """Files of a kind that is read; links to folders may lead in circles and are not followed."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise OntologyError(f"{folder}: {_reason(error)}; give a folder to read.") from None
    for path in entries:
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _below(path)
        elif path.suffix.lower() in _SUFFIXES and path.is_file():
            yield path


def _read(file: Path, warn: Warn) -> Iterator[Source]:
    try:
        yield from _sources(file, _body(file), warn)
    except _UnreadableError as error:
        warn(f"{file} is left out: {error}.")


def _sources(file: Path, body: bytes, warn: Warn) -> Iterator[Source]:
    if file.suffix.lower() in _PAPERS:
        yield from _papers(file, body, warn)
        return
    document = _document(file, body)
    if not document.text.strip() and not document.title:
        raise _UnreadableError("there is no text in it")
    yield source_of(str(file), document)


def _body(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            body = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise _UnreadableError(_reason(error)) from None
    if len(body) > MOST_BYTES:
        raise _UnreadableError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    if not body.strip():
        raise _UnreadableError("it is empty")
    return body


def _document(file: Path, body: bytes) -> Document:
    if is_pdf(body):
        if not can_read_pdf():
            raise _UnreadableError("to read a PDF, install it with: pip install 'scenthound[pdf]'")
        found = read_pdf(body)
        return found.document if found.document.text else _unreadable(found.problem)
    if not is_text(body, ""):
        return _unreadable("it is not a text")
    if file.suffix.lower() in _TEXTS:
        return _plain(extract(body, _NOWHERE, "text/plain").document.text)
    return extract(body, _NOWHERE, "text/html").document


def _unreadable(problem: str) -> Document:
    raise _UnreadableError(problem or "it cannot be read")


def _plain(text: str) -> Document:
    """A first line that is short is a title; the hash signs of Markdown are no words."""
    first, _, rest = text.lstrip().partition("\n")
    title = first.lstrip("# ").strip()
    if not rest.strip() or len(title) > LONGEST_TITLE:
        return Document(text=text)
    return Document(title, rest, groups={"body": rest})


def _papers(file: Path, body: bytes, warn: Warn) -> Iterator[Source]:
    if not is_text(body, ""):
        raise _UnreadableError("it is not a text")
    entries = read_entries(decode(body), lambda problem: warn(f"{file}: {problem}"))
    if not entries:
        raise _UnreadableError("there is no entry with a title or an abstract in it")
    for entry in entries:
        abstract = entry.abstract[:LONGEST_ABSTRACT]
        name = f"{file}: {entry.key}"
        yield Source(name, entry.title[:LONGEST_TITLE], abstract, entry.keywords, abstract)


def _reason(error: OSError) -> str:
    return (error.strerror or "it cannot be read").lower()


_NAMES = ALGORITHMS | {"en": "english", "ja": "japanese", "ko": "korean", "zh": "chinese"}


def other_language(sources: Sequence[Source], language: str) -> str | None:
    """A sentence that tells of texts in another language than the topic's.

    None where fewer than half of the texts are, and for no texts.

    Parameters
    ----------
    sources : what is learned from; a text whose language is not clear counts as the topic's.
    language : of the topic, as the topic file has it; what is no code fits no text.
    """
    own = primary_language(language)
    found = (detect(source.body or source.abstract, language).language for source in sources)
    others = Counter(code for code in found if code not in (None, own))
    if not others or 2 * others.total() < len(sources):
        return None
    likely, count = others.most_common(1)[0]
    texts = "text looks" if count == 1 else "texts look"
    return (
        f"{count} of {len(sources)} {texts} {named_language(likely or '')} and the topic is in "
        f'{named_language(language)}; put language = "{likely}" into the topic file.'
    )


def named_language(code: str) -> str:
    """``French (fr)``; the code alone where its name is not known here."""
    name = _NAMES.get(primary_language(code) or "")
    return f"{name.title()} ({code})" if name else repr(code)

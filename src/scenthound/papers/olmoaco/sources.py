"""The texts an ontology is learned from (olmoaco 2.5, step 1): pages, papers, BibTeX entries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import OntologyError, require_library, silent_loggers, warn_caller
from scenthound.core.model import Document
from scenthound.papers.ontologies.files import INSTALL
from scenthound.text.extract import collapse_whitespace, decode, extract, is_text
from scenthound.text.languages import detect, primary_language
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf

MOST_SOURCES = 2_000
"""More texts than this are a collection, not a description of a topic."""
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
    """Return a page as a source; description, headings h1 to h3 and opening are its abstract."""
    groups = document.groups
    running = groups.get("body") or document.text
    heading = groups.get("title", "")
    for part in filter(None, (document.title, document.description)):  # they count by themselves
        heading = heading.replace(part, " ", 1)
    opening = " ".join(running[:MOST_CHARACTERS].split()[:_OPENING])
    parts = (document.description, heading, groups.get("heading", ""), opening)
    abstract = "\n".join(part for part in map(collapse_whitespace, parts) if part)
    return Source(
        name,
        collapse_whitespace(document.title)[:LONGEST_TITLE],
        abstract[:LONGEST_ABSTRACT],
        body=document.text[:MOST_CHARACTERS],
    )


# BibTeX.

MOST_KEYWORDS = 50
"""Keywords read of one entry."""
_LONGEST_FIELD = 10_000
_LONGEST_KEYWORD = 80
_NAMED = 5
"""Broken entries whose lines a warning names."""
_PURPOSE = "reading BibTeX"
_PIECE = re.compile(r'\s{0,9}["{](.*?)["}]\s{0,9}(?:#|\Z)|([^#]+)#?', re.DOTALL)
"""A text in braces or quotation marks, or an abbreviation; the next one follows a ``#``."""
_BETWEEN_KEYWORDS = re.compile(r"[;,\n]|\\and\b|\\sep\b")
_MARKUP = re.compile(r"\\[a-zA-Z]+|[\\$]")
_BRACES = str.maketrans("", "", "{}")
Decode = Callable[[str], str]


def read_entries(text: str, name: str) -> list[Source]:
    """Return the entries of a BibTeX file that have a title or an abstract.

    Abbreviations (``@string``) and pieces joined with ``#`` are put together, LaTeX's accents
    become letters. Broken entries are a warning. SettingsError where the extra that brings the
    parser is not installed.
    """
    bibtexparser = require_library("bibtexparser", _PURPOSE, INSTALL)
    with silent_loggers("bibtexparser", "pylatexenc"):
        library = bibtexparser.parse_string(text, parse_stack=[])
        # An abbreviation of abbreviations is not spelt out: no cycle is followed.
        strings = {
            s.key.lower(): joined(str(s.value)[:_LONGEST_FIELD], {}) for s in library.strings
        }
        decode = _decoder()
        # An entry that failed because a key or a field is there twice is read all the same.
        failed = [
            (each, getattr(each, "ignore_error_block", None)) for each in library.failed_blocks
        ]
        read_again = [entry for _, entry in failed if hasattr(entry, "fields")]
        lines = [each.start_line + 1 for each, entry in failed if not hasattr(entry, "fields")]
        if lines:
            some = ", ".join(map(str, lines[:_NAMED])) + ", ..." * (len(lines) > _NAMED)
            warn_caller(f"{name}: broken entries are left out; they begin at line {some}")
        blocks = [*library.entries, *read_again]
        blocks.sort(key=lambda block: int(block.start_line))
        # One more than is read in all, so that the rest is not left out silently.
        entries = [_entry(block, name, strings, decode) for block in blocks[: MOST_SOURCES + 1]]
    return [entry for entry in entries if entry.title or entry.abstract]


def _entry(block: object, name: str, strings: Mapping[str, str], decode: Decode) -> Source:
    fields: dict[str, str] = {}
    for field in getattr(block, "fields", ()):
        fields.setdefault(field.key.lower(), str(field.value)[:_LONGEST_FIELD])
    title, abstract, *both = (
        joined(fields.get(key, ""), strings) for key in ("title", "abstract", "keywords", "keyword")
    )
    words = (
        decode(word)[:_LONGEST_KEYWORD] for word in _BETWEEN_KEYWORDS.split(both[0] or both[1])
    )
    keywords = tuple(dict.fromkeys(filter(None, words)))[:MOST_KEYWORDS]
    key = str(getattr(block, "key", "")) or "an entry without a key"
    body = decode(abstract)[:LONGEST_ABSTRACT]
    return Source(f"{name}: {key}", decode(title)[:LONGEST_TITLE], body, keywords, body)


def joined(value: str, strings: Mapping[str, str]) -> str:
    """Return a value without its braces and quotation marks, abbreviations spelt out.

    Examples
    --------
    >>> joined('"Journal of " # weather', {"weather": "Weather"})
    'Journal of Weather'
    """
    pieces = ((text, word.strip()) for text, word in _PIECE.findall(value))
    return "".join(text or strings.get(word.lower(), word) for text, word in pieces)


def _decoder() -> Decode:
    """From LaTeX to plain text; a text without LaTeX is passed on, which is far quicker."""
    latex = require_library("pylatexenc.latex2text", _PURPOSE, INSTALL)
    to_text = latex.LatexNodes2Text(math_mode="text").latex_to_text

    def decode(text: str) -> str:
        if _MARKUP.search(text):
            try:
                text = to_text(text)
            except Exception:  # noqa: BLE001  the words are there, whatever the parser thinks
                text = _MARKUP.sub(" ", text)
        return " ".join(text.translate(_BRACES).replace("~", " ").split())

    return decode


# Files and folders.

MOST_BYTES = 10_000_000
"""Of one file; a larger one is left out."""
_TEXTS, _PAPERS = (".txt", ".md"), ".bib"
_SUFFIXES = (*_TEXTS, ".html", ".htm", _PAPERS, ".pdf")
_NOWHERE = "http://example.invalid/"


def read_sources(paths: Sequence[Path]) -> list[Source]:
    """Return the sources in files and folders: text, HTML, BibTeX, and PDF where it can be read.

    Folders are read with all below them, in order of names, without hidden files and files of
    other kinds. Every entry of a BibTeX file is a source. A file that is left out is a warning.
    OntologyError where a path is missing, or nothing is left to read.
    """
    sources: list[Source] = []
    for file in _files(paths):
        try:
            found = _read(file)
        except OntologyError as error:
            warn_caller(f"{file} is left out: {error}.")
            continue
        room = MOST_SOURCES - len(sources)
        sources += found[:room]
        if len(found) > room:
            warn_caller(f"more than {MOST_SOURCES} texts: {file} and what follows is left out.")
            return sources
    if not sources:
        raise OntologyError(
            f"{', '.join(map(str, paths[:3])) or 'no path'}: no text to learn from; give files or "
            f"folders with {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]} files."
        )
    return sources


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
                if file.suffix.lower() in _SUFFIXES and not hidden and file.is_file():
                    yield file
        elif path.is_file():
            yield path
        else:
            raise OntologyError(f"{path}: there is no such file or folder; correct the path.")


def _read(file: Path) -> list[Source]:
    try:
        with file.open("rb") as stream:
            body = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise OntologyError((error.strerror or "it cannot be read").lower()) from None
    if len(body) > MOST_BYTES:
        raise OntologyError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    if not body.strip():
        raise OntologyError("it is empty")
    if file.suffix.lower() == _PAPERS and is_text(body, ""):
        if entries := read_entries(decode(body), str(file)):
            return entries
        raise OntologyError("there is no entry with a title or an abstract in it")
    document = _document(file, body)
    if not document.text.strip() and not document.title:
        raise OntologyError("there is no text in it")
    return [source_of(str(file), document)]


def _document(file: Path, body: bytes) -> Document:
    if is_pdf(body):
        if not can_read_pdf():
            raise OntologyError("to read a PDF, install it with: pip install 'scenthound[pdf]'")
        found = read_pdf(body)
        if not found.document.text:
            raise OntologyError(found.problem or "it cannot be read")
        return found.document
    if not is_text(body, ""):
        raise OntologyError("it is not a text")
    if file.suffix.lower() not in _TEXTS:
        return extract(body, _NOWHERE, "text/html").document
    # A first line that is short is a title; the hash signs of Markdown are no words.
    text = extract(body, _NOWHERE, "text/plain").document.text
    first, _, rest = text.lstrip().partition("\n")
    title = first.lstrip("# ").strip()
    if not rest.strip() or len(title) > LONGEST_TITLE:
        return Document(text=text)
    return Document(title, rest, groups={"body": rest})


def other_language(sources: Sequence[Source], language: str) -> str | None:
    """Return a sentence if at least half of the texts are in another language than the topic's.

    A text whose language is not clear counts as the topic's.
    """
    own = primary_language(language)
    found = (detect(source.body or source.abstract, language).language for source in sources)
    others = Counter(code for code in found if code not in (None, own))
    if not others or 2 * others.total() < len(sources):
        return None
    likely, count = others.most_common(1)[0]
    return (
        f"texts that look {likely!r}, though the topic is in {language!r}: {count} of "
        f'{len(sources)}; put language = "{likely}" into the topic file.'
    )

"""What an ontology is learnt from: pages, papers, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from scenthound.core.errors import OntologyError
from scenthound.core.model import Document
from scenthound.ontology_learning.bibtex import read_entries
from scenthound.ontology_learning.source import (
    LONGEST_ABSTRACT,
    LONGEST_TITLE,
    Source,
    source_of,
)
from scenthound.text.decode import decode, is_text
from scenthound.text.extract import extract
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf

__all__ = ["MOST_BYTES", "MOST_SOURCES", "Source", "Warn", "read_sources", "source_of"]

Warn = Callable[[str], None]
"""Gets what was left out and why, one sentence at a time."""

MOST_SOURCES = 2_000
"""More texts than this are a collection, not a description of a topic."""
MOST_BYTES = 10_000_000
"""Of one file; a larger one is left out."""
_TEXTS, _PAGES, _PAPERS, _PDF = (".txt", ".md"), (".html", ".htm"), (".bib",), (".pdf",)
_READ = (*_TEXTS, *_PAGES, *_PAPERS, *_PDF)
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
    warn : is told of every file that is left out.

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
            f"{', '.join(_READ[:-1])} or {_READ[-1]} files."
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
        elif path.suffix.lower() in _READ and path.is_file():
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

"""From a topic to a briefing: the texts of the example pages, and nothing else about them.

This is the one place that reads an archive before the crawl. Example pages describe the
topic, so their text may be known beforehand; their links and addresses stay behind here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.archive import Archive
from scenthound.core.errors import MalformedUrlError, TopicError
from scenthound.core.model import Briefing, Document, Topic
from scenthound.core.urls import canonical
from scenthound.engines.redirects import final_response
from scenthound.text.extract import extract
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf
from scenthound.topics.file import is_file_name, is_url


@dataclass(frozen=True, slots=True)
class Briefed:
    """The briefing, and which examples could not be read."""

    briefing: Briefing
    unread: tuple[str, ...]


def brief(
    topic: Topic, archive: Archive | None, fetched: Mapping[str, Document] | None = None
) -> Briefed:
    """Read the example pages: from the archive, from local files, or as plain text.

    Parameters
    ----------
    topic : its examples.
    archive : where those given as addresses are; None where there is no archive.
    fetched : those that a live crawl has fetched, by the address in the topic.

    Raises
    ------
    TopicError
        None of the examples can be read, and (for a live crawl) there is no keyword either.
    """
    known = fetched or {}
    documents = {each: known.get(each) or _read(each, archive) for each in topic.examples}
    unread = tuple(example for example, document in documents.items() if document is None)
    found = tuple(document for document in documents.values() if document is not None)
    enough = fetched is not None and any(word.strip() for word in topic.keywords)
    if topic.examples and not found and not enough:
        raise TopicError(
            f"{topic}: none of its {len(documents)} examples {_where(fetched)} or is a readable "
            f"file (the first is {example_name(unread[0])}); correct the examples."
        )
    briefing = Briefing(topic.name, topic.keywords, found, topic.language, topic.ontology)
    return Briefed(briefing, unread)


def _where(fetched: Mapping[str, Document] | None) -> str:
    return "is in the archive" if fetched is None else "could be fetched"


def example_name(example: str) -> str:
    """An example as a message names it: cut where it is long, and in words where it is empty."""
    return repr(example[:100]) if example.strip() else "an empty text"


def _read(example: str, archive: Archive | None) -> Document | None:
    if is_url(example):
        return _archived(example, archive) if archive is not None else None
    if is_file_name(example):
        return _file(Path(example.strip()))
    return Document(text=example) if example.strip() and not _is_name(example) else None


def _is_name(example: str) -> bool:
    """``notes/surge.md``, ``stormwatch.test/a``: a name that leads nowhere, not a text."""
    return len(example.split()) == 1 and any(sign in example.strip()[:-1] for sign in "/.\\")


def _archived(url: str, archive: Archive) -> Document | None:
    try:
        response = final_response(archive, canonical(url))
    except MalformedUrlError:
        return None
    if response is None or not 200 <= response.status < 300:
        return None
    return _document(response.body, response.url, response.headers.get("content-type", ""))


def _file(path: Path) -> Document | None:
    try:
        body = path.read_bytes()
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None
    kind = "text/plain" if path.suffix.lower() == ".txt" else "text/html"
    return _document(body, "http://example.invalid/", kind)


def _document(body: bytes, url: str, content_type: str) -> Document | None:
    if is_pdf(body, content_type):  # named by a person, so it is read wherever it can be
        document = read_pdf(body, url).document if can_read_pdf() else Document()
    else:
        document = extract(body, url, content_type).document
    return document if document.text or document.title else None

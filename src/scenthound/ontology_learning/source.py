"""One text that an ontology is learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from scenthound.core.model import Document
from scenthound.text.head import squeeze

MOST_CHARACTERS = 200_000
"""Of the body of one source."""
LONGEST_TITLE = 200
LONGEST_ABSTRACT = 20_000

_OPENING = 150
"""Words of the running text that count to the abstract."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text that an ontology is learnt from.

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
    abstract = "\n".join(part for part in map(squeeze, parts) if part)
    return Source(
        name,
        squeeze(document.title)[:LONGEST_TITLE],
        abstract[:LONGEST_ABSTRACT],
        body=document.text[:MOST_CHARACTERS],
    )


def _without(text: str, *parts: str) -> str:
    """``text`` without the first occurrence of each part: the title counts by itself."""
    for part in parts:
        if part:
            text = text.replace(part, " ", 1)
    return text

"""A page as a row of bytes: a line of JSON with what is short, then all its texts end to end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain, pairwise
from typing import Any

from scenthound.core.model import Document, Link, Page
from scenthound.engines.archived_pages import ReadPage

_LINE = b"\n"
_OF_A_DOCUMENT, _OF_A_LINK = 3, 3
"""Texts of a document besides its groups, and of each link."""


def row_of(read: ReadPage) -> bytes:
    """A page that was read, for other processes."""
    page, document = read.page, read.page.document
    texts = [document.title, document.text, document.description, *document.groups.values()]
    texts += chain.from_iterable((link.url, link.anchor, link.context) for link in page.links)
    head = {
        "url": page.url, "status": page.status, "follow": page.follow, "size": page.size,
        "problem": page.problem, "index": page.index, "canonical": page.canonical,
        "target": read.target, "unusable": page.unusable, "language": document.language,
        "groups": list(document.groups),
        "rel": {n: sorted(link.rel) for n, link in enumerate(page.links) if link.rel},
        "sizes": [len(text) for text in texts],
    }  # fmt: skip
    line = json.dumps(head, separators=(",", ":")).encode()
    return line + _LINE + "".join(texts).encode("utf-8", "surrogatepass")


def page_of(row: bytes) -> ReadPage | None:
    """What :func:`row_of` wrote; None for anything else."""
    line, _, content = row.partition(_LINE)
    try:
        head = json.loads(line)
        texts = _texts(content.decode("utf-8", "surrogatepass"), head["sizes"])
        return ReadPage(_page(head, texts), head["target"])
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def _texts(whole: str, sizes: list[int]) -> list[str]:
    bounds = list(accumulate(sizes, initial=0))
    if bounds[-1] != len(whole) or min(sizes) < 0:
        raise ValueError("the texts are not as long as the row says")
    return [whole[start:end] for start, end in pairwise(bounds)]


def _page(head: Mapping[str, Any], texts: list[str]) -> Page:
    title, text, description = texts[:_OF_A_DOCUMENT]
    links_from = _OF_A_DOCUMENT + len(head["groups"])
    groups = dict(zip(head["groups"], texts[_OF_A_DOCUMENT:links_from], strict=True))
    return Page(
        url=head["url"],
        status=head["status"],
        document=Document(title, text, description, groups, head["language"]),
        links=tuple(_links(texts[links_from:], head["rel"])),
        unusable={reason: (n, tuple(some)) for reason, (n, some) in head["unusable"].items()},
        follow=head["follow"],
        size=head["size"],
        problem=head["problem"],
        index=head["index"],
        canonical=head["canonical"],
    )


def _links(texts: list[str], rel: Mapping[str, list[str]]) -> Iterator[Link]:
    rels = {int(number): frozenset(words) for number, words in rel.items()}
    none: frozenset[str] = frozenset()
    triples = zip(*(texts[of::_OF_A_LINK] for of in range(_OF_A_LINK)), strict=True)
    for number, (url, anchor, context) in enumerate(triples):
        yield Link(url, anchor, context, rels.get(number, none))

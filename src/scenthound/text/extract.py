"""HTML to what a focused crawler reads: title, tag groups, visible text, links with contexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Link
from scenthound.core.urls import BaseUrl
from scenthound.text.decode import decode, is_text, media_type
from scenthound.text.head import Head, squeeze
from scenthound.text.links import base_of, links_of
from scenthound.text.nesting import bounded
from scenthound.text.walk import GROUPS, Anchor, Walk

MAX_TEXT = 1_000_000
"""Characters kept of the text of a page, and of each tag group: more is a dump, no page."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one page says and where it points.

    ``follow`` and ``index`` are its robots meta; ``canonical`` is the address it wants to be
    known by, if it names exactly one. ``cut`` says that it was nested too deep, or too tangled,
    to be read to its end.
    """

    document: Document
    links: tuple[Link, ...] = ()
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    follow: bool = True
    index: bool = True
    canonical: str | None = None
    cut: bool = False


def extract(body: bytes, url: str, content_type: str = "") -> Extraction:
    """Read the page ``body`` found at the canonical ``url``.

    An empty, binary or unreadable body gives an empty document without links; nothing a
    page contains makes this raise. Of the text and of each group :data:`MAX_TEXT` characters
    are kept, to the last blank; links that stand further down are still links.
    """
    if not body or not is_text(body, content_type):
        return Extraction(Document())
    text = decode(body, content_type)
    if media_type(content_type) == "text/plain":
        kept = _cut(text)
        return Extraction(Document(text=kept, groups={"body": kept}))
    return extract_html(text, url)


def extract_html(html: str, url: str) -> Extraction:
    """Read already decoded ``html``; see :func:`extract`."""
    whole = html.replace("\x00", "")
    bearable = bounded(whole)
    tree = LexborHTMLParser(bearable)
    head = Head(tree)
    walk = Walk()
    if tree.root is not None:
        walk.over(tree.root)
    if head.refresh:
        walk.anchors.append(Anchor(head.refresh, "", 0, 0, (0, 0)))
    text = "".join(walk.pieces)
    base = base_of(url, head.base)
    links, unusable = links_of(walk.anchors, text, base)
    if walk.surplus:
        examples = tuple(href[:200] for href in walk.surplus_examples)
        unusable["too many links"] = (walk.surplus, examples)
    return Extraction(
        _document(head, walk, text.strip()),
        links,
        unusable,
        follow="nofollow" not in head.robots,
        index="noindex" not in head.robots,
        canonical=_canonical(head.canonicals, base),
        cut=len(bearable) < len(whole),
    )


def _canonical(declared: list[str], base: BaseUrl) -> str | None:
    """The one address a page declares as its own; None for none, a malformed one, or several."""
    try:
        found = {base.resolve(href) for href in declared if href.strip()}
    except MalformedUrlError:
        return None
    return found.pop() if len(found) == 1 else None


def _document(head: Head, walk: Walk, text: str) -> Document:
    groups = {
        name: _cut("".join(pieces).strip())
        for name, pieces in zip(GROUPS, walk.groups, strict=True)
    }
    title = head.title or squeeze(groups["title"])[:200]
    declared = f"{head.title} {head.keywords} {head.description}"
    groups["title"] = _cut(squeeze(f"{declared} {groups['title']}"))
    return Document(_cut(title), _cut(text), _cut(head.description), groups, head.language)


def _cut(text: str) -> str:
    """``text`` up to the last blank within :data:`MAX_TEXT`; one endless word is cut in two."""
    if len(text) <= MAX_TEXT:
        return text
    blank = max(text.rfind(" ", 0, MAX_TEXT + 1), text.rfind("\n", 0, MAX_TEXT + 1))
    return text[: blank if blank > 0 else MAX_TEXT].rstrip()

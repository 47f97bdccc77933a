"""HTML to what a focused crawler reads: title, tag groups, visible text, links with anchors and
contexts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Link
from scenthound.core.urls import DEFAULT_PORTS, BaseUrl, tidy
from scenthound.text.html import (
    GROUPS,
    Anchor,
    Head,
    Walk,
    collapse_whitespace,
    decode,
    is_text,
    limit_nesting,
    media_type,
)

CONTEXT_CHARACTERS = 250
"""A context reaches at most this far on either side of its anchor, within its block."""
ANCHOR_CHARACTERS = 5_000
"""Kept of an anchor: links that stand in links would each repeat the rest of the page."""
MAX_EXAMPLES = 5
_SPACE = re.compile(r"[ \n]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_NOT_FETCHED = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|bmp|tiff?|mp[34]|m4[av]|og[gv]|wav|avi|mov|wmv|webm|flv|"
    r"zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|iso|jar|deb|rpm|msi|apk|css|js|woff2?|ttf|eot|"
    r"docx?|xlsx?|pptx?|odt|ods|odp|ps|eps)$",
    re.IGNORECASE,
)


def base_of(url: str, declared: str) -> BaseUrl:
    """What relative links of the page at ``url`` refer to; ``declared`` is its base tag."""
    here = BaseUrl(url)
    if not declared:
        return here
    try:
        return BaseUrl(here.resolve(declared))
    except MalformedUrlError:
        return here


def links_of(
    anchors: list[Anchor], text: str, base: BaseUrl
) -> tuple[tuple[Link, ...], dict[str, tuple[int, tuple[str, ...]]]]:
    """The links among ``anchors``, and a count with examples of those that can be none."""
    links: list[Link] = []
    unusable: dict[str, list[str]] = {}
    for anchor in anchors:
        href = tidy(anchor.href)
        target, reason = _target(href, base)
        if reason:
            unusable.setdefault(reason, []).append(href[:200])
        else:
            links.append(_link(anchor, target, text))
    counted = {r: (len(e), tuple(e[:MAX_EXAMPLES])) for r, e in unusable.items()}
    return tuple(links), counted


def _link(anchor: Anchor, target: str, text: str) -> Link:
    end = max(anchor.start, min(anchor.end, anchor.start + ANCHOR_CHARACTERS))
    words = text[anchor.start : end].strip()
    if anchor.alternatives:
        words = f"{words} {anchor.alternatives}".strip()
    context = _context(text, anchor.start, end, anchor.block)
    rel = frozenset(anchor.rel.lower().split()) if anchor.rel else frozenset()
    return Link(target, words, context, rel)


def _context(text: str, start: int, end: int, block: tuple[int, int] | None) -> str:
    """Words of the block around an anchor, at whole words, the anchor left in."""
    first, last = block if block is not None else (0, len(text))
    if start - first > CONTEXT_CHARACTERS:
        space = _SPACE.search(text, start - CONTEXT_CHARACTERS, start)
        first = space.end() if space else start
    if last - end > CONTEXT_CHARACTERS:
        reach = end + CONTEXT_CHARACTERS
        last = max(end, text.rfind(" ", end, reach), text.rfind("\n", end, reach))
    return text[first:last].strip()


def _target(href: str, base: BaseUrl) -> tuple[str, str]:
    """Where ``href`` leads, or an empty text and why it can lead to no page."""
    if not href or href.startswith("#"):
        return "", "same page"
    scheme = _SCHEME.match(href)
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        return "", "other scheme"
    try:
        target = base.resolve(href)
    except MalformedUrlError:
        return "", "malformed"
    return ("", "media") if is_media(target) else (target, "")


def is_media(url: str) -> bool:
    """Does the canonical ``url`` end like an image, an archive, or another thing without links?"""
    return _NOT_FETCHED.search(url.partition("?")[0]) is not None


# The words of a URL.

_LAST_PARTS = 2
_ENDING = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def url_words(url: str) -> str:
    """The words in the last parts of a canonical URL's path, without its ending.

    Empty where they hold no letter.

    Examples
    --------
    >>> url_words("http://example.org/2019/spices/Black_pepper.html?page=2")
    'spices Black pepper'
    """
    path = unquote(url.partition("?")[0].split("/", 3)[3])
    parts = [part for part in path.split("/") if part][-_LAST_PARTS:]
    return _NO_LETTERS.sub(" ", "/".join([_ENDING.sub("", part) for part in parts])).strip()


# The extraction of a page.

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
    parsed = limit_nesting(whole)
    tree = LexborHTMLParser(parsed)
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
        unusable["too many links"] = (walk.surplus, tuple(walk.surplus_examples))
    return Extraction(
        _document(head, walk, text.strip()),
        links,
        unusable,
        follow="nofollow" not in head.robots,
        index="noindex" not in head.robots,
        canonical=_canonical(head.canonicals, base),
        cut=len(parsed) < len(whole),
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
    title = head.title or collapse_whitespace(groups["title"])[:200]
    declared = f"{head.title} {head.keywords} {head.description}"
    groups["title"] = _cut(collapse_whitespace(f"{declared} {groups['title']}"))
    return Document(_cut(title), _cut(text), _cut(head.description), groups, head.language)


def _cut(text: str) -> str:
    """``text`` up to the last blank within :data:`MAX_TEXT`; one endless word is cut in two."""
    if len(text) <= MAX_TEXT:
        return text
    blank = max(text.rfind(" ", 0, MAX_TEXT + 1), text.rfind("\n", 0, MAX_TEXT + 1))
    return text[: blank if blank > 0 else MAX_TEXT].rstrip()

"""Anchors of a page to links: canonical target, anchor words, context, or why unusable."""

from __future__ import annotations

import re

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Link
from scenthound.core.urls import BaseUrl
from scenthound.text.walk import Anchor

CONTEXT_CHARACTERS = 250
"""A context reaches at most this far on either side of its anchor, within its block."""
EXAMPLES_KEPT = 5

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
        href = anchor.href.strip()
        reason = _unusable(href)
        if not reason:
            try:
                target = base.resolve(href)
            except MalformedUrlError:
                reason = "malformed"
            else:
                links.append(_link(anchor, target, text))
                continue
        unusable.setdefault(reason, []).append(href[:200])
    counted = {r: (len(e), tuple(e[:EXAMPLES_KEPT])) for r, e in unusable.items()}
    return tuple(links), counted


def _link(anchor: Anchor, target: str, text: str) -> Link:
    end = max(anchor.start, anchor.end)
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
        first = text.find(" ", start - CONTEXT_CHARACTERS, start) + 1 or start
    if last - end > CONTEXT_CHARACTERS:
        last = text.rfind(" ", end, end + CONTEXT_CHARACTERS)
        last = last if last >= 0 else end
    return text[first:last].strip()


def _unusable(href: str) -> str:
    """Why ``href`` can lead to no page, or an empty text."""
    if not href or href.startswith("#"):
        return "same page"
    head, colon, _ = href[:30].partition(":")
    if colon and head.isalpha() and head.lower() not in ("http", "https"):
        return "other scheme"
    if _NOT_FETCHED.search(href.partition("?")[0].partition("#")[0]):
        return "media"
    return ""

"""Anchors of a page to links: canonical target, anchor words, context, or why unusable."""

from __future__ import annotations

import re

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Link
from scenthound.core.urls import DEFAULT_PORTS, BaseUrl, tidy
from scenthound.text.walk import Anchor

CONTEXT_CHARACTERS = 250
"""A context reaches at most this far on either side of its anchor, within its block."""
ANCHOR_CHARACTERS = 5_000
"""Kept of an anchor: links that stand in links would each repeat the rest of the page."""
EXAMPLES_KEPT = 5

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
    counted = {r: (len(e), tuple(e[:EXAMPLES_KEPT])) for r, e in unusable.items()}
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

"""Anchors: how a link is spelled, and the words people put on it, good and bad."""

from __future__ import annotations

import posixpath
import random
from html import escape
from urllib.parse import urlsplit

from scenthound.core.urls import canonical, host_of
from scenthound.sample.pages import Target

FRAGMENTS = ("#top", "#history", "#more")


def spell(target: str, page: str, base: str, rng: random.Random) -> str:
    """``target`` as an author might write it on ``page``, whose base address is ``base``.

    Spellings that would lead elsewhere (a relative path out of a query URL, say) fall back
    to the full address.
    """
    written = _short(target, base, rng) if host_of(target) == host_of(page) else target
    if "%28" in written and rng.random() < 0.6:
        written = written.replace("%28", "(").replace("%29", ")")
    if rng.random() < 0.06:
        written += rng.choice(FRAGMENTS)
    return written if canonical(written, base) == target else target


def _short(target: str, base: str, rng: random.Random) -> str:
    parts = urlsplit(target)
    local = parts.path + (f"?{parts.query}" if parts.query else "")
    style = rng.random()
    if style < 0.5:
        return local
    if style < 0.8 and not parts.query and not local.endswith("/"):
        folder = posixpath.dirname(urlsplit(base).path) or "/"
        return posixpath.relpath(local, folder)
    return target


def anchor(target: Target, href: str, words: str) -> str:
    """A link with plain words."""
    rel = ' rel="nofollow"' if target.nofollow else ""
    return f'<a href="{escape(href)}"{rel}>{escape(words, quote=False)}</a>'


def list_item(target: Target, href: str, rng: random.Random) -> str:
    """A link in a list, worded well or badly."""
    style = rng.random()
    title = escape(target.title, quote=False)
    if style < 0.62:
        return anchor(target, href, target.title)
    if style < 0.72:
        return f"{title}. {anchor(target, href, 'Read more')}"
    if style < 0.8:
        return f"{title}: {anchor(target, href, 'click here')}"
    if style < 0.88:
        image = f'<img src="/img/{rng.randint(1, 99)}.png" alt="{escape(target.title)}">'
        return f'<a href="{escape(href)}">{image}</a>'
    if style < 0.94 and target.phrase:
        return f"More about {anchor(target, href, target.phrase)}"
    return anchor(target, href, target.url.removeprefix("http://"))


def vague_item(target: Target, href: str, rng: random.Random) -> str:
    """A link away from the page: mostly its title, often words that say nothing."""
    if rng.random() < 0.7:
        return anchor(target, href, target.title)
    return anchor(target, href, rng.choice(("more", "here", "next", "continue", "see this", "->")))

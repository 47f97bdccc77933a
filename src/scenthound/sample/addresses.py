"""Addresses of pages: every host and kind of page has its own habit, as on the real web."""

from __future__ import annotations

import random
import re

from scenthound.core.urls import canonical
from scenthound.sample.hosts import Host

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_FIRST_YEAR, _LAST_YEAR = 2011, 2023


def slug(title: str) -> str:
    """``title`` as it is written in an address."""
    return _NOT_SLUG.sub("-", title.lower()).strip("-")


def address(host: Host, kind: str, title: str, wiki: str, rng: random.Random) -> str:
    """Canonical URL of a page; ``wiki`` is the encyclopedia name of its subject."""
    return canonical(f"http://{host.name}{_path(host, kind, title, wiki, rng)}")


def _path(host: Host, kind: str, title: str, wiki: str, rng: random.Random) -> str:
    year, month = rng.randint(_FIRST_YEAR, _LAST_YEAR), rng.randint(1, 12)
    number = rng.randint(1000, 9999)
    if kind == "article":
        return f"/wiki/{wiki}" if host.skin == "wiki" else f"/articles/{slug(title)}.html"
    if kind == "news":
        dated = f"/news/{year}/{month:02}/{slug(title)}.html"
        return f"/story?id={number}" if host.name == "dailycourier.test" else dated
    if kind == "blog":
        personal = f"/~{_nickname(host, number)}/{slug(title)}"
        return personal if host.name == "bloghaven.test" else f"/{year}/{month:02}/{slug(title)}/"
    if kind == "forum":
        php = f"/thread.php?board={number % 7}&id={number}"
        return php if host.skin == "table" else f"/t/{slug(title)}/{number}"
    return f"/{kind}/{slug(title)}"


def _nickname(host: Host, number: int) -> str:
    """A blog's name: says nothing about its theme."""
    names = ("quietdesk", "longwayhome", "bluekettle", "paperlamp", "tuesdays", "smallhours")
    return names[(number + len(host.name)) % len(names)]


def home_of(host_name: str) -> str:
    """Homepage of a host."""
    return f"http://{host_name}/"

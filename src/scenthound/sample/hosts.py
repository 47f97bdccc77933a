"""The hosts of the sample web, their page URLs, and links to them. No topic has a host to itself
and no host a single theme, so that a host name is never enough to tell what a page is about.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from scenthound.core.urls import canonical
from scenthound.sample.themes import TOPICS, data_text


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link goes and the words it may be given."""

    url: str
    title: str
    phrase: str = ""
    teaser: str = ""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """A host, its themes and page kinds. ``home`` is the topic of its homepage, if it has one."""

    name: str
    title: str
    themes: tuple[str, ...]
    kinds: tuple[str, ...]
    skin: str
    home: str | None = None


MIRROR = "www.openpedia.test"
MIRRORED = "openpedia.test"
SLOW = "slowlibrary.test"
TRAP = "townhall.test"
DIRECTORY = "linkatlas.test"
ENCYCLOPEDIA = MIRRORED


def _read_hosts() -> tuple[Host, ...]:
    """The hosts of the data file, in its order: random choices depend on it."""
    lines = data_text("hosts.txt").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line[0] != "#"]
    every = ", ".join(TOPICS)
    return tuple(
        Host(name, title, _names(themes.replace("*", every)), _names(kinds), skin, home or None)
        for name, title, themes, kinds, skin, home in rows
    )


def _names(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(", ")) if cell else ()


HOSTS = _read_hosts()


def host_named(name: str) -> Host:
    """The host called ``name``."""
    return next(host for host in HOSTS if host.name == name)


# Addresses of pages: every host and kind of page has its own habit, as on the real web.

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_FIRST_YEAR, _LAST_YEAR = 2011, 2023


def slug(title: str) -> str:
    """``title`` as it is written in an address."""
    return _NOT_SLUG.sub("-", title.lower()).strip("-")


def page_url(host: Host, kind: str, title: str, wiki: str, rng: random.Random) -> str:
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


def home_url(host_name: str) -> str:
    """Homepage of a host."""
    return f"http://{host_name}/"

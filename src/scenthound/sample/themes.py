"""The themes of the sample web, eight topics and five kinds of noise, and the hosts of its pages.

The prose lies in ``data/`` as plain text, one file a theme, because prose is easier to write and
to judge as prose than as nested tuples. The format, line by line:

* ``# text`` is a comment;
* ``@slot: one; two; three`` gives the values of ``{slot}``; ``@keywords`` names the topic, and
  ``@size`` says how many pages of content there are;
* ``* Title | phrase | Wiki_name`` starts a subject; the sentences under it are about it alone
  (the first one defines it); the wiki name is optional;
* ``*~`` starts a side subject: it has articles, but the sentences with ``{s}`` do not fit it
  (in the theme of cars, a tyre has no top speed);
* ``## Heading`` starts a section of sentences that fit any subject of the theme;
* ``%% name`` starts a pool for one kind of page (``news``, ``blog``, ``faq``, ``forum``, ...);
* every other line is a sentence; a line that starts with blanks continues the one before.

In a sentence ``{s}`` and ``{S}`` are the subject (mid-sentence, and at the start of one),
``{T}`` its title, ``{o}`` another subject of the theme.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

TOPICS = (
    "storms", "rainforest", "coffee", "programming", "big cats", "cars", "snakes", "astronomy",
)  # fmt: skip
NOISE = ("town", "cooking", "sports", "gossip", "myth")
"""Themes that a crawl can be about, and those that no topic asks for."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something a page can be about: its title, how a sentence calls it, facts on it alone."""

    title: str
    phrase: str
    wiki: str
    facts: tuple[str, ...]
    side: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """All the words of one theme. A topic is a theme with keywords; noise has none.

    ``size`` is its number of content pages; hubs, homepages and copies come on top.
    """

    name: str
    size: int
    subjects: tuple[Subject, ...]
    sections: Mapping[str, tuple[str, ...]]
    pools: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, tuple[str, ...]]

    @property
    def main_subjects(self) -> tuple[Subject, ...]:
        """The subjects that every sentence of the theme fits."""
        return tuple(subject for subject in self.subjects if not subject.side)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Words that name the topic; empty for noise."""
        return self.slots.get("keywords", ())


def data_bytes(name: str) -> bytes:
    """Content of a data file of the package."""
    return (resources.files("scenthound.sample") / "data" / name).read_bytes()


@cache
def data_text(name: str) -> str:
    """Text of a data file of the package."""
    return data_bytes(name).decode()


def read_theme(name: str) -> Theme:
    """The theme in its data file."""
    slots: dict[str, tuple[str, ...]] = {}
    subjects: dict[str, list[str]] = {}
    sections: dict[str, list[str]] = {}
    pools: dict[str, list[str]] = {}
    current: list[str] = []  # where the next sentence goes
    text = data_text(f"{name.replace(' ', '-')}.txt")
    for line in _whole_lines(text):
        mark, _, rest = line.partition(" ")
        if mark in ("*", "*~"):
            current = subjects.setdefault(line, [])
        elif mark == "##":
            current = sections.setdefault(rest, [])
        elif mark == "%%":
            current = pools.setdefault(rest, [])
        elif line.startswith("@"):
            slots |= _slot(line)
        elif line and mark != "#":
            current.append(line.strip())
    return Theme(
        name=name,
        size=int(slots.pop("size")[0]),
        subjects=tuple(_subject(head, facts) for head, facts in subjects.items()),
        sections={head: tuple(lines) for head, lines in sections.items()},
        pools={head: tuple(lines) for head, lines in pools.items()},
        slots=slots,
    )


def _slot(line: str) -> dict[str, tuple[str, ...]]:
    slot, _, values = line[1:].partition(": ")
    return {slot: tuple(value.strip() for value in values.split(";"))}


def _whole_lines(text: str) -> list[str]:
    """The lines, each with those that continue it."""
    return re.sub(r"\n +", " ", text).splitlines()


def _subject(head: str, facts: list[str]) -> Subject:
    mark, _, names = head.partition(" ")
    title, phrase, *wiki = (piece.strip() for piece in names.split("|"))
    name = wiki[0] if wiki else title.replace(" ", "_")
    return Subject(title, phrase, name, tuple(facts), side=mark == "*~")


WORDS: dict[str, tuple[str, ...]] = {}
"""Words that pages of all themes use, by what they are."""
for _line in _whole_lines(data_text("words.txt")):
    WORDS |= _slot(_line) if _line.startswith("@") else {}


# The hosts. No topic has a host to itself and no host a single theme, so that a host name is never
# enough to tell what a page is about.


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


def _names(cell: str) -> tuple[str, ...]:
    return tuple(cell.replace("*", ", ".join(TOPICS)).split(", ")) if cell else ()


HOSTS = tuple(
    Host(name, title, _names(themes), _names(kinds), skin, home or None)
    for name, title, themes, kinds, skin, home in (
        (cell.strip() for cell in line.split("|"))
        for line in data_text("hosts.txt").splitlines()
        if line[0] != "#"
    )
)
"""In the order of the data file: random choices depend on it."""


def host_named(name: str) -> Host:
    """The host called ``name``."""
    return next(host for host in HOSTS if host.name == name)


# Addresses of pages: every host and kind of page has its own habit, as on the real web.

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_FIRST_YEAR, _LAST_YEAR = 2011, 2023


def slug(title: str) -> str:
    """``title`` as it is written in an address."""
    return _NOT_SLUG.sub("-", title.lower()).strip("-")


def page_path(host: Host, kind: str, title: str, wiki: str, rng: random.Random) -> str:
    """Path of a page; ``wiki`` is the encyclopedia name of its subject."""
    year, month = rng.randint(_FIRST_YEAR, _LAST_YEAR), rng.randint(1, 12)
    number = rng.randint(1000, 9999)
    if kind == "article":
        return f"/wiki/{wiki}" if host.skin == "wiki" else f"/articles/{slug(title)}.html"
    if kind == "news":
        dated = f"/news/{year}/{month:02}/{slug(title)}.html"
        return f"/story?id={number}" if host.name == "dailycourier.test" else dated
    if kind == "blog":
        nickname = WORDS["blog_names"][(number + len(host.name)) % len(WORDS["blog_names"])]
        personal = f"/~{nickname}/{slug(title)}"
        return personal if host.name == "bloghaven.test" else f"/{year}/{month:02}/{slug(title)}/"
    if kind == "forum":
        php = f"/thread.php?board={number % 7}&id={number}"
        return php if host.skin == "table" else f"/t/{slug(title)}/{number}"
    return f"/{kind}/{slug(title)}"


def home_url(host_name: str) -> str:
    """Homepage of a host."""
    return f"http://{host_name}/"

"""The pages of the sample web before they have any text: what, where, about which subject, and
how their bytes will be spoiled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenthound.core.urls import host_of
from scenthound.sample.hosts import (
    DIRECTORY,
    ENCYCLOPEDIA,
    HOSTS,
    MIRROR,
    Target,
    home_url,
    host_named,
    page_url,
)
from scenthound.sample.prose import SentenceWriter
from scenthound.sample.themes import Subject, Theme, noise_themes, topic_themes

OPEN = 0
"""The cluster of pages that same-topic links reach; 1 and up are reached over a bridge only."""


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A planned page. ``label`` is the topic it is truly about; mixed and noise pages have none.

    ``charset`` and ``quirk`` say how its bytes and its markup will be spoiled, if at all.
    """

    url: str
    kind: str
    theme: str
    title: str
    subject: Subject | None = None
    label: str | None = None
    cluster: int = OPEN
    charset: str = "utf-8"
    quirk: str = ""

    @property
    def host(self) -> str:
        """Host of the page."""
        return host_of(self.url)

    @property
    def open(self) -> bool:
        """Can the page be linked from anywhere?"""
        return self.cluster == OPEN


@dataclass(frozen=True, slots=True)
class Plan:
    """All planned pages by URL, and the words to fill them with."""

    leaves: Mapping[str, PlannedPage]
    themes: Mapping[str, Theme]
    seeds: Mapping[str, tuple[str, ...]]

    def of_theme(self, theme: str) -> list[PlannedPage]:
        """Pages of one theme, in the order of the plan."""
        return [leaf for leaf in self.leaves.values() if leaf.theme == theme]

    @property
    def topics(self) -> list[str]:
        """Names of the themes that are topics."""
        return [name for name, theme in self.themes.items() if theme.keywords]

    @property
    def noise(self) -> list[str]:
        """Names of the themes that are not."""
        return [name for name, theme in self.themes.items() if not theme.keywords]


def target_of(leaf: PlannedPage) -> Target:
    """The link target that ``leaf`` is."""
    if leaf.subject is None:
        return Target(leaf.url, leaf.title)
    phrase = "" if leaf.subject.side else leaf.subject.phrase
    return Target(leaf.url, leaf.title, phrase, leaf.subject.facts[0])


SIZES = {
    "storms": 90,
    "rainforest": 82,
    "coffee": 70,
    "programming": 124,
    "big cats": 62,
    "cars": 106,
    "snakes": 76,
    "astronomy": 98,
    "town": 100,
    "cooking": 82,
    "sports": 80,
    "gossip": 80,
    "myth": 72,
}
"""Content pages by theme; hubs, homepages and copies come on top."""
BRIDGED_CLUSTERS = 2
BRIDGED_SHARE = 0.1
"""Share of a topic's pages in each cluster that no same-topic link leads to."""
SEEDS = 3
TITLE_POOLS = {"news": "headlines", "blog": "posts", "forum": "threads"}
CHARSETS = ("latin-1 in meta", "latin-1 in header")
QUIRKS = ("base", "unclosed", "nested")


def make_plan(rng: random.Random) -> Plan:
    """All pages with text of their own."""
    topics, noise = topic_themes(), noise_themes()
    leaves: dict[str, PlannedPage] = {}
    seeds: dict[str, tuple[str, ...]] = {}
    for theme in topics + noise:
        own = _content(theme, rng, taken=leaves)
        seeds[theme.name] = tuple(leaf.url for leaf in _seeds(own))
        for leaf in _spoil(_bridge(own, theme, seeds[theme.name], rng), rng):
            leaves[leaf.url] = leaf
    for leaf in [*_homes(), *_hubs(topics)]:
        leaves[leaf.url] = leaf
    return Plan(
        leaves=leaves,
        themes={theme.name: theme for theme in topics + noise},
        seeds={theme.name: seeds[theme.name] for theme in topics},
    )


def _content(theme: Theme, rng: random.Random, taken: dict[str, PlannedPage]) -> list[PlannedPage]:
    """Articles on every subject first, then other kinds of pages until the size is reached."""
    found: dict[str, PlannedPage] = {}
    titles: set[str] = set()
    wanted = _page_subjects(theme, rng)
    while len(found) < SIZES[theme.name]:
        kind, subject = next(wanted)
        leaf = _planned_page(theme, kind, subject, rng)
        if leaf.url not in taken and leaf.url not in found and leaf.title not in titles:
            found[leaf.url] = leaf
            if kind != "article":
                titles.add(leaf.title)
    return list(found.values())


def _page_subjects(theme: Theme, rng: random.Random) -> Iterator[tuple[str, Subject]]:
    for subject in theme.subjects:
        yield "article", subject
    kinds = [kind for kind in (*TITLE_POOLS, "faq") if TITLE_POOLS.get(kind, kind) in theme.pools]
    while True:
        yield rng.choice([*kinds, *kinds, "article"]), rng.choice(theme.main_subjects)


def _planned_page(theme: Theme, kind: str, subject: Subject, rng: random.Random) -> PlannedPage:
    host = rng.choice([h for h in HOSTS if theme.name in h.themes and kind in h.kinds])
    if kind == "article" and host.name != ENCYCLOPEDIA and rng.random() < 0.2 and theme.keywords:
        host = host_named(ENCYCLOPEDIA)
    title = _title(theme, kind, subject, rng)
    url = page_url(host, kind, title, subject.wiki, rng)
    return PlannedPage(
        url, kind, theme.name, title, subject, theme.name if theme.keywords else None
    )


def _title(theme: Theme, kind: str, subject: Subject, rng: random.Random) -> str:
    if kind == "article":
        return subject.wiki.replace("_", " ") if "(" in subject.wiki else subject.title
    if kind == "faq":
        return f"{subject.title}: questions and answers"
    pattern = rng.choice(theme.pools[TITLE_POOLS[kind]])
    return SentenceWriter(theme, subject, rng).plain(pattern)


def _seeds(leaves: list[PlannedPage]) -> list[PlannedPage]:
    """Articles on main subjects, on different hosts where there are enough."""
    articles = [x for x in leaves if x.kind == "article" and x.subject and not x.subject.side]
    by_host = {leaf.host: leaf for leaf in reversed(articles)}
    return list(by_host.values())[:SEEDS]


def _bridge(
    leaves: list[PlannedPage], theme: Theme, seeds: tuple[str, ...], rng: random.Random
) -> list[PlannedPage]:
    """Set the bridged clusters of a topic apart; noise has none."""
    if not theme.keywords:
        return leaves
    size = round(BRIDGED_SHARE * len(leaves))
    able = [leaf.url for leaf in leaves if leaf.url not in seeds and leaf.host != ENCYCLOPEDIA]
    picked = rng.sample(able, size * BRIDGED_CLUSTERS)
    cluster = {url: 1 + index // size for index, url in enumerate(picked)}
    return [replace(leaf, cluster=cluster.get(leaf.url, 0)) for leaf in leaves]


def _spoil(leaves: list[PlannedPage], rng: random.Random) -> Iterator[PlannedPage]:
    """A few pages of every theme get an old encoding or broken markup, some of them both."""
    for leaf in leaves:
        charset = rng.choice(CHARSETS) if rng.random() < 0.06 else "utf-8"
        quirk = rng.choice(QUIRKS) if rng.random() < 0.12 else ""
        yield replace(leaf, charset=charset, quirk=quirk)


def _homes() -> Iterator[PlannedPage]:
    for host in HOSTS:
        if host.name != MIRROR:
            yield PlannedPage(
                home_url(host.name), "home", host.home or "", host.title, label=host.home
            )


def _hubs(topics: tuple[Theme, ...]) -> Iterator[PlannedPage]:
    """Two directory pages for each topic, on the directory and on a host of the topic."""
    for theme in topics:
        path = theme.name.replace(" ", "-")
        name = theme.name.capitalize()
        own = next(h.name for h in reversed(HOSTS) if h.home == theme.name)
        for url, title in (
            (f"http://{DIRECTORY}/dir/{path}/", f"{name}: selected links"),
            (f"http://{own}/links.html", f"Our favourite pages about {theme.name}"),
        ):
            yield PlannedPage(url, "hub", theme.name, title, label=theme.name)

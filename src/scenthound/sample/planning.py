"""Decide which pages exist, before any of them is linked or written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from scenthound.sample.addresses import address, home_of
from scenthound.sample.hosts import DIRECTORY, ENCYCLOPEDIA, HOSTS, MIRROR, Host, host_named
from scenthound.sample.pages import Leaf, Plan
from scenthound.sample.prose import Speaker
from scenthound.sample.theme import Subject, Theme
from scenthound.sample.themes import noise_themes, topic_themes

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
    leaves: dict[str, Leaf] = {}
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


def _content(theme: Theme, rng: random.Random, taken: dict[str, Leaf]) -> list[Leaf]:
    """Articles on every subject first, then other kinds of pages until the size is reached."""
    found: dict[str, Leaf] = {}
    titles: set[str] = set()
    wanted = _wanted(theme, rng)
    while len(found) < SIZES[theme.name]:
        kind, subject = next(wanted)
        leaf = _leaf(theme, kind, subject, rng)
        if leaf.url not in taken and leaf.url not in found and leaf.title not in titles:
            found[leaf.url] = leaf
            if kind != "article":
                titles.add(leaf.title)
    return list(found.values())


def _wanted(theme: Theme, rng: random.Random) -> Iterator[tuple[str, Subject]]:
    for subject in theme.subjects:
        yield "article", subject
    kinds = [kind for kind in (*TITLE_POOLS, "faq") if TITLE_POOLS.get(kind, kind) in theme.pools]
    while True:
        yield rng.choice([*kinds, *kinds, "article"]), rng.choice(theme.main_subjects)


def _leaf(theme: Theme, kind: str, subject: Subject, rng: random.Random) -> Leaf:
    host = rng.choice([h for h in HOSTS if theme.name in h.themes and kind in h.kinds])
    if kind == "article" and host.name != ENCYCLOPEDIA and rng.random() < 0.2 and theme.keywords:
        host = host_named(ENCYCLOPEDIA)
    title = _title(theme, kind, subject, rng)
    url = address(host, kind, title, subject.wiki, rng)
    return Leaf(url, kind, theme.name, title, subject, theme.name if theme.keywords else None)


def _title(theme: Theme, kind: str, subject: Subject, rng: random.Random) -> str:
    if kind == "article":
        return subject.wiki.replace("_", " ") if "(" in subject.wiki else subject.title
    if kind == "faq":
        return f"{subject.title}: questions and answers"
    pattern = rng.choice(theme.pools[TITLE_POOLS[kind]])
    return Speaker(theme, subject, rng).plain(pattern)


def _seeds(leaves: list[Leaf]) -> list[Leaf]:
    """Articles on main subjects, on different hosts where there are enough."""
    articles = [x for x in leaves if x.kind == "article" and x.subject and not x.subject.side]
    by_host = {leaf.host: leaf for leaf in reversed(articles)}
    return list(by_host.values())[:SEEDS]


def _bridge(
    leaves: list[Leaf], theme: Theme, seeds: tuple[str, ...], rng: random.Random
) -> list[Leaf]:
    """Set the bridged clusters of a topic apart; noise has none."""
    if not theme.keywords:
        return leaves
    size = round(BRIDGED_SHARE * len(leaves))
    able = [leaf.url for leaf in leaves if leaf.url not in seeds and leaf.host != ENCYCLOPEDIA]
    picked = rng.sample(able, size * BRIDGED_CLUSTERS)
    cluster = {url: 1 + index // size for index, url in enumerate(picked)}
    return [replace(leaf, cluster=cluster.get(leaf.url, 0)) for leaf in leaves]


def _spoil(leaves: list[Leaf], rng: random.Random) -> Iterator[Leaf]:
    """A few pages of every theme get an old encoding or broken markup, some of them both."""
    for leaf in leaves:
        charset = rng.choice(CHARSETS) if rng.random() < 0.06 else "utf-8"
        quirk = rng.choice(QUIRKS) if rng.random() < 0.12 else ""
        yield replace(leaf, charset=charset, quirk=quirk)


def _homes() -> Iterator[Leaf]:
    for host in HOSTS:
        if host.name != MIRROR:
            yield Leaf(home_of(host.name), "home", _home_theme(host), host.title, label=host.home)


def _home_theme(host: Host) -> str:
    return host.home or ""


def _hubs(topics: tuple[Theme, ...]) -> Iterator[Leaf]:
    """Two directory pages for each topic, on the directory and on a host of the topic."""
    for theme in topics:
        path = theme.name.replace(" ", "-")
        name = theme.name.capitalize()
        own = next(h.name for h in reversed(HOSTS) if h.home == theme.name)
        for url, title in (
            (f"http://{DIRECTORY}/dir/{path}/", f"{name}: selected links"),
            (f"http://{own}/links.html", f"Our favourite pages about {theme.name}"),
        ):
            yield Leaf(url, "hub", theme.name, title, label=theme.name)

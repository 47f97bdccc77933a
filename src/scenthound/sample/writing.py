"""Write the planned pages: text, links, navigation and footer, as HTML."""

from __future__ import annotations

import random
import re
from html import escape
from urllib.parse import urljoin

from scenthound.core.urls import canonical, host_of
from scenthound.sample.addresses import home_of
from scenthound.sample.anchors import anchor, list_item, spell, vague_item
from scenthound.sample.bodies import compose
from scenthound.sample.graph import Graph, Outlinks
from scenthound.sample.hosts import HOSTS, MIRROR, Host, host_named
from scenthound.sample.markup import META, Sheet
from scenthound.sample.pages import Leaf, Plan, Target
from scenthound.sample.prose import Speaker

NAVIGATION = 5
DATED = {"article": "contributors", "news": "newsroom"}
"""Kinds of pages that say when they were written, and by whom."""
MONTHS = [f"{year}-{month:02d}" for year in range(2009, 2024) for month in range(1, 13)]
_MONTH = re.compile(r"/(20\d\d)/(\d\d)/")


class PageWriter:
    """Writes one page after the other; each has its own random numbers, so order is no matter."""

    def __init__(self, plan: Plan, graph: Graph, seed: int) -> None:
        self._plan = plan
        self._graph = graph
        self._seed = seed
        self._menus = {host.name: _menu(plan, host, seed) for host in HOSTS}

    def write(self, leaf: Leaf) -> Sheet:
        """The page with everything around it."""
        rng = random.Random(f"{self._seed} {leaf.url}")
        links = self._graph[leaf.url]
        base = _base(leaf)
        menu, legal = self._menus[leaf.host], _legal(leaf.host, rng)
        targets = [*links.topical, *links.aside, *menu, *legal]
        href = {t.url: spell(t.url, leaf.url, base, rng) for t in targets}
        return Sheet(
            title=leaf.title,
            site=host_named(leaf.host).title,
            head=_head(leaf, base, self._seed),
            navigation=[anchor(t, href[t.url], t.title) for t in menu if t.url != leaf.url],
            blocks=self._blocks(leaf, links, href, rng),
            aside=[vague_item(t, href[t.url], rng) for t in links.aside],
            footer=[*(anchor(t, href[t.url], t.title) for t in legal), *_odd_links(rng)],
        )

    def _blocks(
        self, leaf: Leaf, links: Outlinks, href: dict[str, str], rng: random.Random
    ) -> list[str]:
        if leaf.subject is None:
            return self._front(leaf, links, href, rng)
        mentions = list(links.topical)
        theme = self._plan.themes[leaf.theme]
        speaker = Speaker(theme, leaf.subject, rng, mentions, href, leaf.title)
        blocks = compose(leaf.kind, speaker, rng)
        items = [list_item(target, href[target.url], rng) for target in mentions]
        return blocks + (["<h2>See also</h2>", _list(items)] if items else [])

    def _front(
        self, leaf: Leaf, links: Outlinks, href: dict[str, str], rng: random.Random
    ) -> list[str]:
        """A hub or a homepage: a few words, then links with a sentence each."""
        items: list[str] = []
        told: set[str] = set()
        for target in links.topical or links.aside:
            words = anchor(target, href[target.url], target.title)
            teaser = "" if target.teaser in told else f" {escape(target.teaser, quote=False)}"
            told.add(target.teaser)
            items.append(f"{words} ({_site(target)}).{teaser}")
        return [f"<p>{self._welcome(leaf, rng)}</p>", _list(items)]

    def _welcome(self, leaf: Leaf, rng: random.Random) -> str:
        site = host_named(leaf.host).title
        if not leaf.theme:
            return f"Welcome to {site}. Here is what our readers looked at this week."
        theme = self._plan.themes[leaf.theme]
        speaker = Speaker(theme, theme.main_subjects[0], rng)
        heading = rng.choice(list(theme.sections))
        known = " ".join(speaker.pick([p for p in theme.sections[heading] if "{" not in p], 2, 4))
        words = ", ".join(theme.keywords)
        return f"{site} collects pages about {leaf.theme}: {words} and more. {known}"


def _site(target: Target) -> str:
    return host_named(host_of(target.url)).title


def _list(items: list[str]) -> str:
    return "<ul>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>"


def _base(leaf: Leaf) -> str:
    return urljoin(leaf.url, "/archive/2/") if leaf.quirk == "base" else leaf.url


def _head(leaf: Leaf, base: str, seed: int) -> str:
    lines = [META.format(charset="iso-8859-1")] if leaf.charset == "latin-1 in meta" else []
    if leaf.charset == "utf-8":
        lines.append('<meta charset="utf-8">')
    if base != leaf.url:
        lines.append(f'<base href="{escape(base)}">')
    if leaf.subject is not None and leaf.kind != "forum":
        lines.append(f'<meta name="description" content="{escape(leaf.subject.facts[0])}">')
    if leaf.subject is not None and leaf.kind in DATED:
        lines += _byline(leaf, seed)
    return "\n".join(lines)


def _byline(leaf: Leaf, seed: int) -> list[str]:
    """Date and author, as machines read them: not in the text, which is that of the topic alone.

    The random numbers are others than those of the page, which stays as it is.
    """
    rng = random.Random(f"{seed} byline {leaf.url}")
    written = _MONTH.search(leaf.url)
    month = "-".join(written.groups()) if written else rng.choice(MONTHS)
    day = f"{month}-{rng.randint(1, 28):02d}"
    author = escape(f"{host_named(leaf.host).title} {DATED[leaf.kind]}")
    return [
        f'<meta property="article:published_time" content="{day}">',
        f'<meta name="author" content="{author}">',
    ]


def _menu(plan: Plan, host: Host, seed: int) -> list[Target]:
    """Navigation of a host: its homepage and a few pages of it, mostly of different themes."""
    rng = random.Random(f"{seed} menu {host.name}")
    own = [x for x in plan.leaves.values() if x.host == host.name and x.open and x.subject]
    noise = [x for x in own if not x.label] or own
    chosen = rng.sample(noise, min(len(noise), NAVIGATION - 2)) + rng.sample(own, min(len(own), 2))
    by_title = {_short_title(leaf): leaf.url for leaf in chosen}
    home = Target(home_of(host.name), "Home")
    return [home, *(Target(url, title) for title, url in by_title.items())]


def _short_title(leaf: Leaf) -> str:
    return leaf.subject.title if leaf.subject else leaf.title


def _legal(host: str, rng: random.Random) -> list[Target]:
    """Footer: imprint, login and partner sites."""
    partners = rng.sample([h for h in HOSTS if h.name not in (host, MIRROR)], 2)
    own = host if host != MIRROR else "openpedia.test"
    return [
        Target(canonical(f"http://{own}/imprint.html"), "Imprint"),
        Target(canonical(f"http://{own}/login?next=/"), "Log in", nofollow=rng.random() < 0.5),
        *(Target(home_of(partner.name), partner.title) for partner in partners),
    ]


def _odd_links(rng: random.Random) -> list[str]:
    """Links that lead to no page."""
    odd = []
    if rng.random() < 0.3:
        odd.append('<a href="mailto:editor@example.test">Write to us</a>')
    if rng.random() < 0.25:
        odd.append('<a href="javascript:window.print()">Print</a>')
    if rng.random() < 0.3:
        odd.append('<a href="#top">Back to top</a>')
    return odd

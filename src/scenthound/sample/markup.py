"""Pages as HTML: how links are spelled and worded, the layouts of the hosts, and the writer that
puts text, links, navigation and footer together.
"""

from __future__ import annotations

import posixpath
import random
import re
from dataclasses import dataclass
from html import escape
from urllib.parse import urljoin, urlsplit

from scenthound.core.urls import canonical, host_of
from scenthound.sample.plan import Graph, Outlinks, Plan, PlannedPage
from scenthound.sample.prose import COMPOSERS, SentenceWriter
from scenthound.sample.themes import HOSTS, MIRROR, Host, Target, data_text, home_url, host_named

FRAGMENTS = ("#top", "#history", "#more")


def write_href(target: str, page: str, base: str, rng: random.Random) -> str:
    """``target`` as an author might write it on ``page``, whose base address is ``base``.

    Spellings that would lead elsewhere (a relative path out of a query URL, say) fall back
    to the full address.
    """
    parts, written = urlsplit(target), target
    if host_of(target) == host_of(page):
        local = parts.path + (f"?{parts.query}" if parts.query else "")
        style = rng.random()
        if style < 0.5:
            written = local
        elif style < 0.8 and not parts.query and not local.endswith("/"):
            written = posixpath.relpath(local, posixpath.dirname(urlsplit(base).path) or "/")
    if "%28" in written and rng.random() < 0.6:
        written = written.replace("%28", "(").replace("%29", ")")
    if rng.random() < 0.06:
        written += rng.choice(FRAGMENTS)
    return written if canonical(written, base) == target else target


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


# Layouts: what a host puts around the text of its pages.

META = '<meta http-equiv="Content-Type" content="text/html; charset={charset}">'


@dataclass(frozen=True, slots=True)
class PageParts:
    """A page ready to be laid out; all but ``title`` and ``site`` is HTML already."""

    title: str
    site: str
    head: str
    navigation: list[str]
    blocks: list[str]
    aside: list[str]
    footer: list[str]


def render_page(sheet: PageParts, skin: str) -> str:
    """The whole page in the manner of ``skin``."""
    title = escape(sheet.title, quote=False)
    site = escape(sheet.site, quote=False)
    layout = data_text(f"{skin}.html").rstrip("\n")
    body = layout.format(
        title=title,
        site=site,
        navigation=" | ".join(sheet.navigation),
        items="\n".join(f"<li>{item}</li>" for item in sheet.navigation),
        text="\n".join(sheet.blocks),
        aside="\n".join(f"<li>{item}</li>" for item in sheet.aside),
        footer=" &middot; ".join(sheet.footer),
    )
    head = f"<head>\n<title>{title} - {site}</title>\n{sheet.head}\n</head>"
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def print_version(sheet: PageParts) -> str:
    """The text alone, as print pages have it: nearly a duplicate."""
    title = escape(sheet.title, quote=False)
    return data_text("print.html").format(
        title=title, text="\n".join(sheet.blocks), site=escape(sheet.site)
    )


def break_markup(page: str, quirk: str) -> str:
    """Spoil the markup the way hand-written pages are spoiled."""
    if quirk == "unclosed":
        return page.replace("</p>", "").replace("</li>", "").replace("</body>", "")
    if quirk == "nested":
        return page.replace("<h1>", '<a name="top"><a href="#top"><h1><b><i>', 1)
    return page


NAVIGATION = 5
DATED = {"article": "contributors", "news": "newsroom"}
"""Kinds of pages that say when they were written, and by whom."""
PUBLICATION_MONTHS = [f"{year}-{month:02d}" for year in range(2009, 2024) for month in range(1, 13)]
_MONTH = re.compile(r"/(20\d\d)/(\d\d)/")


class PageWriter:
    """Writes one page after the other; each has its own random numbers, so order is no matter."""

    def __init__(self, plan: Plan, graph: Graph, seed: int) -> None:
        self._plan = plan
        self._graph = graph
        self._seed = seed
        self._menus = {host.name: _menu(plan, host, seed) for host in HOSTS}

    def write(self, leaf: PlannedPage) -> PageParts:
        """The page with everything around it."""
        rng = random.Random(f"{self._seed} {leaf.url}")
        links = self._graph[leaf.url]
        base = _base(leaf)
        menu, legal = self._menus[leaf.host], _legal(leaf.host, rng)
        targets = [*links.topical, *links.aside, *menu, *legal]
        href = {t.url: write_href(t.url, leaf.url, base, rng) for t in targets}
        return PageParts(
            title=leaf.title,
            site=host_named(leaf.host).title,
            head=_head(leaf, base, self._seed),
            navigation=[anchor(t, href[t.url], t.title) for t in menu if t.url != leaf.url],
            blocks=self._blocks(leaf, links, href, rng),
            aside=[vague_item(t, href[t.url], rng) for t in links.aside],
            footer=[*(anchor(t, href[t.url], t.title) for t in legal), *_odd_links(rng)],
        )

    def _blocks(
        self, leaf: PlannedPage, links: Outlinks, href: dict[str, str], rng: random.Random
    ) -> list[str]:
        if leaf.subject is None:
            return self._front(leaf, links, href, rng)
        mentions = list(links.topical)
        theme = self._plan.themes[leaf.theme]
        speaker = SentenceWriter(theme, leaf.subject, rng, mentions, href, leaf.title)
        blocks = COMPOSERS[leaf.kind](speaker, rng)
        items = [list_item(target, href[target.url], rng) for target in mentions]
        return blocks + (["<h2>See also</h2>", _html_list(items)] if items else [])

    def _front(
        self, leaf: PlannedPage, links: Outlinks, href: dict[str, str], rng: random.Random
    ) -> list[str]:
        """A hub or a homepage: a few words, then links with a sentence each."""
        items: list[str] = []
        seen: set[str] = set()
        for target in links.topical or links.aside:
            words = anchor(target, href[target.url], target.title)
            teaser = "" if target.teaser in seen else f" {escape(target.teaser, quote=False)}"
            seen.add(target.teaser)
            items.append(f"{words} ({host_named(host_of(target.url)).title}).{teaser}")
        return [f"<p>{self._welcome(leaf, rng)}</p>", _html_list(items)]

    def _welcome(self, leaf: PlannedPage, rng: random.Random) -> str:
        site = host_named(leaf.host).title
        if not leaf.theme:
            return f"Welcome to {site}. Here is what our readers looked at this week."
        theme = self._plan.themes[leaf.theme]
        speaker = SentenceWriter(theme, theme.main_subjects[0], rng)
        heading = rng.choice(list(theme.sections))
        known = " ".join(speaker.pick([p for p in theme.sections[heading] if "{" not in p], 2, 4))
        words = ", ".join(theme.keywords)
        return f"{site} collects pages about {leaf.theme}: {words} and more. {known}"


def _html_list(items: list[str]) -> str:
    return "<ul>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>"


def _base(leaf: PlannedPage) -> str:
    return urljoin(leaf.url, "/archive/2/") if leaf.quirk == "base" else leaf.url


def _head(leaf: PlannedPage, base: str, seed: int) -> str:
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


def _byline(leaf: PlannedPage, seed: int) -> list[str]:
    """Date and author, as machines read them: not in the text, which is that of the topic alone.

    The random numbers are others than those of the page, which stays as it is.
    """
    rng = random.Random(f"{seed} byline {leaf.url}")
    written = _MONTH.search(leaf.url)
    month = "-".join(written.groups()) if written else rng.choice(PUBLICATION_MONTHS)
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
    by_title = {leaf.subject.title if leaf.subject else leaf.title: leaf.url for leaf in chosen}
    home = Target(home_url(host.name), "Home")
    return [home, *(Target(url, title) for title, url in by_title.items())]


def _legal(host: str, rng: random.Random) -> list[Target]:
    """Footer: imprint, login and partner sites."""
    partners = rng.sample([h for h in HOSTS if h.name not in (host, MIRROR)], 2)
    own = host if host != MIRROR else "openpedia.test"
    return [
        Target(canonical(f"http://{own}/imprint.html"), "Imprint"),
        Target(canonical(f"http://{own}/login?next=/"), "Log in", nofollow=rng.random() < 0.5),
        *(Target(home_url(partner.name), partner.title) for partner in partners),
    ]


def _odd_links(rng: random.Random) -> list[str]:
    """Links that lead to no page."""
    odd = (
        (0.3, '<a href="mailto:editor@example.test">Write to us</a>'),
        (0.25, '<a href="javascript:window.print()">Print</a>'),
        (0.3, '<a href="#top">Back to top</a>'),
    )
    return [link for share, link in odd if rng.random() < share]

"""The pages of the sample web before they have any text: what, where, about which subject, how
their bytes will be spoiled, and who links to whom.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scenthound.core.urls import canonical, host_of
from scenthound.sample.prose import SentenceWriter
from scenthound.sample.themes import (
    DIRECTORY,
    ENCYCLOPEDIA,
    HOSTS,
    MIRROR,
    NOISE,
    TOPICS,
    Subject,
    Target,
    Theme,
    home_url,
    host_named,
    page_path,
    read_theme,
)

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


def target_of(leaf: PlannedPage) -> Target:
    """The link target that ``leaf`` is."""
    if leaf.subject is None:
        return Target(leaf.url, leaf.title)
    phrase = "" if leaf.subject.side else leaf.subject.phrase
    return Target(leaf.url, leaf.title, phrase, leaf.subject.facts[0])


BRIDGED_CLUSTERS = 2
BRIDGED_SHARE = 0.1
"""Share of a topic's pages in each cluster that no same-topic link leads to."""
SEEDS = 3
TITLE_POOLS = {"news": "headlines", "blog": "posts", "forum": "threads"}
CHARSETS = ("latin-1 in meta", "latin-1 in header")
QUIRKS = ("base", "unclosed", "nested")


def make_plan(rng: random.Random) -> Plan:
    """All pages with text of their own."""
    topics, noise = [read_theme(name) for name in TOPICS], [read_theme(name) for name in NOISE]
    leaves: dict[str, PlannedPage] = {}
    seeds: dict[str, tuple[str, ...]] = {}
    for theme in topics + noise:
        own = _content(theme, rng, taken=leaves)
        seeds[theme.name] = tuple(leaf.url for leaf in _seeds(own))
        for leaf in _bridge(own, theme, seeds[theme.name], rng):
            # A few pages of every theme get an old encoding or broken markup, some of them both.
            charset = rng.choice(CHARSETS) if rng.random() < 0.06 else "utf-8"
            quirk = rng.choice(QUIRKS) if rng.random() < 0.12 else ""
            leaves[leaf.url] = replace(leaf, charset=charset, quirk=quirk)
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
    while len(found) < theme.size:
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
    url = canonical(f"http://{host.name}{page_path(host, kind, title, subject.wiki, rng)}")
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


def _homes() -> Iterator[PlannedPage]:
    for host in HOSTS:
        if host.name != MIRROR:
            yield PlannedPage(
                home_url(host.name), "home", host.home or "", host.title, label=host.home
            )


def _hubs(topics: list[Theme]) -> Iterator[PlannedPage]:
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


# Who links to whom. The open pages of a topic form a long community: each is reached from one a
# little before it, so a crawl has to go through the topic and not just around its seeds. Every page
# also carries links that lead away, and some clusters are reached only by following those.

REACH = 26
"""How far apart, in the order of a topic, two linked pages may be."""
HUB_LINKS = 22
HOME_LINKS = 12


@dataclass(slots=True)
class Outlinks:
    """Links of one page: inside its theme, and away from it."""

    topical: list[Target] = field(default_factory=list)
    aside: list[Target] = field(default_factory=list)


Graph = dict[str, Outlinks]


def draw_graph(plan: Plan, rng: random.Random) -> Graph:
    """Links between planned pages, navigation and footers not included."""
    graph: Graph = {url: Outlinks() for url in plan.leaves}
    for theme in plan.themes:
        _community(plan, theme, graph, rng)
    _link_homes(plan, graph, rng)
    _distractions(plan, graph, rng)
    for topic in TOPICS:
        _bridges(plan, topic, graph, rng)
    return graph


def open_pages(plan: Plan, theme: str) -> list[PlannedPage]:
    """Pages of a theme that anybody may link."""
    return [leaf for leaf in plan.of_theme(theme) if leaf.open]


def connect(graph: Graph, source: PlannedPage, target: PlannedPage, aside: bool = False) -> None:
    """Add a link, unless it is there already or points at its own page."""
    links = graph[source.url]
    known = {t.url for t in links.topical + links.aside}
    if target.url not in known and target.url != source.url:
        (links.aside if aside else links.topical).append(target_of(target))


def _community(plan: Plan, theme: str, graph: Graph, rng: random.Random) -> None:
    """Link the open pages of a theme in a long row, and each bridged cluster within itself."""
    clusters: dict[int, list[PlannedPage]] = defaultdict(list)
    for leaf in plan.of_theme(theme):
        clusters[leaf.cluster].append(leaf)
    for number, leaves in clusters.items():
        order = _order(leaves, plan.seeds.get(theme, ()), rng)
        _row(order, graph, rng)
        if number:
            for leaf in order:
                connect(graph, leaf, rng.choice(clusters[0]))
    for hub in [leaf for leaf in clusters[0] if leaf.kind in ("hub", "home")]:
        for leaf in rng.sample(clusters[0], min(HUB_LINKS, len(clusters[0]))):
            connect(graph, hub, leaf)


def _order(
    leaves: list[PlannedPage], seeds: tuple[str, ...], rng: random.Random
) -> list[PlannedPage]:
    """Seeds first; hubs and homepages somewhere in the second half, where they cost a walk."""
    first = [leaf for leaf in leaves if leaf.url in seeds]
    hubs = [leaf for leaf in leaves if leaf.kind in ("hub", "home")]
    rest = [leaf for leaf in leaves if leaf not in first and leaf not in hubs]
    rng.shuffle(rest)
    for hub in hubs:
        rest.insert(rng.randint(len(rest) // 2, len(rest)), hub)
    return first + rest


def _row(order: list[PlannedPage], graph: Graph, rng: random.Random) -> None:
    """Every page gets a link from one before it, and gives two or three to its neighbourhood."""
    for index, leaf in enumerate(order):
        if index:
            connect(graph, rng.choice(order[max(0, index - REACH) : index]), leaf)
        near = order[max(0, index - REACH) : index + REACH]
        for other in rng.sample(near, min(len(near), rng.randint(2, 3))):
            connect(graph, leaf, other)


def _link_homes(plan: Plan, graph: Graph, rng: random.Random) -> None:
    """Homepages list pages of their host; the directory lists its hubs."""
    for host in HOSTS:
        home = plan.leaves.get(f"http://{host.name}/")
        if home is None:
            continue
        own = [x for x in plan.leaves.values() if x.host == host.name and x.open and x is not home]
        count = len(own) if host.name == DIRECTORY else HOME_LINKS
        for leaf in rng.sample(own, min(count, len(own))):
            connect(graph, home, leaf, aside=True)


def _distractions(plan: Plan, graph: Graph, rng: random.Random) -> None:
    """Links away: to noise, to other themes on the host, and to pages with the same name."""
    noise = [leaf for theme in NOISE for leaf in open_pages(plan, theme)]
    topical = [leaf for theme in TOPICS for leaf in open_pages(plan, theme)]
    namesakes: dict[str, list[PlannedPage]] = defaultdict(list)
    by_host: dict[str, list[PlannedPage]] = defaultdict(list)
    for leaf in topical + noise:
        by_host[leaf.host].append(leaf)
        if leaf.subject is not None:
            namesakes[_key(leaf)].append(leaf)
    for leaf in plan.leaves.values():
        if leaf.kind == "home":
            continue
        chosen = [rng.choice(noise), rng.choice(noise), rng.choice(topical)]
        chosen += rng.sample(by_host[leaf.host], min(2, len(by_host[leaf.host])))
        chosen += rng.sample(namesakes[_key(leaf)], min(2, len(namesakes[_key(leaf)])))
        for other in chosen:
            if other.theme != leaf.theme:
                connect(graph, leaf, other, aside=True)


def _key(leaf: PlannedPage) -> str:
    """First word of the subject: the jaguar, the Jaguar saloon and the jaguar god share it."""
    return leaf.subject.title.split()[0].lower().rstrip("s") if leaf.subject else ""


def _bridges(plan: Plan, topic: str, graph: Graph, rng: random.Random) -> None:
    """Two ways into each bridged cluster: over two noise pages, and over another topic."""
    leaves = plan.of_theme(topic)
    inside = [leaf for leaf in leaves if leaf.open and leaf.kind not in ("hub", "home")]
    noise = [leaf for theme in NOISE for leaf in open_pages(plan, theme)]
    others = [x for name in TOPICS if name != topic for x in open_pages(plan, name)]
    for cluster in sorted({leaf.cluster for leaf in leaves if not leaf.open}):
        members = [leaf for leaf in leaves if leaf.cluster == cluster]
        entry = _first_of(members, graph)
        near, far = rng.sample(noise, 2)
        for start in rng.sample(inside, 2):
            connect(graph, start, near, aside=True)
        connect(graph, near, far, aside=True)
        connect(graph, far, entry, aside=True)
        other = rng.choice(others)
        connect(graph, rng.choice(inside), other, aside=True)
        connect(graph, other, rng.choice(members), aside=True)


def _first_of(members: list[PlannedPage], graph: Graph) -> PlannedPage:
    """The member all others can be reached from: the head of the cluster's row."""
    inside = {member.url for member in members}
    for leaf in members:
        reached = [leaf.url]
        for url in reached:
            new = {target.url for target in graph[url].topical} & inside
            reached += new.difference(reached)
        if len(reached) == len(inside):
            return leaf
    raise AssertionError("the head of the row reaches every member")

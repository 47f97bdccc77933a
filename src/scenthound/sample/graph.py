"""Who links to whom.

The open pages of a topic form a long community: each is reached from one a little before it,
so a crawl has to go through the topic and not just around its seeds. Every page also carries
links that lead away, and some clusters are reached only by following those.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field

from scenthound.sample.hosts import DIRECTORY, HOSTS, Target
from scenthound.sample.plan import Plan, PlannedPage, target_of

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
    _homes(plan, graph, rng)
    _distractions(plan, graph, rng)
    for topic in plan.topics:
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


def _homes(plan: Plan, graph: Graph, rng: random.Random) -> None:
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
    noise = [leaf for theme in plan.noise for leaf in open_pages(plan, theme)]
    topical = [leaf for theme in plan.topics for leaf in open_pages(plan, theme)]
    namesakes = _namesakes(topical + noise)
    by_host: dict[str, list[PlannedPage]] = defaultdict(list)
    for leaf in topical + noise:
        by_host[leaf.host].append(leaf)
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


def _namesakes(leaves: list[PlannedPage]) -> dict[str, list[PlannedPage]]:
    found: dict[str, list[PlannedPage]] = defaultdict(list)
    for leaf in leaves:
        if leaf.subject is not None:
            found[_key(leaf)].append(leaf)
    return found


def _bridges(plan: Plan, topic: str, graph: Graph, rng: random.Random) -> None:
    """Two ways into each bridged cluster: over two noise pages, and over another topic."""
    leaves = plan.of_theme(topic)
    inside = [leaf for leaf in leaves if leaf.open and leaf.kind not in ("hub", "home")]
    noise = [leaf for theme in plan.noise for leaf in open_pages(plan, theme)]
    others = [x for name in plan.topics if name != topic for x in open_pages(plan, name)]
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
    for leaf in members:
        reached, queue = {leaf.url}, [leaf.url]
        for url in queue:
            new = [t.url for t in graph[url].topical if t.url not in reached]
            reached.update(new)
            queue += [url for url in new if any(url == m.url for m in members)]
        if all(member.url in reached for member in members):
            return leaf
    raise AssertionError("the head of the row reaches every member")

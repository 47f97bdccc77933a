"""The sample web as a whole: a small world of invented pages, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenthound.core.model import Topic
from scenthound.sample.copies import Copy, plan_copies
from scenthound.sample.encodings import encode, encoding_oddities
from scenthound.sample.graph import Graph, draw_graph, open_pages
from scenthound.sample.hosts import host_named
from scenthound.sample.markup import Sheet, break_markup, lay_out, print_version
from scenthound.sample.oddities import (
    dangling,
    errors,
    files,
    link_to,
    loop,
    moved_pages,
    strange_pages,
    windows,
)
from scenthound.sample.pages import Leaf, Plan, Target
from scenthound.sample.planning import make_plan
from scenthound.sample.response import Response
from scenthound.sample.service import service_pages
from scenthound.sample.signposts import signposts
from scenthound.sample.trap import calendar_pages, month_address
from scenthound.sample.writing import PageWriter

__all__ = ["Response", "SampleWeb", "build"]

EXAMPLES = 8
MOVED = 18


@dataclass(frozen=True, slots=True)
class SampleWeb:
    """A web that fits into memory.

    ``responses`` are in a fixed order, by canonical URL. ``labels`` names the topic of every
    page that is truly about one; it is known because we wrote the page.
    """

    seed: int
    responses: Mapping[str, Response]
    topics: tuple[Topic, ...]
    labels: Mapping[str, str]


def build(seed: int = 0) -> SampleWeb:
    """Generate the web of ``seed``."""
    rng = random.Random(seed)
    plan = make_plan(rng)
    graph = draw_graph(plan, rng)
    copies = plan_copies(plan, rng)
    dirt, bait = _dirt(plan, rng)
    _sprinkle(graph, plan, [*(copy.target for copy in copies), *bait], rng)
    _link_prints(graph, copies)
    written = _pages(plan, graph, copies, seed)
    responses = [*written, *service_pages(), *dirt, *signposts(plan)]
    return SampleWeb(
        seed=seed,
        responses={response.url: response for response in responses},
        topics=tuple(_topic(plan, name, rng) for name in plan.topics),
        labels=_labels(plan, copies),
    )


def _dirt(plan: Plan, rng: random.Random) -> tuple[list[Response], list[Target]]:
    """Everything that is not a page with text of its own, and the links that lead to it."""
    topical = [leaf for name in plan.topics for leaf in open_pages(plan, name) if leaf.subject]
    moved, old_links = moved_pages(rng.sample(topical, MOVED), rng)
    single = [
        *loop(),
        *errors(),
        *files(),
        *strange_pages(rng),
        *windows(rng.sample(open_pages(plan, "myth"), 6)),
        *encoding_oddities(),
    ]
    calendar = calendar_pages(open_pages(plan, "town"), rng)
    links = [*old_links, *(link_to(response) for response in single), *dangling(rng)]
    return [*moved, *single, *calendar], [*links, Target(month_address(40), "Calendar")]


def _sprinkle(graph: Graph, plan: Plan, targets: list[Target], rng: random.Random) -> None:
    """Link every target from two pages that do not matter to the bridges."""
    sources = [leaf.url for leaf in plan.leaves.values() if leaf.open and leaf.subject]
    for target in targets:
        for url in rng.sample(sources, 2):
            graph[url].aside.append(target)


def _link_prints(graph: Graph, copies: Iterable[Copy]) -> None:
    for copy in copies:
        if copy.printed:
            graph[copy.original.url].aside.append(copy.target)


def _pages(plan: Plan, graph: Graph, copies: list[Copy], seed: int) -> list[Response]:
    """The planned pages and their copies, written."""
    writer = PageWriter(plan, graph, seed)
    sheets = {leaf.url: writer.write(leaf) for leaf in plan.leaves.values()}
    originals = {url: _finished(plan.leaves[url], sheet) for url, sheet in sheets.items()}
    made = [encode(leaf.url, originals[leaf.url], leaf.charset) for leaf in plan.leaves.values()]
    for copy in copies:
        leaf = copy.original
        page = print_version(sheets[leaf.url]) if copy.printed else originals[leaf.url]
        made.append(encode(copy.url, page, "utf-8" if copy.printed else leaf.charset))
    return made


def _finished(leaf: Leaf, sheet: Sheet) -> str:
    return break_markup(lay_out(sheet, host_named(leaf.host).skin), leaf.quirk)


def _topic(plan: Plan, name: str, rng: random.Random) -> Topic:
    """A topic with its seeds and with examples that are none of the seeds."""
    seeds = plan.seeds[name]
    able = [x.url for x in open_pages(plan, name) if x.subject and x.url not in seeds]
    return Topic(
        name=name,
        keywords=plan.themes[name].keywords,
        seeds=seeds,
        examples=tuple(rng.sample(able, EXAMPLES)),
    )


def _labels(plan: Plan, copies: Iterable[Copy]) -> dict[str, str]:
    labels = {leaf.url: leaf.label for leaf in plan.leaves.values() if leaf.label}
    labels.update({copy.url: copy.original.label for copy in copies if copy.original.label})
    return labels

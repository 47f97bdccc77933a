"""The sample web as a whole: a small world of invented pages, the same for the same seed, in
memory or written to WARC, topic and label files.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.model import Topic
from scenthound.sample import hazards
from scenthound.sample.hazards import Copy
from scenthound.sample.markup import PageWriter, break_markup, print_version, render_page
from scenthound.sample.plan import Graph, Plan, draw_graph, make_plan, open_pages
from scenthound.sample.responses import Response, encode, service_pages, sitemap_and_feed
from scenthound.sample.themes import TOPICS, Target, host_named
from scenthound.similarity.topic_file import topic_text
from scenthound.storage.warc_writer import Exchange, response_record

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
    copies = hazards.plan_copies(plan, rng)
    dirt, bait = _oddities(plan, rng)
    # Two pages that do not matter to the bridges link to each.
    sources = [leaf.url for leaf in plan.leaves.values() if leaf.open and leaf.subject]
    for target in [*(copy.target for copy in copies), *bait]:
        for url in rng.sample(sources, 2):
            graph[url].aside.append(target)
    for copy in copies:
        if copy.printed:
            graph[copy.original.url].aside.append(copy.target)
    written = _pages(plan, graph, copies, seed)
    responses = [*written, *service_pages(), *dirt, *sitemap_and_feed(plan)]
    return SampleWeb(
        seed=seed,
        responses={response.url: response for response in responses},
        topics=tuple(_topic(plan, name, rng) for name in TOPICS),
        labels=_labels(plan, copies),
    )


def _oddities(plan: Plan, rng: random.Random) -> tuple[list[Response], list[Target]]:
    """Everything that is not a page with text of its own, and the links that lead to it."""
    topical = [leaf for name in TOPICS for leaf in open_pages(plan, name) if leaf.subject]
    moved, old_links = hazards.moved_pages(rng.sample(topical, MOVED), rng)
    single = hazards.oddities(open_pages(plan, "myth"), rng)
    calendar = hazards.calendar_pages(open_pages(plan, "town"), rng)
    links = [*old_links, *map(hazards.link_to, single), *hazards.dangling(rng)]
    return [*moved, *single, *calendar], [*links, Target(hazards.month_url(40), "Calendar")]


def _pages(plan: Plan, graph: Graph, copies: list[Copy], seed: int) -> list[Response]:
    """The planned pages and their copies, written."""
    writer = PageWriter(plan, graph, seed)
    sheets = {leaf.url: writer.write(leaf) for leaf in plan.leaves.values()}
    originals = {}
    for url, sheet in sheets.items():
        leaf = plan.leaves[url]
        originals[url] = break_markup(render_page(sheet, host_named(leaf.host).skin), leaf.quirk)
    made = [encode(leaf.url, originals[leaf.url], leaf.charset) for leaf in plan.leaves.values()]
    for copy in copies:
        leaf = copy.original
        page = print_version(sheets[leaf.url]) if copy.printed else originals[leaf.url]
        made.append(encode(copy.url, page, "utf-8" if copy.printed else leaf.charset))
    return made


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


DATE = 1_704_067_200.0
"""Of all records: 2024-01-01T00:00:00Z."""
REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 500: "Error"}


def write_warc(web: SampleWeb, path: Path) -> None:
    """One gzipped WARC 1.1 response record for each response.

    Record identifiers follow from the seed, so the file is the same byte for byte whenever it is
    written.
    """
    with path.open("wb") as file:
        for each in web.responses.values():
            exchange = Exchange(
                each.url, DATE, "GET", (), "HTTP/1.1", each.status, REASONS[each.status],
                each.headers, each.body,
            )  # fmt: skip
            identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{web.seed} {each.url}")
            file.write(response_record(exchange, identity))


def write_topics(web: SampleWeb, folder: Path) -> list[Path]:
    """A topic file for each topic; returns their paths in the order of the topics."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for topic in web.topics:
        path = folder / f"{topic.name.replace(' ', '-')}.toml"
        path.write_text(topic_text(topic), encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def write_labels(web: SampleWeb, path: Path) -> None:
    """A line ``URL<TAB>topic`` for each labelled page, sorted."""
    lines = sorted(f"{url}\t{topic}\n" for url, topic in web.labels.items())
    path.write_text("".join(lines), encoding="utf-8", newline="\n")

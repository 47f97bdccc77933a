"""Does PageRank after another page cost what the page has links, however large the graph is?"""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from time import process_time

import numpy as np
from scipy.sparse import csr_array

from benchmarks.ontology.grown_web import LINKS, PageDrawn, grown_web
from scenthound.papers.olmoaco.link_graph import LinkGraph, Reals
from scenthound.papers.olmoaco.pagerank import LinkShares, TopicPageRank

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
LAST = 500
"""Pages before a size is reached over which the time is taken."""
_HEAD = (
    "   pages      URLs  us a page  passings  from scratch  times that  largest error  settled in"
    "    memory"
)


def pagerank(sizes: Sequence[int] = SIZES) -> None:
    """Print time and passings a page by the size of the graph: growing webs, and finite ones."""
    print(f"PageRank, pages of {LINKS} links added one by one; a web that goes on without end:")
    print(_HEAD)
    graph = LinkGraph()
    rank = TopicPageRank(graph)
    drawn = iter(grown_web(max(sizes)))
    for size in sizes:
        _added(rank, graph, [next(drawn) for _ in range(size - LAST - graph.pages)])
        print(_line(rank, graph, [next(drawn) for _ in range(min(LAST, size - graph.pages))]))
    print("finite webs, fetched to their ends; the mean over all pages of each:")
    print(_HEAD)
    for size in sizes:
        graph = LinkGraph()
        print(_line(TopicPageRank(graph), graph, list(grown_web(size, urls=size))))


def _line(rank: TopicPageRank, graph: LinkGraph, pages: Sequence[PageDrawn]) -> str:
    """What adding ``pages`` costs each, and what else there is to say by then."""
    before = rank.pushes
    seconds = _added(rank, graph, pages) / len(pages)
    began = process_time()
    exact = from_scratch(graph)
    scratch = process_time() - began
    error = float((1.0 - rank.values(range(len(graph))) / exact).max())
    again, memory = _copy(rank, graph)
    began = process_time()
    again.settle(1e-6)
    settling = process_time() - began
    return (
        f"{graph.pages:8,}  {len(graph):8,}  {1e6 * seconds:9.0f}  "
        f"{(rank.pushes - before) / len(pages):8.1f}  {1e3 * scratch:9.0f} ms  "
        f"{scratch / seconds:10,.0f}  {100 * error:12.2f}%  {1e3 * settling:7.0f} ms"
        f"  {memory / 1e6:5.1f} MB"
    )


def _added(rank: TopicPageRank, graph: LinkGraph, pages: Sequence[PageDrawn]) -> float:
    """Add the pages; the seconds of the processor that PageRank took of it."""
    seconds = 0.0
    for page in pages:
        number = page.into(graph)
        began = process_time()
        rank.add(number)
        seconds += process_time() - began
    return seconds


def from_scratch(graph: LinkGraph) -> Reals:
    """All values by iteration over the whole graph, until none changes by a millionth."""
    shares, pages = LinkShares(), [n for n in range(len(graph)) if graph.is_page(n)]
    links = [graph.links(page) for page in pages]
    starts = np.cumsum([0, *(len(each) for each in links)])
    targets = np.concatenate([each.targets for each in links])
    carried = np.concatenate([shares.of(each.anchors) for each in links])
    matrix = csr_array((carried, targets, starts), shape=(len(pages), len(graph))).T
    values, change = np.ones(len(graph)), 1.0
    while change >= 1e-6:
        last, values = values, shares.base + matrix @ values[pages]
        change = float(abs(values - last).max())
    return values


def _copy(rank: TopicPageRank, graph: LinkGraph) -> tuple[TopicPageRank, int]:
    """A rank that knows the same, and the bytes that it takes beside the graph."""
    state = rank.state()
    tracemalloc.start()
    try:
        again = TopicPageRank(graph)
        again.restore(state)
        return again, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

"""Eq. 15 of olmoaco as it stands there: all values over and over, until none moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.papers.olmoaco.link_graph import LinkGraph

Web = Mapping[str, Sequence[tuple[str, float]]]
"""For each page, in the order of fetching, its links and the relevance of their anchors."""


def graph_of(web: Web) -> LinkGraph:
    graph = LinkGraph()
    for url, links in web.items():
        graph.add_page(url, [target for target, _ in links], [anchor for _, anchor in links])
    return graph


def slow_pagerank(
    graph: LinkGraph,
    damping: float = 0.85,
    omega: float = 0.10,
    normalised: bool = False,
    leads: Mapping[int, int] | None = None,
    rounds: int = 20_000,
) -> list[float]:
    """``leads`` says which URL counts for which."""
    values = [1.0] * len(graph)
    for _ in range(rounds):
        arriving = [1.0 - damping] * len(graph)
        for page in range(len(graph)):
            links = graph.links(page)
            weights = [1.0 + omega * anchor for anchor in links.anchors.tolist()]
            whole = sum(weights) if normalised else len(weights)
            for target, weight in zip(links.targets.tolist(), weights, strict=True):
                end = (leads or {}).get(target, target)
                arriving[end] += damping * values[page] * weight / whole
        if max(map(abs, (a - b for a, b in zip(arriving, values, strict=True))), default=0) < 1e-14:
            break
        values = arriving
    return [values[(leads or {}).get(number, number)] for number in range(len(graph))]

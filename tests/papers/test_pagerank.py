"""The graph of pages and links, and PageRank page by page against Eq. 15 from scratch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.papers.olmoaco.link_graph import LinkGraph
from scenthound.papers.olmoaco.pagerank import LinkShares, TopicPageRank

A, B, C = (f"http://a.test/{name}" for name in "abc")
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
    """Eq. 15 as printed: all values over and over, until none moves; ``leads`` are redirects."""
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


def test_urls_and_links_of_a_graph() -> None:
    graph = LinkGraph()
    assert graph.add_page(B, [A, C], [0.1, 0.2]) == 0
    assert [graph.find(url) for url in (A, B, C)] == [1, 0, 2]
    assert graph.number(A) == 1
    assert graph.url(2) == C
    assert graph.find("http://a.test/never") is None
    assert (len(graph), graph.pages) == (3, 1)
    # The best anchor of two to one target; none to the page itself; the first ones stay.
    graph = LinkGraph()
    page = graph.add_page(A, [B, C, B, A], [0.1, 0.3, 0.2, 1.0])
    links = graph.links(page)
    assert [graph.url(number) for number in links.targets.tolist()] == [B, C]
    assert links.anchors.tolist() == [0.2, 0.3]
    assert len(links) == 2 and graph.is_page(page)
    assert graph.add_page(A, [C], [0.9]) == page
    assert len(graph.links(page)) == 2


def test_a_saved_graph_comes_back() -> None:
    graph = LinkGraph()
    graph.add_page(A, [B, C], [0.1, 0.7])
    graph.add_page(C, [], [])
    graph.add_page(B, [A], [0.4])
    graph.lead("http://a.test/old", B)
    graph.lead(C, C)
    assert [graph.where(number) for number in range(4)] == [0, 1, 2, 1]
    again = LinkGraph()
    again.restore(graph.state())
    assert (len(again), again.pages) == (4, 3)
    for number in range(4):
        assert again.url(number) == graph.url(number)
        assert again.find(graph.url(number)) == number
        assert again.is_page(number) == graph.is_page(number)
        assert again.where(number) == graph.where(number)
        one, two = graph.links(number), again.links(number)
        assert one.targets.tobytes() == two.targets.tobytes()
        assert one.anchors.tobytes() == two.anchors.tobytes()
    assert again.add_page("http://a.test/new", [A], [0.2]) == 4
    # an empty one too
    graph, again = LinkGraph(), LinkGraph()
    again.add_page(A, [B], [0.5])
    again.lead(C, A)
    again.restore(graph.state())
    assert (len(again), again.pages) == (0, 0)
    assert all(isinstance(value, np.ndarray) for value in graph.state().values())
    assert again.number(C) == again.where(0) == 0


FIVE = "abcde"
CLIQUE: Web = {page: [(other, 1.0) for other in FIVE if other != page] for page in FIVE}
webs = st.lists(
    st.tuples(
        st.integers(0, 7), st.lists(st.tuples(st.integers(0, 11), st.floats(0, 1)), max_size=8)
    ),
    max_size=10,
)
"""Pages and their links: to themselves, twice to one, to pages and to URLs that are none."""


def ranked(graph: LinkGraph, form: str = "printed", omega: float = 0.10) -> TopicPageRank:
    rank = TopicPageRank(graph, LinkShares(omega=omega, form=form), 1e-9)
    for page in range(len(graph)):
        if graph.is_page(page):
            rank.add(page)
    return rank


def grow(graph: LinkGraph, pages: list[tuple[int, list[tuple[int, float]]]]) -> list[int]:
    """Add them to the graph; the numbers of the pages."""
    return [
        graph.add_page(f"u{page}", [f"u{to}" for to, _ in links], [anchor for _, anchor in links])
        for page, links in pages
    ]


def test_worked_by_hand() -> None:
    """a links to b (R = 1) and c (R = 0), b to c (R = 0.5); c was not fetched.

    a = 0.15; b = 0.15 + 0.85 * 0.15 / 2 * 1.1; c = 0.15 + 0.85 * (0.15 / 2 + b * 1.05).
    """
    graph = graph_of({"a": [("b", 1.0), ("c", 0.0)], "b": [("c", 0.5)]})
    found = ranked(graph).values([0, 1, 2])
    b = 0.220125
    assert found == pytest.approx([0.15, b, 0.15 + 0.85 * (0.075 + b * 1.05)], abs=1e-12)
    assert slow_pagerank(graph) == pytest.approx(found)
    # normalised: of 0.85 * 0.15 the relevant anchor carries 1.1 parts of 2.1
    graph = graph_of({"a": [("b", 1.0), ("c", 0.0)]})
    found = ranked(graph, form="normalised").values([1, 2])
    assert found == pytest.approx([0.15 + 0.1275 * 1.1 / 2.1, 0.15 + 0.1275 / 2.1])
    assert found.sum() == pytest.approx(0.3 + 0.1275)
    # nothing at all
    graph = LinkGraph()
    rank = TopicPageRank(graph)
    rank.settle()
    assert rank.values([]).tolist() == []
    assert rank.error == 0.0
    graph.number("met")
    assert rank.values([0]) == pytest.approx([0.15])
    # relevances that are none do no harm
    found = LinkShares().of(np.array([nan, -3.0, 7.0, 1.0]))
    assert found == pytest.approx([0.2125, 0.2125, 0.23375, 0.23375])


def test_a_clique_settles_at_its_fixed_point() -> None:
    """0.15 / (1 - 0.85 * (1 + omega)) on every page."""
    for omega, value in [(0.0, 1.0), (0.10, 2.3077), (0.17, 27.2727)]:
        rank = ranked(graph_of(CLIQUE), omega=omega)
        rank.settle()
        assert rank.values(range(5)) == pytest.approx([value] * 5, rel=1e-4)
        exact = 0.15 / (1.0 - 0.85 * (1.0 + omega))
        assert rank.values(range(5)) == pytest.approx([exact] * 5, abs=1e-8)
    # The clique would be passed through a hundred thousand times; what is left is reported.
    rank = ranked(graph_of(CLIQUE), omega=0.17646)
    assert rank.pushes <= 5 * 500
    assert rank.error > 1.0
    exact = 0.15 / (1.0 - 0.85 * 1.17646)
    assert 0.0 < 5 * exact - rank.values(range(5)).sum() <= rank.error * (1 + 1e-9)


def test_settings_that_cannot_be_used() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"omega": 0.18}, r"omega is 0.18, .* damping 0.85 .* = 0.1765 on"),
        ({"damping": 0.5, "omega": 1.0}, "grows without end"),
        *(({"damping": each}, r"damping is .* between 0 and 1") for each in (0.0, 1.0, 1.5, nan)),
        *(
            ({"omega": each, "form": "normalised"}, r"omega is .* of 0 or more")
            for each in (-0.1, nan, inf)
        ),
        ({"form": "normalized"}, "did you mean 'normalised'"),
    ]
    for options, sentence in cases:
        with pytest.raises((SettingsError, UnknownNameError), match=sentence):
            LinkShares(**options)


@given(webs, st.sampled_from(["printed", "normalised"]))
@settings(max_examples=20, deadline=None)
def test_page_by_page_as_from_scratch(
    pages: list[tuple[int, list[tuple[int, float]]]], form: str
) -> None:
    """After every page, as good as the error says; settled, the same."""
    graph = LinkGraph()
    rank = TopicPageRank(graph, LinkShares(form=form))
    for page in pages:
        rank.add(*grow(graph, [page]))
        exact = np.array(slow_pagerank(graph, normalised=form == "normalised"))
        short = exact - rank.values(range(len(graph)))
        assert short.min() >= -1e-12
        assert short.sum() <= rank.error + 1e-12
    rank.settle(1e-11)
    assert rank.values(range(len(graph))) == pytest.approx(
        slow_pagerank(graph, normalised=form == "normalised"), abs=1e-10
    )


@given(webs, st.integers(0, 10))
@settings(max_examples=20, deadline=None)
def test_a_saved_rank_goes_on_bit_for_bit(
    pages: list[tuple[int, list[tuple[int, float]]]], cut: int
) -> None:
    graph = LinkGraph()
    rank = TopicPageRank(graph)
    for page in pages[:cut]:
        rank.add(*grow(graph, [page]))
    graph.lead("u11", "u3")
    rank.lead(graph.number("u11"))
    again = LinkGraph()
    again.restore(graph.state())
    restored = TopicPageRank(again)
    restored.add(again.add_page("forgotten", [], []))
    again.restore(graph.state())
    restored.restore(rank.state())
    for page in pages[cut:]:
        rank.add(*grow(graph, [page]))
        restored.add(*grow(again, [page]))
        assert (
            rank.values(range(len(graph))).tobytes() == restored.values(range(len(again))).tobytes()
        )
    rank.settle()
    restored.settle()
    first, second = rank.state(), restored.state()
    for key in first:
        one, two = first[key], second[key]
        assert isinstance(one, np.ndarray) and isinstance(two, np.ndarray)
        assert one.tobytes() == two.tobytes()


@given(webs, st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=6))
@settings(max_examples=20, deadline=None)
def test_links_to_what_redirects_count_for_where_it_leads(
    pages: list[tuple[int, list[tuple[int, float]]]], redirects: list[tuple[int, int]]
) -> None:
    """Whenever that becomes known, over several steps too, and never in a circle."""
    graph = LinkGraph()
    rank = TopicPageRank(graph, tolerance=1e-9)
    leads: dict[int, int] = {}
    for at in range(max(len(pages), len(redirects))):
        # A URL that was fetched as a page before does not redirect later.
        if at < len(redirects) and not graph.is_page(graph.number(f"u{redirects[at][0]}")):
            first, second = (f"u{number}" for number in redirects[at])
            graph.lead(first, second)
            url, target = graph.number(first), graph.number(second)
            rank.lead(url)
            while target in leads:
                target = leads[target]
            if url != target and url not in leads and not graph.is_page(url):
                leads[url] = target
        if at < len(pages):
            rank.add(*grow(graph, [pages[at]]))
    ends = {url: end(leads, url) for url in leads}
    rank.settle(1e-11)
    assert rank.values(range(len(graph))) == pytest.approx(
        slow_pagerank(graph, leads=ends), abs=1e-9
    )


def end(leads: dict[int, int], url: int) -> int:
    while url in leads:
        url = leads[url]
    return url


def test_a_dense_web_that_is_fetched_to_its_end() -> None:
    """Everything leads everywhere, so that each page comes back to all before it."""
    rng = np.random.default_rng(1)
    graph = LinkGraph()
    rank = TopicPageRank(graph, tolerance=1e-4)
    for page in rng.permutation(60).tolist():
        targets = [f"u{to}" for to in rng.integers(0, 60, 12).tolist()]
        rank.add(graph.add_page(f"u{page}", targets, rng.random(12).tolist()))
    exact = np.array(slow_pagerank(graph))
    short = exact - rank.values(range(60))
    assert 0.0 < short.sum() <= rank.error
    assert (short / exact).max() < 0.01
    # After its first time a page passes on more than the tolerance for each of its links.
    fewest = min(len(graph.links(page)) for page in range(60))
    assert 60 < rank.pushes < 60 + exact.sum() / (1e-4 * fewest)
    rank.settle(1e-11)
    assert rank.values(range(60)) == pytest.approx(exact, abs=1e-10)

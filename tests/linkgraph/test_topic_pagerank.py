"""PageRank page by page, against Eq. 15 worked by hand and iterated from scratch."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkgraph.slow_pagerank import Web, graph_of, slow_pagerank
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.linkgraph.graph import LinkGraph
from scenthound.linkgraph.link_shares import LinkShares, largest_omega
from scenthound.linkgraph.pagerank import TopicRank

FIVE = "abcde"
CLIQUE: Web = {page: [(other, 1.0) for other in FIVE if other != page] for page in FIVE}
webs = st.lists(
    st.tuples(
        st.integers(0, 7), st.lists(st.tuples(st.integers(0, 11), st.floats(0, 1)), max_size=8)
    ),
    max_size=10,
)
"""Pages and their links: to themselves, twice to one, to pages and to URLs that are none."""


def ranked(graph: LinkGraph, tolerance: float = 1e-9, form: str = "printed") -> TopicRank:
    rank = TopicRank(graph, form=form, tolerance=tolerance)
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


def test_normalised_by_hand() -> None:
    """Of 0.85 * 0.15 the relevant anchor carries 1.1 parts of 2.1."""
    graph = graph_of({"a": [("b", 1.0), ("c", 0.0)]})
    found = ranked(graph, form="normalised").values([1, 2])
    assert found == pytest.approx([0.15 + 0.1275 * 1.1 / 2.1, 0.15 + 0.1275 / 2.1])
    assert found.sum() == pytest.approx(0.3 + 0.1275)


@pytest.mark.parametrize(("omega", "value"), [(0.0, 1.0), (0.10, 2.3077), (0.17, 27.2727)])
def test_a_clique_settles_at_its_fixed_point(omega: float, value: float) -> None:
    """0.15 / (1 - 0.85 * (1 + omega)) on every page."""
    graph = graph_of(CLIQUE)
    rank = TopicRank(graph, omega=omega, tolerance=1e-9)
    for page in range(5):
        rank.add(page)
    rank.settle()
    assert rank.values(range(5)) == pytest.approx([value] * 5, rel=1e-4)
    exact = 0.15 / (1.0 - 0.85 * (1.0 + omega))
    assert rank.values(range(5)) == pytest.approx([exact] * 5, abs=1e-8)


def test_an_omega_without_a_fixed_point_is_refused() -> None:
    assert largest_omega(0.85) == pytest.approx(0.17647, abs=1e-5)
    with pytest.raises(SettingsError, match=r"omega is 0.18, .* damping 0.85 .* = 0.1765 on"):
        TopicRank(LinkGraph(), omega=0.18)
    with pytest.raises(SettingsError, match="grows without end"):
        TopicRank(LinkGraph(), damping=0.5, omega=1.0)


def test_the_normalised_form_takes_every_omega() -> None:
    rank = TopicRank(graph_of(CLIQUE), omega=50.0, form="normalised", tolerance=1e-9)
    for page in range(5):
        rank.add(page)
    rank.settle()
    assert rank.values(range(5)) == pytest.approx([1.0] * 5)


@pytest.mark.parametrize("damping", [0.0, 1.0, -0.1, 1.5, nan])
def test_a_damping_that_is_none(damping: float) -> None:
    with pytest.raises(SettingsError, match=r"damping is .*; give a number between 0 and 1"):
        LinkShares(damping)


@pytest.mark.parametrize("omega", [-0.1, nan, float("inf")])
def test_an_omega_that_is_none(omega: float) -> None:
    with pytest.raises(SettingsError, match=r"omega is .*; give a number of 0 or more"):
        LinkShares(omega=omega, form="normalised")


def test_other_settings_that_cannot_be_used() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'normalised'"):
        TopicRank(LinkGraph(), form="normalized")
    with pytest.raises(SettingsError, match=r"tolerance is 0.0; give a number above 0"):
        TopicRank(LinkGraph(), tolerance=0.0)


def test_relevances_that_are_none_do_no_harm() -> None:
    found = LinkShares().of(np.array([nan, -3.0, 7.0, 1.0]))
    assert found == pytest.approx([0.2125, 0.2125, 0.23375, 0.23375])


def test_nothing_at_all() -> None:
    graph = LinkGraph()
    rank = TopicRank(graph)
    rank.settle()
    assert rank.values([]).tolist() == []
    assert rank.error == 0.0
    graph.number("met")
    assert rank.values([0]) == pytest.approx([0.15])


def test_a_page_without_links_passes_nothing_on() -> None:
    rank = ranked(graph_of({"a": []}))
    assert rank.values([0]) == pytest.approx([0.15])
    assert rank.error == 0.0


@given(webs, st.sampled_from(["printed", "normalised"]))
def test_page_by_page_as_from_scratch(
    pages: list[tuple[int, list[tuple[int, float]]]], form: str
) -> None:
    """After every page, as good as the error says; settled, the same."""
    graph = LinkGraph()
    rank = TopicRank(graph, form=form, tolerance=1e-4)
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


@given(webs, st.floats(1e-6, 1e-2))
def test_the_error_that_the_tolerance_promises(
    pages: list[tuple[int, list[tuple[int, float]]]], tolerance: float
) -> None:
    graph = LinkGraph()
    rank = TopicRank(graph, tolerance=tolerance)
    for page in grow(graph, pages):
        rank.add(page)
    assert rank.error <= 0.935 / 0.065 * tolerance * graph.edges + 1e-12


@given(webs, st.integers(0, 10))
def test_a_saved_rank_goes_on_bit_for_bit(
    pages: list[tuple[int, list[tuple[int, float]]]], cut: int
) -> None:
    graph = LinkGraph()
    rank = TopicRank(graph)
    for page in pages[:cut]:
        rank.add(*grow(graph, [page]))
    graph.lead("u11", "u3")
    rank.lead(graph.number("u11"))
    again = LinkGraph()
    again.restore(graph.state())
    restored = TopicRank(again)
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


def test_a_page_added_twice_counts_once() -> None:
    graph = graph_of({"a": [("b", 0.0)], "b": []})
    rank = ranked(graph)
    before = rank.values([0, 1]).tolist()
    rank.add(0)
    assert rank.values([0, 1]).tolist() == before


def test_a_url_that_was_not_fetched_is_no_page_yet() -> None:
    graph = graph_of({"a": [("b", 0.0)]})
    rank = ranked(graph)
    rank.add(1)
    graph.add_page("b", ["a"], [0.0])
    rank.add(1)
    rank.settle()
    assert rank.values([0, 1]) == pytest.approx([1.0, 1.0])


def test_a_page_that_was_linked_to_before_passes_on_all_it_had() -> None:
    graph = graph_of({"a": [("b", 0.0)]})
    rank = ranked(graph)
    rank.add(graph.add_page("b", ["c"], [0.0]))
    b = 0.15 + 0.85 * 0.15
    assert rank.values([graph.number("c")]) == pytest.approx([0.15 + 0.85 * b])


@given(webs, st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=6))
def test_links_to_what_redirects_count_for_where_it_leads(
    pages: list[tuple[int, list[tuple[int, float]]]],
    redirects: list[tuple[int, int]],
) -> None:
    """Whenever that becomes known, over several steps too, and never in a circle."""
    graph = LinkGraph()
    rank = TopicRank(graph, tolerance=1e-9)
    leads: dict[int, int] = {}
    for at in range(max(len(pages), len(redirects))):
        if at < len(redirects):
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


def test_passing_on_is_bounded_next_to_the_limit() -> None:
    """The clique would be passed through a hundred thousand times; what is left is told."""
    graph = graph_of(CLIQUE)
    rank = TopicRank(graph, omega=0.17646, tolerance=1e-9)
    for page in range(5):
        rank.add(page)
    assert rank.passings <= 5 * 500
    assert rank.error > 1.0
    exact = 0.15 / (1.0 - 0.85 * 1.17646)
    assert 0.0 < 5 * exact - rank.values(range(5)).sum() <= rank.error * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_dense_web_that_is_fetched_to_its_end(seed: int) -> None:
    """Everything leads everywhere, so that each page comes back to all before it."""
    rng = np.random.default_rng(seed)
    graph = LinkGraph()
    rank = TopicRank(graph, tolerance=1e-4)
    for page in rng.permutation(60).tolist():
        targets = [f"u{to}" for to in rng.integers(0, 60, 12).tolist()]
        rank.add(graph.add_page(f"u{page}", targets, rng.random(12).tolist()))
    exact = np.array(slow_pagerank(graph))
    short = exact - rank.values(range(60))
    assert 0.0 < short.sum() <= rank.error
    assert (short / exact).max() < 0.01
    # After its first time a page passes on more than the tolerance for each of its links.
    fewest = min(len(graph.links(page)) for page in range(60))
    assert 60 < rank.passings < 60 + exact.sum() / (1e-4 * fewest)
    rank.settle(1e-11)
    assert rank.values(range(60)) == pytest.approx(exact, abs=1e-10)

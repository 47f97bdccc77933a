"""The graph of pages and links: numbers, links, redirects, and all of it saved."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.linkgraph.graph import LinkGraph

A, B, C = (f"http://a.test/{name}" for name in "abc")


def test_urls_are_numbered_as_they_are_met() -> None:
    graph = LinkGraph()
    assert graph.add_page(B, [A, C], [0.1, 0.2]) == 0
    assert [graph.find(url) for url in (A, B, C)] == [1, 0, 2]
    assert graph.number(A) == 1
    assert graph.url(2) == C
    assert graph.find("http://a.test/never") is None
    assert (len(graph), graph.pages, graph.edges) == (3, 1, 2)


def test_a_number_for_a_url_that_was_never_met() -> None:
    graph = LinkGraph()
    assert (graph.number(A), graph.number(B), len(graph)) == (0, 1, 2)
    assert not graph.is_page(0)
    assert len(graph.links(0)) == 0


def test_of_two_links_to_one_target_the_best_anchor_counts() -> None:
    graph = LinkGraph()
    page = graph.add_page(A, [B, C, B], [0.1, 0.3, 0.2])
    links = graph.links(page)
    assert [graph.url(number) for number in links.targets.tolist()] == [B, C]
    assert links.anchors.tolist() == [0.2, 0.3]
    assert len(links) == graph.edges == 2


def test_a_link_to_the_page_itself_is_none() -> None:
    graph = LinkGraph()
    page = graph.add_page(A, [A, A], [1.0, 1.0])
    assert len(graph.links(page)) == 0
    assert graph.is_page(page)
    assert (len(graph), graph.edges) == (1, 0)


def test_a_page_keeps_its_first_links() -> None:
    graph = LinkGraph()
    page = graph.add_page(A, [B], [0.5])
    assert graph.add_page(A, [C], [0.9]) == page
    assert graph.links(page).targets.tolist() == [graph.number(B)]
    assert graph.edges == 1


def test_every_target_needs_its_anchor() -> None:
    with pytest.raises(ValueError, match="shorter"):
        LinkGraph().add_page(A, [B, C], [0.5])


def test_where_urls_lead() -> None:
    graph = LinkGraph()
    graph.lead(A, B)
    graph.lead(C, C)
    assert graph.where(graph.number(A)) == graph.number(B)
    assert graph.where(graph.number(B)) == graph.number(B)
    assert graph.where(graph.number(C)) == graph.number(C)


def test_a_saved_graph_comes_back() -> None:
    graph = LinkGraph()
    graph.add_page(A, [B, C], [0.1, 0.7])
    graph.add_page(C, [], [])
    graph.add_page(B, [A], [0.4])
    graph.lead("http://a.test/old", B)
    again = LinkGraph()
    again.restore(graph.state())
    assert (len(again), again.pages, again.edges) == (4, 3, 3)
    for number in range(4):
        assert again.url(number) == graph.url(number)
        assert again.find(graph.url(number)) == number
        assert again.is_page(number) == graph.is_page(number)
        assert again.where(number) == graph.where(number)
        one, two = graph.links(number), again.links(number)
        assert one.targets.tobytes() == two.targets.tobytes()
        assert one.anchors.tobytes() == two.anchors.tobytes()
    assert again.add_page("http://a.test/new", [A], [0.2]) == 4


def test_an_empty_graph_is_saved_too() -> None:
    graph, again = LinkGraph(), LinkGraph()
    again.add_page(A, [B], [0.5])
    again.lead(C, A)
    again.restore(graph.state())
    assert (len(again), again.pages, again.edges) == (0, 0, 0)
    assert all(isinstance(value, np.ndarray) for value in graph.state().values())
    assert again.number(C) == again.where(0) == 0


def test_a_graph_of_urls_alone_is_saved_too() -> None:
    graph, again = LinkGraph(), LinkGraph()
    graph.number(A)
    again.restore(graph.state())
    assert (len(again), again.pages, again.url(0)) == (1, 0, A)

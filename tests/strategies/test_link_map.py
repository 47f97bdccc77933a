"""The four objectives of links (olmoaco Eq. 11-15), by hand on four pages."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.strategies.link_map import OBJECTIVES, LinkMap


def mapped() -> LinkMap:
    """``a`` links to ``b`` and ``c``, ``b`` to ``c`` and ``d``; ``c`` and ``d`` wait."""
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (0.5, 0.6), "c": (0.2, 0.2)})
    links.add_page("b", 0.4, {"c": (0.6, 0.7), "d": (0.0, 0.3)})
    return links


def numbers(links: LinkMap, urls: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([links.graph.number(url) for url in urls], np.int32)


def row(links: LinkMap, url: str) -> dict[str, float]:
    (values,) = links.objectives(numbers(links, url)).tolist()
    return dict(zip(OBJECTIVES, values, strict=True))


def test_four_objectives_by_hand() -> None:
    links = mapped()
    rank_a = 0.15
    rank_b = 0.15 + 0.85 * rank_a / 2 * (1 + 0.1 * 0.5)
    from_a, from_b = rank_a / 2 * (1 + 0.1 * 0.2), rank_b / 2 * (1 + 0.1 * 0.6)
    expected = {
        "a": {"anchor": 0.0, "page": 0.0, "target": 0.8, "rank": rank_a},
        "b": {"anchor": 0.5, "page": 0.8, "target": 0.4, "rank": rank_b},
        "c": {"anchor": 0.4, "page": 0.6, "target": 0.7, "rank": 0.15 + 0.85 * (from_a + from_b)},
        "d": {"anchor": 0.0, "page": 0.4, "target": 0.3, "rank": 0.15 + 0.85 * rank_b / 2},
    }
    for url, values in expected.items():
        assert row(links, url) == pytest.approx(values, abs=1e-9), url


def test_target_is_as_promised_until_it_is_fetched() -> None:
    links = mapped()
    assert links.relevance(links.graph.number("c")) is None
    links.add_page("c", 0.1, {})
    assert links.relevance(links.graph.number("c")) == 0.1
    assert links.relevances(numbers(links, "abcd")).tolist() == [0.8, 0.4, 0.1, 0.3]


def test_no_links_have_no_objectives() -> None:
    assert LinkMap().objectives(numbers(LinkMap(), "")).shape == (0, 4)


def test_page_is_entered_once() -> None:
    links = mapped()
    before = links.objectives(numbers(links, "abcd")).tolist()
    links.add_page("b", 0.9, {"c": (1.0, 1.0), "a": (1.0, 1.0)})
    assert links.objectives(numbers(links, "abcd")).tolist() == before


def test_what_waits() -> None:
    links = mapped()
    assert links.urls(links.waiting().tolist()) == ["c", "d"]
    assert links.urls(links.pages()) == ["a", "b"]
    links.close(links.graph.number("c"))
    assert links.urls(links.waiting().tolist()) == ["d"]
    assert links.are_waiting(numbers(links, "abcd")).tolist() == [False, False, False, True]
    assert [links.is_waiting(n) for n in numbers(links, "abcd").tolist()] == [False] * 3 + [True]


def test_url_that_nobody_links_to_does_not_wait() -> None:
    links = mapped()
    links.graph.number("seed")
    assert links.urls(links.waiting().tolist()) == ["c", "d"]


def test_page_that_was_given_up_and_comes_all_the_same() -> None:
    links = mapped()
    links.close(links.graph.number("c"))
    links.add_page("c", 0.5, {"d": (0.1, 0.1)})
    assert not links.is_gone(links.graph.number("c"))
    assert links.urls(links.waiting().tolist()) == ["d"]


def test_redirect_leads_to_the_page() -> None:
    links = mapped()
    links.lead("c", "e")
    links.add_page("e", 0.9, {})
    assert links.urls(links.ends(numbers(links, "bcd")).tolist()) == ["b", "e", "d"]
    assert links.is_gone(links.graph.number("c"))
    before = row(links, "e")["rank"]
    assert before == pytest.approx(row(mapped(), "c")["rank"])


def test_redirect_to_itself_is_none() -> None:
    links = mapped()
    links.lead("c", "c")
    assert links.is_waiting(links.graph.number("c"))


def test_what_spoke_for_a_url_speaks_for_where_it_moved() -> None:
    links = mapped()
    told = row(links, "c")
    old, new = links.moved("c", "e")
    assert (links.graph.url(old), links.graph.url(new)) == ("c", "e")
    assert row(links, "e") == pytest.approx(told)
    assert links.urls(links.waiting().tolist()) == ["d", "e"]


def test_what_was_linked_to_before_keeps_what_spoke_for_it() -> None:
    links = mapped()
    told = row(links, "d")
    links.moved("c", "d")
    now = row(links, "d")
    assert {**now, "rank": told["rank"]} == told
    assert now["rank"] > told["rank"]


def test_state_goes_on() -> None:
    links, fresh = mapped(), LinkMap()
    links.moved("d", "e")
    links.close(links.graph.number("c"))
    fresh.restore(links.state())
    for each in (links, fresh):
        each.add_page("e", 0.3, {"f": (0.2, 0.4), "a": (0.1, 0.1)})
    everything = numbers(links, "abcdef")
    assert fresh.objectives(everything).tolist() == links.objectives(everything).tolist()
    assert fresh.waiting().tolist() == links.waiting().tolist()
    assert fresh.ends(everything).tolist() == links.ends(everything).tolist()


def test_empty_map_can_be_saved() -> None:
    fresh = LinkMap()
    fresh.restore(LinkMap().state())
    assert fresh.waiting().tolist() == [] and fresh.pages() == []


def test_map_of_many_links_grows() -> None:
    links = LinkMap()
    urls = [f"u{n}" for n in range(3_000)]
    for number in range(3):
        links.add_page(f"p{number}", 0.5, dict.fromkeys(urls, (0.1 * number, 0.2)))
    assert len(links.waiting()) == 3_000
    (anchor,) = set(links.objectives(links.waiting())[:, 0].round(9).tolist())
    assert anchor == pytest.approx(0.1)


def operations(known: int) -> int:
    """How often one more page of ten links makes a page pass rank on, in a map of that size."""
    links = LinkMap()
    for page in range(known):
        links.add_page(f"p{page}", 0.5, {f"p{page * 7 % known}": (0.5, 0.5), f"n{page}": (0, 0)})
    before = links.rank.passings
    links.add_page("last", 0.5, {f"p{n}": (0.5, 0.5) for n in range(10)})
    return links.rank.passings - before


def test_page_costs_no_more_on_a_larger_map() -> None:
    assert operations(2_000) <= operations(200) + 50

from __future__ import annotations

from scenthound.seeding.found import LONGEST_SNIPPET, LONGEST_TITLE, Found, found_at
from scenthound.seeding.proposal import HOST_DISCOUNT, Basis, Kind, Proposal, chosen, grouped


def proposal(url: str, score: float, basis: Basis = Basis.TITLE) -> Proposal:
    return Proposal(url, score=score, basis=basis)


def test_what_strangers_say_is_bounded_and_in_one_line() -> None:
    found = found_at("http://A.test/ ", "feeds", "a\n b" * 10_000, "x" * 10_000_000, 2, "2024-05 z")
    assert found is not None
    assert (found.url, found.rank, found.modified) == ("http://a.test/", 2, "2024-05")
    assert len(found.title) <= LONGEST_TITLE and len(found.snippet) <= LONGEST_SNIPPET
    assert "\n" not in found.title


def test_no_http_address_is_nothing() -> None:
    for href in ("", None, 7, "mailto:x@a.test", "http://", "x" * 1_000_000):
        assert found_at(href, "feeds") is None
    assert found_at("1", "feeds", base="http://a.test/x/") == Found("http://a.test/x/1", "feeds")


def test_an_address_found_twice_is_one_group() -> None:
    first, second = Found("http://a.test/1", "feeds", "One"), Found("http://a.test/1", "searxng")
    other = Found("http://a.test/2", "feeds")
    assert grouped([first, other, second]) == [(first, second), (other,)]
    assert grouped([]) == []


def test_the_best_come_first_and_a_host_counts_less_each_time() -> None:
    many = [proposal(f"http://a.test/{n}", 0.9) for n in range(5)]
    lone = proposal("http://b.test/", 0.9 * HOST_DISCOUNT**2 - 0.01)
    best = chosen([*many, lone], 4)
    assert [each.url for each in best] == [
        "http://a.test/0", "http://a.test/1", "http://a.test/2", "http://b.test/",
    ]  # fmt: skip


def test_one_host_alone_may_have_them_all() -> None:
    many = [proposal(f"http://a.test/{n}", 0.1 * n) for n in range(5)]
    assert [each.score for each in chosen(many, 9)] == [0.4, 0.30000000000000004, 0.2, 0.1, 0.0]
    assert chosen(many, 0) == [] == chosen([], 5)


def test_those_judged_by_their_text_come_before_the_others() -> None:
    weak = proposal("http://a.test/", 0.2, Basis.TEXT)
    strong = proposal("http://b.test/", 0.9)
    assert chosen([strong, weak], 2) == [weak, strong]


def test_json_has_every_field() -> None:
    told = Proposal("http://a.test/", Kind.BOTH, 0.123456, Basis.TEXT, "A", ("feeds",), 7, "2024")
    assert told.to_json() == {
        "url": "http://a.test/", "kind": "both", "score": 0.1235, "basis": "text", "title": "A",
        "sources": ["feeds"], "topical_links": 7, "modified": "2024",
    }  # fmt: skip

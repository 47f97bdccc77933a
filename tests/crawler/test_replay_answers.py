"""What an archive may answer, and that the same crawl is the same crawl."""

from __future__ import annotations

from crawler.web_building import HTML, Plant, at, page, raw
from scenthound.sample.responses import Response


def test_missing_target_is_journalled_and_costs_a_fetch_only_where_asked(plant: Plant) -> None:
    web = plant(page("/", "/gone", "/a"), page("/a"))
    crawl = web.crawl(budget="2")
    assert (crawl.paths, crawl.run.missing) == (["/", "/a"], 1)
    assert crawl.events("missing") == [{"event": "missing", "count": 1, "urls": [at("/gone")]}]
    charged = web.crawl(budget="2", count_missing=True)
    assert (charged.paths, charged.run.missing) == (["/"], 1)
    assert charged.run.stopped == "budget spent"


def test_archived_error_costs_a_fetch_and_its_links_are_not_read(plant: Plant) -> None:
    web = plant(page("/", "/bad", "/a"), page("/bad", "/b", status=404), page("/a"), page("/b"))
    crawl = web.crawl(budget="2")
    assert (crawl.paths, crawl.run.failed) == (["/", "/bad"], 1)
    assert web.crawl().paths == ["/", "/bad", "/a"]


def test_odd_body_is_a_fetch_and_the_crawl_goes_on(plant: Plant) -> None:
    cases: list[tuple[bytes, str]] = [
        (b"", "text/html"),
        (b"%PDF-1.4 storm", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\x00", "text/html"),
        (b"\x00\xff" * 5_000, ""),
        (b"<a href=x>" * 20_000 + b"<b>" * 20_000, "text/html"),
        (b"storm " * 200_000, "text/html"),
    ]
    for body, kind in cases:
        web = plant(page("/", "/odd", "/a"), raw("/odd", body, kind), page("/a"))
        assert web.crawl("vsm").paths == ["/", "/odd", "/a"]


def test_links_of_a_page_that_says_nofollow_are_dropped(plant: Plant) -> None:
    tag = (*HTML, ("X-Robots-Tag", "nofollow"))
    crawl = plant(page("/", "/a", headers=tag), page("/a")).crawl()
    assert crawl.paths == ["/"]
    assert crawl.events("page")[0]["dropped"] == {"nofollow": [1, [at("/a")]]}


def test_excluded_links_are_dropped_and_counted(plant: Plant) -> None:
    crawl = plant(page("/", "/a", "/b"), page("/a"), page("/b")).crawl(exclude=["*/a"])
    assert crawl.paths == ["/", "/b"]
    assert crawl.events("page")[0]["dropped"] == {"excluded": [1, [at("/a")]]}


def mesh() -> list[Response]:
    """Twenty pages, each with a word of its own, that all link to each other."""
    links = [(f"/{n}", f"word{n}") for n in range(20)]
    return [page(f"/{n}", *links, text=f"storm word{n}") for n in range(20)]


def test_same_seed_same_order_and_same_bytes_of_journal(plant: Plant) -> None:
    for strategy in ("random", "vsm-mean", "shark"):
        first = plant(*mesh()).crawl(strategy, seeds=["/0"], seed=7)
        second = plant(*mesh()).crawl(strategy, seeds=["/0"], seed=7)
        assert len(first.paths) == 20
        assert first.paths == second.paths
        assert first.journal == second.journal


def test_another_seed_gives_another_random_order(plant: Plant) -> None:
    web = plant(*mesh())
    orders = {tuple(web.crawl("random", seeds=["/0"], seed=seed).paths) for seed in range(4)}
    assert len(orders) == 4

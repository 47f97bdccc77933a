"""What an archive may answer, redirects among it, and that the same crawl is the same crawl."""

from __future__ import annotations

from crawler.web_building import HTML, Plant, at, labelled, moved, page, raw


def test_missing_targets_and_archived_errors(plant: Plant) -> None:
    web = plant(page("/", "/gone", "/a"), page("/a"))
    crawl = web.crawl(budget="2")
    assert (crawl.paths, crawl.run.missing) == (["/", "/a"], 1)
    assert crawl.events("missing") == [{"event": "missing", "count": 1, "urls": [at("/gone")]}]
    charged = web.crawl(budget="2", count_missing=True)
    assert (charged.paths, charged.run.missing) == (["/"], 1)
    assert charged.run.stopped == "budget spent"
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


def test_nofollow_and_excluded_links_are_dropped_and_counted(plant: Plant) -> None:
    tag = (*HTML, ("X-Robots-Tag", "nofollow"))
    crawl = plant(page("/", "/a", headers=tag), page("/a")).crawl()
    assert crawl.paths == ["/"]
    assert crawl.events("page")[0]["dropped"] == {"nofollow": [1, [at("/a")]]}
    crawl = plant(page("/", "/a", "/b"), page("/a"), page("/b")).crawl(exclude=["*/a"])
    assert crawl.paths == ["/", "/b"]
    assert crawl.events("page")[0]["dropped"] == {"excluded": [1, [at("/a")]]}


def test_the_seed_decides_the_order_and_the_bytes_of_the_journal(plant: Plant) -> None:
    # Twenty pages, each with a word of its own, that all link to each other.
    links = [(f"/{n}", f"word{n}") for n in range(20)]
    mesh = [page(f"/{n}", *links, text=f"storm word{n}") for n in range(20)]
    web = plant(*mesh)
    for strategy in ("random", "vsm-mean", "shark"):
        first = web.crawl(strategy, seeds=["/0"], seed=7)
        second = plant(*mesh).crawl(strategy, seeds=["/0"], seed=7)
        assert len(first.paths) == 20
        assert first.paths == second.paths
        assert first.journal == second.journal
    orders = {tuple(web.crawl("random", seeds=["/0"], seed=seed).paths) for seed in range(4)}
    assert len(orders) == 4


# A redirect's hop costs nothing, its target one fetch, and no page is fetched twice.


def test_hops_are_free_and_the_target_costs_one_fetch(plant: Plant) -> None:
    web = plant(page("/", "/old"), moved("/old", at("/new")), page("/new", "/last"), page("/last"))
    crawl = web.crawl(budget="2")
    assert crawl.paths == ["/", "/new"]
    assert crawl.run.stopped == "budget spent"
    assert crawl.events("page")[1]["redirects"] == [at("/old")]
    web = plant(
        page("/", "/a/one"), moved("/a/one", "two"), moved("/a/two", "../three"), page("/three")
    )
    crawl = web.crawl()
    assert crawl.paths == ["/", "/three"]
    assert crawl.events("page")[1]["redirects"] == [at("/a/one"), at("/a/two")]


def test_redirects_that_lead_to_no_page_are_one_failed_fetch_and_the_crawl_goes_on(
    plant: Plant,
) -> None:
    loop = [moved("/one", "/two"), moved("/two", "/one")]
    endless = [moved("/one", "/2"), *(moved(f"/{n}", f"/{n + 1}") for n in range(2, 30))]
    nowhere = [moved("/one", "mailto:me@w.test")]
    for hops, last in ((loop, "/two"), (endless, "/11"), (nowhere, "/one")):
        crawl = plant(page("/", "/one", "/z"), *hops, page("/z")).crawl()
        assert crawl.paths == ["/", last, "/z"]
        assert (crawl.run.fetched, crawl.run.failed) == (3, 1)


def test_target_fetched_before_costs_nothing_and_is_journalled(plant: Plant) -> None:
    web = plant(page("/", "/new", "/old", "/z"), page("/new"), moved("/old", "/new"), page("/z"))
    crawl = web.crawl(budget="3")
    assert crawl.paths == ["/", "/new", "/z"]
    assert crawl.events("redirect") == [
        {"event": "redirect", "url": at("/old"), "target": at("/new"), "reason": "fetched before"}
    ]


def test_redirects_out_of_the_archive_or_into_what_is_excluded(plant: Plant) -> None:
    crawl = plant(page("/", "/a"), moved("/a", "http://elsewhere.test/")).crawl()
    assert (crawl.paths, crawl.run.missing) == (["/"], 1)
    web = plant(page("/", "/old"), moved("/old", "/secret/page"), page("/secret/page"))
    crawl = web.crawl("breadth-first", exclude=["*/secret/*"])
    assert crawl.paths == ["/"]
    assert [e["reason"] for e in crawl.events("redirect")] == ["excluded"]


def test_label_on_a_redirect_is_one_on_its_target(plant: Plant) -> None:
    for links in (("/new", "/old"), ("/old",)):
        web = plant(page("/", *links), page("/new"), moved("/old", "/new"))
        for labels in (labelled("/old"), labelled("/old", "/new")):
            run = web.crawl(labels=labels, budget="2").run
            assert (run.labelled_pages, run.final.labelled) == (1, 1)
            assert (run.final.target_recall, run.final.labelled_harvest) == (1.0, 0.5)
    web = plant(page("/", "/dull", "/old"), page("/dull"), moved("/old", "/new"), page("/new"))
    assert web.crawl("oracle", labels=labelled("/old")).paths == ["/", "/new", "/dull"]

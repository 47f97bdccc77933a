"""A redirect's hop costs nothing, its target one fetch, and no page is fetched twice."""

from __future__ import annotations

from crawler.web_building import Plant, at, labelled, moved, page


def test_hop_is_free_and_the_target_costs_one_fetch(plant: Plant) -> None:
    web = plant(page("/", "/old"), moved("/old", at("/new")), page("/new", "/last"), page("/last"))
    crawl = web.crawl(budget="2")
    assert crawl.paths == ["/", "/new"]
    assert crawl.run.stopped == "budget spent"
    assert crawl.events("page")[1]["redirects"] == [at("/old")]


def test_chain_of_two_with_relative_locations(plant: Plant) -> None:
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


def test_redirect_out_of_the_archive_is_missing(plant: Plant) -> None:
    crawl = plant(page("/", "/a"), moved("/a", "http://elsewhere.test/")).crawl()
    assert (crawl.paths, crawl.run.missing) == (["/"], 1)


def test_label_on_a_redirect_is_one_on_its_target(plant: Plant) -> None:
    for links in (("/new", "/old"), ("/old",)):
        web = plant(page("/", *links), page("/new"), moved("/old", "/new"))
        for labels in (labelled("/old"), labelled("/old", "/new")):
            run = web.crawl(labels=labels, budget="2").run
            assert (run.labelled_pages, run.final.labelled) == (1, 1)
            assert (run.final.target_recall, run.final.labelled_harvest) == (1.0, 0.5)


def test_oracle_follows_a_link_to_a_labelled_redirect(plant: Plant) -> None:
    web = plant(page("/", "/dull", "/old"), page("/dull"), moved("/old", "/new"), page("/new"))
    assert web.crawl("oracle", labels=labelled("/old")).paths == ["/", "/new", "/dull"]


def test_redirect_into_what_is_excluded_is_turned_away(plant: Plant) -> None:
    web = plant(page("/", "/old"), moved("/old", "/secret/page"), page("/secret/page"))
    crawl = web.crawl("breadth-first", exclude=["*/secret/*"])
    assert crawl.paths == ["/"]
    assert [e["reason"] for e in crawl.events("redirect")] == ["excluded"]

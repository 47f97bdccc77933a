"""Training links of a crawl folder: the pages of the crawl, read again in order."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.corpus_making import live_folder
from engines.web_building import Field, Plant, at, moved, page, raw
from scenthound.core.errors import ArchiveError
from scenthound.core.model import Link, Score, Topic
from scenthound.experiments.runner import run
from scenthound.tuning.collecting import COPY, UNFETCHED, UNLINKED, UNREADABLE
from scenthound.tuning.first_links import FirstLinks
from tuning.link_making import STORMS, collected, collected_again, hub, ways


def crawled(field: Field, strategy: str = "breadth-first", budget: str = "100") -> Path:
    job = field.job(strategy, budget=budget, out=field.folder / strategy)
    assert job.out is not None
    run(field.archive, job)
    return job.out


@pytest.mark.parametrize("model", ["vsm", "soft-svsm"])
@pytest.mark.parametrize("structure", [False, True])
def test_a_breadth_first_crawl_gives_the_links_of_its_archive(
    plant: Plant, model: str, structure: bool
) -> None:
    field = plant(
        *hub(9),
        moved("/old", "/p2"),
        raw("/p20", b"<title>x</title><a href=/old>storm</a><a href=/p21>p</a>"),
    )
    folder = crawled(field)
    for links in (100, 3):
        again = collected_again(folder, links=links, model=model, structure=structure)
        fresh = collected(field, links=links, model=model, structure=structure)
        assert again.links == fresh.links


def test_redirects_and_pages_without_text_are_read_alike(plant: Plant) -> None:
    field = plant(
        page("/", ("/old", "moved"), ("/new", "direct"), ("/bare", "bare"), ("/err", "err")),
        moved("/old", "/new"), page("/new", text="storm"), page("/err", status=404),
        raw("/bare", b"<a href=/a></a>"), page("/a", text="a"),
    )  # fmt: skip
    again, fresh = collected_again(crawled(field)), collected(field)
    assert again.links == fresh.links
    assert ways(again)[0] == ("/", "/new", "moved")
    assert ways(again)[1][:2] == ("/bare", "/a")
    assert again.left_out == fresh.left_out == {UNREADABLE: 2}
    assert again.fetched == fresh.fetched == 5


def test_a_focused_crawl_gives_links_in_its_own_order(plant: Plant) -> None:
    field = plant(*hub(9))
    found = collected_again(crawled(field, "vsm"))
    assert [way[1] for way in ways(found)][:4] == ["/p0", "/deep", "/p3", "/p6"]
    assert ways(found)[1] == ("/p0", "/deep", "storm")


def test_what_the_crawl_did_not_fetch_is_counted(plant: Plant) -> None:
    found = collected_again(crawled(plant(*hub(9)), budget="4"))
    assert (len(found.links), found.left_out, found.fetched) == (3, {UNFETCHED: 7}, 4)


def test_another_topic_may_be_asked_for(plant: Plant) -> None:
    folder = crawled(plant(*hub(9)))
    own = collected_again(folder)
    cakes = collected_again(folder, Topic("cakes", keywords=("cake",)))
    assert (own.links.topic, cakes.links.topic) == ("storms", "cakes")
    assert own.links.links[0].relevance > 0.0 == cakes.links.links[0].relevance
    assert cakes.links.links[1].relevance > 0.0 == own.links.links[1].relevance
    assert collected_again(folder, STORMS).links == own.links


def test_an_archive_that_is_gone_is_told(plant: Plant) -> None:
    field = plant(*hub(3))
    folder = crawled(field)
    field.archive.path.unlink()
    with pytest.raises(ArchiveError, match=r"is gone: put it back\.$"):
        collected_again(folder)


@pytest.fixture(scope="module")
def live_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_folder(tmp_path_factory.mktemp("tuning") / "live")


def test_pages_of_a_live_crawl(live_crawl: Path) -> None:
    found = collected_again(live_crawl)
    paths = [link.target.rpartition("/")[2] for link in found.links.links]
    assert sorted(paths) == ["2", "new", "off"]
    assert found.left_out == {COPY: 1, UNREADABLE: 1}
    assert {link.source.rpartition("/")[2] for link in found.links.links} == {""}
    by_path = dict(zip(paths, found.links.links, strict=True))
    assert by_path["new"].anchor == "more on /old"
    assert by_path["new"].relevance > by_path["off"].relevance == 0.0


def test_pages_whose_bodies_are_lost_are_counted(live_crawl: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(live_crawl, copy)
    for segment in copy.glob("pages-*.warc.gz"):
        segment.write_bytes(b"")
    found = collected_again(copy)
    assert len(found.links) == 0
    assert found.left_out == {COPY: 1, UNREADABLE: 4}


def test_a_page_without_a_known_link_is_counted(plant: Plant) -> None:
    field = plant(page("/", "/a"), page("/a", "/b", text="a"), page("/b", text="b"))
    folder = crawled(field)
    journal = folder / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines() if f'"{at("/a")}"' not in line]
    journal.write_text("\n".join(lines) + "\n")
    found = collected_again(folder)
    assert (len(found.links), found.left_out) == (0, {UNLINKED: 1, UNFETCHED: 1})


def test_the_first_link_to_any_of_its_addresses_is_a_pages_link() -> None:
    first, score = FirstLinks(), Score(0.5)
    first.note("s1", [Link("u", "one"), Link("u", "two"), Link("v", "three")], [score] * 3)
    first.note("s2", [Link("u", "four"), Link("w", "five")], [score] * 2)
    assert len(first) == 3
    found = first.fetch(("w", "u", "x"))
    assert found is not None
    assert (found.source, found.anchor, found.pages) == ("s1", "one", 2)
    first.note("s3", [Link("x", "six"), Link("v", "seven")], [score] * 2)
    assert len(first) == 1 and first.fetch(("x",)) is None


def test_the_links_of_a_crawl_do_not_depend_on_its_topics_seeds(plant: Plant) -> None:
    folder = crawled(plant(*hub(4)))
    moved_seeds = replace(STORMS, seeds=())
    assert collected_again(folder, moved_seeds).links == collected_again(folder).links

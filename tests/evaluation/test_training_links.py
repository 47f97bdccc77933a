"""Training links of a crawl folder: the pages of the crawl, read again in order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.web_building import Field, Plant, at, moved, page, raw
from evaluation.link_making import STORMS, collected, collected_again, hub, made_links, ways
from output.corpus_making import live_folder
from scenthound.core.errors import ArchiveError, ScenthoundWarning, UnknownNameError
from scenthound.core.model import Link, Score
from scenthound.crawler.replay import run_job
from scenthound.evaluation import link_collection as linking
from scenthound.evaluation import training_links as training
from scenthound.evaluation.link_collection import FirstLinks, links_of_archive
from scenthound.similarity.link_priority import TEXTS

pytestmark = pytest.mark.filterwarnings("ignore:.* links of the .* wanted")


def crawled(field: Field, strategy: str = "breadth-first", budget: str = "100") -> Path:
    job = field.job(strategy, budget=budget, out=field.folder / strategy)
    assert job.out is not None
    run_job(field.archive, job)
    return job.out


def test_a_crawl_gives_the_links_of_its_archive(plant: Plant) -> None:
    page20 = b"<title>x</title><a href=/old>storm</a><a href=/p21>p</a>"
    field = plant(*hub(9), moved("/old", "/p2"), raw("/p20", page20))
    folder = crawled(field)
    for model, structure, links in (
        ("vsm", True, 100),
        ("soft-svsm", False, 100),
        ("vsm", False, 3),
    ):
        again = collected_again(folder, links=links, model=model, structure=structure)
        fresh = collected(field, links=links, model=model, structure=structure)
        assert again.links == fresh.links
    field = plant(
        page("/", ("/old", "moved"), ("/new", "direct"), ("/bare", "bare"), ("/err", "err")),
        moved("/old", "/new"), page("/new", text="storm"), page("/err", status=404),
        raw("/bare", b"<a href=/a></a>"), page("/a", text="a"),
    )  # fmt: skip
    again, fresh = collected_again(crawled(field)), collected(field)
    assert again.links == fresh.links
    assert ways(again)[0] == ("/", "/new", "moved")
    assert ways(again)[1][:2] == ("/bare", "/a")
    assert again.left_out == fresh.left_out == {linking.UNREADABLE: 2}
    assert again.fetched == fresh.fetched == 5


def test_pages_of_a_live_crawl_and_pages_without_a_known_link(tmp_path: Path, plant: Plant) -> None:
    found = collected_again(live_folder(tmp_path / "live"))
    paths = [link.target.rpartition("/")[2] for link in found.links.links]
    assert sorted(paths) == ["2", "new", "off"]
    assert found.left_out == {linking.COPY: 1, linking.UNREADABLE: 1}
    assert {link.source.rpartition("/")[2] for link in found.links.links} == {""}
    by_path = dict(zip(paths, found.links.links, strict=True))
    assert by_path["new"].anchor == "more on /old"
    assert by_path["new"].relevance > by_path["off"].relevance == 0.0
    field = plant(page("/", "/a"), page("/a", "/b", text="a"), page("/b", text="b"))
    folder = crawled(field)
    journal = folder / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines() if f'"{at("/a")}"' not in line]
    journal.write_text("\n".join(lines) + "\n")
    found = collected_again(folder)
    assert (len(found.links), found.left_out) == (
        0,
        {linking.UNLINKED: 1, linking.UNFETCHED: 1},
    )
    field.archive.path.unlink()
    with pytest.raises(ArchiveError, match=r"is gone: put it back\.$"):
        collected_again(folder)


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


# Which links of a web are training links, what they are worth, and what is reported of the others.


def test_a_link_has_the_values_of_its_texts_and_of_structure(plant: Plant) -> None:
    field = plant(
        page("/", ("/a", "storm"), ("/b", "cake"), text="home", title="storm"),
        page("/a", text="storm"),
        page("/b", text="cake"),
    )
    found = collected(field)
    assert found.links.names == TEXTS
    storm, cake = found.links.links
    full = storm.values[0]
    assert storm == training.TrainingLink(at("/"), at("/a"), "storm", (full, 1.0, 1.0, 1.0), 1.0)
    assert cake == training.TrainingLink(at("/"), at("/b"), "cake", (full, 1.0, 0.0, 0.0), 0.0)
    assert 0.0 < full < 1.0
    assert (found.links.topic, found.links.model) == ("storms", "vsm")
    field = plant(
        page("/", "/a", "/b", text="storm"), page("/a", "/b", text="cake"), page("/b", text="b"),
    )  # fmt: skip
    found = collected(field, structure=True)
    assert found.links.names == (*TEXTS, "host", "source", "inlinks")
    a, b = (link.values for link in found.links.links)
    assert a[-1] == 1 / 2 and b[-1] == 2 / 3  # of one page, of two
    assert a[5] == b[5] > 0.0  # the seed's relevance
    assert a[4] == pytest.approx(a[5])  # the host has given the seed alone


def test_there_is_one_link_a_target_and_the_others_are_counted_by_reason(plant: Plant) -> None:
    field = plant(
        page("/", ("/a", "one"), ("/b", "two"), ("/b", "storm"), ("/old", "moved"), ("/back", "x")),
        page("/a", ("/b", "storm storm"), ("/", "home"), text="a"),
        page("/b", ("/a", "back"), text="b"), moved("/old", "/b"), moved("/back", "/"),
    )  # fmt: skip
    found = collected(field)
    assert ways(found) == [("/", "/a", "one"), ("/", "/b", "two")]
    assert found.left_out == {linking.KNOWN: 2}
    field = plant(
        page("/", ("/old", "moved"), ("/new", "direct")),
        moved("/old", "/older"), moved("/older", "/new"), page("/new", text="storm"),
    )  # fmt: skip
    found = collected(field)
    assert ways(found) == [("/", "/new", "moved")]  # it belongs to the page at the end
    assert found.left_out == {}
    field = plant(
        page("/", "/gone", "/lost", "/err", "/picture", "/empty", "/a", "/b"),
        page("/err", status=500), raw("/picture", b"\x89PNG\x00\x00", "image/png"),
        raw("/empty", b""), page("/a", text="a"), page("/b", text="b"),
    )  # fmt: skip
    found = collected(field, links=1)
    assert found.left_out == {
        linking.MISSING: 2,
        linking.UNREADABLE: 3,
        linking.UNFETCHED: 1,
    }
    assert [way[1] for way in ways(found)] == ["/a"]
    field = plant(page("/", "/a"), page("/a", text="a"))
    with pytest.warns(ScenthoundWarning, match="1 of 2 seeds are not in the archive"):
        found = collected(field, replace(STORMS, seeds=(at("/nowhere"), at("/"))))
    assert found.left_out == {}


def test_the_crawl_ends_as_soon_as_there_are_enough(plant: Plant) -> None:
    field = plant(*hub(30))
    heard: list[tuple[int, int]] = []
    found = links_of_archive(
        field.archive, STORMS, training.LinkPlan("vsm", links=4),
        lambda done, wanted: heard.append((done, wanted)),
    )  # fmt: skip
    assert (len(found.links), found.wanted, found.fetched) == (4, 4, 5)
    assert found.left_out == {linking.UNFETCHED: 27}
    assert heard == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_plans_halves_and_anchors_of_links() -> None:
    with pytest.raises(UnknownNameError, match="unknown model 'sosvsm'"):
        training.LinkPlan(model="sosvsm")
    with pytest.raises(UnknownNameError, match="unknown key for model 'vsm'"):
        training.LinkPlan(model="vsm", parameters={"power": 2.0})
    for count, train in ((0, 0), (1, 1), (2, 1), (5, 3)):
        links = made_links(count)
        assert (links.train, links.test) == (train, count - train)
        assert links.rows.shape == (count, 4) and links.targets.shape == (count,)
    assert training.shorten_line("  a\n\tb\x1b[31m\x00c\u202e d ") == "a b [31m c d"
    assert training.shorten_line("x" * 10_000) == "x" * 200
    assert training.shorten_line("") == training.shorten_line("\ud800") == ""

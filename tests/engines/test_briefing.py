"""Example pages: read from the archive, from a file or as they are; never more than their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.web_building import HTML, Plant, at, moved, page, raw
from scenthound.core.errors import TopicError
from scenthound.core.model import Topic
from scenthound.engines.briefing import Briefed, brief
from scenthound.sample import Response


def briefed(plant: Plant, *examples: str, web: tuple[Response, ...] = ()) -> Briefed:
    return brief(Topic("t", ("storm",), examples=examples), plant(page("/"), *web).archive)


def read(plant: Plant, *examples: str, web: tuple[Response, ...] = ()) -> list[str]:
    return [d.text for d in briefed(plant, *examples, web=web).briefing.examples]


def test_from_the_archive(plant: Plant) -> None:
    result = briefed(plant, at("/a"), web=(page("/a", title="T", text="gale"),))
    (document,) = result.briefing.examples
    assert (document.title, document.text) == ("T", "gale")
    assert result.unread == ()


def test_address_need_not_be_canonical(plant: Plant) -> None:
    assert read(plant, " HTTP://W.test:80/a#top", web=(page("/a", text="gale"),)) == ["gale"]


def test_through_redirects_in_the_archive(plant: Plant) -> None:
    web = (moved("/a", "b"), moved("/b", at("/c")), page("/c", text="gale"))
    assert read(plant, at("/a"), web=web) == ["gale"]


def test_location_of_a_page_that_is_no_redirect_is_not_followed(plant: Plant) -> None:
    own = page("/a", text="own", headers=(*HTML, ("Location", "/b")))
    assert read(plant, at("/a"), web=(own, page("/b", text="other"))) == ["own"]


@pytest.mark.parametrize("name", ["page.html", "page.htm", "PAGE.XHTML"])
def test_from_a_html_file(plant: Plant, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("<title>T</title><p>gale <b>wind</b>", "utf-8")
    assert read(plant, str(file)) == ["gale wind"]


def test_from_a_text_file(plant: Plant, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text("a <b> gale", "utf-8")
    assert read(plant, f" {file} ") == ["a <b> gale"]


def test_plain_text_is_its_own_example(plant: Plant) -> None:
    text = "A gale.\nSee page.html"
    assert read(plant, text) == [text]


def test_the_same_example_twice_is_one(plant: Plant) -> None:
    assert read(plant, "gale", "wind", "gale") == ["gale", "wind"]


@pytest.mark.parametrize(
    "example",
    [
        at("/gone"),
        at("/missing-page"),
        at("/empty"),
        at("/image"),
        at("/loop"),
        "http://[",
        "no/such/file.html",
        "nul\x00.txt",
        "x" * 5_000 + ".txt",
        "  ",
    ],
)
def test_unreadable_example_is_reported_and_the_others_are_used(plant: Plant, example: str) -> None:
    web = (
        page("/missing-page", status=404, text="not found"),
        raw("/empty", b""),
        raw("/image", b"\x89PNG", "image/png"),
        moved("/loop", "/loop"),
    )
    result = briefed(plant, example, "gale", web=web)
    assert [d.text for d in result.briefing.examples] == ["gale"]
    assert result.unread == (example,)


def test_all_unreadable_is_an_error_that_names_topic_count_and_first(plant: Plant) -> None:
    with pytest.raises(TopicError, match=r"'t': none of its 2 examples .*gone"):
        briefed(plant, at("/gone"), "no.html")


def test_no_examples_at_all_is_fine(plant: Plant) -> None:
    assert briefed(plant).briefing.examples == ()


def test_without_an_archive_addresses_cannot_be_read() -> None:
    assert brief(Topic("t", examples=(at("/a"), "gale")), None).unread == (at("/a"),)


def test_words_language_and_ontology_of_the_topic_are_passed_on() -> None:
    briefing = brief(Topic("t", ("a", "b"), language="de", ontology="o.owl"), None).briefing
    assert (briefing.name, briefing.keywords) == ("t", ("a", "b"))
    assert (briefing.language, briefing.ontology) == ("de", "o.owl")

"""Example pages: read from the archive, from a file or as they are; never more than their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.web_building import HTML, Plant, at, moved, page, raw
from scenthound.core.errors import TopicError
from scenthound.core.model import Topic, TopicProfile
from scenthound.crawler.topic_reading import build_profile
from scenthound.sample.responses import Response


def profiled(
    plant: Plant, *examples: str, web: tuple[Response, ...] = ()
) -> tuple[TopicProfile, tuple[str, ...]]:
    return build_profile(Topic("t", ("storm",), examples=examples), plant(page("/"), *web).archive)


def read(plant: Plant, *examples: str, web: tuple[Response, ...] = ()) -> list[str]:
    return [d.text for d in profiled(plant, *examples, web=web)[0].examples]


def test_from_the_archive(plant: Plant) -> None:
    profile, unread = profiled(plant, at("/a"), web=(page("/a", title="T", text="gale"),))
    (document,) = profile.examples
    assert (document.title, document.text) == ("T", "gale")
    assert unread == ()


def test_redirects_in_the_archive_are_followed(plant: Plant) -> None:
    to_b = ("Location", at("/b"))
    web = (
        moved("/a", "b"), moved("/b", at("/c")), page("/c", text="gale"),
        page("/no-redirect", text="own", headers=(*HTML, to_b)),
    )  # fmt: skip
    assert read(plant, at("/a"), at("/no-redirect"), web=web) == ["gale", "own"]


def test_from_files(plant: Plant, tmp_path: Path) -> None:
    for name, text in (("a.html", "gale wind"), ("A.XHTML", "gale wind"), ("a.txt", "gale <b>x")):
        file = tmp_path / name
        file.write_text(text if name == "a.txt" else "<title>T</title><p>gale <b>wind</b>", "utf-8")
        assert read(plant, f" {file} ") == [text]


def test_plain_text_is_its_own_example_and_twice_the_same_is_one(plant: Plant) -> None:
    text = "A gale.\nSee page.html"
    assert read(plant, text, "wind", text) == [text, "wind"]


def test_unreadable_example_is_reported_and_the_others_are_used(plant: Plant) -> None:
    web = (
        page("/missing-page", status=404, text="not found"), raw("/empty", b""),
        raw("/image", b"\x89PNG", "image/png"), moved("/loop", "/loop"),
    )  # fmt: skip
    archived = map(at, ("/gone", "/missing-page", "/empty", "/image", "/loop"))
    files = ("no/such/file.html", "nul\x00.txt", "x" * 5_000 + ".txt")
    for example in (*archived, *files, "http://[", "  "):
        profile, unread = profiled(plant, example, "gale", web=web)
        assert [d.text for d in profile.examples] == ["gale"]
        assert unread == (example,)


def test_all_unreadable_is_an_error_that_names_topic_count_and_first(plant: Plant) -> None:
    with pytest.raises(TopicError, match=r"'t': none of its 2 examples .*gone"):
        profiled(plant, at("/gone"), "no.html")


def test_without_an_archive_addresses_cannot_be_read() -> None:
    assert build_profile(Topic("t", examples=(at("/a"), "gale")), None)[1] == (at("/a"),)


def test_words_language_and_ontology_of_the_topic_are_passed_on() -> None:
    profile, _ = build_profile(Topic("t", ("a", "b"), language="de", ontology="o.owl"), None)
    assert (profile.name, profile.keywords) == ("t", ("a", "b"))
    assert (profile.language, profile.ontology) == ("de", "o.owl")

"""Topics: example pages are read as texts; accepted proposals go into the topic file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from crawler.web_building import HTML, Plant, at, moved, page, raw
from scenthound.core.errors import SettingsError, TopicError
from scenthound.core.model import Topic, TopicProfile
from scenthound.crawler.seeds.proposals import Kind, Proposal, chosen_numbers
from scenthound.crawler.topics.editing import add_to_topic, with_added, write_seeds_file
from scenthound.crawler.topics.reading import build_profile
from scenthound.sample.responses import Response
from scenthound.similarity.topic_file import read_seeds, read_topic


def profiled(
    plant: Plant, *examples: str, web: tuple[Response, ...] = ()
) -> tuple[TopicProfile, tuple[str, ...]]:
    return build_profile(Topic("t", ("storm",), examples=examples), plant(page("/"), *web).archive)


def read(plant: Plant, *examples: str, web: tuple[Response, ...] = ()) -> list[str]:
    return [d.text for d in profiled(plant, *examples, web=web)[0].examples]


def test_from_the_archive_whose_redirects_are_followed(plant: Plant) -> None:
    profile, unread = profiled(plant, at("/a"), web=(page("/a", title="T", text="gale"),))
    (document,) = profile.examples
    assert (document.title, document.text) == ("T", "gale")
    assert unread == ()
    to_b = ("Location", at("/b"))
    web = (
        moved("/a", "b"), moved("/b", at("/c")), page("/c", text="gale"),
        page("/no-redirect", text="own", headers=(*HTML, to_b)),
    )  # fmt: skip
    assert read(plant, at("/a"), at("/no-redirect"), web=web) == ["gale", "own"]


def test_from_files_and_plain_text_and_twice_the_same_is_one(plant: Plant, tmp_path: Path) -> None:
    for name, text in (("a.html", "gale wind"), ("A.XHTML", "gale wind"), ("a.txt", "gale <b>x")):
        file = tmp_path / name
        file.write_text(text if name == "a.txt" else "<title>T</title><p>gale <b>wind</b>", "utf-8")
        assert read(plant, f" {file} ") == [text]
    text = "A gale.\nSee page.html"
    assert read(plant, text, "wind", text) == [text, "wind"]


def test_an_unreadable_example_is_reported_and_nothing_but_such_is_an_error(
    plant: Plant,
) -> None:
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
    with pytest.raises(TopicError, match=r"'t': none of its 2 examples .*gone"):
        profiled(plant, at("/gone"), "no.html")


def test_without_an_archive_addresses_cannot_be_read_and_the_rest_is_passed_on() -> None:
    assert build_profile(Topic("t", examples=(at("/a"), "gale")), None)[1] == (at("/a"),)
    profile, _ = build_profile(Topic("t", ("a", "b"), language="de", ontology="o.owl"), None)
    assert (profile.name, profile.keywords) == ("t", ("a", "b"))
    assert (profile.language, profile.ontology) == ("de", "o.owl")


# Topic files


FILE = """# my topic
name = 'storms'  # short
keywords = ["typhoon"]
seeds = [
  "http://a.test/",  # the best
  # more to come
]
exclude = ["*login*"]
"""
ACCEPTED = (
    Proposal("http://b.test/", Kind.SEED, title="B\n# \x1b[31mevil"),
    Proposal("http://c.test/", Kind.EXAMPLE),
    Proposal("http://d.test/", Kind.BOTH),
    Proposal("http://a.test/", Kind.SEED),
)


@pytest.fixture
def topic_file(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(FILE)
    return path


def test_the_file_keeps_its_comments_and_gets_the_accepted(topic_file: Path) -> None:
    add_to_topic(topic_file, ACCEPTED)
    topic = read_topic(topic_file)
    assert topic.seeds == ("http://a.test/", "http://b.test/", "http://d.test/")
    assert topic.examples == ("http://c.test/", "http://d.test/")
    text = topic_file.read_text()
    for kept in ("# my topic", "name = 'storms'  # short", "# the best", "# more to come"):
        assert kept in text


def test_nothing_to_add_changes_nothing_and_a_copy_leaves_the_file(topic_file: Path) -> None:
    add_to_topic(topic_file, ACCEPTED[3:])
    copy = topic_file.with_name("copy.toml")
    add_to_topic(topic_file, ACCEPTED, copy)
    assert topic_file.read_text() == FILE
    assert len(read_topic(copy).seeds) == 3


def test_any_way_of_writing_a_list() -> None:
    for text in ('seeds = ["x"]', "seeds = []", "\n", "seeds = [\r\n 'x'\r\n]\r\n"):
        before = tomllib.loads(text).get("seeds", [])
        added = with_added(text, {"seeds": ["y", "z", "y"]})
        assert tomllib.loads(added) == {"seeds": [*before, "y", "z"]}
    for seeds in ("seeds = [\r\n 'x'\r\n]\r\n", "seeds = []\r\n", ""):  # line ends stay
        written = with_added(f"name = 'n'\r\n{seeds}", {"seeds": ["y"], "examples": ["z"]})
        assert written.count("\r\n") == written.count("\n") > 3


def test_a_copy_elsewhere_and_a_file_that_cannot_be_written_are_refused(topic_file: Path) -> None:
    none = topic_file.parent / "none"
    with pytest.raises(TopicError, match="cannot be written"):
        add_to_topic(topic_file, ACCEPTED, none / "x.toml")
    with pytest.raises(TopicError, match="cannot be written"):
        write_seeds_file(none / "x.txt", ACCEPTED)
    topic_file.write_text(FILE + 'examples = ["page.html"]\n')
    none.mkdir()
    with pytest.raises(TopicError, match="names files beside it"):
        add_to_topic(topic_file, ACCEPTED, none / "copy.toml")


def test_a_seeds_file_reads_back_whatever_titles_hold(tmp_path: Path, warned: list[str]) -> None:
    path = tmp_path / "seeds.txt"
    write_seeds_file(path, ACCEPTED)
    assert read_seeds(path) == tuple(each.url for each in ACCEPTED)
    assert warned == []
    assert "\x1b" not in path.read_text()


def test_answers_to_which() -> None:
    expected = {
        "": (), "none": (), "ALL": (1, 2, 3, 4, 5), "5, 1-2": (1, 2, 5), "1 - 3 2": (1, 2, 3),
        " 4,4 ": (4,)
    }  # fmt: skip
    assert {text: chosen_numbers(text, 5) for text in expected} == expected
    for text in ("0", "6", "4-2", "one", "-1", "1-", "9" * 9):
        with pytest.raises(SettingsError, match="from 1 to 5"):
            chosen_numbers(text, 5)

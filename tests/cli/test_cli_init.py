"""``scenthound init``: questions, options, and the file that is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command
from scenthound.cli import init
from scenthound.similarity.topic_file import read_topic


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Somebody at a terminal who gives these answers."""
    answers: list[str] = []
    monkeypatch.setattr(init, "is_interactive", lambda: True)
    monkeypatch.setattr("typer.prompt", lambda *a, **k: answers.pop(0))
    yield answers
    assert answers == []


def test_every_answer_as_an_option(cli: Command, here: Path) -> None:
    (here / "page.html").write_text("<p>A typhoon.")
    result = cli.ok(
        "init", "storms.toml", "--name", 'a "quoted" name', "--keywords", "typhoon, storm surge",
        "--seed", "http://A.test", "--seed", "http://b.test/", "--example", "http://c.test/1",
        "--example", "page.html", "--exclude", "*login*", "--language", "en-GB", "--yes",
    )  # fmt: skip
    topic = read_topic(here / "storms.toml")
    assert topic.name == 'a "quoted" name'
    assert topic.keywords == ("typhoon", "storm surge")
    assert topic.seeds == ("http://a.test/", "http://b.test/")
    assert topic.examples == ("http://c.test/1", str(here / "page.html"))
    assert (topic.exclude, topic.language) == (("*login*",), "en-GB")
    assert "known to WordNet: typhoon, storm surge" in result.err
    assert "next: scenthound crawl --topic storms.toml --out storms-crawl" in result.err


def test_questions_are_repeated_until_the_answer_is_of_use(
    cli: Command, here: Path, answer: list[str]
) -> None:
    answer += ["english!", "en", "the", "typhoon, qwertzy", ""]
    answer += ["a.test", "http://a.test", "", "missing.html", "too short", "http://c.test/", ""]
    answer += ["re:(", "*", "news", "*a.test*", "*login*", ""]
    result = cli("init")
    topic = read_topic(here / "topic.toml")
    assert (topic.name, topic.keywords) == ("typhoon", ("typhoon", "qwertzy"))
    assert (topic.seeds, topic.examples) == (("http://a.test/",), ("http://c.test/",))
    assert topic.exclude == ("*login*",)
    assert result.err.count("error: ") == 9 and result.err.count("error: exclude") == 4
    assert "compared as written: qwertzy" in result.err


def test_only_what_is_not_given_is_asked(cli: Command, here: Path, answer: list[str]) -> None:
    answer += ["my storms"]
    options = ("--keywords", "Sturm", "--language", "de", "--seed", "http://a.test/")
    result = cli("init", *options, "--example", "http://b.test/", "--exclude", "*x*")
    assert read_topic(here / "topic.toml").name == "my storms"
    assert "WordNet is English" in result.err


def test_a_topic_without_keywords_needs_a_name_and_an_example(
    cli: Command, here: Path, answer: list[str]
) -> None:
    text = "A typhoon is a storm over the ocean."
    answer += ["", "", "", "storms", "http://a.test/", "", "", "", text, "", ""]
    result = cli("init")
    assert "needs a name" in result.err and result.err.count("needs an example page") == 2
    topic = read_topic(here / "topic.toml")
    assert (topic.name, topic.seeds, topic.examples) == ("storms", ("http://a.test/",), (text,))


def test_a_file_that_is_there_is_kept_unless_forced(cli: Command, here: Path) -> None:
    (here / "topic.toml").write_text("mine")
    result = cli("init", "--keywords", "typhoon")
    assert (result.code, "--force" in result.err) == (2, True)
    assert (here / "topic.toml").read_text() == "mine"
    result = cli.ok("init", "--keywords", "typhoon", "--force")
    assert "next: scenthound seeds topic.toml --searxng URL" in result.err  # it has no seeds
    assert read_topic(here / "topic.toml").name == "typhoon"
    (here / "topic.toml").chmod(0o444)
    result = cli("init", "--keywords", "typhoon", "--force")
    assert (result.code, "Permission denied" in result.err) == (2, True)


def test_bad_input_is_one_sentence_and_writes_nothing(cli: Command, here: Path) -> None:
    for options, words in [
        ((), "there is no terminal to ask on"),
        (("--yes", "--name", "storms"), "give --keywords"),
        (("--keywords", "the"), "has only stop words"),
        (("--keywords", "typhoon", "--seed", "a.test"), "not an http or https URL"),
        (("--keywords", "typhoon", "--example", "none.html"), "there is no file"),
        (("--keywords", "typhoon", "--example", "x"), "too short for a text"),
        (("--keywords", "typhoon", "--language", "?"), "no language code"),
        (("--keywords", "typhoon", "--exclude", "*"), "matches every URL"),
        (("--keywords", "typhoon", "--exclude", ""), "can match no URL"),
        (("--keywords", "typhoon", "--seed", "http://a.test/x", "--exclude", "*/x"),
         "matches http://a.test/x, which you have given"),
        (("--keywords", "typhoon", "--example", "HTTP://A.test/x", "--exclude", "*/x"),
         "matches http://a.test/x, which you have given"),
        (("--example", "http://a.test/"), "needs a name"),
        (("none/t.toml", "--keywords", "typhoon"), "there is no folder"),
        ((".", "--keywords", "typhoon"), "is a folder"),
    ]:  # fmt: skip
        result = cli("init", *options)
        assert (result.code, words in result.err) == (2, True)
        assert list(here.glob("*.toml")) == []

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command
from live.live_web import LiveWeb
from scenthound.cli import seeds
from scenthound.topics.file import read_topic
from scenthound.topics.seeds_file import read_seeds
from seeding.seed_site import add_search, add_site

NETWORK = ("--allow-private", "--delay", "0", "--timeout", "5s")


@pytest.fixture(scope="module")
def web() -> Iterator[LiveWeb]:
    with LiveWeb(hosts=4) as served:
        add_site(served)
        yield served


@pytest.fixture
def topic(web: LiveWeb, tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(
        f'name = "storms"\nkeywords = ["typhoon", "storm surge"]\nseeds = ["{web.url(1)}"] # home\n'
    )
    return path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Somebody at a terminal who gives these answers."""
    answers: list[str] = []
    monkeypatch.setattr(seeds, "can_ask", lambda: True)
    monkeypatch.setattr("typer.prompt", lambda *a, **k: answers.pop(0))
    yield answers
    assert answers == []


def test_proposals_are_printed_and_nothing_is_written(
    scenthound: Command, web: LiveWeb, topic: Path
) -> None:
    before = topic.read_text()
    result = scenthound("seeds", topic, *NETWORK, "--fetch", "4", "--contact", "me@a.test")
    assert result.code == 0
    assert web.url(1, "/storm-surge.html") in result.out
    assert "example" in result.out and "feeds" in result.out
    assert "1 of 4 pages are not about the topic" in result.err
    assert topic.read_text() == before


def test_json_lists_them_all(scenthound: Command, web: LiveWeb, topic: Path) -> None:
    server = ("--searxng", "http://127.0.0.1:1", "-q")  # nobody there, and nobody to tell
    result = scenthound("seeds", topic, *NETWORK, "--json", "--from", "feeds,searxng", *server)
    (found,) = json.loads(result.out)
    assert result.err == ""
    assert found["url"] == web.url(2, "/news")
    assert found["sources"] == ["feeds"]


def test_count_deny_host_and_exclude(scenthound: Command, web: LiveWeb, topic: Path) -> None:
    result = scenthound("seeds", topic, *NETWORK, "--json", "--count", "1", "--exclude", "*surge*",
                        "--deny-host", "127.0.0.2")  # fmt: skip
    (found,) = json.loads(result.out)
    assert found["url"] == web.url(1, "/storms/")


def test_all_go_into_the_topic_file(scenthound: Command, web: LiveWeb, topic: Path) -> None:
    result = scenthound("seeds", topic, *NETWORK, "--fetch", "4", "--accept", "all")
    assert (result.code, "wrote 1 seed and 2 example pages" in result.err) == (0, True)
    read = read_topic(topic)
    assert read.seeds == (web.url(1), web.url(1, "/storms/"))
    assert set(read.examples) == {web.url(1, "/storm-surge.html"), web.url(2, "/news")}
    assert "# home" in topic.read_text()


def test_a_person_chooses_and_may_mistype(
    scenthound: Command, web: LiveWeb, topic: Path, answer: list[str]
) -> None:
    answer += ["9", "1"]
    result = scenthound("seeds", topic, *NETWORK, "--from", "sitemaps")
    assert "none of the proposals" in result.err
    assert read_topic(topic).seeds == (web.url(1), web.url(1, "/storm-surge.html"))


def test_a_seeds_file_or_a_copy_instead(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    before = topic.read_text()
    options = (*NETWORK, "--from", "sitemaps", "--accept", "all", "--out")
    assert scenthound("seeds", topic, *options, tmp_path / "s.txt").code == 0
    assert len(read_seeds(tmp_path / "s.txt", print)) == 3
    assert scenthound("seeds", topic, *options, tmp_path / "copy.toml").code == 0
    assert len(read_topic(tmp_path / "copy.toml").seeds) == 4
    assert topic.read_text() == before


def test_search_providers(scenthound: Command, web: LiveWeb, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "lone.toml"
    path.write_text('name = "storms"\nkeywords = ["hurricane"]\n')
    result = scenthound("seeds", path, "--searxng", add_search(web), "--archive",
                        sample / "sample.warc.gz", "--json", "--proxy", web.proxy)  # fmt: skip
    found = {each["sources"][0] for each in json.loads(result.out)}
    assert found == {"searxng", "archive"}


def test_nothing_found_is_no_error(scenthound: Command, web: LiveWeb, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(f'name = "x"\nkeywords = ["volcano"]\nseeds = ["{web.url(1)}"]\n')
    result = scenthound("seeds", path, *NETWORK, "--accept", "all")
    assert (result.code, "no proposals" in result.out) == (0, True)


def test_hostile_titles_do_not_reach_the_terminal(scenthound: Command, web: LiveWeb) -> None:
    from scenthound.cli.screen import output
    from scenthound.cli.seeds_view import print_proposals
    from scenthound.seeding.proposal import Proposal

    evil = Proposal("http://a.test/", title="\x1b]0;owned\x07 [bold]x[/bold]", sources=("feeds",))
    console = output()
    with console.capture() as captured:
        print_proposals([evil], console)
    assert "\x1b" not in captured.get() and "[bold]x[/bold]" in captured.get()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--from", "sitemap"), "did you mean 'sitemaps'"),
        (("--from", " , "), "--from is empty"),
        (("--from", "searxng"), "needs --searxng"),
        (("--searxng", "nonsense"), "--searxng"),
        (("--archive", "none.warc"), "none.warc"),
        (("--accept", "ask"), "needs a terminal"),
        (("--out", "x.txt"), "give --accept all"),
        (("--out", "none/x.txt", "--accept", "all"), "there is no folder"),
        (("--out", ".", "--accept", "all"), "is a folder"),
        (("--count", "0"), "count is 1 to"),
        (("--fetch", "-1"), "fetch is 0 to"),
        (("--delay", "soon"), "--delay"),
        (("--wordnet", "none"), "none"),
    ],
)
def test_bad_input_is_one_sentence(
    scenthound: Command, topic: Path, options: tuple[str, ...], words: str
) -> None:
    result = scenthound("seeds", topic, *options)
    assert result.code == 2
    assert words in result.err
    assert result.out == ""

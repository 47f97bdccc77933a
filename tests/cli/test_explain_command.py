"""``scenthound explain``: what a user sees, and what a program reads."""

from __future__ import annotations

import json

import pytest

from cli.commands import Command
from output.explained_web import Crawled, crawled


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("told") / "live")


def test_a_page(scenthound: Command, live: Crawled) -> None:
    answer = scenthound("explain", live.folder, live.at("/storm"), "--terms", "2")
    assert (answer.code, answer.err) == (0, "")
    lines = [line.rstrip() for line in answer.out.splitlines()]
    assert lines[:2] == [live.at("/storm"), "Fetched as page 2 of 6."]
    assert f"  page 1  {live.at('/')}" in lines
    assert '    link "storm hurricane weather", score 0.9168' in lines
    assert "Priority: 0.9168" in lines and "  linked from 1 page" in lines
    assert any("similarity of the words of the link" in line for line in lines)
    assert "  nearest:   the keywords" in lines
    assert any(line.startswith("  1 other terms") for line in lines)
    assert "  1 known and scored again" in lines and "  1 dropped, media" in lines


def test_hostile_titles_cannot_reach_the_terminal(scenthound: Command, live: Crawled) -> None:
    answer = scenthound("explain", live.folder, live.at("/"))
    assert "\x1b" not in answer.out and "\u202e" not in answer.out
    assert "[31mStorms" in answer.out


def test_several_urls_and_a_page_by_its_number(scenthound: Command, live: Crawled) -> None:
    answer = scenthound(
        "explain", live.folder, live.at("/cake/3"), live.at("/secret"), "--page", "4"
    )
    assert answer.code == 0
    for line in (
        "Waits; of 2 that wait 1 is better, 1 on its own host; the crawl is not running.",
        "  better URLs that wait: 1 of 2, 1 on its own host",
        "Not fetched when its turn came: robots.txt (its site's robots.txt forbids it).",
        f"copy of:  {live.at('/')}",
    ):
        assert line in answer.out


def test_links_and_near_spellings(scenthound: Command, live: Crawled) -> None:
    answer = scenthound("explain", live.folder, live.at("/nowhere"), live.at("/storm/"))
    assert "No page fetched so far links to it.\n" in answer.out
    assert "Links to it on the 6 stored pages looked through\n  none\n" in answer.out
    assert f"Known to the crawl\n  {live.at('/storm')}\n" in answer.out


def test_json_has_everything(scenthound: Command, live: Crawled) -> None:
    answer = scenthound("explain", live.folder, live.at("/storm"), live.at("/gone"), "--json")
    page, gone = json.loads(answer.out)["explanations"]
    assert page["priority"]["parts"][0]["name"] == "anchor"
    assert page["priority"]["parts"][0]["share"] > 0.5 and page["priority"]["gist"]
    assert page["relevance"]["terms"][0]["term"] == "storm"
    assert gone["state"] == "given up" and gone["history"][0]["event"] == "failed"


def test_bad_input_is_one_sentence(scenthound: Command, live: Crawled) -> None:
    for arguments, message in [
        ((), "give a URL, or --page N"),
        (("ftp://a.test/",), "is not the URL of a page"),
        (("--page", "99"), "has no page 99"),
        (("a.test", "--terms", "-1"), "give 0 or more"),
    ]:
        answer = scenthound("explain", live.folder, *arguments)
        assert answer.code == 2 and message in answer.err and answer.err.count("\n") == 1


def test_one_bad_url_does_not_end_it_for_the_others(scenthound: Command, live: Crawled) -> None:
    answer = scenthound(
        "explain", live.folder, "mailto:me@a.test", "2", "--page", "99", live.at("/"), "--json"
    )
    assert answer.code == 1
    told = json.loads(answer.out)["explanations"]
    assert [each["url"] for each in told] == [live.at("/storm"), live.at("/")]
    assert [line[:7] for line in answer.err.splitlines()] == ["error: ", "error: "]
    assert "it is not http or https" in answer.err and "has no page 99" in answer.err


def test_nothing_but_bad_urls(scenthound: Command, live: Crawled) -> None:
    answer = scenthound("explain", live.folder, "mailto:me@a.test", "99", "--json")
    assert (answer.code, answer.out) == (2, "") and answer.err.count("error: ") == 2

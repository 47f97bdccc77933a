"""``scenthound explain`` and ``scope-test``: why a URL is fetched, or would be."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import scenthound as package
from cli.commands import Command, pipe, refused, written
from output.corpus_making import Crawled, crawled
from scenthound.cli.explain import print_explanation
from scenthound.core.model import Topic
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.output.explain import explanation as ex
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("told") / "live")


def test_a_page_and_several_urls(cli: Command, live: Crawled) -> None:
    answer = cli("explain", live.folder, live.at("/storm"), "--terms", "2")
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
    urls = map(live.at, ("/cake/3", "/secret", "/nowhere", "/storm/", "/"))
    answer = cli.ok("explain", live.folder, *urls, "--page", "4")
    for line in (
        "Waits; of 2 that wait 1 is better, 1 on its own host; the crawl is not running.",
        "  better URLs that wait: 1 of 2, 1 on its own host",
        "Not fetched when its turn came: robots.txt (its site's robots.txt forbids it).",
        f"copy of:  {live.at('/')}",
        "No page fetched so far links to it.\n",
        "Links to it on the 6 stored pages looked through\n  none\n",
        f"Known to the crawl\n  {live.at('/storm')}\n",  # nearly the same spelling
        "[31mStorms",  # a hostile title, which cannot reach the terminal
    ):
        assert line in answer.out
    assert "\x1b" not in answer.out and "\u202e" not in answer.out


def test_json_and_bad_input(cli: Command, live: Crawled) -> None:
    answer = cli("explain", live.folder, live.at("/storm"), live.at("/gone"), "--json")
    page, gone = json.loads(answer.out)["explanations"]
    assert page["priority"]["parts"][0]["name"] == "anchor"
    assert page["priority"]["parts"][0]["share"] > 0.5 and page["priority"]["gist"]
    assert page["relevance"]["terms"][0]["term"] == "storm"
    assert gone["state"] == "given up" and gone["history"][0]["event"] == "failed"
    for arguments, message in [
        ((), "give a URL, or --page N"),
        (("ftp://a.test/",), "is not the URL of a page"),
        (("a.test", "--terms", "-1"), "give 0 or more"),
    ]:
        refused(cli("explain", live.folder, *arguments), message)
    answer = cli(
        "explain", live.folder, "mailto:me@a.test", "2", "--page", "99", live.at("/"), "--json"
    )
    assert answer.code == 1
    reported = json.loads(answer.out)["explanations"]
    assert [each["url"] for each in reported] == [live.at("/storm"), live.at("/")]
    assert [line[:7] for line in answer.err.splitlines()] == ["error: ", "error: "]
    assert "it is not http or https" in answer.err and "has no page 99" in answer.err


URL = "http://a.test/"


def shown(reported: ex.Explanation) -> list[str]:
    console = pipe(160)
    print_explanation(reported, console)
    return [line.rstrip() for line in written(console).splitlines()]


def waiting(priority: ex.Priority) -> list[str]:
    """What is shown of a URL that waits with this priority."""
    return shown(ex.Explanation(URL, URL, "waiting", "waits", priority=priority))


def test_long_ways_and_links_that_were_found() -> None:
    way = tuple(ex.Step(n, f"{URL}{n}", "on", 0.5) for n in range(1, 31))
    lines = shown(ex.Explanation(URL, URL, "fetched", "fetched", path=way))
    assert "    ... 21 pages, which --json has ..." in lines
    assert "  page 3  http://a.test/3" in lines and "  page 25  http://a.test/25" in lines
    assert not any(line.split()[-1] == "http://a.test/4" for line in lines if line)
    there = ex.LinkOccurrence(2, f"{URL}2", "there\n", "nofollow")
    found = (there, ex.LinkOccurrence(3, f"{URL}3", "", ""))
    lines = shown(ex.Explanation(URL, URL, "x", "y", found_on=found, searched=7))
    assert lines[-2:] == [
        '  page 2  http://a.test/2  "there": nofollow', "  page 3  http://a.test/3  without words",
    ]  # fmt: skip
    lines = shown(ex.Explanation(URL, URL, "x", "y", searched=7, unread=2))
    assert lines[-2:] == ["  none", "  note: 2 of them cannot be read any more"]


def test_what_the_parts_do_not_account_for_is_reported() -> None:
    parts = (ex.ScorePart("full", 0.5, 1.0, 0.5, "[bold]a text[/bold]"),)
    inlinks = (ex.InlinkScore(3, f"{URL}3", "", 0.5),)
    lines = waiting(ex.Priority(0.7, "the best score first", parts, "max", 2, inlinks, 0.2))
    assert any(line.startswith("  rest") and "0.2000" in line for line in lines)
    assert any("[bold]a text[/bold]" in line for line in lines)
    assert "  linked from 2 pages; the best of them counts" in lines
    assert "  0.5000  page 3  http://a.test/3  without words" in lines


def test_of_many_parts_those_that_add_something() -> None:
    names = ("page words", "anchor words", "context words", "address words", "host", "title")
    parts = tuple(ex.ScorePart(name, 0.5, 0.1, 0.05, "a text", 0.25) for name in names)
    idle = (ex.ScorePart("mood", 0.0, 0.1, 0.0, "a whim", 0.0),)
    inlinks = (ex.InlinkScore(3, f"{URL}3", "", 0.5, (*parts, *idle)),)
    words = "mostly the \x1b[1mlink"
    priority = ex.Priority(0.2, "best first", (*parts, *idle), "max", 1, inlinks, gist=words)
    lines = waiting(priority)
    assert sum(" 25% a text" in line for line in lines) == 6
    assert "  nothing from: mood" in lines and not any("a whim" in line for line in lines)
    assert any(line.endswith("address words 0.5000, 3 others, which --json has") for line in lines)
    (reported,) = (line for line in lines if line.startswith("  for it: mostly the "))
    assert "\x1b" not in reported


def test_weights_that_the_crawl_learned_say_when() -> None:
    parts = (ex.ScorePart("full", 0.5, 1.0, 0.5, "a text"),)
    for revised, reported in (
        (ex.WeightsOrigin(0), "those of the start, before any were learned"),
        (ex.WeightsOrigin(1, 50, 47), "learned from 47 links, revised once, last after page 50"),
        (ex.WeightsOrigin(7, 1_350, 1_290),
         "learned from 1,290 links, revised 7 times, last after page 1,350"),
    ):  # fmt: skip
        lines = waiting(ex.Priority(0.5, "best first", parts, "mean", 2, (), revised=revised))
        assert f"  weights: {reported}" in lines
        assert "  linked from 2 pages; the mean of them counts" in lines


def test_a_strategy_that_scores_nothing_shows_no_scores() -> None:
    inlinks = (ex.InlinkScore(3, f"{URL}3", "there", 0.0), ex.InlinkScore(4, f"{URL}4", "", 0.0))
    priority = ex.Priority(
        None, "in the order they were found", (), "max", 2, inlinks, scored=False
    )
    way = (ex.Step(1, URL), ex.Step(2, f"{URL}2", "on", 0.0))
    lines = shown(ex.Explanation(URL, URL, "fetched", "fetched", priority=priority, path=way))
    assert lines[2:] == [
        "", "How the crawl came to it, by the first link to each page", f"  page 1  {URL}",
        '    link "on"', f"  page 2  {URL}2", "", "Priority: none",
        "  order: in the order they were found", "  linked from 2 pages",
        f'  page 3  {URL}3  "there"', f"  page 4  {URL}4  without words",
    ]  # fmt: skip
    steps = (ex.ScorePart("steps", 3.0, 1 / 3, 1.0, "steps"),)
    lines = waiting(ex.Priority(None, "fish", steps, "max", 1, ()))
    assert "Priority: 1.0000, for the order alone" in lines


def test_a_host_that_rests_and_a_page_that_a_browser_read() -> None:
    place = ex.FrontierPlace(9, 4, 2, 1, 60.0, "a.test", 3, 5, "resting", 30.0)
    happening = ex.UrlEvent("failed", "timeout", 0.0, 1, 60.0)
    lines = shown(ex.Explanation(URL, URL, "retrying", "fails", place=place, history=(happening,)))
    assert "  better URLs that wait: 4 of 9, 2 on its own host" in lines
    assert "  failed attempts: 1, due at 1970-01-01 00:01:00 UTC" in lines
    assert "  host a.test: 3 waiting, 5 had, resting until 1970-01-01 00:00:30 UTC" in lines
    again = "(attempt 1, tried again at 1970-01-01 00:01:00 UTC)"
    assert f"  1970-01-01 00:00:00 UTC  failed: timeout {again}" in lines
    links = ex.LinkCounts(0, 0, 0, 0, 0)
    page = ex.PageDetails(1, 5.0, 200, "Sturm", 2, "", "", links, language="de", rendered=True)
    lines = shown(ex.Explanation(URL, URL, "fetched", "fetched as page 1 of 1", page=page))
    assert lines[1:6] == [
        "Fetched as page 1 of 1.", "title:    Sturm",
        "answer:   status 200, 2 links from the nearest seed", "language: de, not the topic's",
        "read:     with a browser",
    ]  # fmt: skip


TOPIC = Topic("storms", ("storm",), ("http://a.test/",), exclude=("*/login*",))
OPTIONS = CrawlOptions(stay=True, deny_host=("no.a.test",), max_depth=3, exclude=("*print*",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    job = LiveJob(TOPIC, CATALOGUE["vsm"], {}, OPTIONS)
    return CrawlFolder.create(tmp_path / "c", job.crawl_spec()).path


def test_a_line_for_each_url(cli: Command, folder: Path, tmp_path: Path) -> None:
    answer = cli(
        "scope-test", folder, "http://a.test/x", "http://no.a.test/", "http://b.test/",
        "http://www.a.test/print", "http://A.test/s;jsessionid=1", "http://a.test/",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "follow  http://a.test/x  (stay: a.test is a seed's host)",
        "drop    http://no.a.test/  (host denied, deny_host 'no.a.test')",
        "drop    http://b.test/  (outside the seeds' hosts, stay: its host is no seed's, nor below "
        "one)",
        "drop    http://www.a.test/print  (excluded, exclude '*print*')",
        "follow  http://A.test/s;jsessionid=1  as http://a.test/s  (session id taken out, "
        "stay: a.test is a seed's host)",
        "follow  http://a.test/  (named by the topic: only deny_host and exclude bind it)",
    ]
    listed = tmp_path / "seeds.txt"
    listed.write_text("http://b.test/\n")
    answer = cli(
        "scope-test", "--keywords", "storm", "--seed", "http://a.test/", "--seeds", listed,
        "--stay", "a.test/x", "http://b.test/x", "http://c.test/",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "follow  a.test/x  as https://a.test/x  (stay: a.test is a seed's host)",
        "follow  http://b.test/x  (stay: b.test is a seed's host)",
        "drop    http://c.test/  (outside the seeds' hosts, stay: its host is no seed's, nor below "
        "one)",
    ]


def test_urls_come_from_stdin_and_are_hostile(cli: Command, folder: Path) -> None:
    cli.monkeypatch.setattr("sys.stdin", io.StringIO(
        "\ufeff# a list\nhttp://a.test/1#x  # good\n\n http://a.test/\x1b[31m2 \nmailto:me\n"
    ))  # fmt: skip
    answer = cli("scope-test", folder, "http://a.test/0", "-")
    assert [line.split()[:2] for line in answer.out.splitlines()] == [
        ["follow", "http://a.test/0"], ["follow", "http://a.test/1#x"], ["follow", "http://a.test/"],
        ["drop", "mailto:me"],
    ]  # fmt: skip
    assert "\x1b" not in answer.out


def test_depth_json_and_from_python(cli: Command, folder: Path) -> None:
    answer = cli("scope-test", folder, "http://a.test/x", "--depth", "4", "--json")
    assert json.loads(answer.out) == {
        "url": "http://a.test/x", "follow": False, "reason": "too far from the seeds",
        "rule": "max_depth 3, and it is 4 links away", "queued": "http://a.test/x",
    }  # fmt: skip
    assert json.loads(cli("scope-test", folder, "http://a.test/x", "--json").out)["follow"]
    found = package.scope_test(folder, ["http://no.a.test/", "http://a.test/x"])
    assert [(each.follow, each.reason) for each in found] == [(False, "host denied"), (True, "")]
    assert package.scope_test(folder, []) == []
    (far,) = package.try_scope(TOPIC, None, ["http://b.test/"], depth=101)
    assert (far.follow, far.reason) == (False, "too far from the seeds")


def test_before_a_crawl_begins(cli: Command, topic: Path) -> None:
    for options, reason in [
        (["--allow-host", "c.test"], "host not allowed"),
        (["--deny-host", "b.test"], "host denied"),
        (["--include", "*storm*"], "not included"),
        (["--exclude", "*x*", "--exclude", "*b.test*"], "excluded"),
        (["--stay"], "outside the seeds' hosts"),
        (["--max-depth", "1", "--depth", "2"], "too far from the seeds"),
        (["--stay", "--follow-external"], ""),
        (["--allow-private"], ""),
        (["--set", 'crawl.exclude=["*b.test*"]'], "excluded"),
    ]:
        answer = cli.ok("scope-test", "-t", topic, "http://b.test/", "--json", *options)
        assert json.loads(answer.out)["reason"] == reason
    # a pattern that cannot mean anything is reported
    answer = cli.ok("scope-test", "-t", topic, "--exclude", "news", "http://b.test/news")
    assert answer.out.startswith("follow")
    assert answer.err.startswith("warning: exclude 'news' can match no URL")


def test_bad_input(cli: Command, folder: Path, topic: Path) -> None:
    for arguments, words in [
        (["none", "http://b.test/"], "none"),
        (["http://b.test/", "http://c.test/"], "give the folder of a crawl first, or --topic"),
        (["{folder}"], "there is no URL to test"),
        (["{folder}", "http://b.test/", "--stay"], "--stay would not be used, as a crawl folder"),
        (["{folder}", "http://b.test/", "--set", "crawl.stay=true"], "--set would not be used"),
        (["-t", "{topic}", "http://b.test/", "--exclude", "*"], "--exclude '*' matches every URL"),
        (["-t", "{topic}", "http://b.test/", "--include", "re:("], "--include 're:(' is no reg"),
        (["-t", "{topic}", "http://b.test/", "--allow-host", "http://b.test/"],
         "--allow-host 'http://b.test/' is a URL, not a host; write it as example.org."),
        (["--seed", "http://b.test/", "http://b.test/"], "there is no topic: give --topic"),
        (["--keywords", "a", "--seeds", "-", "-"], "--seeds - reads stdin, so URLs cannot come"),
        (["-t", "none.toml", "http://b.test/"], "none.toml: No such file"),
        (["-t", "{topic}", "b.test", "--config", "no.toml"], "config file no.toml: No such file"),
    ]:  # fmt: skip
        given = [each.format(folder=folder, topic=topic) for each in arguments]
        refused(cli("scope-test", *given), words)
    crawl_spec = CrawlFolder(folder).crawl_spec()
    CrawlFolder(folder).spec_path.write_text(json.dumps({**crawl_spec, "kind": "replay"}))
    answer = cli("scope-test", folder, "http://b.test/")
    refused(answer, "holds a replay, which has no scope of its own")

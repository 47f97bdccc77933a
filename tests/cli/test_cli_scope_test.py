"""``scenthound scope-test``: a line a URL, of a crawl folder or of a topic file with options."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import scenthound as package
from cli.commands import Command, refused
from scenthound.core.model import Topic
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE

TOPIC = Topic("storms", ("storm",), ("http://a.test/",), exclude=("*/login*",))
OPTIONS = CrawlOptions(stay=True, deny_host=("no.a.test",), max_depth=3, exclude=("*print*",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    job = LiveJob(TOPIC, CATALOGUE["vsm"], {}, OPTIONS)
    return CrawlFolder.create(tmp_path / "c", job.crawl_spec()).path


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://a.test/"]\n')
    return path


def test_a_line_for_each_url(cli: Command, folder: Path) -> None:
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


def test_urls_come_from_stdin_and_are_hostile(
    cli: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(
        "\ufeff# a list\nhttp://a.test/1#x  # good\n\n http://a.test/\x1b[31m2 \nmailto:me\n"
    ))  # fmt: skip
    answer = cli("scope-test", folder, "http://a.test/0", "-")
    assert [line.split()[:2] for line in answer.out.splitlines()] == [
        ["follow", "http://a.test/0"], ["follow", "http://a.test/1#x"], ["follow", "http://a.test/"],
        ["drop", "mailto:me"],
    ]  # fmt: skip
    assert "\x1b" not in answer.out


def test_depth_and_json(cli: Command, folder: Path) -> None:
    answer = cli("scope-test", folder, "http://a.test/x", "--depth", "4", "--json")
    assert json.loads(answer.out) == {
        "url": "http://a.test/x", "follow": False, "reason": "too far from the seeds",
        "rule": "max_depth 3, and it is 4 links away", "queued": "http://a.test/x",
    }  # fmt: skip
    assert json.loads(cli("scope-test", folder, "http://a.test/x", "--json").out)["follow"]


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
    # a pattern that cannot mean anything is told
    answer = cli.ok("scope-test", "-t", topic, "--exclude", "news", "http://b.test/news")
    assert answer.out.startswith("follow")
    assert answer.err.startswith("warning: exclude 'news' can match no URL")


def test_a_crawl_without_a_topic_file(cli: Command, tmp_path: Path) -> None:
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


def test_from_python(folder: Path) -> None:
    found = package.scope_test(folder, ["http://no.a.test/", "http://a.test/x"])
    assert [(each.follow, each.reason) for each in found] == [(False, "host denied"), (True, "")]
    assert package.scope_test(folder, []) == []
    (far,) = package.try_scope(TOPIC, None, ["http://b.test/"], depth=101)
    assert (far.follow, far.reason) == (False, "too far from the seeds")

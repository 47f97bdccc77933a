"""``scenthound init`` and ``seeds``: what is asked, proposed, accepted and written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command, interrupted, pipe, refused, written
from crawler.live_replies import no, ok
from crawler.live_web import LiveWeb, MemoryWeb
from crawler.seed_site import FOUND, add_search, add_site
from scenthound.cli import init, seeds
from scenthound.crawler.seeds.proposals import Proposal
from scenthound.sample.server import Reply
from scenthound.similarity.topic_file import read_seeds, read_topic


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Somebody at a terminal who gives these answers."""
    answers: list[str] = []
    monkeypatch.setattr(init, "is_interactive", lambda: True)
    monkeypatch.setattr("scenthound.cli.screen.is_interactive", lambda: True)
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


def test_questions_are_repeated(cli: Command, here: Path, answer: list[str]) -> None:
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


def test_only_what_is_needed_is_asked(cli: Command, here: Path, answer: list[str]) -> None:
    answer += ["my storms"]
    options = ("--keywords", "Sturm", "--language", "de", "--seed", "http://a.test/")
    result = cli("init", "o.toml", *options, "--example", "http://b.test/", "--exclude", "*x*")
    assert read_topic(here / "o.toml").name == "my storms"
    assert "WordNet is English" in result.err
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


NETWORK = ("--allow-private", "--delay", "0", "--timeout", "5s")


@pytest.fixture(scope="module")
def site() -> MemoryWeb:
    built = MemoryWeb()
    add_site(built)
    return built


@pytest.fixture
def web(site: MemoryWeb) -> Iterator[MemoryWeb]:
    """The site, fetched from memory."""
    with site:
        yield site


@pytest.fixture(scope="module")
def live() -> Iterator[LiveWeb]:
    """The site on loopback: for logins and proxies."""
    with LiveWeb(hosts=4) as served:
        add_site(served)
        yield served


@pytest.fixture
def topic(web: MemoryWeb, tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(
        f'name = "storms"\nkeywords = ["typhoon", "storm surge"]\nseeds = ["{web.url(1)}"] # home\n'
    )
    return path


@pytest.fixture
def find(cli: Command, topic: Path) -> Command:
    return cli.begun("seeds", topic, *NETWORK)


@pytest.fixture
def take(find: Command) -> Command:
    """All that the sitemaps list are accepted."""
    return find.begun("--from", "sitemaps", "--accept", "all")


def test_proposals_are_printed_and_accepted(find: Command, web: MemoryWeb, topic: Path) -> None:
    before = topic.read_text()
    result = find.ok("--fetch", "4", "--contact", "me@a.test")
    assert web.url(1, "/storm-surge.html") in result.out
    assert "example" in result.out and "feeds" in result.out
    assert "not about the topic 1" in result.err
    server = ("--searxng", "http://127.0.0.1:1", "-q")  # nobody there, and nobody to tell
    result = find("--json", "--from", "feeds,searxng", *server)
    (found,) = json.loads(result.out)
    assert (result.err, found["url"], found["sources"]) == ("", web.url(2, "/news"), ["feeds"])
    assert topic.read_text() == before
    result = find.ok("--exclude", "*storm*", "--deny-host", "127.0.0.2", "--exclude", "*shop")
    assert "left out: excluded 3, host denied 1, no word of the topic 1" in result.out
    result = find.ok("--fetch", "4", "--accept", "all")
    assert "wrote 1 seed and 2 example pages" in result.err
    read = read_topic(topic)
    assert read.seeds == (web.url(1), web.url(1, "/storms/"))
    assert set(read.examples) == {web.url(1, "/storm-surge.html"), web.url(2, "/news")}
    assert "# home" in topic.read_text()


def test_a_person_chooses(find: Command, web: MemoryWeb, topic: Path, answer: list[str]) -> None:
    answer += ["9", "1"]
    assert "none of the proposals" in find("--from", "sitemaps").err
    assert read_topic(topic).seeds == (web.url(1), web.url(1, "/storm-surge.html"))


def test_another_file_is_replaced_by_force(take: Command, topic: Path, tmp_path: Path) -> None:
    before = topic.read_text()
    take.ok("--out", tmp_path / "s.txt")
    assert len(read_seeds(tmp_path / "s.txt")) == 3
    take.ok("--out", tmp_path / "copy.toml")
    assert len(read_topic(tmp_path / "copy.toml").seeds) == 4
    assert topic.read_text() == before
    for name in ("s.txt", "other.toml"):
        out = tmp_path / name
        out.write_text("mine")
        result = take("--out", out)
        assert (result.code, "--force" in result.err, out.read_text()) == (2, True, "mine")
        take.ok("--out", out, "--force")
        assert "storm-surge" in out.read_text()
    take.ok("--out", topic)
    assert len(read_topic(topic).seeds) == 4


def test_search_providers(cli: Command, live: LiveWeb, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "lone.toml"
    path.write_text('name = "storms"\nkeywords = ["hurricane", "typhoon"]\n')
    result = cli("seeds", path, "--searxng", add_search(live), "--archive",
                        sample / "sample.warc.gz", "--json", "--proxy", live.proxy,
                        "--delay", "0")  # fmt: skip
    found = {each["sources"][0] for each in json.loads(result.out)}
    assert found == {"searxng", "archive"}


def test_a_search_that_went_wrong_altogether_is_an_error(cli: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('name = "x"\nkeywords = ["volcano"]\n')
    server = ("--searxng", "http://127.0.0.1:1")
    result = cli("seeds", path, *server, "-q")
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("no proposals: no source could be asked: SearXNG at http://127")
    assert "connection refused" in result.out
    result = cli("seeds", path, *server, "--json")
    assert (result.code, json.loads(result.out)) == (1, [])
    assert "found: searxng failed" in result.err


def test_a_closed_pipe_and_an_interruption(find: Command, topic: Path) -> None:
    def closed(*arguments: object) -> None:
        raise SystemExit(1)  # as rich does

    find.monkeypatch.setattr(seeds, "print_proposals", closed)
    assert find("--accept", "all").code == 1
    assert len(read_topic(topic).seeds) == 5
    find.monkeypatch.setattr("scenthound.crawler.seeds.finder.find_seeds", interrupted)
    result = find("--accept", "all")
    assert (result.code, result.err) == (130, "error: interrupted; nothing was written.\n")


def test_the_file_keeps_its_mode(take: Command, web: MemoryWeb, topic: Path) -> None:
    topic.chmod(0o444)
    before = len(web.requested())
    result = take()
    assert (result.code, "Permission denied" in result.err) == (2, True)
    assert len(web.requested()) == before
    topic.chmod(0o600)
    take.ok()
    assert topic.stat().st_mode & 0o777 == 0o600


def guarded(web: LiveWeb) -> str:
    """A site whose sitemap is for those with a name and a password; its seed."""
    listed = f"<urlset><url><loc>{web.url(4, '/typhoon')}</loc></url></urlset>"

    def answer(path: str) -> Reply:
        sent = web.log[-1].headers
        let_in = sent.get("authorization") == "Basic bWU6aXQ=" and sent.get("x-key") == "k"
        return ok(listed, {"Content-Type": "application/xml"}) if let_in else no(401)

    web.add_below(4, "/sitemap.xml", answer)
    return web.url(4)


def test_discovery_behind_a_login(cli: Command, live: LiveWeb, tmp_path: Path) -> None:
    path, config = tmp_path / "t.toml", tmp_path / "c.toml"
    seed = guarded(live)
    path.write_text(f'name = "x"\nkeywords = ["typhoon"]\nseeds = ["{seed}"]\n')
    host = seed.split("/")[2]
    config.write_text(f'[crawl]\nauth = ["{host}=me:it"]\nallow_private = true\ndelay = 0\n')
    base = ("seeds", path, "--from", "sitemaps", "--json")
    by_file = cli(*base, "--config", config, "--set", "crawl.header=X-Key: k")
    by_option = cli(*base, *NETWORK, "--auth", f"{host}=me:it", "--header", "X-Key: k")
    for result in (by_file, by_option):
        assert [each["url"] for each in json.loads(result.out)] == [live.url(4, "/typhoon")]
    assert json.loads(cli(*base, *NETWORK).out) == []


def test_a_search_engine_behind_a_password(cli: Command, live: LiveWeb, tmp_path: Path) -> None:
    path = tmp_path / "lone.toml"
    path.write_text('name = "storms"\nkeywords = ["typhoon"]\n')
    body = json.dumps({"results": [{"url": FOUND, "title": "Typhoon"}]})

    def answer(path: str) -> Reply:
        let_in = live.log[-1].headers.get("authorization") == "Basic bWU6aXQ="
        return ok(body, {"Content-Type": "application/json"}) if let_in else no(401)

    live.add_below(4, "/closed/search", answer)
    server = live.url(4, "/closed")
    options = ("seeds", path, "--searxng", server, "--json")
    found = cli(*options, "--auth", f"{server.split('/')[2]}=me:it").out
    assert [each["url"] for each in json.loads(found)] == [FOUND]
    closed = cli(*options)
    assert closed.code == 1 and "give --auth HOST=USER:PASSWORD" in closed.err


def test_hostile_titles_do_not_reach_the_terminal() -> None:
    evil = Proposal("http://a.test/", title="\x1b]0;owned\x07 [bold]x[/bold]", sources=("feeds",))
    console = pipe()
    seeds.print_proposals([evil], console)
    assert "\x1b" not in written(console) and "[bold]x[/bold]" in written(console)


def test_bad_input_is_one_sentence(cli: Command, tmp_path: Path) -> None:
    topic = tmp_path / "t.toml"
    topic.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://127.0.0.1/"]\n')
    for options, words in [
        (("--from", "sitemap"), "did you mean 'sitemaps'"),
        (("--from", " , "), "--from is empty"),
        (("--count", "0"), "from 1 to 1,000"),
        (("--cookie-file", "none.txt"), "none.txt"),
        (("--netrc", "none"), "none"),
        (("--from", "searxng"), "needs --searxng"),
        (("--searxng", "nonsense"), "--searxng"),
        (("--archive", "none.warc"), "none.warc"),
        (("--accept", "ask"), "needs a terminal"),
        (("--out", "none/x.txt", "--accept", "all"), "there is no folder"),
        (("--out", ".", "--accept", "all"), "is a folder"),
        (("--fetch", "-1"), "from 0 to 500"),
        (("--force",), "--force is about"),
        (("--from", "sitemaps", "--archive", "x.warc"), "archive is not among the sources"),
        (("--set", "crawl.max_pages=5"), "seeds does not use it"),
    ]:
        refused(cli("seeds", topic, *options), words)

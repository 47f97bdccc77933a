"""``scenthound crawl --redis``, ``worker``, ``status``, ``pause``, ``resume``, ``stop``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest import MonkeyPatch
from redis import Redis

from cli.commands import Command
from cli.conftest import cli as scenthound
from frontier_redis.conftest import Serve
from scenthound.core.errors import ServerError
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.frontier.redis.crawls import crawl_names, create_crawl, open_crawl
from scenthound.frontier.redis.workers import ENDED, WorkerEntry, WorkerRegistry
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.journal import read_journal

__all__ = ["scenthound"]
PAGES = 24
HTML = (("Content-Type", "text/html"),)


def page(number: int) -> Response:
    links = "".join(f'<a href="http://h{n % 4}.test/{n}">storm {n}</a> ' for n in range(PAGES))
    word = "abcdefghijklmnopqrstuvwxyz"[number] * 9
    body = f"<title>Storm {number}</title><p>A storm named {word}.</p>{links}"
    return Response(f"http://h{number % 4}.test/{number}", 200, HTML, body.encode())


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(page, range(PAGES))}) as web:
        yield web.proxy


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://h0.test/0"]\n')
    return path


def share(topic: Path, url: str, crawl: str, **options: int) -> None:
    given = CrawlOptions(delay=0.0, min_disk=0, **options)  # type: ignore[arg-type]
    shared_crawls.share_crawl(read_topic(topic), url, "vsm", crawl=crawl, options=given)


def fetched(folder: Path) -> list[str]:
    events = read_journal(folder / "journal.jsonl")
    return [str(event["url"]) for event in events if event["event"] == "page"]


def test_workers_that_are_started_and_followed(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path, server_url: str, server: Redis
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0",
        "--redis", server_url, "--workers", "2", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "crawl 'storms' is on the server" in answer.err
    assert f"scenthound merge {out} --out {out}-merged" in answer.err
    pages = [url for name in ("worker-1", "worker-2") for url in fetched(out / name)]
    assert sorted(pages) == sorted(each.url for each in map(page, range(PAGES)))
    reported = json.loads(
        scenthound("status", "--redis", server_url, "--crawl", "storms", "--json").out
    )
    assert (reported["state"], reported["pages"], reported["waiting"]) == ("ended", PAGES, 0)
    assert [worker["number"] for worker in reported["workers"]] == [1, 2]
    assert scenthound("status", out).out.count("frontier empty") == 2
    both = tmp_path / "both.jsonl"
    where = ("--redis", server_url, "--crawl", "storms")
    answer = scenthound("export", *where, "-o", both, "--no-text")
    assert answer.code == 0, answer.err
    assert len(both.read_text().splitlines()) == PAGES
    shutil.rmtree(out / "worker-2")
    answer = scenthound("export", *where, "-o", both, "--no-text", "--force")
    assert "of worker" in answer.err and "cannot be read here" in answer.err
    shutil.rmtree(out)
    answer = scenthound("export", *where)
    assert answer.code == 2 and "no folder of a worker" in answer.err


def test_a_worker_goes_on_in_its_folder_or_in_one_that_is_found_by_itself(
    scenthound: Command, serve: Serve, topic: Path, tmp_path: Path, server_url: str, crawl: str,
    monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    serve(map(page, range(PAGES)))
    share(topic, server_url, crawl, max_pages=10)
    where = ("--redis", server_url, "--crawl", crawl)
    own = ("--out", tmp_path / "w")
    answer = scenthound("worker", *where, *own)
    assert answer.code == 0, answer.err
    assert "this worker stopped: budget spent, after 10 pages" in answer.err
    answer = scenthound("resume", *where, "--max-pages", "100")
    assert "may go on; start workers: scenthound worker" in answer.err
    assert scenthound("worker", *where, *own, "-q").code == 0
    assert len(fetched(tmp_path / "w")) == len(set(fetched(tmp_path / "w"))) == PAGES
    late = scenthound("worker", *where, "--out", tmp_path / "late", "-q")
    assert late.code == 0 and fetched(tmp_path / "late") == []
    stands = shared_crawls.shared_overview(server_url, crawl)
    assert (stands.pages, stands.has_ended, len(stands.workers)) == (PAGES, True, 2)
    crawl = f"{crawl}-2"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("socket.gethostname", lambda: "machine")
    monkeypatch.setenv("SCENTHOUND_REDIS", server_url)
    share(topic, server_url, crawl, max_pages=5)
    for _ in range(2):  # the same folder, as nobody works there any more
        assert scenthound("worker", "--crawl", crawl, "-q").code == 0
    (only,) = (tmp_path / f"{crawl}-workers").iterdir()
    assert only.name == "machine" and len(fetched(only)) == 5
    (entry,) = shared_crawls.shared_overview(server_url, crawl).workers
    assert (entry.name, entry.number) == ("machine-machine", 1)


def test_stop_and_pause_wait_for_workers_and_resume_takes_them_back(
    scenthound: Command, topic: Path, server_url: str, server: Redis, crawl: str
) -> None:
    share(topic, server_url, crawl)
    where = ("--redis", server_url, "--crawl", crawl)
    for command in ("pause", "stop"):
        answer = scenthound(command, *where)
        assert answer.code == 2 and "no worker of the crawl" in answer.err
    server.sadd(f"scenthound:{{{crawl}}}:requests", "stop")
    answer = scenthound("worker", *where)
    assert (
        answer.code == 0  # systemd leaves it alone
        and f"was stopped; let it go on with: scenthound resume --crawl {crawl}" in answer.err
    )
    assert scenthound("resume", *where).code == 0
    answer = scenthound("resume", *where, "--proxy", "http://p.test")
    assert answer.code == 2 and "--proxy is for one worker" in answer.err
    assert "no worker has begun yet" in scenthound("status", *where).out


def test_bad_input(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis, crawl: str
) -> None:
    where = ("--redis", server_url, "--crawl", crawl)
    assert f"there is no crawl {crawl!r}" in scenthound("worker", *where).err
    share(topic, server_url, crawl)
    other = tmp_path / "o.toml"
    other.write_text('name = "cars"\nkeywords = ["car"]\nseeds = ["http://h0.test/0"]\n')
    answer = scenthound("crawl", "-t", other, "--out", tmp_path / "c", *where)
    assert answer.code == 2 and "about another topic ('storms')" in answer.err
    assert not (tmp_path / "c").exists()
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "-s", "moaco", *where)
    assert answer.code == 2 and "walks a map of all links" in answer.err
    server.hset(open_crawl(server, crawl).key, "version", "0.0.1")
    answer = scenthound("worker", *where, "--out", tmp_path / "w")
    assert answer.code == 2 and "was begun by Scenthound 0.0.1" in answer.err
    assert not (tmp_path / "w").exists()
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--workers", "2")
    assert answer.code == 2 and "--workers is for a crawl on a server" in answer.err
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *where, "--workers", "-1")
    assert answer.code == 2 and "give 0 to" in answer.err
    for what in ("workers", "partitions"):
        many = (f"--{what}", "99999")
        answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *where, *many)
        assert answer.code == 2 and f"99,999 {what} are too many" in answer.err
    # And where no server is reached:
    for arguments, reported in [
        (("worker",), "give the address of the server: --redis"),
        (("worker", "--redis", "redis://h"), "give the name of the crawl on the server"),
        (("status",), "give the folder of a crawl, or --redis URL and --crawl NAME"),
        (("status", "d", "--crawl", "c"), "give a folder, or --redis and --crawl, not both"),
        (("worker", "--redis", "redis://127.0.0.1:1", "--crawl", "c"), "there is no Redis server"),
        (("worker", "--redis", "nonsense", "--crawl", "c"), "no address of a Redis server"),
        (("status", "--redis", "redis://h", "--crawl", ""), "--crawl '' is no name"),
        (("crawl", "--out", "d", "--redis", "redis://h", "--crawl", ""), "--crawl '' is no name"),
    ]:
        answer = scenthound(*arguments)
        assert answer.code == 2 and reported in answer.err


def test_every_option_of_a_worker_does_something(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path, server_url: str, server: Redis,
    crawl: str,
) -> None:  # fmt: skip
    share(topic, server_url, crawl, max_pages=3)
    out, figures = tmp_path / "w", tmp_path / "figures.json"
    cookies, netrc = tmp_path / "cookies.txt", tmp_path / "netrc"
    cookies.write_text("# Netscape HTTP Cookie File\n")
    netrc.write_text("machine h9.test login me password secret-one\n")
    answer = scenthound(
        "worker", "--redis", server_url, "--crawl", crawl, "-o", out, "--name", "rover",
        "--concurrency", "2", "--proxy", proxy, "--auth", "h8.test=me:secret-two",
        "--cookie-file", cookies, "--netrc", netrc, "--cache", "none", "--cache-limit", "1MB",
        "--json", figures, "--log-level", "info", "--quiet",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "page 1 http://h0.test/0" in answer.err  # the log
    (run,) = json.loads(figures.read_text())["runs"]
    assert run["fetched"] == 3
    kept = json.loads((out / "crawl.json").read_text())["settings"]
    assert kept["worker"]["name"] == "rover" and kept["worker"]["crawl"] == crawl
    assert (kept["concurrency"], kept["cache"]) == (2, "none")
    assert (kept["cookie_file"], kept["netrc"]) == (str(cookies), str(netrc))
    (entry,) = shared_crawls.shared_overview(server_url, crawl).workers
    assert (entry.name, entry.pages, entry.folder) == ("rover", 3, str(out.resolve()))
    stored = b"".join(path.read_bytes() for path in out.iterdir())
    on_server = b"".join(server.hvals(f"scenthound:{{{crawl}}}:crawl"))  # type: ignore[arg-type]
    assert b"secret" not in stored + on_server


def test_a_crawl_is_forgotten_when_nobody_works_for_it(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis, crawl: str
) -> None:
    share(topic, server_url, f"{crawl}-2")
    share(topic, server_url, crawl)
    where = ("--redis", server_url, "--crawl", crawl)
    now = float(server.time()[0])
    WorkerRegistry(server, crawl).update(WorkerEntry("w", 1, "m", "/w", "1.0", now))
    answer = scenthound("forget", *where)
    assert answer.code == 2 and "are at work; stop them first" in answer.err
    WorkerRegistry(server, crawl).update(WorkerEntry("w", 1, "m", "/w", "1.0", now, ENDED))
    assert scenthound("forget", *where).code == 0
    assert crawl_names(server) == [f"{crawl}-2"]
    assert scenthound("forget", *where).code == 2
    server.hset(f"scenthound:{{{crawl}}}:frontier", "layout", "1")  # all that a server has left
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *where)
    assert answer.code == 2 and "has lost the description of the crawl" in answer.err
    assert scenthound("forget", *where).code == 0
    asked = {"topic": {"name": "t"}, "strategy": "vsm", "parameters": {}, "settings": {}}
    made = create_crawl(server, crawl, asked, "1.0")
    made.check_exists()
    server.flushall()
    with pytest.raises(ServerError, match="has forgotten the crawl"):
        made.check_exists()
    create_crawl(server, crawl, asked, "1.0")
    with pytest.raises(ServerError, match="has forgotten the crawl"):
        made.check_exists()


def test_folders_that_a_worker_cannot_use_are_refused(
    scenthound: Command, serve: Serve, topic: Path, tmp_path: Path, server_url: str, crawl: str
) -> None:
    serve(map(page, range(PAGES)))
    share(topic, server_url, crawl, max_pages=3)
    where, own = ("--redis", server_url, "--crawl", crawl), tmp_path / "w" / "worker-1"
    answer = scenthound("worker", *where, "--out", topic)  # a file
    assert answer.code == 2 and "is a file; choose another --out folder" in answer.err
    assert scenthound("status", *where, "--json").out.count('"number"') == 0
    assert scenthound("worker", *where, "--out", own, "-q").code == 0
    answer = scenthound("worker", *where, "--out", own, "--name", "other")
    assert answer.code == 2 and "leave out --name" in answer.err
    share(topic, server_url, f"{crawl}-2", max_pages=2)
    answer = scenthound("worker", "--redis", server_url, "--crawl", f"{crawl}-2", "--out", own)
    assert answer.code == 2 and f"belongs to another crawl ({crawl!r})" in answer.err
    answer = scenthound("resume", own)
    go_on = f"go on with: scenthound worker --redis URL --crawl {crawl} --out {own}"
    assert answer.code == 2 and go_on in answer.err
    for name in ("pause", "stop", "resume"):
        answer = scenthound(name, tmp_path / "w")
        assert answer.code == 2 and "holds the workers of a crawl on a server" in answer.err
        assert f"--redis URL --crawl {crawl}, or give" in answer.err

"""The files in ``examples/distributed`` are such that a server and a shell take them."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM
from socket import socket as connection

import pytest
import yaml  # type: ignore[import-untyped]
from benchmarks.distributed.real_server import running_server
from redis import Redis
from redis.exceptions import NoPermissionError
from tools.reference.commands import commands, options, spellings, tree

from frontier.frontier_contract import seen
from frontier_redis.conftest import Serve
from frontier_redis.test_redis_learning import as_text
from frontier_redis.test_worker_command import PAGES, page
from scenthound.cli.screen import INTERRUPTED_CODE
from scenthound.core.model import Score, Topic
from scenthound.core.protocols import RobotsFile
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.frontier.redis.crawl_status import ServerControl, shared_crawl_status
from scenthound.frontier.redis.crawls import crawl_names, create_crawl, delete_crawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import ServerClock, open_server
from scenthound.frontier.redis.sharing import ServerRobotsCache, SharedWeights
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.frontier.redis.workers import LeaderLock, SharedBudget, WorkerRegistry

EXAMPLES = Path(__file__).parents[2] / "examples" / "distributed"
PASSWORD = "a-password"
_NO_HASH = "#" + 64 * "0"


@pytest.fixture(scope="module")
def socket() -> Iterator[str]:
    """The server of the example, on a socket, with a password."""
    with tempfile.TemporaryDirectory(prefix="v") as name:
        folder = Path(name)
        digest = hashlib.sha256(PASSWORD.encode()).hexdigest()
        users = (EXAMPLES / "users.acl").read_text()
        assert _NO_HASH in users
        (folder / "users.acl").write_text(users.replace(_NO_HASH, f"#{digest}"))
        settings = (EXAMPLES / "valkey.conf").read_text()
        settings = settings.replace("/etc/valkey/users.acl", str(folder / "users.acl"))
        lines = [line for line in settings.splitlines() if line and not line.startswith("#")]
        chosen = (line.split(maxsplit=1) for line in lines if not line.startswith(("port", "save")))
        given = [word for name, value in chosen for word in (f"--{name}", value.strip('"'))]
        with running_server(folder, given) as url:
            yield url.removeprefix("unix://")


def test_the_user_of_the_example_may_do_all_that_workers_do(socket: str) -> None:
    client = open_server(f"unix://scenthound:{PASSWORD}@{socket}")
    crawl_spec = {
        "topic": {"name": "t"},
        "strategy": "vsm",
        "parameters": {},
        "settings": {"max_pages": 9},
    }
    crawl = create_crawl(client, "c", crawl_spec, "1.0")
    clock, requests = ServerClock(client, "c"), ServerControl(client, "c")
    WorkerRegistry(client, "c").enter("w", "m", "/w", "1.0", clock())
    (entry,) = WorkerRegistry(client, "c").entries()
    assert WorkerRegistry(client, "c").mark_dead(entry)
    office = LeaderLock(client, "c", "learner", "w", 1.0)
    assert office.acquire()
    office.release()
    robots = ServerRobotsCache(client, "c", 1)
    robots.keep("http://a.example", RobotsFile(clock() + 900.0, 404, b""))
    assert robots.find("http://a.example") is not None
    requests.leave("pause")
    assert requests.withdraw("pause")
    assert SharedBudget(client, "c", "w", 9, 5, clock).allows(4)
    frontier = WorkerFrontier(RedisFrontier(client, "c", worker="w", most=5), 1, clock)
    frontier.add([seen(f"http://a.example/{n}", n / 10) for n in range(9)])
    frontier.send()
    (first, second) = frontier.lease(2, 0.0)
    frontier.record_response(first.url, 0.0)
    frontier.ack(first.url)
    frontier.fail(second.url, 5.0)
    frontier.slow_down("a.example", 1.0)
    frontier.reweight(lambda score: Score(score.value / 2))
    frontier.send()
    assert (shared_crawl_status(crawl).waiting, crawl_names(client)) == (4, ["c"])
    assert frontier.dropped_urls() == 4
    assert delete_crawl(client, "c") > 10 and crawl_names(client) == []
    with pytest.raises(NoPermissionError):
        client.set("other", "1")
    client.close()


def test_the_user_of_the_example_may_crawl(socket: str, tmp_path: Path, serve: Serve) -> None:
    url = f"unix://scenthound:{PASSWORD}@{socket}"
    topic = Topic("storms", keywords=("storm",), seeds=("http://h0.test/0",))
    serve(map(page, range(PAGES)))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=12)
    shared_crawls.share_crawl(topic, url, "scent", crawl="whole", options=options)
    first = shared_crawls.join_crawl(url, "whole", tmp_path / "a")
    shared_crawls.resume_workers(url, "whole", max_pages=PAGES)
    second = shared_crawls.join_crawl(url, "whole", tmp_path / "b")
    assert (first.fetched, second.fetched) == (12, 12)
    stands = shared_crawls.shared_overview(url, "whole")
    assert (stands.pages, stands.has_ended, stands.waiting) == (PAGES, True, 0)
    with open_server(url) as client:
        assert client.hlen("scenthound:{whole}:shared_pages") == 2  # links of both for the learner
        assert client.hexists("scenthound:{whole}:learning", "names")
        learner = SharedWeights(
            client, "whole", "w"
        )  # two dozen pages are too few to fit weights to
        assert learner.lock.acquire() and learner.publish({})
    assert shared_crawls.forget_shared(url, "whole") > 10


def test_the_user_may_run_every_command_of_the_scripts(server: Redis) -> None:
    rules = (EXAMPLES / "users.acl").read_text().split()
    allowed = {rule[1:].split("|")[0] for rule in rules if re.match(r"\+\w", rule)}
    for category in (rule[2:] for rule in rules if rule.startswith("+@")):
        allowed |= {as_text(name).split("|")[0] for name in server.acl_cat(category)}
    scripts = files("scenthound.frontier.redis") / "lua"
    text = "".join(each.read_text() for each in scripts.iterdir())
    used = {name.lower() for name in re.findall(r"call\('(\w+)'", text)}
    assert {"hset", "unlink", "zadd"} <= used
    assert used <= allowed


def test_services_wait_for_a_server_that_answers_and_start_commands_that_exist(socket: str) -> None:
    services = yaml.safe_load((EXAMPLES / "compose.yaml").read_text())["services"]
    healthy = {"condition": "service_healthy"}
    for name in ("crawl", "worker"):
        assert services[name]["depends_on"]["server"] == healthy
        assert services[name]["restart"] == "on-failure"
    test = services["server"]["healthcheck"]["test"][-1]
    assert test == "valkey-cli ping | grep -q -e PONG -e NOAUTH"
    with connection(AF_UNIX, SOCK_STREAM) as server:  # as that program asks
        server.connect(socket)
        for asked in (b"PING\r\n", b"GET scenthound:x\r\n"):  # nobody is let in without a name
            server.send(asked)
            assert b"NOAUTH" in server.recv(100)
    unit = (EXAMPLES / "scenthound-worker@.service").read_text()
    (started,) = re.findall(r"^ExecStart=\S+/scenthound (.*)$", unit, re.MULTILINE)
    known = {
        name: {spelling for option in options(command) for spelling in spellings(option)}
        for name, command in commands(tree())
    }
    for line in (services["crawl"]["command"], services["worker"]["command"], started):
        name, *words = line.split()
        given = {word for word in words if word.startswith("-")}
        assert given <= known[name], (name, given - known[name])
    # A worker that came too early is started again; one that was ended by a signal stays away.
    assert "Restart=on-failure\n" in unit and "RestartPreventExitStatus" not in unit
    assert f"SuccessExitStatus={INTERRUPTED_CODE}\n" in unit

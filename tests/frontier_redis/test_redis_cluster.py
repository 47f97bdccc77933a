"""A cluster of three nodes: the contracts hold there, a crawl runs there, nodes may go away."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.distributed.real_cluster import Cluster, running_cluster
from redis import Redis

from frontier.frontier_contract import PoliteContract, seen
from frontier_redis.conftest import Serve
from frontier_redis.test_redis_partitions import Shared
from scenthound import Topic
from scenthound.core.errors import ServerError, SettingsError
from scenthound.core.protocols import PoliteFrontier
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.crawls import delete_crawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.scripts import Scripts
from scenthound.frontier.redis.server import TRIES_OF_WORKERS, open_server, server_errors
from scenthound.output.export import export
from scenthound.sample.responses import Response

PARTITIONS = 5


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    # On a busy disk a node writes its log seconds later; one that is killed would forget those.
    kept = ("--appendonly", "yes", "--appendfsync", "always")
    with tempfile.TemporaryDirectory() as folder, running_cluster(Path(folder), options=kept) as c:
        yield c


@pytest.fixture(scope="module", autouse=True)
def cluster(nodes: Cluster) -> Iterator[Redis]:
    client = open_server(nodes.url, TRIES_OF_WORKERS)
    Shared.client = client
    yield client
    client.close()


class TestFrontierOnACluster(PoliteContract):
    """What a URL goes through is the same on one node; who is asked next depends on all."""

    def polite(self, politeness: PolitenessPolicy, lease_seconds: float = 100.0) -> PoliteFrontier:
        return RedisFrontier(
            Shared.client, Shared.crawl(), politeness=politeness, lease_seconds=lease_seconds,
            partitions=PARTITIONS,
        )  # fmt: skip


def test_hosts_are_spread_over_nodes_and_scripts_loaded_again(cluster: Redis, crawl: str) -> None:
    assert len(cluster.get_primaries()) == 3  # type: ignore[attr-defined]
    frontier = RedisFrontier(cluster, crawl, partitions=12)
    cluster.script_flush()  # scripts that nodes have forgotten are loaded again
    frontier.add(seen(f"http://h{n}.test/", 0.5) for n in range(60))
    nodes = {
        cluster.get_node_from_key(key.decode()).name  # type: ignore[attr-defined]
        for key in cluster.scan_iter(match=f"scenthound:{{{crawl}/*}}:rows")
    }
    assert len(nodes) == 3
    cluster.script_flush()
    assert len(frontier) == frontier.host_count == 60
    cluster.script_flush()
    assert len(frontier.lease(20, 0.0)) == 20
    cluster.script_flush()
    assert Scripts(cluster).run("count_left", f"scenthound:{{{crawl}/none}}")[0] == 0
    assert delete_crawl(cluster, crawl) > 60
    assert list(cluster.scan_iter(match=f"*{crawl}*")) == []


def test_eviction_on_any_node_is_refused(nodes: Cluster, cluster: Redis) -> None:
    last = cluster.get_primaries()[-1]  # type: ignore[attr-defined]
    reported = {"maxmemory": "100mb", "maxmemory-policy": "allkeys-lru"}
    for name, value in reported.items():
        cluster.config_set(name, value, target_nodes=last)
    try:
        with pytest.raises(SettingsError, match="noeviction"):
            open_server(nodes.url)
    finally:
        cluster.config_set("maxmemory", "0", target_nodes=last)


def test_a_node_that_restarts_is_waited_for(nodes: Cluster, cluster: Redis, crawl: str) -> None:
    frontier = RedisFrontier(cluster, crawl, partitions=12)
    frontier.add(seen(f"http://h{n}.test/", 0.5) for n in range(20))
    nodes.nodes[1].kill()
    timer = threading.Timer(1.0, nodes.nodes[1].start)
    timer.start()
    frontier.add(seen(f"http://h{n}.test/", 0.5) for n in range(20, 40))  # meanwhile
    leased = [candidate.url for candidate in frontier.lease(50, 0.0)]
    timer.join()
    assert sorted(leased) == sorted(f"http://h{n}.test/" for n in range(40))


def test_a_cluster_that_is_gone_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with running_cluster(tmp_path) as gone:
        client = open_server(gone.url, tries=1)
    with pytest.raises(ServerError, match="does not answer as it should"), server_errors(gone.url):
        RedisFrontier(client, "gone", partitions=5)
    with pytest.raises(SettingsError, match="there is no Redis server"):
        open_server(gone.url, tries=1)


def test_a_crawl_of_two_workers(nodes: Cluster, tmp_path: Path, crawl: str, serve: Serve) -> None:
    kind = (("Content-Type", "text/html"),)
    urls = [f"http://h{n % 5}.test/{n}" for n in range(30)]
    links = "".join(f'<a href="{url}">storm {url}</a> ' for url in urls)
    serve(
        Response(url, 200, kind, f"<p>A storm at {url[7:] * 3}.</p>{links}".encode())
        for url in urls
    )
    topic = Topic("storms", ("storm",), (urls[0],))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=12)
    made = shared_crawls.share_crawl(topic, nodes.url, "scent", crawl=crawl, options=options)
    again = shared_crawls.share_crawl(topic, nodes.url, "scent", crawl=crawl, options=options)
    assert made.id == again.id
    for worker in ("one", "two"):
        shared_crawls.join_crawl(nodes.url, crawl, tmp_path / worker)
        shared_crawls.resume_workers(nodes.url, crawl, max_pages=100)
    stands = shared_crawls.shared_overview(nodes.url, crawl)
    assert (stands.pages, stands.waiting, stands.hosts) == (30, 0, 5)
    export.merge(tmp_path, out=tmp_path / "merged")
    assert shared_crawls.forget_shared(nodes.url, crawl) > 12

"""A real cluster for tests and benchmarks: some servers on loopback that share the slots."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import create_server

from redis import Redis
from redis.exceptions import RedisError

from benchmarks.distributed.real_server import server_program

_SLOTS = 16_384
_HOST = "127.0.0.1"
_PATIENCE = 30.0


class Node:
    """One server of a cluster, which keeps its files in ``folder``."""

    def __init__(self, folder: Path, port: int, bus: int, options: Sequence[str]) -> None:
        folder.mkdir(parents=True)
        self.port, self.bus = port, bus
        self._folder = folder
        self._command = [
            server_program(), "--bind", _HOST, "--port", str(port), "--cluster-enabled", "yes",
            "--cluster-port", str(bus), "--cluster-node-timeout", "5000", "--dir", str(folder),
            "--save", "", *options,
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        """Kill it as it stands."""
        self._process.kill()
        self._process.wait()


class Cluster:
    """Nodes without replicas that share the slots evenly."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.url = f"redis://{_HOST}:{nodes[0].port}"

    def join(self) -> None:
        """Let the nodes know each other and share the slots."""
        with ExitStack() as stack:
            clients = [stack.enter_context(Redis(host=_HOST, port=n.port)) for n in self.nodes]
            _await(lambda: all(client.ping() for client in clients))
            for place, client in enumerate(clients):
                first, last = (_SLOTS * end // len(clients) for end in (place, place + 1))
                client.cluster("ADDSLOTSRANGE", first, last - 1)
                if place:
                    client.cluster("MEET", _HOST, self.nodes[0].port, self.nodes[0].bus)
            _await(lambda: all(_is_whole(client, len(clients)) for client in clients))


@contextmanager
def running_cluster(
    folder: Path, nodes: int = 3, options: Sequence[str] = ("--appendonly", "yes")
) -> Iterator[Cluster]:
    """A cluster; all of it is stopped at the end."""
    with ExitStack() as stack:
        ports = _free_ports(2 * nodes)
        made = []
        for port, bus in zip(ports[::2], ports[1::2], strict=True):
            made.append(Node(folder / str(port), port, bus, options))
            stack.callback(made[-1].kill)
        cluster = Cluster(made)
        cluster.join()
        yield cluster


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(create_server((_HOST, 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in sockets]


def _is_whole(client: Redis, nodes: int) -> bool:
    """Does this node know all others, and that all slots have one?"""
    info = client.cluster("INFO")
    return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == nodes


def _await(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            if holds():
                return
        except RedisError:
            pass
        time.sleep(0.02)
    raise RuntimeError("the cluster did not start")

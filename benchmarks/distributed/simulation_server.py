"""The real server under the simulation, and what it was made to do."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

from redis import ConnectionPool, Redis, UnixDomainSocketConnection

SERVER = (
    "--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0",
)  # fmt: skip
"""The file is not rewritten of itself, so that its size shows what was appended."""


class RoundTrips:
    """How often any of the workers has waited for the server."""

    def __init__(self, socket: str) -> None:
        self.count = 0
        self._socket = socket

    def client(self) -> Redis:
        """A client of its own for a worker; its round trips are counted."""
        trips = self

        class Connection(UnixDomainSocketConnection):
            def send_packed_command(self, command: Any, check_health: bool = True) -> None:
                trips.count += 1
                super().send_packed_command(command, check_health)  # type: ignore[no-untyped-call]

        pool = ConnectionPool(connection_class=Connection, path=self._socket, protocol=2)
        return Redis(connection_pool=pool)


@dataclass(frozen=True, slots=True)
class Load:
    """Sums since the server began.

    CPU seconds of the thread that runs commands; of those, seconds in scripts (``evalsha``; the
    server counts what scripts call a second time, under its own name); bytes received, sent, and
    appended to the AOF.
    """

    cpu: float = 0.0
    scripts: float = 0.0
    received: int = 0
    sent: int = 0
    appended: int = 0

    @classmethod
    def of(cls, client: Redis) -> Load:
        """The current figures of the server."""
        info = client.info("everything")
        return cls(
            info["used_cpu_user_main_thread"] + info["used_cpu_sys_main_thread"],
            info.get("cmdstat_evalsha", {"usec": 0})["usec"] / 1e6,
            info["total_net_input_bytes"],
            info["total_net_output_bytes"],
            info.get("aof_current_size", 0) + info.get("aof_buffer_length", 0),
        )

    def since(self, before: Load) -> Load:
        """The figures since the other reading."""
        return Load(*(now - then for now, then in zip(astuple(self), astuple(before), strict=True)))

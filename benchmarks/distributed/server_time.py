"""What the time of a server goes into: commands that clients sent, and CPU of the whole of it."""

from __future__ import annotations

from redis import Redis


def command_seconds(client: Redis) -> float:
    """Seconds in commands that clients sent, since the figures were reset.

    Those that scripts call are part of the script. ``INFO commandstats`` has them a second time,
    under their own names, and cannot tell them from those that clients sent; the event loop counts
    the outer command alone (Redis from 7.2 on, Valkey).
    """
    info = client.info("stats").get("eventloop_duration_cmd_sum")
    if info is None:  # an older one: better too much than too little
        return command_seconds_by_name(client)
    return float(info) / 1e6


def command_seconds_by_name(client: Redis) -> float:
    """The sum of ``INFO commandstats``: more, since commands within scripts are in it twice."""
    stats = client.info("commandstats")
    return float(sum(each["usec"] for each in stats.values())) / 1e6


def cpu_seconds(client: Redis) -> float:
    """CPU seconds of all threads of the server, since it began."""
    used = client.info("cpu")
    return float(used["used_cpu_user"]) + float(used["used_cpu_sys"])

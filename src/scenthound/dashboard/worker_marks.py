"""Which crawl and which worker of it a folder belongs to; names for both in addresses."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from scenthound.dashboard.plain_values import table, whole, words
from scenthound.distributed.roll import MOST_WORKERS
from scenthound.live.job import KIND, WORKER, WorkerMark

_ID_BYTES = 6


def mark_in(order: Mapping[str, object]) -> WorkerMark | None:
    """Whose folder it is, by its ``crawl.json``; None for a crawl of one process, and nonsense."""
    about = table(table(order.get("settings")).get(WORKER))
    crawl, id_, name = (words(about.get(each)) for each in ("crawl", "id", "name"))
    number = whole(about.get("number"))
    if order.get("kind") != KIND or not (crawl and id_ and name):
        return None
    return WorkerMark(crawl, id_, name, number) if 0 < number <= MOST_WORKERS else None


def crawl_id(folder: Path) -> str:
    """A short name for a folder, with its links resolved; never that of another one."""
    return f"c{_digest(os.fsencode(folder))}"


def team_id(crawl: str) -> str:
    """A short name for a crawl of several workers, by its id: wherever their folders lie."""
    return f"w{_digest(crawl.encode(errors='surrogatepass'))}"


def _digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=_ID_BYTES).hexdigest()

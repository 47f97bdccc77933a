"""Scripts that came, and scripts that are coming: for the pages that share them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from scenthound.live.wanted import Fetched

MOST_BYTES = 64 * 1024 * 1024
_OVERHEAD = 1_000
"""Counted for each script besides its body: many empty ones take space too."""

Key = tuple[str, ...]
"""All that an answer may depend on, and for whom it is."""
Fetching = Coroutine[Any, Any, Fetched | None]


class ScriptCache:
    """The newest scripts by key, as many as fit. One that is on its way is asked for once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Fetched] = OrderedDict()
        self._size = 0
        self._coming: dict[Key, asyncio.Task[Fetched | None]] = {}

    async def get(self, key: Key, fetch: Callable[[], Fetching]) -> Fetched | None:
        """The script, fetched where it is not kept; None where it does not come."""
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        coming = self._coming.get(key)
        if coming is None:
            coming = self._coming[key] = asyncio.create_task(fetch())
            coming.add_done_callback(lambda task: self._came(key, task))
        return await asyncio.shield(coming)  # a page that gives up is not the only one to wait

    def _came(self, key: Key, task: asyncio.Task[Fetched | None]) -> None:
        del self._coming[key]
        found = None if task.cancelled() or task.exception() is not None else task.result()
        if found is None or found.status != 200 or found.secret:
            return
        self._kept[key] = found
        self._size += _size(found)
        while self._size > MOST_BYTES:
            self._size -= _size(self._kept.popitem(last=False)[1])


def _size(script: Fetched) -> int:
    return len(script.body) + _OVERHEAD

"""The crawls that are shown: each with an id and a name of its own."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenthound.corpus.finding import MOST_CRAWLS, crawls_in
from scenthound.dashboard.crawl_reader import Clock, CrawlReader
from scenthound.dashboard.plain_values import Json

_LOOK_AGAIN = 2.0
"""Seconds after which crawls that have come since are looked for."""
_ID_BYTES = 6


class Roster:
    """The crawls in some folders, those included that come later.

    A crawl's id comes from its folder, so that an address that somebody keeps never leads to
    another crawl, also after a restart. May be used from several threads.

    Parameters
    ----------
    folders : crawl folders, or folders of crawls; one that is empty is a crawl not begun.
    now : the time in seconds since 1970.
    monotonic : the time, for measuring.
    """

    def __init__(self, folders: Sequence[Path], now: Clock, monotonic: Clock) -> None:
        self._roots = list(dict.fromkeys(folder.resolve() for folder in folders))
        self._now = now
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._readers: dict[Path, CrawlReader] = {}
        self._names: Mapping[Path, str] = {}
        self._looked: float | None = None

    def crawls(self) -> list[Json]:
        """How each crawl stands, in the order of the folders."""
        with self._lock:
            self._look()
            readers = list(self._readers.values())
        return [self.told(reader) for reader in readers]

    def reader(self, name: str) -> CrawlReader | None:
        """The crawl with this id; None where there is none, or none any more."""
        with self._lock:
            if self._looked is None:
                self._look()
            found = (each for path, each in self._readers.items() if crawl_id(path) == name)
            return next(found, None)

    def told(self, reader: CrawlReader) -> Json:
        """How a crawl stands, with its id and its name."""
        path = reader.path
        return {
            "id": crawl_id(path),
            "name": self._names.get(path, path.name),
            **reader.overview(),
        }

    def _look(self) -> None:
        now = self._monotonic()
        if self._looked is not None and now - self._looked < _LOOK_AGAIN:
            return
        self._looked = now
        names: dict[Path, str] = {}
        for root in self._roots:
            for path in crawls_in(root) or [root]:
                names.setdefault(path, _name(path, root))
        shown = list(names)[:MOST_CRAWLS]
        self._names = distinct({path: names[path] for path in shown})
        self._readers = {path: self._readers.get(path) or self._new(path) for path in shown}

    def _new(self, path: Path) -> CrawlReader:
        return CrawlReader(path, self._now, self._monotonic)


def crawl_id(folder: Path) -> str:
    """A short name for a folder, with its links resolved; never that of another one."""
    return f"c{hashlib.blake2b(os.fsencode(folder), digest_size=_ID_BYTES).hexdigest()}"


def _name(path: Path, root: Path) -> str:
    return (path.name or str(path)) if path == root else path.relative_to(root).as_posix()


def distinct(names: Mapping[Path, str]) -> dict[Path, str]:
    """The names; those that several have, with the folder behind them."""
    counts = Counter(names.values())
    return {path: name if counts[name] == 1 else f"{name} ({path})" for path, name in names.items()}

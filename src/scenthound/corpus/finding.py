"""Where crawls lie: in the folders that were named, or a few levels below them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.corpus.worker_finding import holds_workers
from scenthound.store.folder import CrawlFolder

DEPTH = 3
MOST_CRAWLS = 500
_MOST_FOLDERS = 5_000
"""Looked into below one that was named: somebody may name a home folder."""
_BELOW = ("*", "*/*")
_NAMED = 5
"""Folders of crawls that are named in a message."""


def crawls_in(root: Path) -> list[Path]:
    """The crawl folders at or below ``root``, by name; none where there are none.

    Below a crawl nothing is looked for. Links to folders and hidden folders are left out.
    """
    level, found, looked = [root], list[Path](), 0
    for _ in range(DEPTH + 1):
        below: list[Path] = []
        for folder in level:
            looked += 1
            if looked > _MOST_FOLDERS or len(found) >= MOST_CRAWLS:
                return found
            if os.path.exists(CrawlFolder(folder).order_path):
                found.append(folder)
            else:
                below += _folders_in(folder)
        level = below
    return found


def _folders_in(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return
    yield from (folder / name for name in names)


def refuse_parent(path: Path) -> None:
    """FolderError for a folder of crawls, as a replay of several writes one: names them."""
    try:
        name = CrawlFolder(path).order_path.name
        if (path / name).exists():
            return
        found = sorted(str(each.parent) for deep in _BELOW for each in path.glob(f"{deep}/{name}"))
    except OSError:
        return  # told by whoever opens it
    if holds_workers(path):
        raise FolderError(
            f"{path} holds the workers of a crawl; make one folder of them with: scenthound merge "
            f"{path} --out DIR"
        )
    if found:
        more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        raise FolderError(
            f"{path} holds no crawl itself, but folders of crawls; give one of them: "
            f"{', '.join(found[:_NAMED])}{more}."
        )

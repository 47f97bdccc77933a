"""Where crawls lie: in the folders that were named, or a few levels below them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scenthound.store.folder import CrawlFolder

DEPTH = 3
MOST_CRAWLS = 500
_MOST_FOLDERS = 5_000
"""Looked into below one that was named: somebody may name a home folder."""


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

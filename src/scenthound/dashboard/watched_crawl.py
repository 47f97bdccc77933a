"""A stored crawl opened by somebody who only watches: what is wrong is said in his words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.corpus.stored_crawl import StoredCrawl, open_crawl
from scenthound.dashboard.folder_files import check_files, stamp
from scenthound.live.job import KIND
from scenthound.store.database import read_database
from scenthound.store.folder import CrawlFolder


@contextmanager
def watched_crawl(folder: Path) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; FolderError for none."""
    check_files(folder)
    stored = CrawlFolder.open(folder)
    if stored.order().get("kind") == KIND:
        _check_database(stored.database_path)
    with open_crawl(folder) as crawl:
        yield crawl


def _check_database(path: Path) -> None:
    """Whoever opens it to crawl on gets other advice, so it is looked at here first."""
    found = stamp(path)
    if found is None or found[1] == 0:
        raise FolderError(f"there is no {path.name} in {path.parent}, or not yet.")
    try:
        read_database(path).close()
    except FolderError:
        raise FolderError(
            f"{path} cannot be read: it is damaged, in use, or no database of this Scenthound."
        ) from None

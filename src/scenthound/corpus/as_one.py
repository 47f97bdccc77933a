"""A crawl read as one, be it in one folder or in those of its workers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.corpus.merging import OnProgress, link_workers, merge_workers
from scenthound.corpus.stored_crawl import StoredCrawl, open_crawl
from scenthound.corpus.worker_finding import holds_workers, worker_folders
from scenthound.store.folder import folder_name


@contextmanager
def open_as_one(
    paths: Sequence[Path], *, copied: bool = False, on_progress: OnProgress | None = None
) -> Iterator[StoredCrawl]:
    """The crawl in a folder, or that of several workers, for as long as the context lasts.

    The journals and ledgers of workers are merged into a folder among the temporary files, which
    goes away in the end; their pages stay where they are, and links lead to them. So everything
    that reads one crawl reads several folders as well, and all of them see one moment.

    Parameters
    ----------
    paths : one crawl folder, one that holds those of a crawl's workers, or several of those.
    copied : copy the pages too, for who reads whole WARC files: none must be in them twice.
    on_progress : told how far the merging is.

    Raises
    ------
    SettingsError, FolderError
        There is no crawl, or it is damaged, or the folders do not belong together.
    """
    if len(paths) == 1 and not holds_workers(paths[0]):
        with open_crawl(paths[0]) as stored:
            yield stored
        return
    workers, tell = worker_folders(paths), on_progress or _silent
    with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
        folder = Path(scratch) / folder_name(workers[0].crawl)
        if copied:
            merge_workers(workers, folder, tell)
        else:
            folder.mkdir()
            link_workers(workers, folder, tell)
        with open_crawl(folder, tuple(worker.path for worker in workers)) as stored:
            yield stored


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""

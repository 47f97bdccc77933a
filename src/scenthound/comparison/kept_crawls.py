"""The crawl folders that runs leave in a comparison: which of them are whole, and which must go."""

from __future__ import annotations

import shutil
from collections.abc import Container, Iterable
from pathlib import Path

from scenthound.comparison.model import Cell
from scenthound.comparison.run_file import run_name
from scenthound.core.errors import FolderError
from scenthound.store.folder import CrawlFolder


def crawl_of(crawls: Path, cell: Cell) -> CrawlFolder:
    """Where a run leaves its crawl; ``crawls`` is the folder for those of all runs."""
    return CrawlFolder(crawls / run_name(cell))


def is_whole(crawls: Path, cell: Cell) -> bool:
    """Did the run leave its crawl there, with the figures that are written last?"""
    return crawl_of(crawls, cell).results_path.is_file()


def remove_leftovers(crawls: Path, wanted: Iterable[Cell], finished: Container[Cell]) -> None:
    """Remove the crawl folders of attempts that failed, were stopped or were broken off.

    What is there afterwards belongs to a finished run, so that nobody takes an earlier attempt for
    it, whether crawls are kept from now on or not.

    Parameters
    ----------
    crawls : the folder for those of all runs; nothing happens where it is not there.
    wanted : every run of the grid.
    finished : the runs that are not done again.
    """
    for cell in wanted:
        if cell not in finished or not is_whole(crawls, cell):
            remove_crawl(crawls, cell)


def remove_crawl(crawls: Path, cell: Cell) -> None:
    """Remove the crawl folder of a run, if there is one; FolderError where that cannot be done."""
    folder = crawl_of(crawls, cell).path
    if not folder.exists():
        return
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise FolderError(
            f"{folder} is of an earlier attempt and cannot be removed: {error.strerror or error}."
        ) from None

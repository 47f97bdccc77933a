"""Finds the folders of a crawl's workers: those that are named, or lie in one that is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.corpus.workers import WorkerFolder, worker_folder
from scenthound.live.job import WORKER
from scenthound.store.folder import CrawlFolder

_NEEDS = "give the folders of a crawl's workers, or the one that holds them"


def holds_workers(path: Path) -> bool:
    """Is there no crawl in the folder itself, but those of workers below it?"""
    try:
        return not CrawlFolder(path).order_path.exists() and bool(_below(path))
    except OSError:
        return False


def worker_folders(paths: Sequence[Path]) -> list[WorkerFolder]:
    """The workers whose folders are named, or lie in a folder that is, by their numbers.

    Raises
    ------
    SettingsError, FolderError
        There are none, one is named twice, one is no worker's, one belongs to another crawl, or is
        damaged.
    """
    if not paths:
        raise SettingsError(f"there is nothing to read: {_NEEDS}.")
    named = [each for path in paths for each in _expanded(path)]
    _refuse_repeated(named)
    found = sorted((worker_folder(path) for path in named), key=lambda each: each.number)
    first = found[0]
    for one, other in pairwise(found):
        if other.id != first.id:
            raise FolderError(
                f"{first.path} and {other.path} are of different crawls ({first.crawl} and "
                f"{other.crawl}); give the workers of one."
            )
        if one.number == other.number:
            raise FolderError(
                f"{one.path} and {other.path} are both worker {one.number} of {one.crawl}; give "
                "one of them."
            )
    return found


def _expanded(path: Path) -> list[Path]:
    """The folder itself, or those of workers right below it."""
    try:
        if not path.is_dir():
            state = "is no folder" if path.exists() else "is not there"
            raise FolderError(f"{path} {state}; {_NEEDS}.")
        if CrawlFolder(path).order_path.exists():
            return [path]
        below = _below(path)
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}.") from None
    if not below:
        raise FolderError(f"{path} holds no worker's part of a crawl; {_NEEDS}.")
    return below


def _below(path: Path) -> list[Path]:
    """Folders of workers in a folder; hidden ones and other crawls are passed over."""
    found = sorted(each for each in path.iterdir() if not each.name.startswith("."))
    return [each for each in found if each.is_dir() and _is_worker(each)]


def _is_worker(path: Path) -> bool:
    """A crawl that cannot be read counts as one: whoever opens it is told, and nothing is lost."""
    folder = CrawlFolder(path)
    try:
        settings = folder.order().get("settings")
    except FolderError:
        return folder.order_path.exists() or folder.journal_path.exists() or folder.holds_pages()
    return isinstance(settings, dict) and WORKER in settings


def _refuse_repeated(paths: Sequence[Path]) -> None:
    seen: set[Path] = set()
    for path in paths:
        whole = path.resolve()
        if whole in seen:
            raise SettingsError(f"{path} is given twice; give every folder once.")
        seen.add(whole)

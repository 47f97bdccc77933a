"""Can workers be started in these folders? Told before their crawl is made on the server."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.distributed.overview import overview_if_known
from scenthound.distributed.server import TRIES, open_server, server_told
from scenthound.live.job import WORKER, WorkerMark
from scenthound.store.folder import CrawlFolder
from scenthound.store.lock import holder


def check_worker_folders(redis: str, crawl: str, folders: Sequence[Path]) -> None:
    """FolderError where a worker of a crawl cannot begin, or go on, in one of the folders.

    Nothing is written, to the server or to the folders.
    """
    marks = {folder: mark for folder in folders if (mark := _mark_in(folder)) is not None}
    for folder in folders:
        _refuse_unwritable(folder)
    if not marks:
        return
    known = _id_on_server(redis, crawl)
    for folder, mark in marks.items():
        _refuse_other(folder, mark, crawl, known)


def _id_on_server(redis: str, crawl: str) -> str | None:
    """The id of the crawl of this name; None where the server has none."""
    with server_told(redis):
        client = open_server(redis, TRIES)
        try:
            stands = overview_if_known(client, crawl)
        finally:
            client.close()
    return None if stands is None else stands.id


def _mark_in(folder: Path) -> WorkerMark | None:
    """The worker whose folder it is; None where it holds no crawl."""
    opened = CrawlFolder(folder)
    try:
        holds_crawl = opened.order_path.exists()
    except OSError as error:
        raise FolderError(
            f"{folder} cannot be used: {error.strerror}; give another --out."
        ) from None
    if not holds_crawl:
        opened.refuse_taken()
        return None
    settings = CrawlFolder.open(folder).order().get("settings")
    stored = settings.get(WORKER) if isinstance(settings, dict) else None
    try:
        return WorkerMark(**stored)  # type: ignore[arg-type]
    except TypeError:
        raise FolderError(
            f"{folder} holds a crawl that is no worker's part of one; give another --out."
        ) from None


def _refuse_unwritable(folder: Path) -> None:
    """Can anything be made there? Tried in the nearest folder that is there, and taken back."""
    nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=".scenthound-", dir=nearest):
            pass
    except NotADirectoryError:
        raise FolderError(f"{nearest} is no folder; give another --out.") from None
    except OSError as error:
        raise FolderError(
            f"nothing can be written to {nearest}: {error.strerror}; give another --out."
        ) from None


def _refuse_other(folder: Path, mark: WorkerMark, crawl: str, known: str | None) -> None:
    if mark.id != known:
        whose = f"another crawl ({mark.crawl!r})"
        if mark.crawl == crawl:
            whose = "an earlier crawl of that name"
        raise FolderError(f"{folder} belongs to {whose}; give another --out.")
    who = holder(folder)
    if who is not None:
        raise FolderError(f"process {who} works in {folder}; give another --out.")

"""Can workers be started in these folders? Told before their crawl is made on the server."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.distributed.crawls import crawl_id
from scenthound.distributed.server import at_server
from scenthound.live.joining import mark_in, refuse_other


def check_worker_folders(redis: str, crawl: str, folders: Sequence[Path]) -> None:
    """FolderError where a worker of a crawl cannot begin, or go on, in one of the folders.

    Nothing is written, to the server or to the folders.
    """
    marks = {folder: mark for folder in folders if (mark := mark_in(folder)) is not None}
    for folder in folders:
        _refuse_unwritable(folder)
    if not marks:
        return
    known = _id_on_server(redis, crawl)
    for folder, mark in marks.items():
        refuse_other(folder, mark, crawl, known)


def _id_on_server(redis: str, crawl: str) -> str | None:
    """The id of the crawl of this name; None where the server has none."""
    with at_server(redis) as client:
        return crawl_id(client, crawl)


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

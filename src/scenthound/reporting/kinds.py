"""What lies in a folder: a crawl, a comparison or a tuning; told by its files."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.corpus.finding import crawls_in
from scenthound.corpus.worker_finding import holds_workers


class Kind(Enum):
    """What reports are made of, each with the file that tells it."""

    CRAWL = "crawl.json"
    COMPARISON = "comparison.json"
    TUNING = "tuning.json"


_NAMED = 10


def kind_of(folder: Path) -> Kind:
    """What the folder holds; FolderError where that is nothing to report on, or several things.

    The folders of a crawl's workers are one crawl.
    """
    try:
        if not folder.is_dir():
            state = "is no folder" if folder.exists() else "is not there"
            raise FolderError(
                f"{folder} {state}; give the folder of a crawl, comparison or tuning."
            )
        found = [kind for kind in Kind if (folder / kind.value).exists()]
    except OSError as error:
        raise FolderError(f"{folder} cannot be read: {error.strerror or error}.") from None
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(kind.value for kind in found)
        raise FolderError(f"{folder} holds {names}; give a folder that holds one of them.")
    if holds_workers(folder):
        return Kind.CRAWL
    below = [str(each) for each in crawls_in(folder)]
    if below:
        what = "several crawls; give one of them" if below[1:] else "a crawl further down; give it"
        more = f" and {len(below) - _NAMED:,} more" if len(below) > _NAMED else ""
        raise FolderError(f"{folder} holds {what}: {', '.join(below[:_NAMED])}{more}.")
    raise FolderError(
        f"{folder} holds nothing to report on; give the folder of a crawl (crawl.json), a "
        "comparison (comparison.json) or a tuning (tuning.json)."
    )

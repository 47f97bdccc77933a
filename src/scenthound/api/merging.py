"""Several workers, one crawl, from Python: their folders merged, or read together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from scenthound.api.arguments import check_given_path
from scenthound.api.shared import warn_caller
from scenthound.core.errors import SettingsError
from scenthound.corpus.merging import Merged, OnProgress, merge_workers
from scenthound.corpus.worker_finding import worker_folders
from scenthound.experiments.topic_reading import Warn

Folders = str | Path | Sequence[str | Path]
"""Of one crawl: its folder, the folder that holds those of its workers, or several of those."""


def merge(
    folders: Folders,
    out: str | Path,
    *,
    on_progress: OnProgress | None = None,
    warn: Warn | None = None,
) -> Merged:
    """Make one crawl folder of those of the workers that crawled together.

    Parameters
    ----------
    folders : of the workers, or the one that holds them; nothing in them is changed, and workers
        may be crawling: what they have committed is read.
    out : the folder to make; there must be nothing of that name.
    on_progress : called now and then with what is done, how far that is, and how far it goes.
    warn : called with a sentence for what is odd; by default a ScenthoundWarning.

    Every URL is kept once, as it was stored first. Pages are numbered anew in the order of time.
    The folder is read like that of any crawl, and cannot be resumed.

    Raises
    ------
    InputError
        The folders are no workers' of one crawl, one is damaged, or there is something at ``out``.
    """
    check_given_path("out", out)
    workers = worker_folders(given_folders("folders", folders))
    merged = merge_workers(workers, Path(out), on_progress or _silent)
    tell = warn or warn_caller
    if merged.running:
        tell(
            f"{_some(merged.running, 'worker')} of the crawl {_are(merged.running)} still "
            "crawling; what is stored later is not in the merged folder"
        )
    for number, links in sorted(merged.strangers.items()):
        tell(
            f"{_some(links, 'link')} came from pages of worker {number} that are not in the "
            "folders given; merge its folder too, to have them"
        )
    return merged


def given_folders(name: str, value: object) -> tuple[Path, ...]:
    """One path or several; SettingsError where the argument ``name`` is something else."""
    if isinstance(value, str | os.PathLike):
        check_given_path(name, value)
        return (Path(value),)
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise SettingsError(f"{name} takes a path, or a list of them.")
    for each in value:
        check_given_path(name, each)
    return tuple(map(Path, value))


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""

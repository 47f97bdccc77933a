"""``scenthound merge``: the folders of a crawl's workers as one crawl folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.api.merging import merge as merge_folders
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.progress import bars, stage_bar
from scenthound.cli.screen import notices, output, plain, say_error, say_warning
from scenthound.core.sizes import told_size
from scenthound.corpus.merging import COPYING, Merged


def merge(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="DIR", help="Crawl folder to make.",
                     show_default=False),
    ],
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DIR", help="Folders of workers, or the one that holds them.",
                       show_default=False),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, no summary.")
    ] = False,
) -> None:  # fmt: skip
    """Merge the folders of a crawl's workers into one crawl folder.

    Reports, explanations, exports and the dashboard read it like any other; it cannot be resumed.
    Every URL is kept once. Nothing in the workers' folders is changed, and they may be crawling.
    """
    try:
        with bars(notices(), quiet) as progress:
            done = merge_folders(
                folders or [], out, on_progress=stage_bar(progress, (COPYING,)), warn=say_warning
            )
    except KeyboardInterrupt:
        say_error(f"interrupted; {out} was not made.")
        raise ToldExit(BROKEN_OFF) from None
    if not quiet:
        output().print(plain(_told(done)), soft_wrap=True)


def _told(done: Merged) -> str:
    text = f"{done.path}: {_some(done.pages, 'page')} of {_some(done.workers, 'worker')}"
    if done.copies:
        text += f", {_some(done.copies, 'page')} stored twice left out"
    if done.unsaved:
        text += f", {_some(done.unsaved, 'page')} never saved left out"
    return f"{text}, {told_size(done.size)}"


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

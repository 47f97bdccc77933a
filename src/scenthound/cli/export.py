"""``scenthound export`` and ``scenthound merge``: a crawl as a table or web archive; the folders
of its workers as one crawl folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.options import FolderOrNone, RedisUrl, ServerCrawl, SharedName, named_crawl
from scenthound.cli.results import INTERRUPTED_CODE, CommandExit
from scenthound.cli.screen import (
    bars,
    notices,
    output,
    plain,
    print_error,
    print_warning,
    stage_bar,
)
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import format_size
from scenthound.crawler.shared_crawls import local_worker_folders
from scenthound.output import export as export_api
from scenthound.output.export import COPYING, Exported, ExportFormat
from scenthound.output.export import merge as merge_folders
from scenthound.storage.files import STDOUT
from scenthound.storage.merge import COPYING_PAGES, Merged

DAMAGED = 1
"""Exit code where the file was written, but not all of the crawl could be read."""


def export(
    folder: FolderOrNone = None,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    format_: Annotated[
        ExportFormat | None,
        typer.Option("--format", "-f", help="What to write. [default: as FILE ends, or jsonl]"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="File to write; - for stdout (jsonl, "
                     "csv). [default: DIR.FORMAT]"),
    ] = None,
    min_relevance: Annotated[
        float | None,
        typer.Option(metavar="X", help="Only pages of at least this relevance, 0 to 1."),
    ] = None,
    relevant: Annotated[
        bool, typer.Option("--relevant", help="Only pages that the crawl found relevant.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Copies, errors and the like too, without a text.")
    ] = False,
    fields: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="Columns, in this order. [default: all]"),
    ] = None,
    text: Annotated[
        bool,
        typer.Option("--text/--no-text", help="Find main text, language, date and author of each "
                     "page, which takes most of the time."),
    ] = True,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", metavar="N",
                     help="Processes to do that. [default: one a core]"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, no summary.")
    ] = False,
) -> None:  # fmt: skip
    """Write the pages of a crawl to a table, with their main text, or to a web archive.

    The crawl may be finished, interrupted or still running; nothing of it is changed. DIR may hold
    the folders of a crawl's workers; of a crawl on a server those on this machine are read.
    """
    named = named_crawl(folder, redis, crawl)
    source = named if isinstance(named, Path) else _folders(named)
    if isinstance(named, ServerCrawl) and out is None:
        out = Path(f"{named.crawl}.{'jsonl' if format_ is None else format_.value}")
    try:
        with bars(notices(), quiet) as progress:
            done = export_api.export(
                source,
                out,
                None if format_ is None else format_.value,
                relevant=relevant,
                min_relevance=min_relevance,
                everything=everything,
                fields=None if fields is None else _names(fields),
                text=text,
                jobs=jobs,
                force=force,
                on_progress=stage_bar(progress, (COPYING,)),
            )
    except KeyboardInterrupt:
        print_error("interrupted; no file was written.")
        raise CommandExit(INTERRUPTED_CODE) from None
    if not quiet:
        _print_summary(done)
    if done.damage:
        _warn_damage(done)
        raise CommandExit(DAMAGED)


def _folders(shared: ServerCrawl) -> list[Path]:
    """The folders of the workers of a crawl that are here; those that are not are reported."""
    found, elsewhere = local_worker_folders(shared.redis, shared.crawl)
    if not found:
        raise SettingsError(
            f"no folder of a worker of {shared.crawl!r} is on this machine; bring them here, and "
            "give the folder that holds them."
        )
    for worker in elsewhere:
        print_warning(
            f"the {worker.pages:,} pages of worker {worker.name} are left out: {worker.folder} on "
            f"{worker.host} cannot be read here"
        )
    return found


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _print_summary(done: Exported) -> None:
    """What was written and what not, on stderr: the file itself may go to stdout."""
    where = "stdout" if done.path == STDOUT else str(done.path)
    described = f"wrote {where}: {done.rows:,} pages"
    if done.left_out:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in done.left_out.items())
        described += f"; left out: {reasons}"
    notices().print(plain(described), soft_wrap=True)
    if done.unread:
        print_warning(
            f"no main text was found in {done.unread:,} pages that are too long or broke the "
            "search for it: they have their visible text, or none"
        )
    if done.unread_pdfs:
        print_warning(
            f"{_counted(done.unread_pdfs, 'PDF')} without a text, since pypdf is missing; "
            "install it with: pip install 'scenthound[pdf]'"
        )


def _warn_damage(done: Exported) -> None:
    """What is lost, with the first example; also to those who want no summary."""
    lost = _counted(done.lost, "page")
    print_warning(f"the crawl is damaged, {lost} lost; the first damage: {done.damage}")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


# ``scenthound merge``: the folders of a crawl's workers as one crawl folder.


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
                folders or [],
                out,
                on_progress=stage_bar(progress, (COPYING_PAGES,)),
            )
    except KeyboardInterrupt:
        print_error(f"interrupted; {out} was not made.")
        raise CommandExit(INTERRUPTED_CODE) from None
    if not quiet:
        output().print(plain(_merge_summary(done)), soft_wrap=True)


def _merge_summary(done: Merged) -> str:
    text = (
        f"{done.path}: {_merge_count(done.pages, 'page')} of {_merge_count(done.workers, 'worker')}"
    )
    if done.copies:
        text += f", {_merge_count(done.copies, 'page')} stored twice left out"
    if done.unsaved:
        text += f", {_merge_count(done.unsaved, 'page')} never saved left out"
    return f"{text}, {format_size(done.size)}"


def _merge_count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

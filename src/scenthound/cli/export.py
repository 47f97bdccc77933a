"""``scenthound export``: a crawl as a table of pages with their texts, or as a web archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.api.sharing import worker_places
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.progress import bars, stage_bar
from scenthound.cli.screen import notices, plain, say_error, say_warning
from scenthound.cli.shared_options import (
    FolderOrNone,
    OnServer,
    RedisUrl,
    SharedName,
    named_crawl,
)
from scenthound.core.errors import SettingsError
from scenthound.corpus.exporting import Exported
from scenthound.corpus.target import STDOUT
from scenthound.corpus.wish import COPYING, Format

DAMAGED = 1
"""Exit code where the file was written, but not all of the crawl could be read."""


def export(
    folder: FolderOrNone = None,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    format_: Annotated[
        Format | None,
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
    if isinstance(named, OnServer) and out is None:
        out = Path(f"{named.crawl}.{'jsonl' if format_ is None else format_.value}")
    try:
        with bars(notices(), quiet) as progress:
            done = api.export(
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
        say_error("interrupted; no file was written.")
        raise ToldExit(BROKEN_OFF) from None
    if not quiet:
        _tell(done)
    if done.damage:
        _tell_damage(done)
        raise ToldExit(DAMAGED)


def _folders(shared: OnServer) -> list[Path]:
    """The folders of the workers of a crawl that are here; those that are not are told."""
    found, elsewhere = worker_places(shared.redis, shared.crawl)
    if not found:
        raise SettingsError(
            f"no folder of a worker of {shared.crawl!r} is on this machine; bring them here, and "
            "give the folder that holds them."
        )
    for worker in elsewhere:
        say_warning(
            f"the {worker.pages:,} pages of worker {worker.name} are left out: {worker.folder} on "
            f"{worker.host} cannot be read here"
        )
    return found


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _tell(done: Exported) -> None:
    """What was written and what not, on stderr: the file itself may go to stdout."""
    where = "stdout" if done.path == STDOUT else str(done.path)
    told = f"wrote {where}: {done.rows:,} pages"
    if done.left_out:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in done.left_out.items())
        told += f"; left out: {reasons}"
    notices().print(plain(told), soft_wrap=True)
    if done.unread:
        say_warning(
            f"no main text was found in {done.unread:,} pages that are too long or broke the "
            "search for it: they have their visible text, or none"
        )
    if done.unread_pdfs:
        say_warning(
            f"{_some(done.unread_pdfs, 'PDF')} without a text, since pypdf is missing; "
            "install it with: pip install 'scenthound[pdf]'"
        )


def _tell_damage(done: Exported) -> None:
    """What is lost, with the first example; also to those who want no summary."""
    lost = _some(done.lost, "page")
    say_warning(f"the crawl is damaged, {lost} lost; the first damage: {done.damage}")


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

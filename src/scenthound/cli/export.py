"""``scenthound export`` and ``scenthound merge``: a crawl as a table or web archive; the folders
of its workers as one crawl folder.
"""

from __future__ import annotations

from pathlib import Path

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import format_size
from scenthound.crawler.shared.crawls import local_worker_folders
from scenthound.output.export import export as export_api
from scenthound.output.export.export import Exported, ExportOptions
from scenthound.output.export.export import merge as merge_folders
from scenthound.output.export.wacz import COPYING
from scenthound.storage.files import STDOUT
from scenthound.storage.merge import COPYING_PAGES


@opt.with_options(
    *("format", "out", "min_relevance", "relevant", "everything", "fields", "text", "jobs"),
    "force",
    models=(ExportOptions,),
    spelled={
        "format": "--format -f",
        "out": "--out -o",
        "everything": "--all",
        "text": "--text/--no-text",
        "jobs": "--jobs -j",
    },
)
def export(
    folder: Path | None = opt.FOLDER_OR_NONE,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
    *,
    given: opt.Given,
    quiet: bool = opt.NO_PROGRESS,
) -> None:
    """Write the pages of a crawl to a table, with their main text, or to a web archive.

    The crawl may be finished, interrupted or still running; nothing of it is changed. DIR may hold
    the folders of a crawl's workers; of a crawl on a server those on this machine are read.
    """
    named = opt.named_crawl(folder, redis, crawl)
    source = named if isinstance(named, Path) else _folders(named)
    values = dict(given)
    if isinstance(named, opt.ServerCrawl):
        values.setdefault("out", f"{named.crawl}.{values.get('format', 'jsonl')}")
    with (
        ui.report_interruption("no file was written."),
        ui.bars(ui.notices(), quiet) as progress,
        ui.stage_bar(progress, {COPYING: ui.MEGABYTES}) as on_progress,
    ):
        done = export_api.export(source, **values, on_progress=on_progress)
    if not quiet:
        _print_summary(done)
    if done.damage:  # the file is written, but not all of the crawl could be read
        lost = ui.counted(done.lost, "page")
        ui.print_warning(f"the crawl is damaged, {lost} lost; the first damage: {done.damage}")
        raise ui.CommandExit(ui.FAILED)


def _folders(shared: opt.ServerCrawl) -> list[Path]:
    """The folders of the workers of a crawl on this machine; those elsewhere are warned of."""
    found, elsewhere = local_worker_folders(shared.redis, shared.crawl)
    if not found:
        raise SettingsError(
            f"no folder of a worker of {shared.crawl!r} is on this machine; bring them here, and "
            "give the folder that holds them."
        )
    for worker in elsewhere:
        ui.print_warning(
            f"the {worker.pages:,} pages of worker {worker.name} are left out: {worker.folder} on "
            f"{worker.host} cannot be read here"
        )
    return found


def _print_summary(done: Exported) -> None:
    """What was written and what not, on stderr: the file itself may go to stdout."""
    where = "stdout" if done.path == STDOUT else str(done.path)
    summary = f"wrote {where}: {done.rows:,} pages"
    if done.left_out:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in done.left_out.items())
        summary += f"; left out: {reasons}"
    ui.say(summary)
    if done.unread:
        ui.print_warning(
            f"no main text was found in {done.unread:,} pages that are too long or broke the "
            "search for it: they have their visible text, or none"
        )
    if done.unread_pdfs:
        ui.print_warning(
            f"{ui.counted(done.unread_pdfs, 'PDF')} without a text, since pypdf is missing; "
            "install it with: pip install 'scenthound[pdf]'"
        )


def merge(
    out: Path = opt.option("DIR", "New folder for the merged crawl.", "--out -o", default=...),
    folders: list[Path] | None = opt.argument(
        "DIR", "Folders of workers, or the one that holds them.", default=None
    ),
    quiet: bool = opt.NO_PROGRESS,
) -> None:
    """Merge the folders of a crawl's workers into one crawl folder.

    Reports, explanations, exports and the dashboard read it like any other; it cannot be resumed.
    Every URL is kept once. Nothing in the workers' folders is changed, and they may be crawling.
    """
    with (
        ui.report_interruption(f"{out} was not made."),
        ui.bars(ui.notices(), quiet) as progress,
        ui.stage_bar(progress, {COPYING_PAGES: ui.MEGABYTES}) as on_progress,
    ):
        done = merge_folders(folders or [], out, on_progress=on_progress)
    if quiet:
        return
    text = f"{done.path}: {ui.counted(done.pages, 'page')} of {ui.counted(done.workers, 'worker')}"
    if done.copies:
        text += f", {ui.counted(done.copies, 'page')} stored twice left out"
    if done.unsaved:
        text += f", {ui.counted(done.unsaved, 'page')} never saved left out"
    ui.say(f"{text}, {format_size(done.size)}", ui.output())

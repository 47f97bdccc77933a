"""Progress of one crawl: a bar on a terminal, a line at the end of each elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scenthound.cli.screen import can_redraw
from scenthound.core.events import PageEvent
from scenthound.experiments.runner import OnPage


@contextmanager
def bars(console: Console, quiet: bool) -> Iterator[Progress]:
    """A place for the bars; nothing is drawn when quiet or when nobody watches."""
    with Progress(
        TextColumn("{task.description}", markup=False),  # names of topics are not ours
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[found]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not can_redraw(console),
    ) as progress:
        yield progress


@contextmanager
def crawl_bar(progress: Progress, name: str, budget: int) -> Iterator[OnPage]:
    """The bar of one crawl, as something to call with every page."""
    task = progress.add_task(name, total=budget, found="")

    def on_page(event: PageEvent) -> None:
        found = f"{event.summary.relevant} relevant"
        progress.update(task, completed=event.n, found=found)

    yield on_page
    progress.remove_task(task)


def stage_bar(
    progress: Progress, in_megabytes: Collection[str] = ()
) -> Callable[[str, int, int], None]:
    """One bar for the stages of a piece of work, as something to call with (stage, done, total).

    Those of ``in_megabytes`` count bytes. The bar begins anew when the next stage comes.
    """
    task = progress.add_task("", total=None, found="", visible=False)
    drawn = ""

    def on_progress(stage: str, done: int, total: int) -> None:
        nonlocal drawn
        if stage != drawn:
            progress.reset(task, description=stage, visible=True)
            drawn = stage
        scale, unit = (20, "MB") if stage in in_megabytes else (0, "")
        progress.update(task, completed=done >> scale, total=max(1, total >> scale), found=unit)

    return on_progress


@contextmanager
def reading_bar(progress: Progress, name: str) -> Iterator[Callable[[int, int], None]]:
    """The bar of an archive being indexed, as something to call with (done, total) bytes."""
    task = progress.add_task(f"reading {name}", total=None, found="")

    def on_bytes(done: int, total: int) -> None:
        progress.update(task, completed=done >> 20, total=max(1, total >> 20), found="MB")

    yield on_bytes
    progress.remove_task(task)

"""Progress of one crawl: a bar on a terminal, a line at the end of each elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


@contextmanager
def reading_bar(progress: Progress, name: str) -> Iterator[Callable[[int, int], None]]:
    """The bar of an archive being indexed, as something to call with (done, total) bytes."""
    task = progress.add_task(f"reading {name}", total=None, found="")

    def on_bytes(done: int, total: int) -> None:
        progress.update(task, completed=done >> 20, total=max(1, total >> 20), found="MB")

    yield on_bytes
    progress.remove_task(task)

"""A web of two dozen pages with two topics, and comparisons of strategies on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from crawler.web_building import HOST, at, moved, page
from scenthound.core.command_options import CompareOptions
from scenthound.evaluation.compare import compare_grid
from scenthound.evaluation.grid import Grid, Web, contender, read_web
from scenthound.evaluation.outcomes import Cell, Outcome, RunEnded
from scenthound.evaluation.run_process import WorkerContext, WorkOrder, execute_run
from scenthound.evaluation.worker_pool import ComparisonProgress, Schedule
from scenthound.sample.responses import Response
from scenthound.sample.web import SampleWeb, write_warc

TOPICS = ("storms", "coffee")
WORDS = {
    "storms": "storm wind hurricane rain thunder flood surge gale lightning",
    "coffee": "coffee bean roast espresso brew grinder cup crema barista",
    "town": "council meeting parking street bridge budget vote mayor bus",
}
MANY = 8


def path_of(kind: str, number: int) -> str:
    return f"/{kind}/{number}.html"


def pages() -> list[Response]:
    """Every page links to the next of its kind and to one of another kind."""
    made = []
    kinds = list(WORDS)
    for place, kind in enumerate(kinds):
        other = kinds[(place + 1) % len(kinds)]
        words = WORDS[kind].split()
        for number in range(MANY):
            onward = (path_of(kind, (number + 1) % MANY), f"{words[number]} {kind}")
            aside = (path_of(other, number), other)
            text = " ".join(words[number:] + words[:number]) * 3
            made.append(page(path_of(kind, number), onward, aside, text=text, title=kind))
    return [*made, moved("/old-storm.html", path_of("storms", 3)), page("/empty.html")]


def write_web(folder: Path) -> Path:
    """The archive, topics and labels in ``folder``; one label is on a redirect."""
    (folder / "topics").mkdir(parents=True)
    write_warc(SampleWeb(0, {r.url: r for r in pages()}, (), {}), folder / "small.warc.gz")
    for topic in TOPICS:
        seeds = [at(path_of(topic, 0)), at(path_of("town", 0))]
        examples = [at(path_of(topic, number)) for number in (1, 2)]
        text = f'name = "{topic}"\nkeywords = ["{topic}"]\nseeds = {seeds}\nexamples = {examples}\n'
        (folder / "topics" / f"{topic}.toml").write_text(text)
    labelled = [
        (at(path_of(t, n)), t) for t in TOPICS for n in range(MANY) if (t, n) != ("storms", 3)
    ]
    lines = [*labelled, (f"{HOST}/old-storm.html", "storms")]
    (folder / "labels.tsv").write_text("".join(f"{url}\t{topic}\n" for url, topic in lines))
    return folder


def small_web(folder: Path, name: str = "small") -> Web:
    topics = sorted((folder / "topics").glob("*.toml"))
    return read_web(folder / "small.warc.gz", topics, folder / "labels.tsv", name)


def small_grid(folder: Path, *strategies: str, **more: object) -> Grid:
    chosen = tuple(map(contender, strategies or ("breadth-first", "vsm-mean")))
    baseline = str(more.pop("baseline", ""))
    return Grid((small_web(folder),), chosen, baseline, CompareOptions(**more))  # type: ignore[arg-type]


def changed(grid: Grid, **more: object) -> Grid:
    """The grid with other options."""
    return replace(grid, options=grid.options.changed(**more))


class Listener(ComparisonProgress):
    """Notes what it hears."""

    def __init__(self) -> None:
        self.plans: list[tuple[int, int]] = []
        self.begins: list[Cell] = []
        self.ends: list[Outcome] = []

    def planned(self, total: int, finished: int, workers: int) -> None:
        self.plans.append((total, finished))
        assert workers >= 0

    def begun(self, cell: Cell, budget: int) -> None:
        assert budget > 0
        self.begins.append(cell)

    def ended(self, outcome: Outcome) -> None:
        self.ends.append(outcome)


class LocalPool:
    """Does the runs one after the other in this process, which saves the start of a worker."""

    def __init__(
        self, order: WorkOrder, schedule: Schedule, workers: int, threads: int,
        watch: ComparisonProgress,
    ) -> None:  # fmt: skip
        assert workers > 0 and threads > 0
        self._order, self._schedule, self._watch = order, schedule, watch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def outcomes(self) -> Iterator[RunEnded]:
        with ExitStack() as resources:
            context = WorkerContext(self._order, resources)
            while (cell := self._schedule.next(0)) is not None:
                yield execute_run(context, cell, partial(self._report, cell))

    def _report(self, cell: Cell, report: tuple[str, int]) -> None:
        getattr(self._watch, report[0])(cell, report[1])


def run_grid(grid: Grid, out: Path, **options: Any) -> list[Outcome]:
    """The outcomes of all runs, in the order of the grid."""
    return list(compare_grid(grid, out, **options).outcomes)


def figures(outcomes: Iterable[Outcome]) -> list[object]:
    """What must not depend on how the runs were done."""
    return [(each.cell, each.fetched, each.final, each.checkpoints) for each in outcomes]


def workers_of(parent: int) -> list[int]:
    """The worker processes of a process, by their numbers."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            reported = dict(line.split(":", 1) for line in status.read_text().splitlines())
            command = (status.parent / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        if int(reported["PPid"]) == parent and b"multiprocessing.spawn" in command:
            found.append(int(status.parent.name))
    return found

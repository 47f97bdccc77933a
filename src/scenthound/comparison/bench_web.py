"""Runs bench-web: the grid of its webs and topics, and the order in which each run fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.comparison.bench_files import write_webs
from scenthound.comparison.contenders import Contender
from scenthound.comparison.fetch_order import Fetched, fetched_in
from scenthound.comparison.folder_upkeep import CRAWLS, held_in
from scenthound.comparison.grid import Grid
from scenthound.comparison.kept_crawls import crawl_of
from scenthound.comparison.model import Outcome
from scenthound.comparison.open_web import BREADTH_FIRST, BUDGET, REFERENCES, OpenWeb
from scenthound.comparison.rules import Rules
from scenthound.comparison.running import run_grid
from scenthound.comparison.watching import Watch
from scenthound.core.errors import FolderError
from scenthound.experiments.equipping import CacheChoice
from scenthound.store.journal import read_journal

WEBS, COMPARISON, CARD = "webs", "comparison", "score-card.json"
"""In the folder of a benchmark: what is crawled, what ``compare`` would have written, the card."""
_INDEXES = "indexes"


@dataclass(frozen=True, slots=True)
class BenchRun:
    """One strategy, or another crawler, on one topic of one web.

    ``seconds`` is None where it was not measured; ``error`` says why there is no ``fetched``.
    """

    web: str
    topic: str
    strategy: str
    fetched: Fetched | None
    seconds: float | None = None
    error: str = ""


def with_references(contenders: Sequence[Contender]) -> tuple[Contender, ...]:
    """What is run: the references, then those that are asked for; each once."""
    wanted = [*(Contender(name) for name in REFERENCES), *contenders]
    return tuple({each.label: each for each in wanted}.values())


def run_bench(
    bench: OpenWeb,
    contenders: Sequence[Contender],
    folder: Path,
    *,
    workers: int | None = None,
    cache: CacheChoice | None = None,
    watch: Watch | None = None,
    passing: bool = False,
) -> list[BenchRun]:
    """Run the references and the contenders over the benchmark.

    Parameters
    ----------
    bench : the benchmark, or a part of it.
    contenders : strategies with their parameters; none for the references alone.
    folder : gets the webs and the runs; runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    cache : where pages and vectors are kept between runs.
    watch : hears how it goes.
    passing : the folder will be removed, so indexes of its archives are kept in it.

    Raises
    ------
    InputError
        A strategy cannot be run, or the folder holds something else.
    """
    _refuse_other_folder(folder)
    grid = Grid(
        write_webs(bench, folder / WEBS),
        with_references(contenders),
        baseline=BREADTH_FIRST,
        rules=Rules(BUDGET, count_missing=True),
        cache=cache or CacheChoice(),
        keep_crawls=True,
    )
    out = folder / COMPARISON
    indexes = folder / _INDEXES if passing else None
    outcomes = run_grid(grid, out, workers=workers, watch=watch, indexes=indexes)
    return [_run(bench, outcome, out / CRAWLS) for outcome in outcomes]


def _refuse_other_folder(folder: Path) -> None:
    """FolderError for a folder that is full of something else."""
    held = held_in(folder)
    if COMPARISON not in held and held - {WEBS, CARD}:
        raise FolderError(f"{folder} holds other files; choose a new --out folder.")


def _run(bench: OpenWeb, outcome: Outcome, crawls: Path) -> BenchRun:
    cell = outcome.cell
    if outcome.error:
        return BenchRun(cell.web, cell.topic, cell.strategy, None, error=outcome.error)
    order = journal_order(crawl_of(crawls, cell).journal_path)
    fetched = fetched_in(bench.web(cell.web), cell.topic, order)
    return BenchRun(cell.web, cell.topic, cell.strategy, fetched, outcome.seconds)


def journal_order(journal: Path) -> Iterator[str | None]:
    """The addresses that a replay has asked for, in order; None for each that was not there."""
    for event in read_journal(journal):
        if event["event"] == "missing":
            yield from [None] * int(str(event["count"]))
        elif event["event"] == "page":
            yield str(event["url"])

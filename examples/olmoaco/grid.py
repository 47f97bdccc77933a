"""The grid of olmoaco (2022), Tables 3 and 4: accuracy for each sigma and eta, over an archive.

    python -m examples.olmoaco.grid examples/olmoaco/typhoon-grid.toml --archive A.warc.gz

Sigma only judges: there is one crawl for an eta and a random seed, judged at every sigma.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

import scenthound
from examples.olmoaco.accuracy import Cell, Crawled, cells, table_text
from examples.olmoaco.experiment import Grid, read_grid


def crawled(archive: Path, grid: Grid, eta: float, random_seed: int) -> Crawled:
    """Replay the archive once, judged as low as the grid ever does."""
    relevance: list[float] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", scenthound.ScenthoundWarning)
        run = scenthound.replay(
            archive,
            scenthound.read_topic(grid.topic),
            "olmoaco",
            parameters={"eta": eta},
            judge="ontology",
            threshold=min(grid.sigma),
            budget=grid.pages,
            random_seed=random_seed,
            on_page=lambda page: relevance.append(page.similarity) if page.relevant else None,
        )
    messages = tuple(str(each.message) for each in caught)
    return Crawled(eta, random_seed, run.fetched, tuple(relevance), messages)


def all_crawled(archive: Path, grid: Grid, processes: int | None) -> Iterator[Crawled]:
    """Every crawl of the grid as it ends; several processes work at them."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting = [
            pool.submit(crawled, archive, grid, eta, random_seed)
            for eta in grid.eta
            for random_seed in range(grid.runs)
        ]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def watched(ending: Iterable[Crawled], number: int) -> list[Crawled]:
    """All of them, with a bar on stderr where that is a terminal."""
    screen = Console(stderr=True)
    with Progress(console=screen, disable=not screen.is_terminal) as bar:
        return list(bar.track(ending, number, description="crawls"))


def write(path: Path, found: Sequence[Cell]) -> None:
    """The cells as .json, or else as CSV; a dry one has the figures of what was fetched."""
    rows = [asdict(cell) for cell in found]
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".json":
            json.dump(rows, file, indent=1)
        else:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl the grid and print the table; 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        grid = _shortened(read_grid(options.grid), options)
        ending = all_crawled(options.archive, grid, options.processes)
        crawls = watched(ending, len(grid.eta) * grid.runs)
        found = cells(grid, crawls)
        for path in options.out:
            write(path, found)
    except (scenthound.InputError, OSError) as error:
        print(f"grid: {error}", file=sys.stderr)
        return 2
    for warning in dict.fromkeys(warning for each in crawls for warning in each.warnings):
        print(f"warning: {warning}", file=sys.stderr)
    print(table_text(grid, found))
    return 0


def _shortened(grid: Grid, options: argparse.Namespace) -> Grid:
    return replace(
        grid,
        topic=options.topic or grid.topic,
        pages=grid.pages if options.pages is None else options.pages,
        runs=grid.runs if options.runs is None else options.runs,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grid", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("grid", type=Path, help="experiment file, such as typhoon-grid.toml")
    add("--archive", type=Path, required=True, help="WARC or WACZ file, or a folder of either")
    add("--topic", type=Path, help="another topic file, one whose seeds are in the archive")
    add("--pages", type=_positive, metavar="N", help="instead of the experiment's")
    add("--runs", type=_positive, metavar="N", help="instead of the experiment's")
    add("--processes", type=_positive, metavar="N", help="at once; by default one for each core")
    add("--out", type=_new_file, action="append", default=[], help=".csv or .json; may repeat")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("give a whole number, 1 or more")
    return int(text)


def _new_file(text: str) -> Path:
    """Said before hours of crawling, not after them."""
    if not Path(text).parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {Path(text).parent}; make it first")
    return Path(text)


if __name__ == "__main__":
    sys.exit(main())

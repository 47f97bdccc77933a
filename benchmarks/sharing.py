"""How much faster is a comparison whose runs share what they read?"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import InputError
from scenthound.crawler.caches import cache_report
from scenthound.crawler.metrics import Indicators, Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.evaluation.compare import compare_grid
from scenthound.evaluation.grid import Contender, Grid, Web, read_web
from scenthound.evaluation.outcomes import Cell, Outcome, plain_json
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE

T = TypeVar("T")
STRATEGIES = ("vsm", "shark", "soft-svsm", "svsm")
WORKERS = 2
_SCENTHOUND = (sys.executable, "-c", "from scenthound.cli.main import main; main()")
BAR = 3.0


def sharing(folder: Path, strategies: Sequence[str] = STRATEGIES) -> None:
    """Print the time of a grid through ``compare``, cold and warm, beside one run at a time."""
    archive, topics = folder / "schools.warc.gz", str(folder / "topics" / "*.toml")
    web = read_web(archive, [topics], folder / "labels.tsv")
    took, alone = _timed(partial(one_by_one, web, strategies))
    pages = sum(each.fetched for each in alone.values())
    distinct = len({url for each in alone.values() for url in each.order})
    typed, _ = _timed(partial(as_commands, web, strategies))
    print(
        f"{len(alone)} runs, {pages} pages fetched, {distinct} of them distinct; one by one, "
        f"nothing shared: {typed:.1f} s as commands, {took:.1f} s in one process"
    )
    with TemporaryDirectory() as scratch:
        cache = Path(scratch) / "cache"
        options = CompareOptions(cache=str(cache))
        grid = Grid((web,), tuple(map(Contender, strategies)), options=options)
        for state, bar in (("cold", f" (bar: {BAR:g})"), ("warm", "")):
            out = Path(scratch) / state
            shared, done = _timed(partial(compare_grid, grid, out, workers=WORKERS))
            print(
                f"compare, {WORKERS} workers, {state} cache: {shared:.1f} s, {typed / shared:.2f} "
                f"times as fast as commands{bar}, {took / shared:.2f} times as one process; "
                f"{differing(alone, done.outcomes)} runs differ"
            )
        kept = cache_report(cache)
    megabytes, each = kept.page_bytes / 1e6, kept.page_bytes / 1e3 / max(kept.pages, 1)
    print(f"kept: {kept.pages} pages, {megabytes:.1f} MB, {each:.1f} kB a page")


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def one_by_one(web: Web, strategies: Sequence[str]) -> dict[Cell, Result]:
    """Every run by itself: the archive opened again, the topic read again, nothing kept."""
    found = {}
    for name in strategies:
        for topic in web.topics:
            with open_archive(web.archive) as archive:
                plan = ReplayPlan([(CATALOGUE[name], {})], web.labels)
                (job,) = plan.jobs(archive, [topic])
                found[Cell(web.name, topic.name, name)] = run_job(archive, job)
    return found


def as_commands(web: Web, strategies: Sequence[str]) -> None:
    """The same as a user would type it, ``scenthound replay`` for each run; nothing is kept."""
    for name in strategies:
        for topic in web.topics:
            given = ["replay", web.archive, "--topic", topic.file, "--labels", web.labels_file]
            given += ["--strategy", name, "--cache", "none", "--quiet"]
            subprocess.run([*_SCENTHOUND, *map(str, given)], check=True, capture_output=True)


def differing(alone: Mapping[Cell, Result], outcomes: Sequence[Outcome]) -> int:
    """Runs whose indicators are not at every checkpoint the same as those of the run alone."""
    return sum(
        not _indicators(alone[each.cell].checkpoints) <= _indicators(each.checkpoints)
        for each in outcomes
    )


def _indicators(rows: Sequence[Indicators]) -> set[str]:
    """As files have them; a comparison takes them more often than a run does."""
    return {repr(plain_json(row.to_json())) for row in rows}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 2 for bad input."""
    parser = argparse.ArgumentParser(prog="sharing", description=__doc__)
    parser.add_argument("--webs", type=Path, required=True, help="folder with schools/")
    try:
        sharing(parser.parse_args(arguments).webs / "schools")
    except InputError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

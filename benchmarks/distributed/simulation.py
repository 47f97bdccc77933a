"""Many workers over one frontier, simulated: a real server, a made-up web, a clock that jumps.

``python -m benchmarks.distributed.simulation --workers 1 10 50 200 --pages 20000``

Nothing is fetched. Printed for each number of workers: how fast the crawl is beside what
politeness and the workers allow, what the pages are worth beside those of one worker and of an
order that knows all worths, how soon hosts were asked again, and what the server did for it.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from redis import Redis

from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.simulation_run import Outcome, Run, Setting
from benchmarks.distributed.simulation_server import SERVER, RoundTrips
from benchmarks.distributed.simulation_web import Web
from benchmarks.distributed.simulation_workers import READ_SECONDS

WORKERS = (1, 10, 50, 200)
_SEEDS = 20
_DEFAULT = Setting(workers=1, pages=20_000)
_HEAD = (
    "workers   pages/s of bound   worth of one of best   gap s  rest s twice lost again robots"
    "  trips empty  ms/page cores"
)


def simulated(web: Web, setting: Setting, seeds: list[int]) -> Outcome:
    """One run on a server of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), SERVER) as url,
    ):
        socket = url.removeprefix("unix://")
        client = Redis(unix_socket_path=socket)
        return Run(web, setting, client, RoundTrips(socket)).outcome(seeds)


def bound(web: Web, setting: Setting) -> float:
    """Pages a second that politeness allows, or that the workers can ask for and read: the less."""
    polite = sum(1 / (setting.delay + seconds) for seconds in web.response_means)
    asking = setting.concurrency / fmean(web.response_means)
    return min(polite, setting.workers * min(asking, 1 / READ_SECONDS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each number of workers; 1 if anything was asked too soon, twice or lost."""
    given = _parser().parse_args(arguments)
    web = Web(given.hosts, given.pages * given.web, given.seed)
    seeds = random.Random(given.seed).sample(web.fronts, min(_SEEDS, given.hosts))
    best = fmean(web.omniscient(seeds, given.pages))
    print(
        f"{given.hosts} hosts, {web.pages} pages worth {fmean(web.worths):.3f} in the mean; "
        f"{given.pages} are fetched, {best:.3f} if all worths were known; delay {given.delay:g} s"
    )
    print(_HEAD)
    first, complaints = None, list[str]()
    for workers in given.workers:
        setting = Setting(
            workers, given.pages, given.delay, given.concurrency, given.look_again,
            given.partitions, given.deaths, given.seed, not given.robots_alone,
        )  # fmt: skip
        outcome = simulated(web, setting, seeds)
        first = first or outcome
        print(_line(web, setting, outcome, fmean(first.worths), best), flush=True)
        complaints += [f"{workers} workers: {each}" for each in outcome.complaints]
    print("\n".join(complaints) or "no host was asked too soon, nothing leased twice, nothing lost")
    return 1 if complaints else 0


def _line(web: Web, setting: Setting, outcome: Outcome, one: float, best: float) -> str:
    worth, witness = fmean(outcome.worths), outcome.witness
    pages = setting.pages - setting.pages // 2
    cpu = outcome.load.cpu / pages
    return (
        f"{setting.workers:7} {outcome.rate:9.1f} {outcome.rate / bound(web, setting):8.2f} "
        f"{worth:7.3f} {worth / one:6.2f} {worth / best:7.2f} {witness.shortest_gap:7.3f} "
        f"{witness.shortest_rest:7.3f} {witness.leased_twice:5} {outcome.lost:4} "
        f"{outcome.fetched_again:5} {outcome.robots:6.2f} {outcome.trips:7.1f} "
        f"{outcome.empty_share:5.2f} {cpu * 1_000:8.2f} {cpu * outcome.rate:5.2f}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--workers", type=int, nargs="+", default=WORKERS, help="how many, one run for each")
    add("--pages", type=int, default=_DEFAULT.pages, help="pages that each run fetches")
    add("--web", type=int, default=10, help="the web is so many times as large")
    add("--hosts", type=int, default=2_000)
    add("--delay", type=float, default=_DEFAULT.delay, help="seconds that a host rests")
    add("--concurrency", type=int, default=_DEFAULT.concurrency, help="of one worker")
    add("--look-again", type=float, default=_DEFAULT.look_again, help="seconds, at the soonest")
    add("--partitions", type=int, default=_DEFAULT.partitions)
    add("--deaths", type=int, default=_DEFAULT.deaths, help="workers killed in each run")
    add("--robots-alone", action="store_true", help="each worker reads robots.txt for itself")
    add("--seed", type=int, default=_DEFAULT.seed)
    return parser


if __name__ == "__main__":
    sys.exit(main())

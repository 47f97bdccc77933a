"""``make bench-distributed WEBS=folder``: crawls by many workers, and the bars they have to hold.

A real server: Valkey from its package, else the Redis that is installed, with an append-only file.
Every bar is printed with its figure and PASS or FAIL; raw figures go to ``OUT/PART.json``.

* ``speed``: two workers beside one, one beside the ordinary crawl, time on the server. It needs a
  quiet machine.
* ``kill``: workers killed at 20 moments, three of them for good, and the server once, to an empty
  frontier; then merged.
* ``cluster``: three servers, one of them killed and started again, to an empty frontier.
* ``politeness``: the shortest rest of a host between two requests, of 50 hosts, some slow, and 4
  workers, one with a wrong clock.
* ``harvest``: labelled harvest of 4 workers beside one, six topics of the schools web on 20 hosts.
* ``cost``: bytes of a URL on the server, time to add and lease it, at 100,000 and 1,000,000 URLs;
  bytes where hosts have few URLs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.distributed import frontier_cost
from benchmarks.distributed.bars import Section
from benchmarks.distributed.harvest import harvest
from benchmarks.distributed.kills import kills
from benchmarks.distributed.node_killed import node_killed
from benchmarks.distributed.politeness import politeness
from benchmarks.distributed.speed import ROUNDS, speed
from scenthound.core.errors import InputError

PARTS = ("speed", "kill", "cluster", "politeness", "harvest", "cost")
"""In the order they run."""
_COST = "cost"


def parts(webs: Path, rounds: int) -> Mapping[str, Callable[[], Section]]:
    """What each part measures, by its name; ``cost`` prints its own figures."""
    return {
        "speed": partial(speed, webs / "campus", rounds=rounds),
        "kill": kills,
        "cluster": node_killed,
        "politeness": politeness,
        "harvest": partial(harvest, webs / "schools"),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all parts, or those asked for; 1 where a bar is missed, 2 for bad input."""
    options = _parser().parse_args(arguments)
    table = parts(options.webs.resolve(), options.rounds)
    missed = []
    try:
        for name in options.only or PARTS:
            print(f"## {name}", flush=True)
            if name == _COST:
                held = frontier_cost.main([]) == 0
            else:
                section = table[name]()
                section.show()
                section.write(options.out / f"{name}.json")
                held = section.is_held
            missed += [] if held else [name]
    except InputError as error:
        print(f"bench-distributed: {error}", file=sys.stderr)
        return 2
    print("all bars are held" if not missed else f"missed: {', '.join(missed)}")
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    summary, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="bench-distributed", description=summary.replace("``", ""),
        epilog=more.replace("``", ""), formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--webs", type=Path, default=Path("../shared/webs"),
                        help="folder with campus/ and schools/")  # fmt: skip
    parser.add_argument("--out", type=Path, default=Path("out/distributed"), metavar="DIR",
                        help="folder for the raw figures")  # fmt: skip
    parser.add_argument("--only", nargs="+", action="extend", choices=PARTS, metavar="PART",
                        help=f"run just these: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N",
                        help=f"of the part speed (default: {ROUNDS})")  # fmt: skip
    return parser

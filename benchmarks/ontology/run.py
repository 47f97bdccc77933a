"""``make bench-ontology WEBS=folder``: figures of the parts that the ant colony crawlers need.

Every section prints its own figures; ``--only NAME`` (may be repeated) runs just that one.

* ``pagerank``: time to add a page to the graph of links and have PageRank up to date, from 1,000
  to 50,000 pages; beside computing all of it from scratch.
* ``selection``: time to choose 30 of 20,000 waiting links (front, then nearest-farthest), as a
  part of the time to extract the 270 pages of a cycle.
* ``learning``: time to learn an ontology of 100 concepts from 30 pages, step by step.
* ``harvest``: labelled harvest of the ontology crawlers and their rivals on the schools topics, or
  on generated webs without ``--webs``: mean and deviation over ``--seeds``, by topic, with AR, SD
  and AC of the paper, as Markdown. ``--strategy "NAME KEY=VALUE ..."`` (may be repeated) measures
  only these, ``--topic NAME`` only there; ``--out`` keeps every replay. It takes a quarter of an
  hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.ontology.crawlers import CRAWLERS
from benchmarks.ontology.harvest import Comparison, harvest
from benchmarks.ontology.learning import learning
from benchmarks.ontology.pagerank import pagerank
from benchmarks.ontology.selection import selection
from scenthound.core.errors import InputError

Section = Callable[[], None]


def sections(
    webs: Path | None, comparison: Comparison | None = None, out: Path | None = None
) -> Mapping[str, Section]:
    """The sections by name, in the order they run."""
    schools = None if webs is None else webs / "schools"
    return {
        "pagerank": pagerank,
        "selection": partial(selection, schools),
        "learning": learning,
        "harvest": partial(harvest, schools, comparison, out),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures, or those asked for; 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        comparison = Comparison(options.strategy or CRAWLERS, options.seeds, options.topic)
        table = sections(options.webs, comparison, options.out)
        for name in options.only or table:
            table[name]()
    except InputError as error:
        print(f"bench-ontology: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench-ontology", description=__doc__.split("\n")[0])
    names = list(sections(None))
    parser.add_argument("--webs", type=Path, help="folder with schools/; the sample web otherwise")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME",
                        help=f"run this section; may be repeated: {', '.join(names)}")  # fmt: skip
    of_harvest = parser.add_argument_group("harvest")
    of_harvest.add_argument("--strategy", action="append", metavar="NAME", help="measure this one, "
                            "with settings as in 'olmoaco ants=10'; may be repeated")  # fmt: skip
    of_harvest.add_argument("--seeds", type=int, default=10, metavar="N", help="replays of a "
                            "crawler that leaves something to chance (default: 10)")  # fmt: skip
    of_harvest.add_argument("--topic", action="append", default=[], metavar="NAME",
                            help="only this topic; may be repeated")  # fmt: skip
    of_harvest.add_argument("--out", type=Path, metavar="FILE",
                            help="every replay, as .csv or .json")  # fmt: skip
    return parser

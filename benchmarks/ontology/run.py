"""``make bench-ontology WEBS=folder``: figures of the parts that the ant colony crawlers need.

Every section prints its own figures; ``--only NAME`` (may be repeated) runs just that one.

* ``pagerank``: time to add a page to the graph of links and have PageRank up to date, from 1,000
  to 50,000 pages; beside computing all of it from scratch.
* ``selection``: time to choose 30 of 20,000 waiting links (front, then nearest-farthest), as a
  part of the time to extract the 270 pages of a cycle.
* ``learning``: time to learn an ontology of 100 concepts from 30 pages, step by step.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.ontology.learning import learning
from benchmarks.ontology.pagerank import pagerank
from benchmarks.ontology.selection import selection
from scenthound.core.errors import InputError

Section = Callable[[], None]


def sections(webs: Path | None) -> Mapping[str, Section]:
    """The sections by name, in the order they run."""
    schools = None if webs is None else webs / "schools"
    return {
        "pagerank": pagerank,
        "selection": partial(selection, schools),
        "learning": learning,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures, or those asked for; 2 for bad input."""
    options = _parser().parse_args(arguments)
    table = sections(options.webs)
    try:
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
    return parser

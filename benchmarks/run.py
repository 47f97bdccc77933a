"""``make bench WEBS=folder``: the figures that the documentation quotes.

1. Replaying ``vsm`` over 2,000 schools pages, as a multiple of one bare extraction pass over
   the same pages (read from the archive, parse, text, links with contexts; no terms).
   Both are measured in turn, five times; the medians make the ratio. Once more with the
   crawl folder written: journal, state, results.
2. Peak memory of a replay of the whole schools archive, and of parts of it, each in a
   process of its own.
3. The campus web: every strategy from one seed; then the whole of it, every page fetched, no
   exception, what was dropped and why.
4. How well the judge's similarity separates labelled pages from others (area under the curve).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.judging import judge_quality
from benchmarks.memory import memory_growth
from benchmarks.speed import extraction_ratio
from benchmarks.whole_web import whole_campus
from scenthound.core.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures; 2 for bad input."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.split("\n")[0])
    parser.add_argument("--webs", type=Path, required=True, help="folder with schools/, campus/")
    webs = parser.parse_args(arguments).webs
    try:
        extraction_ratio(webs / "schools")
        memory_growth(webs / "schools")
        whole_campus(webs / "campus")
        judge_quality(webs / "schools")
    except InputError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

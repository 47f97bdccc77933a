"""``make bench-scent WEBS=folder``: how well scent harvests on the schools web, and what it costs.

Harvest is labelled harvest with a budget of twice the labelled pages, and every figure of it comes
from a grid as ``scenthound compare`` runs it, in the folder ``OUT/PART``: the same command goes on
where it was ended, and ``scenthound report OUT/PART`` shows the runs. Tables are Markdown.

* ``draws``: every strategy, and scent without sentences, over ``--draws`` of seeds and examples;
  differences with intervals over topics, and over topics and draws. ``--quick`` leaves out those
  that take hours.
* ``keywords``: the same without example pages, for a few.
* ``off-topic``: recall from seeds on the topic and off it.
* ``choosing``: would ``prior_weight`` and ``inlinks`` be chosen as they are on other topics?
* ``cost``: processor time of whole crawls beside those of vsm. It needs a quiet machine.
* ``memory``: peak memory by size of a crawl, and for each further link, beside vsm-four.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.scent.choosing import of_choices
from benchmarks.scent.comparing import failures, log, outcomes, schools
from benchmarks.scent.cost import cost
from benchmarks.scent.grids import DRAWS, by_keywords, choosing, drawn, off_topic
from benchmarks.scent.harvest_parts import of_draws, of_keywords, of_seeds
from benchmarks.scent.memory import memory
from scenthound.core.errors import InputError
from scenthound.crawler.caches import CacheChoice
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Outcome
from scenthound.similarity.bert import is_minilm_there
from scenthound.storage.archive import open_archive

PARTS = ("draws", "keywords", "off-topic", "choosing", "cost", "memory")
"""In the order they run."""
LIGHT_ONLY = "MiniLM is not there, so `scent` reads no sentences: it is the light one."
Part = Callable[[], Iterable[str]]
Report = Callable[[Sequence[Outcome]], list[str]]


def parts(
    webs: Path, out: Path, cache: CacheChoice, workers: int | None, draws: int, quick: bool
) -> Mapping[str, Part]:
    """What each part prints, by its name; a part runs when it is called."""
    web = schools(webs)
    grids: Mapping[str, tuple[Callable[[], Grid], Report]] = {
        "draws": (partial(drawn, web, cache, draws, quick, log), of_draws),
        "keywords": (partial(by_keywords, web, cache), of_keywords),
        "off-topic": (partial(off_topic, web, cache), of_seeds),
        "choosing": (partial(choosing, web, cache), of_choices),
    }
    compared: dict[str, Part] = {
        name: partial(_compared, grid, report, out / name, workers)
        for name, (grid, report) in grids.items()
    }
    return {**compared, "cost": partial(cost, webs, cache), "memory": partial(memory, webs)}


def _compared(
    grid: Callable[[], Grid], report: Report, out: Path, workers: int | None
) -> list[str]:
    """The runs of a grid, and what they say."""
    runs = outcomes(grid(), out, workers)
    light = [] if is_minilm_there() else [LIGHT_ONLY]
    return [*light, *failures(runs), *report(runs)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all parts, or those asked for; 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        cache = CacheChoice(options.cache)
        asked = (options.webs, options.out, cache, options.workers, options.draws, options.quick)
        table = parts(*asked)
        open_archive(schools(options.webs).archive).close()  # a missing one is reported at once
        for name in options.only or PARTS:
            print("\n".join([f"## {name}", "", *table[name](), ""]), flush=True)
    except InputError as error:
        print(f"bench-scent: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    summary, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="bench-scent", description=summary.replace("``", ""), epilog=more.replace("``", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--webs", type=Path, required=True, help="folder with schools/")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR",
                        help="folder for the runs; those finished there stay")  # fmt: skip
    parser.add_argument("--only", nargs="+", action="extend", choices=PARTS, metavar="PART",
                        help=f"run just these: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--draws", type=int, default=DRAWS, metavar="N", help="of the part draws: "
                        f"draws of seeds and examples (default: {DRAWS})")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="of the part draws: leave out "
                        "strategies on vectors of words and on ontologies")  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N",
                        help="processes at once (default: one for each core)")  # fmt: skip
    parser.add_argument("--cache", metavar="DIR", help="where pages, terms and vectors are kept "
                        "(default: the user's own cache folder; none for nowhere)")  # fmt: skip
    return parser

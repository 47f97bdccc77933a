"""``make bench WEBS=folder``: the figures that the documentation quotes.

Every section prints its own figures; ``--only NAME`` (may be repeated) runs just that one.

* ``speed``: replaying ``vsm`` over 2,000 schools pages, as a multiple of one bare extraction pass
  over the same pages (read from the archive, parse, text, links with contexts; no terms). Both
  are measured in turn, five times; the medians make the ratio. Once more with the crawl folder
  written: journal, state, results.
* ``memory``: peak memory of a replay of the whole schools archive, and of parts of it, each in a
  process of its own.
* ``campus``: every strategy from one seed of the campus web; then the whole of it, every page
  fetched, no exception, what was dropped and why.
* ``judge``: how well the judge's similarity separates labelled pages from others (area under the
  curve).
* ``wordnet-loading``: time to load the shipped WordNet, size of its file.
* ``word-similarity``: similarity of a word to every noun, nanoseconds a pair; the pairwise call of
  a published WordNet library as a multiple of it.
* ``link-scoring``: time to observe pages and score their links by meaning, as a multiple of
  ``vsm-four`` on the same pages.
* ``sample-webs``: labelled pages found in generated webs (``--seeds``), with disambiguation and
  without.
* ``variants``: labelled harvest on the schools web with one choice changed at a time.
* ``link-weights``: what the optimisers reach of the exact fitness on the schools topics, what the
  weights are worth on the test half, what a fitness costs.
* ``learned-crawls``: labelled harvest with weights learned in the crawl, in several ways, on the
  schools web and on generated ones.
* ``rescoring``: rescoring all waiting URLs, at 10,000 and at 100,000 URLs.
* ``frontier``: the SQLite frontier at 100,000 and at 1,000,000 URLs: speed, memory, order.
* ``sharing``: 24 runs on the schools web through ``compare`` on two processes, with a cold and with
  a warm cache, as a multiple of the same runs one by one.
* ``dashboard``: what the dashboard reads of journals of 1,000, 10,000 and 100,000 pages, how long
  that takes, and its memory.
* ``report``: seconds and peak memory of a report on crawls of 1,000, 10,000 and 100,000 pages, each
  in a process of its own.
* ``coverage``: how often the intervals of comparisons hold the true mean, and how often equals are
  told apart, in comparisons made up by chance (five minutes).
* ``live-speed``: ``scenthound crawl`` on the campus web on loopback beside plain Scrapy and a bare
  aiohttp loop, in turn; medians of three.
* ``live-parts``: where the CPU time of a page goes.
* ``concurrency``: labelled pages found live with 1 to 16 requests under way, beside a replay.
* ``politeness``: 50 hosts with a delay: the smallest gap a host saw, time against the ideal.
* ``crashes``: 1,000 pages, killed 50 times: the same pages, none twice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.coverage import coverage
from benchmarks.dashboard import dashboard
from benchmarks.frontier_growth import frontier_growth
from benchmarks.judging import judge_quality
from benchmarks.learned_crawls import learned_crawls
from benchmarks.link_scoring import link_scoring
from benchmarks.link_weights import link_weights
from benchmarks.live.compare import live_speed
from benchmarks.live.concurrency import concurrency
from benchmarks.live.cpu_parts import cpu_parts
from benchmarks.live.crashes import crashes
from benchmarks.live.politeness import politeness
from benchmarks.memory import memory_growth
from benchmarks.reporting import reporting
from benchmarks.rescoring import rescoring
from benchmarks.sample_webs import SEEDS, sample_webs
from benchmarks.sharing import sharing
from benchmarks.speed import extraction_ratio
from benchmarks.variants import compare_variants
from benchmarks.whole_web import whole_campus
from benchmarks.word_similarity import word_similarity
from benchmarks.wordnet_loading import wordnet_loading
from scenthound.core.errors import InputError

Section = Callable[[], None]


def sections(webs: Path, seeds: Sequence[int]) -> Mapping[str, Section]:
    """The sections by name, in the order they run."""
    schools = webs / "schools"
    return {
        "speed": partial(extraction_ratio, schools),
        "memory": partial(memory_growth, schools),
        "campus": partial(whole_campus, webs / "campus"),
        "judge": partial(judge_quality, schools),
        "wordnet-loading": wordnet_loading,
        "word-similarity": word_similarity,
        "link-scoring": partial(link_scoring, schools),
        "sample-webs": partial(sample_webs, seeds),
        "variants": partial(compare_variants, schools),
        "link-weights": partial(link_weights, schools),
        "learned-crawls": partial(learned_crawls, schools, seeds),
        "rescoring": rescoring,
        "frontier": frontier_growth,
        "sharing": partial(sharing, schools),
        "dashboard": dashboard,
        "report": reporting,
        "coverage": coverage,
        "live-speed": partial(live_speed, webs / "campus"),
        "live-parts": partial(cpu_parts, webs / "campus"),
        "concurrency": concurrency,
        "politeness": politeness,
        "crashes": crashes,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures, or those asked for; 2 for bad input."""
    options = _parser().parse_args(arguments)
    table = sections(options.webs, options.seeds)
    try:
        for name in options.only or table:
            table[name]()
    except InputError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.split("\n")[0])
    names = list(sections(Path(), SEEDS))
    parser.add_argument("--webs", type=Path, required=True, help="folder with schools/, campus/")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME",
                        help=f"run this section; may be repeated: {', '.join(names)}")  # fmt: skip
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, metavar="N",
                        help="seeds of the sample webs")  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""``make bench-neural WEBS=folder``: figures of the crawlers on vectors of words and texts.

Every section prints its own figures; ``--only NAME`` (may be repeated) runs just that one. All but
``imports`` and ``growth`` need the extra ``neural``.

* ``imports``: what ``import scenthound`` costs and loads.
* ``encoding``: texts a second one by one, a page at a time and all at once, in 16 bits and in 32,
  by static vectors; the encoding stage with an empty cache and with a warm one.
* ``warm-replay``: whole replays with ``sentences`` and a warm cache beside ``vsm``.
* ``growth``: memory and time a page as a replay with ``sentences-light`` grows; the size of a
  cache against its limit.
* ``sample-webs``: labelled pages found in generated webs (``--seeds``).
* ``harvest``: labelled harvest on the schools topics, by topic and in the mean, of the neural
  crawlers, of variants of them and of some without a network; ratios against their bars.
  ``--strategy NAME`` (may be repeated) measures only these. It takes hours on two cores.
* ``weights``: link weights for ``bsvsm``: what the paper's search reaches of the exact fitness,
  errors on the test half against equal weights.

Vectors are kept between sections in a temporary folder, or in ``--cache`` between runs as well;
sections that measure a cache have their own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.neural.candidates import candidates
from benchmarks.neural.encoding import encoding
from benchmarks.neural.growth import growth
from benchmarks.neural.harvest import harvest
from benchmarks.neural.imports import imports
from benchmarks.neural.other_sections import bert_weights, generated_webs
from benchmarks.neural.warm_replay import warm_replay
from benchmarks.sample_webs import SEEDS
from scenthound.core.command_options import cache_bytes
from scenthound.core.errors import InputError
from scenthound.crawler.caches import CacheChoice, open_equipment
from scenthound.similarity.encoders import ModelRuntime

CACHE_LIMIT = "8GB"
"""Words in their company take half a megabyte a page, and several crawlers read the same."""
Section = Callable[[], None]


def sections(
    webs: Path, equipment: ModelRuntime, names: Sequence[str] = (), seeds: Sequence[int] = SEEDS
) -> Mapping[str, Section]:
    """The sections by name, in the order they run."""
    schools = webs / "schools"
    return {
        "imports": imports,
        "encoding": partial(encoding, schools, equipment),
        "warm-replay": partial(warm_replay, schools, equipment),
        "growth": partial(growth, schools),
        "sample-webs": partial(generated_webs, seeds, equipment),
        "harvest": partial(harvest, schools, equipment, names),
        "weights": partial(bert_weights, schools, equipment),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures, or those asked for; 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        with _equipped(options.cache, options.threads) as equipment:
            table = sections(options.webs, equipment, options.strategy, options.seeds)
            for name in options.only or table:
                table[name]()
    except InputError as error:
        print(f"bench-neural: {error}", file=sys.stderr)
        return 2
    return 0


@contextmanager
def _equipped(cache: str | None, threads: int) -> Iterator[ModelRuntime]:
    """With a cache in the folder given, or in one that goes away in the end."""
    with TemporaryDirectory() as temporary:
        choice = CacheChoice(cache or temporary, cache_bytes(CACHE_LIMIT))
        with open_equipment(choice) as equipment:
            yield replace(equipment, threads=threads)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench-neural", description=__doc__.split("\n")[0])
    names = list(sections(Path(), ModelRuntime()))
    crawlers = [each.name for each in candidates()]
    parser.add_argument("--webs", type=Path, required=True, help="folder with schools/")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME",
                        help=f"run this section; may be repeated: {', '.join(names)}")  # fmt: skip
    parser.add_argument("--strategy", action="append", choices=crawlers, metavar="NAME",
                        default=[], help="of harvest, only this one; may be repeated: "
                        + ", ".join(crawlers))  # fmt: skip
    parser.add_argument("--cache", metavar="FOLDER", help="keep vectors here for the next time")
    parser.add_argument("--threads", type=int, default=0, metavar="N",
                        help="of the processor that a model uses (default: all cores)")  # fmt: skip
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, metavar="N",
                        help="seeds of the sample webs")  # fmt: skip
    return parser

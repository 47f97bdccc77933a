"""The grids of the protocol: what is compared in each part, as ``scenthound compare`` takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from scenthound.core.command_options import CompareOptions
from scenthound.crawler.caches import CacheChoice
from scenthound.evaluation.grid import ALL, Contender, Grid, Web, contender, named_contenders
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT
from scenthound.strategies.scent import INLINKS_WEIGHT, PRIOR_WEIGHT
from scenthound.strategies.text_model_builders import ONTOLOGY

SCENT, LIGHT = "scent", "scent sentences=no"
ORACLE, BREADTH_FIRST, MEAN, SOFT = "oracle", "breadth-first", "vsm-mean", "soft-svsm"
BUDGET = "2x"
DRAWS, KEYWORD_DRAWS, OFF_TOPIC_DRAWS, CHOOSING_DRAWS = 5, 3, 2, 2
SLOW = ("word2vec", "elmo", "bsvsm", "bsvsm-ha")
"""What ``--quick`` leaves out, besides the strategies that learn an ontology."""
HOLDS, WEIGHTS = (500.0, 1_500.0, 5_000.0), (0.0, 0.04, 0.08, 0.16)
"""Of ``hold`` and ``inlinks``, the values that were to choose from."""


def drawn(
    web: Web, cache: CacheChoice, draws: int, quick: bool, warn: Callable[[str], None]
) -> Grid:
    """Every strategy there is, and ``scent`` without sentences; ``warn`` hears who is left out."""
    every, left_out = named_contenders([SCENT, LIGHT, ALL], labelled=True)
    for line in left_out:
        warn(line)
    chosen = [each for each in every if not (quick and _is_slow(each))]
    return Grid((web,), tuple(chosen), SCENT, _options(cache, draws=draws))


def _options(cache: CacheChoice, **values: object) -> CompareOptions:
    return CompareOptions.from_arguments(
        budget=BUDGET, cache=cache.folder, cache_limit=cache.limit, **values
    )


def _is_slow(each: Contender) -> bool:
    return each.name in SLOW or each.spec.extra == ONTOLOGY


def by_keywords(web: Web, cache: CacheChoice, draws: int = KEYWORD_DRAWS) -> Grid:
    """No run knows an example page."""
    names = (SCENT, LIGHT, MEAN, SOFT, BREADTH_FIRST, ORACLE)
    return Grid((web,), _named(names), SCENT, _options(cache, draws=draws, keywords_only=True))


def off_topic(web: Web, cache: CacheChoice, draws: int = OFF_TOPIC_DRAWS) -> Grid:
    """From pages of the topic, and from pages of anything else."""
    names, seeds = (SCENT, LIGHT, BREADTH_FIRST), (RELEVANT, IRRELEVANT)
    return Grid((web,), _named(names), SCENT, _options(cache, draws=draws, seeds=seeds))


def choosing(
    web: Web,
    cache: CacheChoice,
    draws: int = CHOOSING_DRAWS,
    holds: Sequence[float] = HOLDS,
    weights: Sequence[float] = WEIGHTS,
) -> Grid:
    """Light ``scent`` with every ``hold`` and every weight of inlinks; the defaults are one."""
    found = tuple(variant(hold, weight) for hold, weight in product(holds, weights))
    ours = variant().label
    return Grid((web,), found, ours, _options(cache, draws=draws))


def variant(hold: float = PRIOR_WEIGHT, inlinks: float = INLINKS_WEIGHT) -> Contender:
    """Light ``scent`` with these parameters; as it is by default where none is given."""
    return contender(LIGHT).changed({"prior_weight": hold, "inlinks": inlinks})


def _named(names: Sequence[str]) -> tuple[Contender, ...]:
    return tuple(map(contender, names))

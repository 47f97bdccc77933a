"""Sections of the general bench, with models of words and texts as vectors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.link_weights import SEEDS, print_errors, print_shares, tried_on
from benchmarks.neural.candidates import chosen, require_libraries
from benchmarks.neural.schools import topics_of
from benchmarks.sample_webs import AMBIGUOUS, crawled, print_harvest, verdict
from benchmarks.sample_webs import topics_of as topics_found
from scenthound.evaluation.training_links import LinkPlan
from scenthound.similarity.encoders import ModelRuntime

MODEL = "bsvsm"
OPTIMISER = "hybrid"
"""The search of bsvsm-ha."""
STRATEGIES = (
    "vsm-mean", "soft-svsm", "soft-sdvsm", "sentences-light", "sentences", "soft-bsvsm", "oracle",
)  # fmt: skip


def bert_weights(
    web: Path, equipment: ModelRuntime, links: int = 1_000, seeds: Sequence[int] = SEEDS
) -> None:
    """Print what weights for the texts of a link are worth to ``bsvsm``, topic by topic."""
    require_libraries(chosen([MODEL]))
    plan, tried = LinkPlan(MODEL, links=links, equipment=equipment), []
    for path in topics_of(web):
        print(f"links of {path.stem} ...", file=sys.stderr, flush=True)
        tried.append(tried_on(web, plan, [OPTIMISER], seeds, path))
    print_errors(MODEL, tried)
    print_shares(tried, len(seeds))


def generated_webs(seeds: Sequence[int], equipment: ModelRuntime) -> None:
    """Print labelled pages found in the webs of ``seeds``, and who finds more than whom."""
    require_libraries(chosen(["sentences"]))
    webs = []
    for seed in seeds:
        print(f"sample web {seed} ...", file=sys.stderr, flush=True)
        webs.append(crawled(STRATEGIES, seed, equipment))
    print_harvest(webs, seeds, STRATEGIES)
    for name in ("sentences-light", "sentences", "soft-bsvsm"):
        for rival in ("soft-svsm", "soft-sdvsm"):
            verdict(webs, name, rival, topics_found(webs), "all topics")
        verdict(webs, name, "soft-sdvsm", AMBIGUOUS, "topics with words of two senses")

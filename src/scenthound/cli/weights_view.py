"""How weights of links are told: in one line, where there is something to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.cli.screen import figure
from scenthound.experiments.result import Run
from scenthound.experiments.weights_used import IN_CRAWL, OWN, WeightsUsed

_DIGITS = 2


def weights_lines(runs: Sequence[Run]) -> list[str]:
    """Weights that were given or learnt, a line each; none for strategies that weigh as always.

    Lines name their runs, unless all runs have the same to tell.
    """
    used = [(run, run.weights) for run in runs]
    told = [(run, told_weights(each)) for run, each in used if each and each.is_remarkable]
    if len(told) == len(runs) and len({text for _, text in told}) == 1:
        return [f"weights: {told[0][1]}"]
    return [f"{run.topic} {run.strategy} weights: {text}" for run, text in told]


def told_weights(used: WeightsUsed) -> str:
    """``full 0.31, anchor 0.42 (learnt from 812 links)``."""
    return f"{told_values(used.values)} ({_origin(used)})"


def told_values(values: Mapping[str, float]) -> str:
    """``full 0.31, anchor 0.42``; empty for none."""
    return ", ".join(f"{name} {figure(value, _DIGITS)}" for name, value in values.items())


def _origin(used: WeightsUsed) -> str:
    given = "" if used.origin in (OWN, IN_CRAWL) else f"from {used.origin}"
    if used.learnt_from is None:
        return given
    learnt = "nothing learnt in the crawl"
    if used.reason:
        learnt += f": {used.reason.rstrip('.')}"
    if used.learnt_from:
        learnt = f"learnt from {used.learnt_from:,} links"
    return f"{given}, then {learnt}" if given else learnt

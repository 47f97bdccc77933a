"""How weights of links are told: in one line, where there is something to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.cli.screen import figure
from scenthound.experiments.result import Run
from scenthound.experiments.weights_used import IN_CRAWL, OWN, WeightsUsed

_DIGITS = 2
_SEVERAL, _LARGEST = 6, 4
"""Of more than so many weights, the largest are told."""


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
    """``full 0.31, anchor 0.42 (learnt from 812 links)``; many that nobody chose are not told."""
    if len(used.values) > _SEVERAL and used.origin == OWN:
        return f"those of the start ({_origin(used)})"
    return f"{told_values(used.values)} ({_origin(used)})"


def told_values(values: Mapping[str, float]) -> str:
    """``full 0.31, anchor 0.42``, the largest of many with "8 others"; empty for none."""
    told, rest = list(values.items()), 0
    if len(told) > _SEVERAL:
        told, rest = sorted(told, key=lambda pair: -pair[1])[:_LARGEST], len(told) - _LARGEST
    texts = [f"{name} {figure(value, _DIGITS)}" for name, value in told]
    return ", ".join([*texts, f"{rest} others"] if rest else texts)


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

"""How it is told in which ways texts were read: in one line, where a strategy has several."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.experiments.result import Run


def ways_lines(runs: Sequence[Run]) -> list[str]:
    """``texts were read by words and meaning``, a line for each thing there is to tell.

    Lines name their strategies, unless all runs have the same to tell; none for strategies that
    read alike everywhere.
    """
    told = [(run.strategy, run.ways.told()) for run in runs if run.ways is not None]
    if len(told) == len(runs) and len({text for _, text in told}) == 1:
        return [f"texts were read {told[0][1]}"]
    return [f"{name}: texts were read {text}" for name, text in dict.fromkeys(told)]

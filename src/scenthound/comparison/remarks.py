"""What has to be said beside the figures, so that nobody reads more out of them than is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.comparison.measures import Measure
from scenthound.comparison.model import Outcome
from scenthound.comparison.pairing import topic_of


def rule_remarks(grid: Mapping[str, object]) -> list[str]:
    """Sentences on rules that make other figures than usual; empty for none.

    Parameters
    ----------
    grid : what was asked for, by the keys of a grid file.
    """
    told = "keywords only: no run knew example pages; runs that do have other figures."
    return [told] if grid.get("keywords_only") is True else []


def remarks(outcomes: Sequence[Outcome], baseline: str, measure: Measure) -> list[str]:
    """Sentences on runs that were left out, on the baseline, and on topics; empty for none.

    Parameters
    ----------
    outcomes : all runs.
    baseline : name of the strategy the others are compared with.
    measure : what they are compared by.
    """
    if not outcomes:
        return ["no run has finished: there is nothing to compare."]
    finished = [outcome for outcome in outcomes if outcome.final is not None]
    known = [outcome for outcome in finished if measure.of(outcome.final) is not None]
    found = [
        _left_out(len(outcomes) - len(finished), len(outcomes), "failed"),
        _left_out(len(finished) - len(known), len(finished), f"have no {measure.title}"),
        _on_baseline(outcomes, known, baseline),
        _on_topics(known),
        _on_gaps(known),
        *_on_ways(finished),
    ]
    return [sentence for sentence in found if sentence]


def _left_out(count: int, of: int, reason: str) -> str:
    return f"{count:,} of {of:,} runs {reason} and are left out." if count else ""


def _on_baseline(outcomes: Sequence[Outcome], known: Sequence[Outcome], baseline: str) -> str:
    if any(outcome.cell.strategy == baseline for outcome in known):
        return ""
    if any(outcome.cell.strategy == baseline for outcome in outcomes):
        return f"no run of the baseline {baseline} has a figure: nothing is compared with it."
    if not baseline:
        return "no baseline was named: means are given, and no differences."
    return f"the baseline {baseline} has not been run: means are given, and no differences."


def _on_topics(known: Sequence[Outcome]) -> str:
    if len({topic_of(outcome.cell.unit) for outcome in known}) != 1:
        return ""
    return "there is one topic only: what the figures say holds for it, not for other topics."


def _on_ways(finished: Sequence[Outcome]) -> list[str]:
    """In which ways strategies read texts that depend on what is installed: figures do too."""
    told = [(each.cell.strategy, each.ways.told()) for each in finished if each.ways is not None]
    return [f"{strategy}: texts were read {ways}." for strategy, ways in dict.fromkeys(told)]


def _on_gaps(known: Sequence[Outcome]) -> str:
    """Means over other topics than those of the others are no fair comparison; pairs are."""
    units = {outcome.cell.unit for outcome in known}
    by_strategy: dict[str, set[object]] = {}
    for outcome in known:
        by_strategy.setdefault(outcome.cell.strategy, set()).add(outcome.cell.unit)
    gaps = sum(own != units for own in by_strategy.values())
    if not gaps:
        return ""
    return (
        f"{gaps:,} of {len(by_strategy):,} strategies lack runs that others have: their means are "
        "not over the same runs; differences to the baseline are over what both have."
    )

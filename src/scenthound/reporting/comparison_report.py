"""The report of a comparison: who is better than the baseline, by how much, where, at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.comparison.model import Outcome
from scenthound.comparison.results_file import Comparison, read_comparison
from scenthound.comparison.standings import Statistics
from scenthound.core.errors import UnknownNameError
from scenthound.reporting.comparison_conditions import condition_section
from scenthound.reporting.comparison_plots import capital
from scenthound.reporting.comparison_repeating import repeating
from scenthound.reporting.comparison_tables import cost_table, failed_table
from scenthound.reporting.document import Block, Document, Fact, Facts, Section, Words, told

_NONE = "No run has finished."
_UNFINISHED = (
    "The comparison is not finished: runs that are missing may change every figure. The same "
    "command with the same --out goes on with it."
)


def comparison_document(
    folder: Path, baseline: str | None, measure: str | None, running: bool = False
) -> Document:
    """The report of the comparison in a folder, finished or under way.

    Parameters
    ----------
    folder : that ``scenthound compare`` wrote.
    baseline : strategy to compare with; None for that of the grid.
    measure : name of the figure to compare by; None for that of the grid.
    running : does a process compare in the folder now?

    FolderError where there is none; UnknownNameError for names that there are not.
    """
    comparison = read_comparison(folder)
    statistics = _statistics(comparison, baseline, measure)
    several = len(statistics.tables) > 1
    sections = [
        Section("summary", "Summary", tuple(_summary(comparison, statistics))),
        *(condition_section(comparison.outcomes, table, statistics, several)
          for table in statistics.tables),
        Section("cost", "Cost", tuple(_cost(comparison.outcomes))),
        Section("repeat", "To run it again", tuple(repeating(folder, comparison))),
    ]  # fmt: skip
    return Document("Comparison", _title(comparison), _state(comparison, running), tuple(sections))


def _statistics(comparison: Comparison, baseline: str | None, measure: str | None) -> Statistics:
    names = {outcome.cell.strategy for outcome in comparison.outcomes}
    if baseline is not None and baseline not in names:
        raise UnknownNameError("baseline", baseline, names)
    return comparison.statistics(measure, baseline)


def _state(comparison: Comparison, running: bool) -> str:
    done, failed = len(comparison.outcomes), sum(o.final is None for o in comparison.outcomes)
    failures = f", {failed:,} of them failed" if failed else ""
    if comparison.finished:
        return f"finished; {_counted(done, 'run')}{failures}"
    state = "under way" if running else "broken off"
    so_far = f"{_counted(done, 'run')} so far"
    if comparison.planned is not None:
        so_far = f"{done:,} of {_counted(comparison.planned, 'run')}"
    return f"not finished: {state}; {so_far}{failures}"


def _title(comparison: Comparison) -> str:
    if not comparison.outcomes:
        return "A comparison without a run so far"
    strategies, topics = _strategies(comparison), _topics(comparison)
    named = "strategy" if strategies == 1 else "strategies"
    so_far = "" if comparison.finished else " so far"
    return f"{strategies} {named} on {_counted(topics, 'topic')}{so_far}"


def _planned(comparison: Comparison) -> str:
    known = not comparison.finished and comparison.planned is not None
    return f"of {comparison.planned:,}" if known else ""


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _strategies(comparison: Comparison) -> int:
    return len({outcome.cell.strategy for outcome in comparison.outcomes})


def _topics(comparison: Comparison) -> int:
    return len({(o.cell.web, o.cell.topic) for o in comparison.outcomes})


def _summary(comparison: Comparison, statistics: Statistics) -> list[Block]:
    pages = sum(outcome.fetched for outcome in comparison.outcomes)
    facts = [
        Fact("runs", told(len(comparison.outcomes)), _planned(comparison)),
        Fact("strategies", told(_strategies(comparison))),
        Fact("topics", told(_topics(comparison))),
        Fact("pages fetched", told(pages)),
        Fact("compared by", statistics.measure.title),
        Fact("baseline", statistics.baseline or "-"),
    ]
    told_so = [] if comparison.finished else [Words(_UNFINISHED, warns=True)]
    return [Facts(tuple(facts)), *told_so,
            *(Words(capital(each)) for each in statistics.remarks)]  # fmt: skip


def _cost(outcomes: Sequence[Outcome]) -> list[Block]:
    failed = failed_table(outcomes)
    blocks: list[Block] = [] if failed is None else [failed]
    if any(outcome.final is not None for outcome in outcomes):
        blocks.append(cost_table(outcomes))
    return blocks or [Words(_NONE)]

"""The result of one crawl, live or replayed: what was run, its cost and indicators, its JSON."""

from __future__ import annotations

import resource
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from scenthound.core.command_options import SIMILARITY
from scenthound.core.crawl import check_any_scored
from scenthound.core.events import TextRepresentations
from scenthound.core.protocols import Scorer
from scenthound.crawler.link_weights import WeightsUsed, weights_used
from scenthound.crawler.metrics import EventCounts, Indicators, over_budget
from scenthound.similarity.judge import Threshold

if TYPE_CHECKING:
    from scenthound.crawler.job import LiveJob
    from scenthound.crawler.replay_plan import ReplayJob

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl with one strategy: the figures, and the pages in the order they were fetched.

    Parameters
    ----------
    topic, strategy, parameters, seed : what was run.
    budget, fetched, missing, failed : pages that were allowed, came, are not in the archive (of a
        replay), or failed.
    stopped : the reason for stopping.
    seconds, peak_rss_mb : the cost, pauses left out.
    threshold : similarity of a relevant page, and its origin.
    labelled_pages : how many there are; None without labels.
    dropped : how many links were not queued, by reason.
    problems : how many pages had less to read than expected, by reason.
    final, checkpoints : indicators at the end and on the way.
    order : URLs in the order they were fetched; empty for a live crawl, whose journal has them.
    weights : None for a strategy without link weights.
    inlinks : how several links to a page counted: max, mean or last.
    judge : "similarity" or "ontology".
    representations : None for a strategy with one text representation.
    """

    topic: str
    strategy: str
    parameters: Mapping[str, object]
    seed: int
    budget: int
    fetched: int
    missing: int
    failed: int
    stopped: str
    seconds: float
    peak_rss_mb: float
    threshold: Threshold
    labelled_pages: int | None
    dropped: Mapping[str, int]
    problems: Mapping[str, int]
    final: Indicators
    checkpoints: tuple[Indicators, ...]
    order: tuple[str, ...]
    weights: WeightsUsed | None = None
    inlinks: str = ""
    judge: str = SIMILARITY
    representations: TextRepresentations | None = None

    ways = property(attrgetter("representations"))
    """The name that ``representations`` had before version 0.2."""

    @property
    def pages_per_second(self) -> float:
        """Speed of the whole run: reading, extracting, scoring, judging, journal."""
        return self.fetched / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> dict[str, object]:
        """Return the run as the results file has it."""
        return {
            "topic": self.topic,
            "strategy": self.strategy,
            "parameters": dict(self.parameters),
            "weights": None if self.weights is None else self.weights.to_json(),
            "reading": None if self.representations is None else self.representations.to_json(),
            "inlinks": self.inlinks,
            "seed": self.seed,
            "budget": self.budget,
            "fetched": self.fetched,
            "missing": self.missing,
            "failed": self.failed,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.pages_per_second, 1),
            "peak_rss_mb": round(self.peak_rss_mb, 1),
            "labelled_pages": self.labelled_pages,
            "dropped": dict(self.dropped),
            "problems": dict(self.problems),
            "judge": self.judge,
            "threshold": _rounded(asdict(self.threshold)),
            "final": _rounded(self.final.to_json()),
            "checkpoints": [_rounded(row.to_json()) for row in self.checkpoints],
            "order": list(self.order),
        }


def _rounded(row: Mapping[str, object]) -> dict[str, object]:
    """Round all floats, as the results file has them."""
    return {
        key: round(value, _DIGITS) if isinstance(value, float) else value
        for key, value in row.items()
    }


def peak_rss_mb() -> float:
    """Return the highest memory of this process so far, in MB.

    On Linux ``getrusage`` includes what the parent process had; ``VmHWM`` does not. Its unit is
    kilobytes there, and bytes on macOS.
    """
    with suppress(OSError, StopIteration), open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / 1024 if sys.platform == "darwin" else peak / 1024


def run_result(
    job: LiveJob | ReplayJob, budget: int, rows: Sequence[Indicators], counts: EventCounts,
    scorer: Scorer | None, **facts: Any,
) -> Run:  # fmt: skip
    """Return the result of a crawl from its journal.

    Parameters
    ----------
    job, budget : what was to be done.
    rows, counts : what its journal says, as of :func:`checkpoints` and :class:`EventCounts`.
    scorer : the strategy's, as the crawl left it; None where the crawl never began.
    facts : the other fields of :class:`Run`.

    StrategyError where links were scored and no score was a number.
    """
    check_any_scored(job.spec.name, counts.dropped, counts.scored)
    final = over_budget(rows[-1], budget)
    return Run(
        topic=job.topic.name,
        strategy=job.spec.name,
        parameters={**job.spec.parameters, **job.parameters},
        budget=budget,
        fetched=rows[-1].fetched,
        peak_rss_mb=peak_rss_mb(),
        labelled_pages=None if job.labels is None else len(job.labels),
        dropped=dict(counts.dropped.most_common()),
        problems=dict(counts.problems.most_common()),
        final=final,
        checkpoints=(*rows[:-1], final),
        weights=weights_used(job.spec, scorer, job.weights, counts.learned_from),
        inlinks=job.spec.combination.value,
        **facts,
    )

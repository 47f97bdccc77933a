"""What a live crawl came to, read from its journal: however long it was, little is in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scenthound.core.protocols import Scorer
from scenthound.core.sightings import refuse_unscored
from scenthound.core.summary import Json
from scenthound.core.ways_read import WaysRead, ways_stored
from scenthound.experiments.metrics import PageRecord, checkpoints, over_budget
from scenthound.experiments.result import Run
from scenthound.experiments.runner import peak_rss_mb
from scenthound.experiments.weights_used import weights_used
from scenthound.live.job import LiveJob
from scenthound.relevance.judge import Threshold
from scenthound.store.journal import read_journal

_SCORED = ("new", "rescored", "closed")
"""What became of links whose score is a number, as a page event counts them."""


class _Tally:
    """Counts what the journal says besides the pages."""

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.summary: Json = {}
        self.reason = ""
        self.scored = 0
        self.learnt_from = 0
        self.ways: WaysRead | None = None

    def pages(self, path: Path) -> Iterator[PageRecord]:
        """The pages in order, everything else counted on the way."""
        for event in read_journal(path):
            kind = event["event"]
            if kind == "page":
                self._page(event)
                yield PageRecord.from_json(event)
            elif kind == "refused" or (kind == "redirect" and event["reason"] != "followed"):
                self.dropped[str(event["reason"])] += 1
            elif kind == "dropped":
                self.dropped[str(event["reason"])] += _whole(event["count"])
            elif kind == "failed" and event["retry_at"] is None:
                self.problems[str(event["reason"])] += 1
            elif kind == "revised":
                self.learnt_from = _whole(event["links"])
            elif kind == "started":
                self.ways = ways_stored(event.get("reading"))
            elif kind == "stopped":
                self.reason = str(event["reason"])
                self._remember(event)

    def _page(self, event: Json) -> None:
        self._remember(event)
        dropped, links = event.get("dropped", {}), event.get("links", {})
        assert isinstance(dropped, dict) and isinstance(links, dict)
        self.scored += sum(_whole(links.get(name, 0)) for name in _SCORED)
        for reason, (count, _) in dropped.items():
            self.dropped[reason] += count
        if "problem" in event:
            self.problems[str(event["problem"])] += 1

    def _remember(self, event: Json) -> None:
        summary = event["summary"]
        assert isinstance(summary, dict)
        self.summary = summary


def live_result(
    job: LiveJob, journal: Path, threshold: Threshold, seconds: float, scorer: Scorer | None = None
) -> Run:
    """The figures of the crawl so far; ``seconds`` it took in all.

    ``scorer`` is the strategy's, as the crawl left it; None where the crawl never began.
    StrategyError where links were scored and no score was a number.
    """
    tally = _Tally()
    *rows, last = checkpoints(tally.pages(journal), job.labels)
    refuse_unscored(job.recipe.name, tally.dropped, tally.scored)
    final = over_budget(last, job.options.max_pages)
    return Run(
        topic=job.topic.name,
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        seed=job.options.random_seed,
        budget=job.options.max_pages,
        fetched=last.fetched,
        missing=0,
        failed=_whole(tally.summary.get("failed", 0)),
        stopped=tally.reason,
        seconds=seconds,
        peak_rss_mb=peak_rss_mb(),
        threshold=threshold,
        labelled_pages=None if job.labels is None else len(job.labels),
        dropped=dict(tally.dropped.most_common()),
        problems=dict(tally.problems.most_common()),
        final=final,
        checkpoints=(*rows, final),
        order=(),
        weights=weights_used(job.recipe, scorer, job.weights, tally.learnt_from),
        inlinks=job.recipe.combination.value,
        judge=job.options.judge,
        ways=tally.ways,
    )


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value

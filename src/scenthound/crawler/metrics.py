"""Metrics of a crawl: human labels, the indicators of the papers, and checkpoints, all functions of
the journal; and its result, with the cost and the link weights that it used.
"""

from __future__ import annotations

import math
import resource
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenthound.core.command_options import SIMILARITY
from scenthound.core.crawl_loop import check_any_scored
from scenthound.core.errors import LabelsError, MalformedUrlError, UnknownNameError
from scenthound.core.events import Event, PageEvent, RevisedEvent, TextRepresentations
from scenthound.core.protocols import Journal, Scorer, SupportsRevision
from scenthound.core.urls import canonical
from scenthound.similarity.judge import Threshold
from scenthound.similarity.link_priority import WeightedTexts
from scenthound.strategies.catalogue import text_model_name
from scenthound.strategies.spec import LinkWeights, StrategySpec

if TYPE_CHECKING:
    from scenthound.crawler.job import LiveJob
    from scenthound.crawler.replay_plan import ReplayJob


class Labels:
    """Labelled pages by topic; a page may belong to several topics."""

    def __init__(self, pages: Mapping[str, frozenset[str]], source: str) -> None:
        self._pages = pages
        self._source = source

    @property
    def file(self) -> Path | None:
        """The absolute path of the file they were read from; None where there is none."""
        path = Path(self._source)
        return path.resolve() if path.is_file() else None

    def of(self, topic: str) -> frozenset[str]:
        """Return the canonical URLs of the topic's pages; LabelsError if the file has none."""
        if topic not in self._pages:
            hint = UnknownNameError("topic", topic, self._pages)
            raise LabelsError(f"labels file {self._source} has no page for this topic: {hint}")
        return self._pages[topic]


def read_labels(path: str | Path) -> Labels:
    """Read a file of lines ``URL <tab> topic``; empty lines and comments (#) are skipped."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LabelsError(f"labels file {path}: {error.strerror}; give its path.") from None
    except UnicodeDecodeError:
        raise LabelsError(f"labels file {path} is not UTF-8 text.") from None
    pages: dict[str, set[str]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        url, tab, topic = line.partition("\t")
        if not tab or not topic.strip() or "\t" in topic.strip():
            raise LabelsError(f"labels file {path}, line {number}: expected URL, tab, topic.")
        try:
            pages.setdefault(topic.strip(), set()).add(canonical(url))
        except MalformedUrlError as error:
            raise LabelsError(f"labels file {path}, line {number}: {error}.") from None
    if not pages:
        raise LabelsError(f"labels file {path} is empty; give lines of URL, tab, topic.")
    return Labels({topic: frozenset(urls) for topic, urls in pages.items()}, str(path))


# The indicators of the papers and the labelled ones, as functions of the journal:
#
#   rn                relevant pages (svsm-mcoa RN; SP in bsvsm-ha and olmoaco)
#   hr                relevant / fetched (svsm-mcoa Eq. 8, sdvsm Eq. 22; AC: bsvsm-ha Eq. 11,
#                     olmoaco Eq. 19)
#   as                mean similarity of the relevant pages (svsm-mcoa Eq. 8); None without any
#   ar                mean similarity of all fetched pages (bsvsm-ha Eq. 11, olmoaco Eq. 21)
#   sd                their population deviation (olmoaco Eq. 22)
#   ae                mean |similarity - predicted priority| (sdvsm Eq. 22) over the pages with a
#                     prediction: seeds have none, nor has breadth-first (None)
#   labelled_harvest  labelled pages found / pages; at the end over the whole budget, also when
#                     the crawl ended early
#   target_recall     labelled pages found / labelled pages

CHECKPOINT = 100


@dataclass(frozen=True, slots=True)
class PageMeasurement:
    """What the indicators need of a page event."""

    url: str
    similarity: float
    relevant: bool
    priority: float | None
    redirects: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, event: Mapping[str, object]) -> PageMeasurement:
        """Make one from a page event of the journal."""
        similarity, priority = event["similarity"], event["priority"]
        redirects = event.get("redirects", [])
        assert isinstance(similarity, int | float) and isinstance(redirects, list)
        assert priority is None or isinstance(priority, int | float)
        return cls(
            str(event["url"]), similarity, bool(event["relevant"]), priority, tuple(redirects)
        )


@dataclass(frozen=True, slots=True)
class Indicators:
    """All indicators after ``fetched`` pages; None where one is not defined."""

    fetched: int
    rn: int
    hr: float
    as_: float | None
    ar: float
    sd: float
    ae: float | None
    labelled: int | None = None
    labelled_harvest: float | None = None
    target_recall: float | None = None

    def to_json(self) -> dict[str, float | int | None]:
        """Return the values by the names users know (``as`` is a reserved word in Python)."""
        values = asdict(self)
        first = ("fetched", "labelled_harvest", "target_recall", "labelled")
        order = (*first, *(name for name in values if name not in first))
        return {name.rstrip("_"): values[name] for name in order}


class _Totals:
    """Sums over the pages so far."""

    def __init__(self, labels: frozenset[str] | None) -> None:
        self._labels = labels
        self._found: set[str] = set()
        self.fetched = self._relevant = self._predicted = 0
        self._sum = self._squares = self._relevant_sum = self._error = 0.0

    def add(self, page: PageMeasurement) -> None:
        """Add a page to the sums."""
        self.fetched += 1
        self._sum += page.similarity
        self._squares += page.similarity**2
        if page.relevant:
            self._relevant += 1
            self._relevant_sum += page.similarity
        if page.priority is not None:
            self._predicted += 1
            self._error += abs(page.similarity - page.priority)
        if self._labels:
            # A label may be on an address that redirects here. A set counts each label once.
            self._found |= self._labels.intersection((page.url, *page.redirects))

    def indicators(self) -> Indicators:
        """Return the indicators of all pages so far."""
        n = max(1, self.fetched)
        mean = self._sum / n
        found = len(self._found)
        labels = self._labels
        return Indicators(
            fetched=self.fetched,
            rn=self._relevant,
            hr=self._relevant / n,
            as_=self._relevant_sum / self._relevant if self._relevant else None,
            ar=mean,
            sd=math.sqrt(max(0.0, self._squares / n - mean * mean)),  # rounding may end below 0
            ae=self._error / self._predicted if self._predicted else None,
            labelled=found if labels else None,
            labelled_harvest=found / n if labels else None,
            target_recall=found / len(labels) if labels else None,
        )


def checkpoints(
    pages: Iterable[PageMeasurement], labels: frozenset[str] | None = None, every: int = CHECKPOINT
) -> list[Indicators]:
    """Indicators after every ``every`` pages, and after the last one."""
    totals = _Totals(labels)
    rows: list[Indicators] = []
    for page in pages:
        totals.add(page)
        if totals.fetched % every == 0:
            rows.append(totals.indicators())
    if not rows or rows[-1].fetched != totals.fetched:
        rows.append(totals.indicators())
    return rows


def over_budget(last: Indicators, budget: int) -> Indicators:
    """The final indicators: labelled harvest is over the budget, spent or not."""
    if last.labelled is None:
        return last
    return replace(last, labelled_harvest=last.labelled / budget)


_SCORED = ("new", "rescored", "closed")
"""Outcomes of links whose score is a number, as a page event counts them."""


@dataclass
class EventCounts:
    """What is counted in a journal besides its pages.

    ``dropped`` and ``problems`` count by reason. ``scored`` is how many links had a score that
    is a number, each target once a page; ``learned_from`` the links behind the last weights.
    """

    dropped: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    scored: int = 0
    learned_from: int = 0

    def count_page(self, event: Mapping[str, Any]) -> PageMeasurement:
        """Count the links and the problem of a page event of the journal; return the rest."""
        links = event.get("links", {})
        self.scored += sum(links.get(name, 0) for name in _SCORED)
        for reason, (count, _) in event.get("dropped", {}).items():
            self.dropped[reason] += count
        if "problem" in event:
            self.problems[event["problem"]] += 1
        return PageMeasurement.from_json(event)


@dataclass
class MetricsRecorder(EventCounts):
    """A journal that keeps what the figures need, and passes everything on to ``onward``."""

    onward: Journal | None = None
    records: list[PageMeasurement] = field(default_factory=list)

    def append(self, event: Event) -> None:
        """Record the event's figures, and pass it on."""
        if isinstance(event, PageEvent):
            self.records.append(self.count_page(event.to_json()))
        elif isinstance(event, RevisedEvent):
            self.learned_from = event.links
        if self.onward is not None:
            self.onward.append(event)


_DIGITS = 6


OWN = "the strategy's own"

IN_CRAWL = "learnt in the crawl"


@dataclass(frozen=True, slots=True)
class WeightsUsed:
    """The weights in force when a crawl ended.

    ``model`` is the text model they are for, None where the strategy names none. ``origin`` is
    their file, :data:`OWN` or :data:`IN_CRAWL`. ``learned_from`` is from how many links the crawl
    learned them, 0 if it learned none; None for a strategy that does not learn weights.
    ``reason`` says why it learned none.
    """

    values: Mapping[str, float]
    model: str | None
    origin: str
    learned_from: int | None = None
    reason: str | None = None

    @property
    def is_remarkable(self) -> bool:
        """Whether they are other weights than the strategy always has."""
        return self.learned_from is not None or self.origin != OWN

    def to_json(self) -> dict[str, object]:
        """Return the weights as the results file has them."""
        return {
            "values": {name: round(value, _DIGITS) for name, value in self.values.items()},
            "model": self.model,
            "origin": self.origin,
            "learnt_from": self.learned_from,
            "reason": self.reason,
        }


def weights_used(
    spec: StrategySpec, scorer: Scorer | None, given: LinkWeights | None, links: int
) -> WeightsUsed | None:
    """Return the weights of a crawl that is over; None for a strategy without weights.

    Parameters
    ----------
    spec : of the strategy.
    scorer : as the crawl left it; None for a crawl that never began.
    given : the user's weights, to begin with.
    links : that the last weights were learned from in the crawl; 0 where none were.
    """
    if not isinstance(scorer, WeightedTexts | SupportsRevision):
        return None
    weights = getattr(scorer, "weights", None)
    if not isinstance(weights, Mapping):
        return None
    origin = IN_CRAWL if links else OWN
    if given is not None:
        origin = given.origin or "given"
    learned_from = links if isinstance(scorer, SupportsRevision) else None
    reason = None if links else getattr(scorer, "why_not", None)
    return WeightsUsed(dict(weights), text_model_name(spec), origin, learned_from, reason)


@dataclass(frozen=True, slots=True)
class Result:
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
) -> Result:  # fmt: skip
    """Return the result of a crawl from its journal.

    Parameters
    ----------
    job, budget : what was to be done.
    rows, counts : what its journal says, as of :func:`checkpoints` and :class:`EventCounts`.
    scorer : the strategy's, as the crawl left it; None where the crawl never began.
    facts : the other fields of :class:`Result`.

    StrategyError where links were scored and no score was a number.
    """
    check_any_scored(job.spec.name, counts.dropped, counts.scored)
    final = over_budget(rows[-1], budget)
    return Result(
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

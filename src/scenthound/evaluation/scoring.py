"""Scores a crawl by the judgements of a person: precision, recall, and which threshold to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from scenthound.core.errors import JudgedFileError
from scenthound.core.options import Options, Part
from scenthound.evaluation import estimates
from scenthound.evaluation.estimates import Count, Estimate
from scenthound.evaluation.judged_file import JudgedLine
from scenthound.evaluation.judgements import (
    JudgedPage,
    Judgements,
    Stratum,
    count_strata,
    read_judgements,
)
from scenthound.evaluation.sampling import (
    FEWEST_BANDS,
    Band,
    Frame,
    cut_bands,
    matches_frame,
    read_sample_design,
)

# Which threshold has the wanted precision?

FEWEST_JUDGED, FEWEST_IN_PART = 10, 5
"""Fewer pages above a threshold, or in a part of a band, reach any precision by chance."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The documents that another threshold would leave, and how many of them are judged.

    ``recall`` is their share of all pages about the topic, where that is known.
    """

    threshold: float
    precision: Estimate
    recall: Estimate | None
    documents: int
    judged: int


@dataclass(frozen=True, slots=True)
class ThresholdAdvice:
    """Thresholds for a wanted precision; None where there is none.

    ``likely`` is the lowest one whose estimate reaches it, ``sure`` the lowest one whose whole
    interval does; ``best`` is the one with the highest estimate. All None: there are too few
    judgements above every threshold.
    """

    wanted: float
    likely: Cutoff | None
    sure: Cutoff | None
    best: Cutoff | None


def advise(strata: Sequence[Stratum], wanted: float, z: float) -> ThresholdAdvice:
    """Try the similarity of every judged page, and the lower end of every band."""
    thresholds = {each.page.similarity for stratum in strata for each in stratum.judged}
    thresholds |= {stratum.similarities[0] for stratum in strata}
    above = {t: [stratum.split(t)[0] for stratum in strata] for t in sorted(thresholds)}
    tried = {t: [c for c in counts if c.pages] for t, counts in above.items() if _is_known(counts)}
    values = {threshold: estimates.mean(counts) for threshold, counts in tried.items()}
    likely = [threshold for threshold, value in values.items() if value >= wanted]
    sure = (t for t in likely if estimates.share(tried[t], z).low >= wanted)
    best = max(values, key=lambda t: (values[t], -t), default=None)
    chosen = (next(iter(likely), None), next(sure, None), best)
    return ThresholdAdvice(wanted, *(None if t is None else cutoff(strata, t, z) for t in chosen))


def _is_known(above: Sequence[Count]) -> bool:
    """Are there judgements enough above a threshold, in all and in each band?"""
    few = [count for count in above if count.judged < min(FEWEST_IN_PART, count.pages)]
    return not few and sum(count.judged for count in above) >= FEWEST_JUDGED


def cutoff(strata: Sequence[Stratum], threshold: float, z: float) -> Cutoff | None:
    """Estimate what ``threshold`` would leave; None where that is not known."""
    above, below = zip(*(stratum.split(threshold) for stratum in strata), strict=True)
    found = estimates.precision(above, z)
    if found is None:
        return None
    kept = estimates.total_count(above)
    return Cutoff(threshold, found, estimates.recall(above, below, z), kept.pages, kept.judged)


# The score.


class ScoreOptions(Options):
    """The confidence of the intervals, and the precision to find a threshold for."""

    confidence: Annotated[Part, Field(lt=1.0)] = 0.95
    precision: Part = 0.9


@dataclass(frozen=True, slots=True)
class BandScore:
    """One band: its range of similarities and what was found in it; None: nothing judged."""

    number: int
    relevant: bool
    low: float
    high: float
    count: Count
    precision: Estimate | None


@dataclass(frozen=True, slots=True)
class Score:
    """All figures; None where nothing is known.

    They are about the documents among the first ``pages`` pages; the crawl has ``crawl_pages`` by
    now. ``called_relevant`` is the precision of the documents that the crawl calls relevant,
    ``all_documents`` that of everything, ``recall`` the share of the documents about the topic
    that the crawl calls relevant. Unless ``drawn_at_random``, the intervals do not hold.
    """

    confidence: float
    pages: int
    crawl_pages: int
    drawn_at_random: bool
    bands: tuple[BandScore, ...]
    called_relevant: Estimate | None
    all_documents: Estimate | None
    recall: Estimate | None
    advice: ThresholdAdvice
    judgements: Judgements

    def count(self, *, relevant_only: bool = False) -> Count:
        """Documents, judged and about the topic, in all or in the bands called relevant."""
        return estimates.total_count(
            [b.count for b in self.bands if b.relevant or not relevant_only]
        )

    def to_json(self) -> dict[str, object]:
        """All figures, as JSON knows them."""
        figures = asdict(self)
        del figures["judgements"]
        judged = self.judgements
        return {
            **figures,
            "documents": self.count().pages,
            "judged": len(judged.judged),
            "cannot_say": judged.unsure,
            "not_judged": judged.empty,
            "left_out": list(judged.complaints),
        }


def score_judgements(lines: Sequence[JudgedLine], frame: Frame, question: ScoreOptions) -> Score:
    """Score a crawl by the lines of a file.

    Pages that ``sample`` drew from this crawl are weighted by their bands. Any other list is
    weighted by the two sides of the threshold, as if it had been drawn from them. JudgedFileError
    where no line has a yes or no for a document of the crawl.
    """
    sample = read_sample_design(lines)
    if sample is not None and not matches_frame(sample, lines, frame):
        sample = None
    judgements = read_judgements(
        lines, frame if sample is None else frame.first(sample.pages), sample
    )
    if not judgements.judged:
        first = next((f"; the first problem: {each}" for each in judgements.complaints), ".")
        raise JudgedFileError(
            f"there is nothing to score; write yes or no into the column 'judgement'{first}"
        )
    bands = cut_bands(frame.documents, FEWEST_BANDS) if sample is None else sample.cut(frame)
    z, strata = estimates.quantile(question.confidence), count_strata(bands, judgements.judged)
    kept = [stratum.count for stratum in strata if stratum.relevant]
    left = [stratum.count for stratum in strata if not stratum.relevant]
    return Score(
        confidence=question.confidence,
        pages=frame.pages if sample is None else sample.pages,
        crawl_pages=frame.pages,
        drawn_at_random=sample is not None,
        bands=tuple(_band_score(band, judgements.judged, z) for band in bands),
        called_relevant=estimates.precision(kept, z),
        all_documents=estimates.precision([*kept, *left], z),
        recall=estimates.recall(kept, left, z),
        advice=advise(strata, question.precision, z),
        judgements=judgements,
    )


def _band_score(band: Band, judged: Sequence[JudgedPage], z: float) -> BandScore:
    (stratum,) = count_strata([band], judged)
    found = estimates.precision([stratum.count], z)
    return BandScore(band.number, band.relevant, band.low, band.high, stratum.count, found)

"""Scores a crawl by the judgements of a person: their lines are read and counted in bands of
similarity; they give precision, recall, and which threshold to use.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Annotated

from pydantic import Field

from scenthound.core.errors import JudgedFileError, MalformedUrlError
from scenthound.core.options import Options, Part
from scenthound.core.urls import canonical
from scenthound.evaluation import estimates, sampling
from scenthound.evaluation.estimates import Count, Estimate
from scenthound.evaluation.judged_file import JUDGEMENT, URL, JudgedLine

YES, NO, UNSURE = "yes", "no", "?"
_JUDGEMENT_WORDS = {
    **dict.fromkeys(("yes", "y", "1", "1.0", "1,0", "true", "t", "x", "relevant", "+"), YES),
    **dict.fromkeys(
        ("no", "n", "0", "0.0", "0,0", "false", "f", "irrelevant", "not relevant", "-"), NO
    ),
    **dict.fromkeys(("?", "unsure", "unknown", "cannot say", "maybe"), UNSURE),
}


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A document and what a person says of it."""

    page: sampling.FramePage
    right: bool
    line: int


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements in the lines of a file.

    ``complaints`` name the lines that are left out, with the reason; ``unsure`` and ``empty``
    count valid lines without a yes or no.
    """

    judged: tuple[JudgedPage, ...]
    unsure: int
    empty: int
    complaints: tuple[str, ...]


def parse_judgement(text: str) -> str | None:
    """Return ``yes``, ``no`` or ``?``; "" for an empty cell, None for an unknown word."""
    text = text.strip().strip("'\"").lower()
    return _JUDGEMENT_WORDS.get(text) if text else ""


def read_judgements(
    lines: Sequence[JudgedLine], frame: sampling.Frame, sample: sampling.SampleDesign | None = None
) -> Judgements:
    """Read every usable line as a judgement of a document, and note what is wrong with the others.

    With a ``sample`` only its lines count: pages that somebody added were not drawn at random.
    """
    documents = {each.url: each for each in frame.documents}
    judged: dict[str, JudgedPage] = {}
    complaints: list[str] = []
    counts = Counter[str]()
    for line in lines:
        judgement = parse_judgement(line.cell(JUDGEMENT))
        page, problem = _find_page(line, documents, frame.others, sample)
        if page is None:
            pass
        elif judgement is None:
            problem = f"{line.cell(JUDGEMENT)[:60]!r} is no judgement; write yes, no or ?"
        elif judgement not in (YES, NO):
            counts[judgement] += 1
        elif page.url in judged:
            problem = f"{page.url} is judged in line {judged[page.url].line}, which counts"
        else:
            judged[page.url] = JudgedPage(page, judgement == YES, line.number)
        if problem:
            complaints.append(f"line {line.number}: {problem}.")
    return Judgements(tuple(judged.values()), counts[UNSURE], counts[""], tuple(complaints))


def _find_page(
    line: JudgedLine,
    documents: Mapping[str, sampling.FramePage],
    others: Mapping[str, str],
    sample: sampling.SampleDesign | None,
) -> tuple[sampling.FramePage | None, str]:
    """Return the document that a line is about, or None and why there is none."""
    try:
        url = canonical(line.cell(URL))
    except MalformedUrlError as error:
        return None, str(error)
    if url in documents and (sample is None or sample.holds(line)):
        return documents[url], ""
    if url in documents:
        return None, f"{url} was not drawn for this sample"
    if url in others:
        return None, f"{url} is no document ({others[url]})"
    return None, f"{url} is no page of this crawl"


# Judgements counted within bands.


@dataclass(frozen=True, slots=True)
class Stratum:
    """A range of similarities: all its documents, and those that are judged, from low to high.

    ``rights`` are the running totals of right pages among the judged ones, from 0 on.
    """

    relevant: bool
    similarities: tuple[float, ...]
    judged: tuple[JudgedPage, ...]
    rights: tuple[int, ...]

    @property
    def count(self) -> Count:
        """The whole stratum."""
        return Count(len(self.similarities), len(self.judged), self.rights[-1])

    def split(self, threshold: float) -> tuple[Count, Count]:
        """The part from ``threshold`` on, and the part below it.

        Given how many of the judged pages fall on each side, those of a side are a simple random
        sample of it: the parts are strata, made after the draw (Cochran 1977, section 5A.9).
        """
        below = bisect_left(self.similarities, threshold)
        at = bisect_left(self.judged, threshold, key=lambda each: each.page.similarity)
        right = self.rights[-1] - self.rights[at]
        upper = Count(len(self.similarities) - below, len(self.judged) - at, right)
        return upper, Count(below, at, self.rights[at])


def count_strata(
    bands: Sequence[sampling.Band], judged: Sequence[JudgedPage]
) -> tuple[Stratum, ...]:
    """Return a stratum for each band, the most relevant first.

    A band without a judgement is joined with its neighbour on the same side of the threshold. A
    side without any stays one stratum without a judgement.
    """
    by_url = {each.page.url: each for each in judged}
    strata: list[Stratum] = []
    for band in bands:
        found = tuple(by_url[page.url] for page in band.documents if page.url in by_url)
        similarities = tuple(page.similarity for page in band.documents)
        last = strata[-1] if strata else None
        if last and last.relevant == band.relevant and not (last.judged and found):
            similarities, found = similarities + last.similarities, found + last.judged
            strata.pop()
        rights = tuple(accumulate((each.right for each in found), initial=0))
        strata.append(Stratum(band.relevant, similarities, found, rights))
    return tuple(strata)


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


def score_judgements(
    lines: Sequence[JudgedLine], frame: sampling.Frame, question: ScoreOptions
) -> Score:
    """Score a crawl by the lines of a file.

    Pages that ``sample`` drew from this crawl are weighted by their bands. Any other list is
    weighted by the two sides of the threshold, as if it had been drawn from them. JudgedFileError
    where no line has a yes or no for a document of the crawl.
    """
    sample = sampling.read_sample_design(lines)
    if sample is not None and not sampling.matches_frame(sample, lines, frame):
        sample = None
    judgements = read_judgements(
        lines, frame if sample is None else frame.first(sample.pages), sample
    )
    if not judgements.judged:
        first = next((f"; the first problem: {each}" for each in judgements.complaints), ".")
        raise JudgedFileError(
            f"there is nothing to score; write yes or no into the column 'judgement'{first}"
        )
    bands = (
        sampling.cut_bands(frame.documents, sampling.FEWEST_BANDS)
        if sample is None
        else sample.cut(frame)
    )
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


def _band_score(band: sampling.Band, judged: Sequence[JudgedPage], z: float) -> BandScore:
    (stratum,) = count_strata([band], judged)
    found = estimates.precision([stratum.count], z)
    return BandScore(band.number, band.relevant, band.low, band.high, stratum.count, found)

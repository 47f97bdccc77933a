"""Scores a crawl by a person's judgements: precision, recall, and which threshold to use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate

from scenthound.core.errors import JudgedFileError, MalformedUrlError, SettingsError
from scenthound.core.urls import canonical
from scenthound.evaluation.estimates import (
    Count,
    Estimate,
    mean,
    precision,
    quantile,
    recall,
    share,
    total_count,
)
from scenthound.evaluation.judged_file import JUDGEMENT, URL, JudgedLine
from scenthound.evaluation.sampling import (
    FEWEST_BANDS,
    Band,
    Frame,
    FramePage,
    SampleDesign,
    cut_bands,
    matches_frame,
    read_sample_design,
)

YES, NO, UNSURE = "yes", "no", "?"

_JUDGEMENT_WORDS = {
    **dict.fromkeys(("yes", "y", "1", "1.0", "1,0", "true", "t", "x", "relevant", "+"), YES),
    **dict.fromkeys(
        ("no", "n", "0", "0.0", "0,0", "false", "f", "irrelevant", "not relevant", "-"), NO
    ),
    **dict.fromkeys(("?", "unsure", "unknown", "cannot say", "maybe"), UNSURE),
}

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A document and what a person says of it."""

    page: FramePage
    right: bool
    line: int


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the lines of a file come to.

    ``complaints`` name the lines that are left out, with the reason; ``unsure`` and ``empty``
    count lines without a yes or no, about which nothing is wrong.
    """

    judged: tuple[JudgedPage, ...]
    unsure: int
    empty: int
    complaints: tuple[str, ...]


def parse_judgement(text: str) -> str | None:
    """``yes``, ``no`` or ``?``; empty for nothing said, None for a word we do not know."""
    text = text.strip().strip("'\"").lower()
    return _JUDGEMENT_WORDS.get(text) if text else ""


def read_judgements(
    lines: Sequence[JudgedLine], frame: Frame, sample: SampleDesign | None = None
) -> Judgements:
    """Every usable line as a judgement of a document; nothing usable gives none.

    With a ``sample`` only its lines count: pages that somebody added were not drawn at random.
    """
    reading = _JudgementReader(frame, sample)
    for line in lines:
        reading.take(line)
    return reading.result()


class _JudgementReader:
    """Takes line after line, and notes what is wrong with it."""

    def __init__(self, frame: Frame, sample: SampleDesign | None) -> None:
        self._documents = {each.url: each for each in frame.documents}
        self._others = frame.others
        self._sample = sample
        self._judged: dict[str, JudgedPage] = {}
        self._contradicted: set[str] = set()
        self._complaints: list[str] = []
        self._unsure = self._empty = 0

    def take(self, line: JudgedLine) -> None:
        """One line more."""
        said, page = parse_judgement(line.cell(JUDGEMENT)), self._page(line)
        if page is None:
            return
        if said is None:
            word = line.cell(JUDGEMENT)[:_SHOWN]
            self._complain(line, f"{word!r} is no judgement; write yes, no or ?")
        elif not said:
            self._empty += 1
        elif said == UNSURE:
            self._unsure += 1
        else:
            self._keep(JudgedPage(page, said == YES, line.number), line)

    def result(self) -> Judgements:
        """All that could be used, in the order of the file."""
        judged = tuple(self._judged.values())
        return Judgements(judged, self._unsure, self._empty, tuple(self._complaints))

    def _page(self, line: JudgedLine) -> FramePage | None:
        address = line.cell(URL)
        try:
            url = canonical(address)
        except MalformedUrlError as error:
            self._complain(line, str(error))
            return None
        page = self._documents.get(url)
        if page is None and url in self._others:
            self._complain(line, f"{url} is no document ({self._others[url]})")
        elif page is None:
            self._complain(line, f"{url} is no page of this crawl")
        elif self._sample is not None and not self._sample.holds(line):
            self._complain(line, f"{url} was not drawn for this sample")
            page = None
        return page

    def _keep(self, judged: JudgedPage, line: JudgedLine) -> None:
        url = judged.page.url
        before = self._judged.get(url)
        if url in self._contradicted:
            self._complain(line, f"{url} was judged both yes and no")
        elif before is None:
            self._judged[url] = judged
        elif before.right == judged.right:
            self._complain(line, f"{url} stands in line {before.line} already; counted once")
        else:
            del self._judged[url]
            self._contradicted.add(url)
            self._complain(
                line, f"{url} was judged otherwise in line {before.line}; neither counts"
            )

    def _complain(self, line: JudgedLine, reason: str) -> None:
        self._complaints.append(f"line {line.number}: {reason}.")


# Judgements counted within bands.


@dataclass(frozen=True, slots=True)
class Cell:
    """A range of similarities: all its documents, and those that are judged, from low to high.

    ``rights`` says of every beginning of the judged ones, from none to all, how many are right.
    """

    relevant: bool
    similarities: tuple[float, ...]
    judged: tuple[JudgedPage, ...]
    rights: tuple[int, ...]

    @property
    def count(self) -> Count:
        """The whole cell."""
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


def count_cells(bands: Sequence[Band], judged: Sequence[JudgedPage]) -> tuple[Cell, ...]:
    """A cell for each band, most relevant first.

    Of a band without a judgement nothing is known: it is joined with its neighbour on the same
    side of the threshold. A side without any stays one cell without a judgement.
    """
    by_url = {each.page.url: each for each in judged}
    cells: list[Cell] = []
    for band in bands:
        found = tuple(by_url[page.url] for page in band.documents if page.url in by_url)
        cell = _counted(band.relevant, tuple(page.similarity for page in band.documents), found)
        if cells and cells[-1].relevant == cell.relevant and not (cells[-1].judged and cell.judged):
            high = cells.pop()
            cell = _counted(
                cell.relevant, cell.similarities + high.similarities, cell.judged + high.judged
            )
        cells.append(cell)
    return tuple(cells)


def _counted(
    relevant: bool, similarities: tuple[float, ...], judged: tuple[JudgedPage, ...]
) -> Cell:
    rights = accumulate((each.right for each in judged), initial=0)
    return Cell(relevant, similarities, judged, tuple(rights))


# From which similarity on are so many pages about the topic as one wants?


FEWEST_JUDGED = 10

FEWEST_IN_PART = 5
"""Fewer pages above a threshold, or in a part of a band, reach any precision by chance."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """What would remain with another threshold.

    ``documents`` have this similarity or more; ``judged`` of them are judged. ``recall`` is their
    share of all pages about the topic among the documents, where that is known.
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


def advise(cells: Sequence[Cell], wanted: float, z: float) -> ThresholdAdvice:
    """The similarity of every judged page, and the lower end of every band, are tried."""
    tried = _try_thresholds(cells)
    values = {threshold: mean(above) for threshold, above in tried.items()}
    likely = [threshold for threshold, value in values.items() if value >= wanted]
    sure = (t for t in likely if share(tried[t], z).low >= wanted)
    best = max(values, key=lambda t: (values[t], -t), default=None)
    chosen = (next(iter(likely), None), next(sure, None), best)
    return ThresholdAdvice(wanted, *(None if t is None else cutoff(cells, t, z) for t in chosen))


def _try_thresholds(cells: Sequence[Cell]) -> dict[float, list[Count]]:
    """Thresholds from low to high, each with what is known of the documents from there on."""
    thresholds = {each.page.similarity for cell in cells for each in cell.judged}
    thresholds |= {cell.similarities[0] for cell in cells}
    above = {t: [cell.split(t)[0] for cell in cells] for t in sorted(thresholds)}
    known = {t: counts for t, counts in above.items() if _is_known(counts)}
    return {t: [count for count in counts if count.pages] for t, counts in known.items()}


def _is_known(above: Sequence[Count]) -> bool:
    """Are there judgements enough above a threshold, in all and in each band?"""
    few = [count for count in above if count.judged < min(FEWEST_IN_PART, count.pages)]
    return not few and sum(count.judged for count in above) >= FEWEST_JUDGED


def cutoff(cells: Sequence[Cell], threshold: float, z: float) -> Cutoff | None:
    """What would remain from ``threshold`` on; None where nothing can be said of it."""
    parts = [cell.split(threshold) for cell in cells]
    above, below = [part[0] for part in parts], [part[1] for part in parts]
    found = precision(above, z)
    if found is None:
        return None
    kept = total_count(above)
    return Cutoff(threshold, found, recall(above, below, z), kept.pages, kept.judged)


# What the judgements of a person prove about a crawl.


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What is asked: how sure the intervals are to be, and the precision that is wanted."""

    confidence: float = 0.95
    precision: float = 0.9

    def __post_init__(self) -> None:
        for name, value, most in (
            ("confidence", self.confidence, 1.0),
            ("precision", self.precision, 1.0 + 1e-12),
        ):
            if not 0.0 < value < most:
                raise SettingsError(f"{name} is a share such as 0.9, not {value:g}.")


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

    They speak of the documents among the first ``pages`` pages; the crawl has ``crawl_pages`` by
    now. ``called_relevant`` is the precision of the documents that the crawl calls relevant,
    ``all_documents`` that of everything, ``recall`` the share of the documents about the topic
    that the crawl calls relevant. Not ``drawn_at_random``: the intervals do not hold.
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
        return total_count([b.count for b in self.bands if b.relevant or not relevant_only])

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
    """The score of a crawl by the lines of a file.

    Pages that ``sample`` drew from this crawl are weighed by their bands. Any other list is
    weighed by the two sides of the threshold, as if it had been drawn from them.

    Raises
    ------
    JudgedFileError
        No line has a yes or no for a document of the crawl.
    """
    sample = read_sample_design(lines)
    if sample is not None and not matches_frame(sample, lines, frame):
        sample = None
    judgements = read_judgements(
        lines, frame if sample is None else frame.first(sample.pages), sample
    )
    if not judgements.judged:
        raise JudgedFileError(_nothing_usable(judgements))
    return _score(judgements, frame, sample, question)


def _score(
    judgements: Judgements, frame: Frame, sample: SampleDesign | None, question: ScoreOptions
) -> Score:
    bands = cut_bands(frame.documents, FEWEST_BANDS) if sample is None else sample.cut(frame)
    z, cells = quantile(question.confidence), count_cells(bands, judgements.judged)
    kept = [cell.count for cell in cells if cell.relevant]
    left = [cell.count for cell in cells if not cell.relevant]
    return Score(
        confidence=question.confidence,
        pages=frame.pages if sample is None else sample.pages,
        crawl_pages=frame.pages,
        drawn_at_random=sample is not None,
        bands=tuple(_band_score(band, judgements.judged, z) for band in bands),
        called_relevant=precision(kept, z),
        all_documents=precision([*kept, *left], z),
        recall=recall(kept, left, z),
        advice=advise(cells, question.precision, z),
        judgements=judgements,
    )


def _band_score(band: Band, judged: Sequence[JudgedPage], z: float) -> BandScore:
    (cell,) = count_cells([band], judged)
    found = share([cell.count], z) if cell.judged else None
    return BandScore(band.number, band.relevant, band.low, band.high, cell.count, found)


def _nothing_usable(judgements: Judgements) -> str:
    empty = judgements.empty
    why = f"{empty} lines have no judgement" if empty else "no line is judged"
    if empty == 1:
        why = "1 line has no judgement"
    if judgements.complaints:
        why = f"{why}, {len(judgements.complaints)} cannot be used (the first: "
        why += f"{judgements.complaints[0].rstrip('.')})"
    return f"there is nothing to score: {why}; write yes or no into the column 'judgement'."

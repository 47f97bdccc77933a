"""What the judgements of a person prove about a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from scenthound.assessment.bands import FEWEST_BANDS, Band, cut_bands
from scenthound.assessment.cells import Cell, count_cells
from scenthound.assessment.counts import Count, added
from scenthound.assessment.estimate import precision, recall
from scenthound.assessment.frame import Frame
from scenthound.assessment.intervals import Estimate, quantile, share
from scenthound.assessment.judged_file import Line
from scenthound.assessment.judgements import Judged, Judgements, read_judgements
from scenthound.assessment.origin import SampleOf, is_drawn_from, sample_of
from scenthound.assessment.threshold import Advice, advise
from scenthound.core.errors import JudgedFileError, SettingsError


@dataclass(frozen=True, slots=True)
class Question:
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
    """All figures; None where nothing can be told.

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
    advice: Advice
    judgements: Judgements

    def count(self, *, relevant_only: bool = False) -> Count:
        """Documents, judged and about the topic, in all or in the bands called relevant."""
        return added([b.count for b in self.bands if b.relevant or not relevant_only])

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


def score_judgements(lines: Sequence[Line], frame: Frame, question: Question) -> Score:
    """The score of a crawl by the lines of a file.

    Pages that ``sample`` drew from this crawl are weighed by their bands. Any other list is
    weighed by the two sides of the threshold, as if it had been drawn from them.

    Raises
    ------
    JudgedFileError
        No line has a yes or no for a document of the crawl.
    """
    sample = sample_of(lines)
    if sample is not None and not is_drawn_from(sample, lines, frame):
        sample = None
    judgements = read_judgements(
        lines, frame if sample is None else frame.first(sample.pages), sample
    )
    if not judgements.judged:
        raise JudgedFileError(_nothing_usable(judgements))
    return _score(judgements, _bands(sample, frame), frame, sample, question)


def _score(
    judgements: Judgements,
    bands: Sequence[Band],
    frame: Frame,
    sample: SampleOf | None,
    question: Question,
) -> Score:
    z, cells = quantile(question.confidence), count_cells(bands, judgements.judged)
    kept, left = _counts(cells, relevant=True), _counts(cells, relevant=False)
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


def _bands(sample: SampleOf | None, frame: Frame) -> tuple[Band, ...]:
    return cut_bands(frame.documents, FEWEST_BANDS) if sample is None else sample.cut(frame)


def _counts(cells: Sequence[Cell], *, relevant: bool) -> list[Count]:
    return [cell.count for cell in cells if cell.relevant == relevant]


def _band_score(band: Band, judged: Sequence[Judged], z: float) -> BandScore:
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

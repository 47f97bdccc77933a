"""The judgements of a person: read from the lines of a file, and counted in bands of similarity.

What is estimated from them is in ``scoring``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.evaluation.estimates import Count
from scenthound.evaluation.judged_file import JUDGEMENT, URL, JudgedLine
from scenthound.evaluation.sampling import Band, Frame, FramePage, SampleDesign

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

    page: FramePage
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
    lines: Sequence[JudgedLine], frame: Frame, sample: SampleDesign | None = None
) -> Judgements:
    """Read every usable line as a judgement of a document, and note what is wrong with the others.

    With a ``sample`` only its lines count: pages that somebody added were not drawn at random.
    """
    documents = {each.url: each for each in frame.documents}
    judged: dict[str, JudgedPage] = {}
    complaints: list[str] = []
    counts = Counter[str]()
    for line in lines:
        said = parse_judgement(line.cell(JUDGEMENT))
        page, problem = _find_page(line, documents, frame.others, sample)
        if page is None:
            pass
        elif said is None:
            problem = f"{line.cell(JUDGEMENT)[:60]!r} is no judgement; write yes, no or ?"
        elif said not in (YES, NO):
            counts[said] += 1
        elif page.url in judged:
            problem = f"{page.url} is judged in line {judged[page.url].line}, which counts"
        else:
            judged[page.url] = JudgedPage(page, said == YES, line.number)
        if problem:
            complaints.append(f"line {line.number}: {problem}.")
    return Judgements(tuple(judged.values()), counts[UNSURE], counts[""], tuple(complaints))


def _find_page(
    line: JudgedLine,
    documents: Mapping[str, FramePage],
    others: Mapping[str, str],
    sample: SampleDesign | None,
) -> tuple[FramePage | None, str]:
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


def count_strata(bands: Sequence[Band], judged: Sequence[JudgedPage]) -> tuple[Stratum, ...]:
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

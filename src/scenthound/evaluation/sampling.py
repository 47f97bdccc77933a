"""Draws pages of a crawl at random within relevance bands, for a person to judge."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Self

from pydantic import model_validator

from scenthound.core.errors import JudgedFileError, SettingsError
from scenthound.core.model import format_page_number
from scenthound.core.options import Options, Whole, whole_within
from scenthound.evaluation import judged_file as judged
from scenthound.storage.stored_crawl import PageRecord


@dataclass(frozen=True, slots=True)
class FramePage:
    """One document of a crawl with its judged similarity."""

    n: int
    url: str
    title: str
    similarity: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """All documents among the first ``pages`` pages of a crawl.

    ``others`` are pages that are no document, each with the reason.
    """

    pages: int
    documents: tuple[FramePage, ...]
    others: Mapping[str, str]

    def first(self, pages: int) -> Frame:
        """The frame as it was when the crawl had so many pages: a crawl only grows at its end."""
        kept = tuple(each for each in self.documents if each.n <= pages)
        return Frame(min(pages, self.pages), kept, self.others)


def read_frame(records: Iterable[PageRecord]) -> Frame:
    """Return the frame of a crawl's pages; a URL that was fetched twice is one document."""
    documents: dict[str, FramePage] = {}
    others: dict[str, str] = {}
    pages = 0
    for record in records:
        pages = max(pages, record.n)
        if record.has_document:
            page = FramePage(record.n, record.url, record.title, record.similarity, record.relevant)
            documents.setdefault(record.url, page)
        elif record.copy_of is not None:
            others[record.url] = f"a copy of {format_page_number(record.copy_of)}"
        else:
            others[record.url] = record.problem or f"status {record.status}"
    return Frame(pages, tuple(documents.values()), others)


# Relevance bands: the strata from which pages are drawn.
#
# Let the documents called relevant be one side and all others the other. Each side is cut into
# bands of nearly as many documents each, by similarity: with ``k`` bands on a side of ``m``
# documents, sorted, the cuts fall at the places ``m i / k`` (its quantiles), moved up past
# documents of the same similarity so that a band is a range of similarities. Of ``B`` bands the
# relevant side gets half, rounded up, since its precision matters most.
#
# No band has documents of both sides, so the precision of what the crawl called relevant is made
# of whole bands, and so is what its threshold missed. Quantiles rather than fixed widths:
# similarities crowd near 0, and a band of fixed width may be nearly empty.

DEFAULT_BANDS, FEWEST_BANDS, MOST_BANDS = 5, 2, 20


@dataclass(frozen=True, slots=True)
class Band:
    """Documents of one side whose similarity lies in a range; 1 is the most relevant band."""

    number: int
    relevant: bool
    documents: tuple[FramePage, ...]

    @property
    def low(self) -> float:
        """The lowest similarity in it."""
        return self.documents[0].similarity

    @property
    def high(self) -> float:
        """The highest similarity in it."""
        return self.documents[-1].similarity


def cut_bands(documents: Sequence[FramePage], bands: int = DEFAULT_BANDS) -> tuple[Band, ...]:
    """Cut documents into bands, the most relevant first.

    There are fewer than ``bands`` where a side is empty or has too few different similarities.
    """
    relevant = [each for each in documents if each.relevant]
    others = [each for each in documents if not each.relevant]
    above = (bands + 1) // 2 if others else bands
    below = bands - above if relevant else bands
    slices = [*_slices(relevant, above), *_slices(others, below)]
    return tuple(
        Band(number, found[0].relevant, found) for number, found in enumerate(slices, start=1)
    )


def _slices(side: Sequence[FramePage], bands: int) -> list[tuple[FramePage, ...]]:
    """Cut one side at its quantiles; the most relevant slice comes first, each from low to high."""
    ranked = sorted(side, key=lambda each: (each.similarity, each.n))
    ends = {0, len(ranked)}
    for place in (len(ranked) * i // bands for i in range(1, bands)):
        while 0 < place < len(ranked) and ranked[place].similarity == ranked[place - 1].similarity:
            place += 1  # a band is a range of similarities
        ends.add(place)
    return [tuple(ranked[a:b]) for a, b in pairwise(sorted(ends))][::-1]


# The draw.


def allocate(sizes: Sequence[int], n: int) -> list[int]:
    """How many pages each band gives to a sample of ``n``: equal parts, as far as it has pages.

    Equal rather than proportional parts: the bands of relevant pages are often small, and they
    matter most; near the threshold the doubt is greatest. The weights of the estimate undo the
    difference, so nothing is biased by it. What a small band cannot give, the others give; what
    does not divide goes to the first bands.
    """
    given = [0] * len(sizes)
    left = min(n, sum(sizes))
    while left:
        open_bands = [i for i, size in enumerate(sizes) if given[i] < size]
        part = max(1, left // len(open_bands))
        for i in open_bands:
            more = min(part, sizes[i] - given[i], left)
            given[i] += more
            left -= more
    return given


def draw(bands: Sequence[Band], n: int, random_seed: int) -> list[tuple[FramePage, Band]]:
    """Draw ``n`` pages (all, if there are fewer), in random order; the same for the same seed.

    Every band is put in a random order once and gives its first pages: a larger sample with the
    same seed holds the smaller one. The order of the whole is random too, so that the first
    pages of a sample, judged by somebody who stops there, are a sample themselves.
    """
    drawn: list[tuple[FramePage, Band]] = []
    for band, count in zip(bands, allocate([len(b.documents) for b in bands], n), strict=True):
        order = list(band.documents)
        random.Random(f"{random_seed}/{band.number}").shuffle(order)
        drawn += [(page, band) for page in order[:count]]
    random.Random(random_seed).shuffle(drawn)
    return drawn


# What a line of a sample was drawn from, written down in the line itself.

_ORIGIN_PATTERN = re.compile(
    r"bands=(\d{1,3}) pages=(\d{1,12}) band_pages=(\d{1,12}) seed=(-?\d{1,20})"
)


@dataclass(frozen=True, slots=True)
class SampleDesign:
    """A sample: the first ``pages`` pages of a crawl, in so many bands, drawn with this seed."""

    bands: int
    pages: int
    random_seed: int

    def text(self, band_pages: int) -> str:
        """The text in the column ``sample`` of a page whose band has ``band_pages`` pages."""
        return (
            f"bands={self.bands} pages={self.pages} band_pages={band_pages} seed={self.random_seed}"
        )

    def holds(self, line: judged.JudgedLine) -> bool:
        """Was the line drawn from the same bands? Samples of other seeds make a larger one."""
        own = _parse_origin(line)
        return own is not None and (own[0].bands, own[0].pages) == (self.bands, self.pages)

    def cut(self, frame: Frame) -> tuple[Band, ...]:
        """The bands it is drawn from, in the crawl of this frame."""
        return cut_bands(frame.first(self.pages).documents, self.bands)


def read_sample_design(lines: Sequence[judged.JudgedLine]) -> SampleDesign | None:
    """The sample that most lines say they were drawn for; None where no line says so."""
    found = Counter(origin[0] for line in lines if (origin := _parse_origin(line)))
    return found.most_common(1)[0][0] if found else None


def matches_frame(sample: SampleDesign, lines: Sequence[judged.JudgedLine], frame: Frame) -> bool:
    """Is this the crawl that the lines were drawn from? Its bands have as many pages then."""
    if sample.pages > frame.pages or not 1 <= sample.bands <= MOST_BANDS:
        return False
    sizes = {str(band.number): len(band.documents) for band in sample.cut(frame)}
    origins = [(line, _parse_origin(line)) for line in lines if sample.holds(line)]
    return all(own and sizes.get(line.cell(judged.BAND)) == own[1] for line, own in origins)


def _parse_origin(line: judged.JudgedLine) -> tuple[SampleDesign, int] | None:
    """The sample of a line, and the pages in its band."""
    found = _ORIGIN_PATTERN.search(line.cell(judged.SAMPLE))
    if found is None:
        return None
    bands, pages, band_pages, seed = map(int, found.groups())
    return SampleDesign(bands, pages, seed), band_pages


# A sample as a file to be judged: a new one, or more pages for an existing one.

DEFAULT_N, DEFAULT_SEED = 100, 0
Fill = Callable[[FramePage], tuple[str, str]]
"""The judgement and the comment that a new line begins with."""


class SampleOptions(Options):
    """How many pages, how many bands (None: those of the file, or 5), and the random seed."""

    n: Whole = DEFAULT_N
    bands: Annotated[int, whole_within(FEWEST_BANDS, MOST_BANDS)] | None = None
    random_seed: Whole | None = None

    @model_validator(mode="after")
    def _check_n(self) -> Self:
        least = 2 * (self.bands or DEFAULT_BANDS)
        if self.n < least:
            raise SettingsError(f"n is {least} or more, two pages a band, not {self.n}.")
        return self


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to be judged; ``added`` of its lines are new, ``kept`` were there before."""

    file: judged.JudgedFile
    of: SampleDesign
    added: int
    kept: int


def new_sample(frame: Frame, wanted: SampleOptions, fill: Fill) -> Sample:
    """Draw a sample of a crawl; SettingsError where it has no documents."""
    if not frame.documents:
        raise SettingsError("the crawl has no documents to draw from; crawl some pages first.")
    of = SampleDesign(
        wanted.bands or DEFAULT_BANDS, frame.pages, wanted.random_seed or DEFAULT_SEED
    )
    lines = _lines(of, frame, wanted.n, fill)
    return Sample(judged.JudgedFile(tuple(lines)), of, len(lines), 0)


def continued_sample(path: Path, frame: Frame, wanted: SampleOptions, fill: Fill) -> Sample:
    """Read the sample in a file, and add pages if more are wanted; all its lines are kept.

    It stays a sample of the pages that the crawl had when it was drawn. JudgedFileError where the
    file is of another crawl, or was drawn with other bands or another seed.
    """
    file = judged.read_judged(path)
    of = read_sample_design(file.lines)
    if of is None or not matches_frame(of, file.lines, frame):
        raise JudgedFileError(f"{path} is no sample of this crawl; give another --out.")
    for name, was, now in (
        ("bands", of.bands, wanted.bands),
        ("random seed", of.random_seed, wanted.random_seed),
    ):
        if now is not None and now != was:
            raise JudgedFileError(f"{path} was drawn with {name} {was}, not {now}; leave it out.")
    known = {line.cell(judged.URL) for line in file.lines}
    new = [line for line in _lines(of, frame, wanted.n, fill) if line.cell(judged.URL) not in known]
    columns = tuple(dict.fromkeys((*file.columns, *judged.COLUMNS)))  # somebody took some out
    whole = judged.JudgedFile((*file.lines, *new), columns, file.separator)
    return Sample(whole, of, len(new), len(file.lines))


def _lines(of: SampleDesign, frame: Frame, n: int, fill: Fill) -> list[judged.JudgedLine]:
    lines = []
    for page, band in draw(of.cut(frame), n, of.random_seed):
        judgement, comment = fill(page)
        cells = {
            judged.URL: page.url,
            judged.TITLE: judged.strip_control(page.title),
            judged.JUDGEMENT: judgement,
            judged.COMMENT: comment,
            judged.N: str(page.n),
            judged.BAND: str(band.number),
            judged.RELEVANCE: f"{page.similarity:.4f}",
            judged.SAMPLE: of.text(len(band.documents)),
        }
        lines.append(judged.JudgedLine(0, cells))
    return lines

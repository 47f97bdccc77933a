"""A sample as a file to be judged: a new one, or more pages for one that is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.assessment.bands import DEFAULT_BANDS, FEWEST_BANDS, MOST_BANDS
from scenthound.assessment.drawing import Drawn, draw
from scenthound.assessment.frame import Frame, FramePage
from scenthound.assessment.judged_file import (
    BAND,
    COMMENT,
    JUDGEMENT,
    RELEVANCE,
    SAMPLE,
    TITLE,
    URL,
    JudgedFile,
    Line,
    N,
    harmless,
    read_judged,
)
from scenthound.assessment.origin import SampleOf, is_drawn_from, sample_of
from scenthound.core.errors import JudgedFileError, SettingsError

DEFAULT_N = 100
DEFAULT_SEED = 0

Fill = Callable[[FramePage], tuple[str, str]]
"""The judgement and the comment that a new line begins with."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: how many pages, bands (None: those of the file, or 5), and the seed."""

    n: int = DEFAULT_N
    bands: int | None = None
    random_seed: int | None = None

    def __post_init__(self) -> None:
        if self.bands is not None and not FEWEST_BANDS <= self.bands <= MOST_BANDS:
            raise SettingsError(
                f"bands is {FEWEST_BANDS} to {MOST_BANDS}, not {self.bands}: one side of the "
                "threshold and the other at least."
            )
        least = 2 * (self.bands or DEFAULT_BANDS)
        if self.n < least:
            raise SettingsError(f"n is {least} or more, two pages a band, not {self.n}.")


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to be judged; ``added`` of its lines are new, ``kept`` were there before."""

    file: JudgedFile
    of: SampleOf
    added: int
    kept: int


def new_sample(frame: Frame, wanted: Wanted, fill: Fill) -> Sample:
    """A sample of a crawl; SettingsError where it has no documents."""
    if not frame.documents:
        raise SettingsError("the crawl has no documents to draw from; crawl some pages first.")
    of = SampleOf(wanted.bands or DEFAULT_BANDS, frame.pages, wanted.random_seed or DEFAULT_SEED)
    lines = _lines(of, frame, wanted.n, fill)
    return Sample(JudgedFile(tuple(lines)), of, len(lines), 0)


def continued_sample(path: Path, frame: Frame, wanted: Wanted, fill: Fill) -> Sample:
    """The sample in a file, made larger if more pages are wanted; all its lines are kept.

    It stays a sample of the pages that the crawl had when it was drawn. JudgedFileError where the
    file is of another crawl, or was drawn otherwise than is wanted now.
    """
    file = read_judged(path)
    of = sample_of(file.lines)
    if of is None or not is_drawn_from(of, file.lines, frame):
        raise JudgedFileError(f"{path} is no sample of this crawl; give another --out.")
    for name, was, now in (
        ("bands", of.bands, wanted.bands),
        ("random seed", of.random_seed, wanted.random_seed),
    ):
        if now is not None and now != was:
            raise JudgedFileError(f"{path} was drawn with {name} {was}, not {now}; leave it out.")
    known = {line.cell(URL) for line in file.lines}
    new = [line for line in _lines(of, frame, wanted.n, fill) if line.cell(URL) not in known]
    lines = (*_filled(file.lines, frame, fill), *new)
    whole = JudgedFile(lines, _with_all(file.columns), file.separator)
    return Sample(whole, of, len(new), len(file.lines))


def _filled(lines: Sequence[Line], frame: Frame, fill: Fill) -> list[Line]:
    """The lines, those without a judgement filled in."""
    pages = {page.url: page for page in frame.documents}
    return [
        line
        if line.cell(JUDGEMENT) or line.cell(URL) not in pages
        else line.judged(*fill(pages[line.cell(URL)]))
        for line in lines
    ]


def _with_all(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of a file, and those that somebody has taken out."""
    return (*columns, *(name for name in JudgedFile(()).columns if name not in columns))


def _lines(of: SampleOf, frame: Frame, n: int, fill: Fill) -> list[Line]:
    bands = of.cut(frame)
    sizes = {band.number: len(band.documents) for band in bands}
    drawn = draw(bands, n, of.random_seed)
    return [_line(each, of.text(sizes[each.band]), fill) for each in drawn]


def _line(drawn: Drawn, origin: str, fill: Fill) -> Line:
    page = drawn.page
    judgement, comment = fill(page)
    cells = {
        URL: page.url, TITLE: harmless(page.title), JUDGEMENT: judgement, COMMENT: comment,
        N: str(page.n), BAND: str(drawn.band), RELEVANCE: f"{page.similarity:.4f}", SAMPLE: origin,
    }  # fmt: skip
    return Line(0, cells)

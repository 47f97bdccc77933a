"""What a line of a sample was drawn from, written down in the line itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.assessment.bands import MOST_BANDS, Band, cut_bands
from scenthound.assessment.frame import Frame
from scenthound.assessment.judged_file import BAND, SAMPLE, Line

_ORIGIN = re.compile(r"bands=(\d{1,3}) pages=(\d{1,12}) band_pages=(\d{1,12}) seed=(-?\d{1,20})")


@dataclass(frozen=True, slots=True)
class SampleOf:
    """A sample: the first ``pages`` pages of a crawl, in so many bands, drawn with this seed."""

    bands: int
    pages: int
    random_seed: int

    def text(self, band_pages: int) -> str:
        """As it stands in the column ``sample`` of a page whose band has ``band_pages`` pages."""
        return (
            f"bands={self.bands} pages={self.pages} band_pages={band_pages} seed={self.random_seed}"
        )

    def holds(self, line: Line) -> bool:
        """Was the line drawn from the same bands? Samples of other seeds make a larger one."""
        own = _origin(line)
        return own is not None and (own[0].bands, own[0].pages) == (self.bands, self.pages)

    def cut(self, frame: Frame) -> tuple[Band, ...]:
        """The bands it is drawn from, in the crawl of this frame."""
        return cut_bands(frame.first(self.pages).documents, self.bands)


def sample_of(lines: Sequence[Line]) -> SampleOf | None:
    """The sample that most lines say they were drawn for; None where no line says so."""
    found = Counter(origin[0] for line in lines if (origin := _origin(line)))
    return found.most_common(1)[0][0] if found else None


def is_drawn_from(sample: SampleOf, lines: Sequence[Line], frame: Frame) -> bool:
    """Is this the crawl that the lines were drawn from? Its bands have as many pages then."""
    if sample.pages > frame.pages or not 1 <= sample.bands <= MOST_BANDS:
        return False
    sizes = {str(band.number): len(band.documents) for band in sample.cut(frame)}
    own = [line for line in lines if sample.holds(line)]
    return all(sizes.get(line.cell(BAND)) == _band_pages(line) for line in own)


def _band_pages(line: Line) -> int | None:
    found = _origin(line)
    return None if found is None else found[1]


def _origin(line: Line) -> tuple[SampleOf, int] | None:
    """The sample of a line, and the pages in its band."""
    found = _ORIGIN.search(line.cell(SAMPLE))
    if found is None:
        return None
    bands, pages, band_pages, seed = map(int, found.groups())
    return SampleOf(bands, pages, seed), band_pages

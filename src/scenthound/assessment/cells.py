"""Judgements counted within bands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from scenthound.assessment.bands import Band
from scenthound.assessment.counts import Count
from scenthound.assessment.judgements import Judged


@dataclass(frozen=True, slots=True)
class Cell:
    """A range of similarities: all its documents, and those that are judged, from low to high.

    ``rights`` says of every beginning of the judged ones, from none to all, how many are right.
    """

    relevant: bool
    similarities: tuple[float, ...]
    judged: tuple[Judged, ...]
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


def count_cells(bands: Sequence[Band], judged: Sequence[Judged]) -> tuple[Cell, ...]:
    """A cell for each band, most relevant first.

    Of a band without a judgement nothing is known: it is joined with its neighbour on the same
    side of the threshold. A side without any stays one cell without a judgement.
    """
    by_url = {each.page.url: each for each in judged}
    cells: list[Cell] = []
    for band in bands:
        cell = _cell(band, by_url)
        if cells and cells[-1].relevant == cell.relevant and not (cells[-1].judged and cell.judged):
            cell = _joined(cell, cells.pop())
        cells.append(cell)
    return tuple(cells)


def _cell(band: Band, judged: dict[str, Judged]) -> Cell:
    found = tuple(judged[page.url] for page in band.documents if page.url in judged)
    return _counted(band.relevant, tuple(page.similarity for page in band.documents), found)


def _joined(low: Cell, high: Cell) -> Cell:
    return _counted(low.relevant, low.similarities + high.similarities, low.judged + high.judged)


def _counted(relevant: bool, similarities: tuple[float, ...], judged: tuple[Judged, ...]) -> Cell:
    rights = accumulate((each.right for each in judged), initial=0)
    return Cell(relevant, similarities, judged, tuple(rights))

"""Relevance bands: the strata from which pages are drawn.

Let the documents called relevant be one side and all others the other. Each side is cut into
bands of nearly as many documents each, by similarity: with ``k`` bands on a side of ``m``
documents, sorted, the cuts fall at the places ``m i / k`` (its quantiles), moved up past
documents of the same similarity so that a band is a range of similarities. Of ``B`` bands the
relevant side gets half, rounded up, since what is said of it matters most.

No band has documents of both sides, so the precision of what the crawl called relevant is made of
whole bands, and so is what its threshold missed. Quantiles rather than fixed widths: similarities
crowd near 0, and a band of fixed width may be nearly empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scenthound.assessment.frame import FramePage

DEFAULT_BANDS = 5
FEWEST_BANDS = 2
MOST_BANDS = 20


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
    """The bands, most relevant first; none for no documents.

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
    """One side in quantiles, the most relevant slice first, each from low to high."""
    ranked = sorted(side, key=lambda each: (each.similarity, each.n))
    cuts = [0, *(_cut(ranked, len(ranked) * i // bands) for i in range(1, bands)), len(ranked)]
    ends = sorted(set(cuts))
    return [tuple(ranked[a:b]) for a, b in pairwise(ends)][::-1]


def _cut(ranked: Sequence[FramePage], place: int) -> int:
    """The first place from here on at which the similarity changes."""
    while 0 < place < len(ranked) and ranked[place].similarity == ranked[place - 1].similarity:
        place += 1
    return place

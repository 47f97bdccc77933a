"""Draws pages at random within bands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.assessment.bands import Band
from scenthound.assessment.frame import FramePage


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page of the sample, and the number of its band."""

    page: FramePage
    band: int


def allocate(sizes: Sequence[int], n: int) -> list[int]:
    """How many pages each band gives to a sample of ``n``: as many as another, as far as it can.

    Equal rather than proportional parts: the bands of relevant pages are often small, and it is
    of them that most is asked; near the threshold the doubt is greatest. The weights of the
    estimate undo the difference, so nothing is biased by it. What a small band cannot give, the
    others give; what does not divide goes to the first bands. ``n`` beyond all pages gives all.
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


def draw(bands: Sequence[Band], n: int, random_seed: int) -> list[Drawn]:
    """``n`` pages (all, if there are fewer), in random order; the same for the same seed.

    Every band is put in a random order once and gives its first pages: a larger sample with the
    same seed holds the smaller one. The order of the whole is random too, so that the first
    pages of a sample, judged by somebody who stops there, are a sample themselves.
    """
    drawn: list[Drawn] = []
    for band, count in zip(bands, allocate([len(b.documents) for b in bands], n), strict=True):
        order = list(band.documents)
        random.Random(f"{random_seed}/{band.number}").shuffle(order)
        drawn += [Drawn(page, band.number) for page in order[:count]]
    random.Random(random_seed).shuffle(drawn)
    return drawn

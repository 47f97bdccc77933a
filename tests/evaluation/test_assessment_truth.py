"""Samples of crawls whose truth is known: estimates are unbiased, intervals hold what they say."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean

import pytest

from evaluation.frame_making import crawl_with_truth
from scenthound.evaluation.estimates import Count, Estimate, precision, quantile, recall
from scenthound.evaluation.sampling import Frame, cut_bands, draw
from scenthound.evaluation.scoring import JudgedPage, count_strata

DRAWS = 500
Z = quantile(0.95)


@dataclass(frozen=True)
class Figures:
    called_relevant: Estimate
    all_documents: Estimate
    recall: Estimate


def figures(made: Frame, truth: dict[str, bool], n: int, seed: int) -> Figures:
    bands = cut_bands(made.documents, 5)
    drawn = [JudgedPage(page, truth[page.url], 0) for page, _ in draw(bands, n, seed)]
    cells = count_strata(bands, drawn)
    kept = [cell.count for cell in cells if cell.relevant]
    left = [cell.count for cell in cells if not cell.relevant]
    found = precision(kept, Z), precision([*kept, *left], Z), recall(kept, left, Z)
    assert all(each is not None for each in found)
    return Figures(*found)  # type: ignore[arg-type]


def true_figures(made: Frame, truth: dict[str, bool]) -> tuple[float, float, float]:
    relevant = [truth[p.url] for p in made.documents if p.relevant]
    everything = [truth[p.url] for p in made.documents]
    return fmean(relevant), fmean(everything), sum(relevant) / sum(everything)


@pytest.mark.parametrize(
    ("size", "n"),
    [
        (120, 60),
        (3000, 100),
    ],
)
def test_intervals_hold_what_they_promise(size: int, n: int) -> None:
    """Of 500 samples 475 intervals or more hold the truth; four deviations fewer would be 455."""
    made, truth = crawl_with_truth(size, random.Random(5))
    wanted = true_figures(made, truth)
    held = [0, 0, 0]
    for seed in range(DRAWS):
        found = figures(made, truth, n, seed)
        several = (found.called_relevant, found.all_documents, found.recall)
        for i, (each, true) in enumerate(zip(several, wanted, strict=True)):
            held[i] += each.low <= true <= each.high
    assert all(count >= 455 for count in held), held
    assert min(held) < DRAWS, "an interval that always holds is too wide to say anything"


def test_estimates_are_unbiased() -> None:
    """Drawn evenly, not by size: only the weights keep the estimate from leaning."""
    made, truth = crawl_with_truth(400, random.Random(6))
    relevant, everything, _ = true_figures(made, truth)
    found = [figures(made, truth, 60, seed) for seed in range(DRAWS)]
    assert fmean(f.called_relevant.value for f in found) == pytest.approx(relevant, abs=0.01)
    assert fmean(f.all_documents.value for f in found) == pytest.approx(everything, abs=0.01)
    unweighed = [
        fmean(truth[page.url] for page, _ in draw(cut_bands(made.documents, 5), 60, seed))
        for seed in range(100)
    ]
    assert abs(fmean(unweighed) - everything) > 0.05


SMALL = [(15, 5, (1, 0.93, 0.93)), (15, 12, (0.93, 0.93, 0.8)), (30, 12, (1, 0.9, 0.8, 0.2, 0))]
LARGE = [(100, 20, (0.99,) * 3), (1000, 20, (0.97, 0.96, 0.98)), (400, 10, (0.99,) * 5)]


@pytest.mark.parametrize(("size", "judged", "shares"), [*SMALL, *LARGE])
def test_precision_holds_in_small_bands_and_near_one(
    size: int, judged: int, shares: tuple[float, ...]
) -> None:
    """Bands of one size, as many judged of each, true shares given: 0.95 or more hold the truth."""
    rng = random.Random(8)
    bands = [[i < round(share * size) for i in range(size)] for share in shares]
    true = sum(map(sum, bands)) / (size * len(bands))
    held = 0
    for _ in range(DRAWS):
        drawn = [Count(size, judged, sum(rng.sample(band, judged))) for band in bands]
        found = precision(drawn, Z)
        assert found is not None
        held += found.low - 1e-12 <= true <= found.high + 1e-12
    assert held >= 455, held


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        ([(15, 12, 14), (15, 12, 12)], [(20, 12, 2), (40, 12, 0)]),
        ([(100, 20, 99), (100, 20, 90)], [(500, 20, 50), (500, 20, 5)]),
    ],
)
def test_recall_holds_in_small_crawls(
    kept: list[tuple[int, int, int]], left: list[tuple[int, int, int]]
) -> None:
    """Bands as (documents, judged, truly about the topic)."""
    rng = random.Random(9)
    inside, outside = sum(k for _, _, k in kept), sum(k for _, _, k in left)
    true, held = inside / (inside + outside), 0
    for _ in range(DRAWS):
        found = recall([drawn_from(b, rng) for b in kept], [drawn_from(b, rng) for b in left], Z)
        assert found is not None
        held += found.low - 1e-12 <= true <= found.high + 1e-12
    assert held >= 455, held


def drawn_from(band: tuple[int, int, int], rng: random.Random) -> Count:
    pages, judged, right = band
    return Count(pages, judged, sum(n < right for n in rng.sample(range(pages), judged)))

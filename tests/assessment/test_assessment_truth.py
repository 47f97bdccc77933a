"""Samples of crawls whose truth is known: estimates are unbiased, intervals hold what they say."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean

import pytest

from assessment.frame_making import crawl_with_truth, frame
from scenthound.assessment.bands import cut_bands
from scenthound.assessment.cells import count_cells
from scenthound.assessment.drawing import draw
from scenthound.assessment.estimate import precision, recall
from scenthound.assessment.frame import Frame
from scenthound.assessment.intervals import Estimate, quantile
from scenthound.assessment.judgements import Judged

DRAWS = 500
Z = quantile(0.95)


@dataclass(frozen=True)
class Figures:
    called_relevant: Estimate
    all_documents: Estimate
    recall: Estimate


def figures(made: Frame, truth: dict[str, bool], n: int, seed: int) -> Figures:
    bands = cut_bands(made.documents, 5)
    drawn = [Judged(d.page, truth[d.page.url], 0) for d in draw(bands, n, seed)]
    cells = count_cells(bands, drawn)
    kept = [cell.count for cell in cells if cell.relevant]
    left = [cell.count for cell in cells if not cell.relevant]
    found = precision(kept, Z), precision([*kept, *left], Z), recall(kept, left, Z)
    assert all(each is not None for each in found)
    return Figures(*found)  # type: ignore[arg-type]


def true_figures(made: Frame, truth: dict[str, bool]) -> tuple[float, float, float]:
    relevant = [truth[p.url] for p in made.documents if p.relevant]
    everything = [truth[p.url] for p in made.documents]
    return fmean(relevant), fmean(everything), sum(relevant) / sum(everything)


@pytest.mark.parametrize("size", [300, 3000])
def test_intervals_hold_what_they_promise(size: int) -> None:
    """Of 500 samples about 475 intervals hold the truth; four deviations fewer would be 455."""
    made, truth = crawl_with_truth(size, random.Random(5))
    wanted = true_figures(made, truth)
    held = [0, 0, 0]
    for seed in range(DRAWS):
        found = figures(made, truth, 100, seed)
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
        fmean(truth[d.page.url] for d in draw(cut_bands(made.documents, 5), 60, seed))
        for seed in range(100)
    ]
    assert abs(fmean(unweighed) - everything) > 0.05


def test_intervals_hold_where_nearly_all_are_right() -> None:
    """Precision 0.99 with ten pages a band: most samples show no error at all."""
    rng = random.Random(7)
    made = frame([rng.random() for _ in range(2000)], threshold=0.0)
    truth = {page.url: rng.random() < 0.99 for page in made.documents}
    true = fmean(truth.values())
    held = 0
    for seed in range(DRAWS):
        bands = cut_bands(made.documents, 5)
        drawn = [Judged(d.page, truth[d.page.url], 0) for d in draw(bands, 50, seed)]
        found = precision([cell.count for cell in count_cells(bands, drawn)], Z)
        assert found is not None
        held += found.low <= true <= found.high
    assert held >= 455, held

"""Frames and judgements made by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

from scenthound.evaluation.judgements import JudgedPage
from scenthound.evaluation.sampling import Frame, FramePage


def page(n: int, similarity: float, threshold: float = 0.5, title: str = "") -> FramePage:
    return FramePage(n, f"http://a.test/{n}", title, similarity, similarity >= threshold)


def frame(similarities: Sequence[float], threshold: float = 0.5) -> Frame:
    pages = tuple(page(n, s, threshold) for n, s in enumerate(similarities, start=1))
    return Frame(len(pages), pages, {})


def judged(pages: Sequence[FramePage], right: Sequence[bool]) -> list[JudgedPage]:
    return [JudgedPage(p, r, i) for i, (p, r) in enumerate(zip(pages, right, strict=True), start=2)]


def crawl_with_truth(size: int, rng: random.Random) -> tuple[Frame, dict[str, bool]]:
    """Documents whose chance to be about the topic grows with their similarity."""
    made = frame([round(rng.betavariate(1.2, 3.0), 5) for _ in range(size)], threshold=0.3)
    truth = {p.url: rng.random() < min(0.98, 2.4 * p.similarity**1.3) for p in made.documents}
    return made, truth

"""Frames and judgements made by hand."""

from __future__ import annotations

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

"""Frames made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.evaluation.sampling import Frame, FramePage


def frame(similarities: Sequence[float], threshold: float = 0.5) -> Frame:
    """Untitled pages with these similarities, numbered from 1."""
    pages = tuple(
        FramePage(n, f"http://a.test/{n}", "", similarity, similarity >= threshold)
        for n, similarity in enumerate(similarities, start=1)
    )
    return Frame(len(pages), pages, {})

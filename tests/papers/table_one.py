"""The worked formal context of the paper (olmoaco Table 1)."""

from __future__ import annotations

import numpy as np

from scenthound.papers.olmoaco.formal_context import FormalContext

CROSSES = ["x..xxx", "xxx...", "..x.x.", "x....x", "xxxxx."]


def table_one() -> FormalContext:
    return context_of(CROSSES, [f"term {number}" for number in range(1, 7)])


def context_of(rows: list[str], terms: list[str]) -> FormalContext:
    texts = tuple(f"doc {number}" for number in range(1, len(rows) + 1))
    crosses = np.array([[sign == "x" for sign in row] for row in rows], np.bool_)
    return FormalContext(texts, tuple(terms), crosses)

"""What a report counts with stays small, and its checkpoints are those of the papers."""

from __future__ import annotations

import pytest

from scenthound.reporting.bounded_counts import Best, Counts, Shares
from scenthound.reporting.checkpoints import step_for, told_pages


def test_names_beyond_the_bound_are_counted_together() -> None:
    shares: Shares[str] = Shares(2)
    for name, relevant in (("a", True), ("b", False), ("b", False), ("c", False), ("a", False)):
        shares.add(name, relevant)
    assert shares.by_name() == [("a", 1, 1), ("b", 0, 2)] and shares.others == [0, 1]
    assert shares.by_off_topic(1) == [("b", 0, 2)] and len(shares) == 2
    counts = Counts(1)
    for name in ("x", "y", "z"):
        counts.add(name)
    assert counts.ordered() == [("others", 2), ("x", 1)]


def test_the_best_are_kept_and_the_first_of_equals() -> None:
    best: Best[str] = Best(2)
    for rank, name in ((0.5, "a"), (0.9, "b"), (0.5, "c"), (0.1, "d")):
        best.add(rank, name)
    assert best.ordered() == ["b", "a"]
    none: Best[str] = Best(0)
    none.add(1.0, "a")
    assert none.ordered() == []


@pytest.mark.parametrize(
    ("pages", "rows"),
    [
        (0, []),
        (1, [1]),
        (7, [1, 2, 3, 4, 5, 6, 7]),
        (99, [10, 20, 30, 40, 50, 60, 70, 80, 90, 99]),
        (19, [*range(2, 19, 2), 19]),
        (100, [10, 20, 50, 100]),
        (1_100, [*range(100, 1_001, 100), 1_100]),
        (5_000, [*range(100, 1_001, 100), *range(1_500, 5_001, 500)]),
        (
            12_000,
            [*range(100, 1_001, 100), *range(1_500, 5_001, 500), *range(6_000, 12_001, 1_000)],
        ),
    ],
)
def test_rows_are_those_of_the_papers(pages: int, rows: list[int]) -> None:
    assert told_pages(pages) == rows
    assert all(row % step_for(pages) == 0 for row in rows[:-1])


def test_a_huge_crawl_has_a_short_table() -> None:
    assert told_pages(100_000)[18:] == list(range(10_000, 100_001, 5_000))
    assert len(told_pages(10_000_000)) < 70

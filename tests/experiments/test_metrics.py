"""Every indicator on a handful of pages, worked out by hand."""

from __future__ import annotations

import math

import pytest

from engines.web_building import Plant, at, labelled
from engines.web_building import page as archived
from scenthound.experiments.metrics import (
    Indicators,
    PageRecord,
    checkpoints,
    over_budget,
    page_records,
)
from scenthound.experiments.runner import run
from scenthound.store.journal import last_summary, read_journal

PAGES = [
    PageRecord("a", 0.8, True, None),  # the seed: no prediction
    PageRecord("b", 0.2, False, 0.5),
    PageRecord("c", 0.6, True, 0.4),
    PageRecord("d", 0.0, False, 0.1),
    PageRecord("e", 0.4, True, 0.4, ("old-e",)),
]
LABELS = frozenset({"a", "c", "old-e", "never"})


def last(pages: list[PageRecord], labels: frozenset[str] | None = None) -> Indicators:
    return checkpoints(pages, labels)[-1]


def test_relevant_pages_and_harvest_rate() -> None:
    row = last(PAGES)
    assert (row.fetched, row.rn, row.hr) == (5, 3, 0.6)


def test_mean_similarity_of_the_relevant() -> None:
    assert last(PAGES).as_ == pytest.approx((0.8 + 0.6 + 0.4) / 3)
    assert last(PAGES[1:2]).as_ is None


def test_mean_and_population_deviation_of_all() -> None:
    """Mean 0.4; squares of the deviations .16 .04 .04 .16 0, their mean 0.08."""
    row = last(PAGES)
    assert row.ar == pytest.approx(0.4)
    assert row.sd == pytest.approx(math.sqrt(0.08))


def test_error_is_taken_over_the_predicted_pages_only() -> None:
    """|0.2 - 0.5| + |0.6 - 0.4| + |0 - 0.1| + 0 = 0.6 over four."""
    assert last(PAGES).ae == pytest.approx(0.15)
    assert last(PAGES[:1]).ae is None


def test_labelled_harvest_and_recall() -> None:
    row = last(PAGES, LABELS)
    assert (row.labelled, row.labelled_harvest, row.target_recall) == (3, 0.6, 0.75)


def test_without_labels_there_are_no_labelled_figures() -> None:
    row = last(PAGES)
    assert row.labelled is row.labelled_harvest is row.target_recall is None
    assert over_budget(row, 10) == row


def test_labelled_page_is_found_once() -> None:
    twice = [PageRecord("a", 0.0, False, None), PageRecord("b", 0.0, False, None, ("a",))]
    assert last(twice, frozenset({"a"})).labelled == 1


def test_final_harvest_is_over_the_budget_also_when_the_crawl_ended_early() -> None:
    row = last(PAGES, LABELS)
    final = over_budget(row, 20)
    assert (row.labelled_harvest, final.labelled_harvest) == (0.6, 0.15)
    assert final.target_recall == 0.75


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (0, [0]),
        (1, [1]),
        (99, [99]),
        (100, [100]),
        (101, [100, 101]),
        (250, [100, 200, 250]),
    ],
)
def test_checkpoints_at_every_hundred_and_at_the_end(pages: int, expected: list[int]) -> None:
    records = [PageRecord(str(n), 0.5, True, None) for n in range(pages)]
    assert [row.fetched for row in checkpoints(records)] == expected


def test_checkpoint_is_about_the_pages_before_it() -> None:
    first, second, end = checkpoints(PAGES, LABELS, every=2)
    assert (first.labelled, first.labelled_harvest, first.target_recall) == (1, 0.5, 0.25)
    assert (second.labelled, second.rn) == (2, 2)
    assert end == last(PAGES, LABELS)


def test_no_pages_at_all() -> None:
    row = last([], LABELS)
    assert (row.fetched, row.rn, row.hr, row.ar, row.sd) == (0, 0, 0.0, 0.0, 0.0)
    assert row.as_ is row.ae is None
    assert (row.labelled, row.labelled_harvest, row.target_recall) == (0, 0.0, 0.0)


def test_equal_similarities_have_no_deviation() -> None:
    records = [PageRecord(str(n), 0.1, False, None) for n in range(1000)]
    assert last(records).sd == pytest.approx(0.0, abs=1e-7)


def test_record_reads_a_page_event_and_passes_the_others() -> None:
    event = {"event": "page", "url": "u", "similarity": 0.5, "relevant": True, "priority": None}
    missing = {"event": "missing", "count": 1, "urls": []}
    assert list(page_records([missing, event])) == [PageRecord("u", 0.5, True, None)]


def test_names_in_the_results_file() -> None:
    assert list(last(PAGES).to_json()) == [
        "fetched", "labelled_harvest", "target_recall", "labelled", "rn", "hr", "as", "ar", "sd",
        "ae",
    ]  # fmt: skip


def test_figures_from_the_journal_equal_those_of_the_run_and_of_the_summary(plant: Plant) -> None:
    words = ("storm", "flood", "cake", "rain", "tea")
    web = plant(
        *(
            archived(
                f"/{n}",
                (f"/{n + 1}", words[(n + 1) % 5]),
                (f"/{3 * n % 130}", words[3 * n % 5]),
                f"/gone{n}",
                text=f"{words[n % 5]} {words[n % 3]} word{n}",
            )
            for n in range(130)
        )
    )
    labels = labelled("/5", "/50", "/129")
    out = web.folder / "run"
    job = web.job(
        "vsm", seeds=["/0"], examples=["storm flood", "storm rain"], labels=labels, budget="125",
        out=out,
    )  # fmt: skip
    result = run(web.archive, job)
    path = out / "storms" / "vsm" / "journal.jsonl"
    rows = checkpoints(page_records(read_journal(path)), frozenset(map(at, ("/5", "/50", "/129"))))
    assert tuple(rows) == result.checkpoints
    assert over_budget(rows[-1], 125) == result.final
    summary = last_summary(path)
    assert summary is not None
    final = result.final
    n = final.fetched
    assert n == 125
    assert summary["fetched"] == n
    assert summary["relevant"] == final.rn
    assert summary["missing"] == result.missing > 0
    assert summary["similarity"] == pytest.approx(final.ar * n, abs=1e-3)
    assert summary["similarity_squared"] == pytest.approx((final.sd**2 + final.ar**2) * n, abs=1e-3)
    assert final.as_ is not None and final.ae is not None
    assert summary["relevant_similarity"] == pytest.approx(final.as_ * final.rn, abs=1e-3)
    assert summary["predicted"] == n - 1
    assert summary["error"] == pytest.approx(final.ae * (n - 1), abs=2e-3)

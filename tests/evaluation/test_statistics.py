"""Statistics of paired runs, and the tables: against slow references and by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from statistics import NormalDist, fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.outcomes_made import by_topic, failed, indicators, ran
from scenthound.crawler.metrics import over_budget
from scenthound.evaluation import statistics as stats
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT, Cell, Outcome, Unit, measure_named
from scenthound.evaluation.standings import (
    MilestoneTable,
    Standing,
    Statistics,
    Table,
    compare_with,
    milestone_tables,
    milestones,
)


def test_few_topics_never_make_a_claim_and_equals_are_all_best() -> None:
    for low, high, words, of_errors in (
        (0.01, 0.2, "better", "worse"), (-0.2, -0.01, "worse", "better"),
        (-0.1, 0.1, "no difference", "no difference"), (0.0, 0.2, "no difference", "no difference"),
    ):  # fmt: skip
        assert stats.verdict(stats.Interval(low, high), 6) == words
        assert stats.verdict(stats.Interval(low, high), 6, lower_is_better=True) == of_errors
        assert stats.verdict(stats.Interval(low, high), 5) == "too few topics to tell"
    assert stats.verdict(None, 0) == "too few topics to tell"
    assert stats.win_record([0.1, 0.2, -0.1, 0.0, 1e-12]) == stats.WinRecord(
        wins=2, ties=2, losses=1
    )
    assert stats.win_record([0.1, 0.2, -0.1], lower_is_better=True) == stats.WinRecord(
        wins=1, ties=0, losses=2
    )
    assert stats.win_record([]) == stats.WinRecord(0, 0, 0)
    # y has only the easy draw of the topic.
    figures = {"x": {unit("a"): 0.3, unit("b"): 0.1}, "y": {unit("a"): 0.3, unit("b"): 0.2}}
    assert stats.best_groups(figures, stats.topic_of) == {"x": {A}, "y": {A, B}}
    assert stats.best_groups(figures, stats.topic_of, lower_is_better=True) == {
        "x": {A, B},
        "y": {A},
    }
    figures = {
        "x": {unit("a", 1): 0.1, unit("a", 2): 0.5},
        "y": {unit("a", 2): 0.5},
        "z": {unit("a", 1): 0.2, unit("a", 2): 0.3},
    }
    assert stats.best_groups(figures, stats.topic_of) == {"x": {A}, "y": set(), "z": set()}
    assert stats.best_groups(figures, stats.draw_of) == {"x": {2}, "y": {2}, "z": {1}}


A, B = stats.Topic("web", "a"), stats.Topic("web", "b")


def cell(topic: str, strategy: str = "vsm", draw: int = 0, random_seed: int = 0) -> Cell:
    return Cell("web", topic, strategy, draw=draw, random_seed=random_seed)


def unit(topic: str, draw: int = 0, seeds: str = "given", web: str = "web") -> Unit:
    return Unit(web, topic, seeds, draw)


def test_units_their_groups_pairs_and_deviation() -> None:
    figures = stats.unit_figures([(cell("a", random_seed=0), 0.2), (cell("a", random_seed=1), 0.4)])
    assert figures == {"vsm": {unit("a"): pytest.approx(0.3)}}
    assert stats.grouping([unit("a"), unit("b"), unit("a", 1)]) is stats.topic_of
    assert stats.grouping([unit("a"), unit("a", 1)]) is stats.grouping([]) is stats.draw_of
    both = {unit("a", 1, "relevant"): 0.4, unit("a", 1, "irrelevant"): 0.2, unit("a", 2): 0.5}
    assert stats.group_means(both, stats.draw_of) == {1: pytest.approx(0.3), 2: 0.5}
    own = {unit("a"): 0.5, unit("a", 1): 0.7, unit("b"): 0.9}
    base = {unit("a"): 0.4, unit("c"): 0.1}
    pairs = stats.paired_differences(own, base, stats.topic_of)
    assert pairs == {stats.Topic("web", "a"): pytest.approx(0.1)}
    # 0.1 + 0.2 is not 0.3 in binary; the difference has to be nothing all the same.
    pairs = stats.paired_differences({unit("a"): 0.1 + 0.2}, {unit("a"): 0.3}, stats.topic_of)
    assert list(pairs.values()) == [0.0]
    # Variances of {0.1, 0.3} and {0.2, 0.2, 0.2} are 0.02 and 0: the root of 0.01 is 0.1.
    seeded = [(cell("a", random_seed=k), value) for k, value in enumerate((0.1, 0.3))]
    seeded += [(cell("b", random_seed=k), 0.2) for k in range(3)]
    assert stats.seed_deviation(seeded) == pytest.approx(0.1)
    assert stats.seed_deviation([(cell("a"), 0.1), (cell("b"), 0.9)]) is None


def test_intervals_are_those_of_all_resamples_and_of_student() -> None:
    six = [0.05, 0.11, 0.13, 0.20, 0.22, 0.31]
    found, level = stats.mean_interval(six), stats.expanded(0.95, 6)
    means = [fmean(resample) for resample in product(six, repeat=6)]  # the slow way: all of them
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    assert found == pytest.approx((low, high), abs=0.005)
    narrow = stats.mean_interval(six, confidence=0.5)
    assert found is not None and narrow is not None
    assert found.low < narrow.low < fmean(six) < narrow.high < found.high
    assert stats.mean_interval([0.3]) is None and stats.mean_interval([]) is None
    assert stats.mean_interval([0.1] * 6) == stats.Interval(0.1, 0.1)
    # Six values: Student's 2.571 times the root of 6/5 is 2.816 deviations. 40 values: mean +-
    # 2.023 deviations / root of 40.
    assert stats.expanded(0.95, 6) == pytest.approx(2 * NormalDist().cdf(2.8161) - 1, abs=1e-4)
    assert stats.expanded(0.95, 6) == pytest.approx(0.9951, abs=1e-4)
    assert stats.expanded(0.95, 100_000) == pytest.approx(0.95, abs=1e-4)
    values = list(np.random.default_rng(5).normal(1.0, 2.0, 40))
    half = 2.0227 * float(np.std(values, ddof=1)) / 40**0.5
    found = stats.mean_interval(values)
    assert found == pytest.approx((fmean(values) - half, fmean(values) + half), abs=0.1 * half)


def test_p_and_its_adjustment_by_holm_by_hand() -> None:
    cases: list[tuple[list[float], float]] = [
        ([-0.1] * 5, 2 / 32),
        ([0.0, 0.0, 0.0, 0.0, 0.0], 1.0),
        ([], 1.0),
    ]
    for differences, p in cases:
        assert stats.sign_flip_p(differences) == pytest.approx(p)
    many = [0.1, -0.05, 0.2, 0.02] * 5  # flipped at random, and the same each time
    assert 0.0 < stats.sign_flip_p(many) == stats.sign_flip_p(many) < 0.05
    # Sorted 0.01, 0.02, 0.04 become 0.03, 0.04, 0.04; the order is that given.
    assert stats.holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert stats.holm([0.6, 0.5, 0.9]) == [1.0, 1.0, 1.0]
    assert stats.holm([0.01, 0.011]) == pytest.approx([0.02, 0.02])
    assert stats.holm([0.03]) == [0.03] and stats.holm([]) == []


@given(st.lists(st.integers(-50, 50).map(lambda n: n / 100), min_size=2, max_size=7))
@settings(max_examples=40, deadline=None)
def test_p_is_that_of_all_flips(differences: list[float]) -> None:
    """The slow way: twice the share of flips that are at least as far out on that side."""
    seen = sum(differences)
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    above = sum(each >= seen - 1e-12 for each in sums) / len(sums)
    below = sum(each <= seen + 1e-12 for each in sums) / len(sums)
    assert stats.sign_flip_p(differences) == pytest.approx(min(1.0, 2 * min(above, below)))


# Every strategy against the baseline, with figures that can be worked out by hand.


BASE = [0.10, 0.20, 0.30, 0.15, 0.25, 0.20]
HARVESTS = {
    "bfs": BASE,
    "good": [value + 0.1 for value in BASE],
    "same": BASE,
    "mixed": [0.20, 0.10, 0.40, 0.05, 0.35, 0.10],
    "bad": [value - 0.05 for value in BASE],
}


def only(statistics: Statistics) -> Table:
    (table,) = statistics.tables
    return table


def standing(statistics: Statistics, strategy: str) -> Standing:
    (found,) = [each for each in only(statistics).standings if each.strategy == strategy]
    return found


def topics_of(standing: Standing) -> set[str]:
    return {topic.topic for topic in standing.best_topics}


def verdicts(statistics: Statistics) -> dict[str, str]:
    found = {each.strategy: each.difference for each in only(statistics).standings}
    return {strategy: each.verdict for strategy, each in found.items() if each is not None}


def test_means_differences_and_the_order_by_hand() -> None:
    """bfs: 1.2 / 6 = 0.2; good is 0.1 above it at every topic."""
    statistics = compare_with(by_topic(HARVESTS), "bfs")
    base, good = standing(statistics, "bfs"), standing(statistics, "good")
    assert base.mean is not None and base.difference is None
    assert base.mean.value == pytest.approx(0.2) and base.mean.groups == 6
    assert base.mean.interval == stats.mean_interval(BASE)
    assert good.difference is not None and good.difference.mean.value == pytest.approx(0.1)
    assert good.difference.mean.interval == stats.Interval(0.1, 0.1)
    assert good.difference.record == stats.WinRecord(6, 0, 0)
    assert good.difference.p == pytest.approx(2 / 64)
    assert verdicts(statistics) == {
        "good": "better", "same": "no difference", "mixed": "no difference", "bad": "worse",
    }  # fmt: skip
    assert any("no baseline" in each for each in compare_with([ran("v", "a", 0.1)], "").remarks)
    # good and bad have 2/64 each: four times that, then three times, but never less.
    table = only(statistics)
    adjusted = {
        each.strategy: each.difference.p_holm for each in table.standings if each.difference
    }
    assert adjusted == pytest.approx({"good": 0.125, "bad": 0.125, "same": 1.0, "mixed": 1.0})
    assert table.standings[0].strategy == "good" and table.standings[-1].strategy == "bad"
    assert {each.strategy: each.best_at for each in table.standings} == {
        "good": 6, "mixed": 3, "bfs": 0, "same": 0, "bad": 0,
    }  # fmt: skip
    assert topics_of(standing(statistics, "mixed")) == {"t0", "t2", "t4"}
    outcomes = [
        replace(each, final=replace(each.final, ae=each.final.hr))
        for each in by_topic(HARVESTS)
        if each.final is not None
    ]
    statistics = compare_with(outcomes, "bfs", "ae")
    assert statistics.measure.lower_is_better
    assert only(statistics).standings[0].strategy == "bad"
    assert verdicts(statistics)["bad"] == "better" and verdicts(statistics)["good"] == "worse"
    found = standing(statistics, "bad").difference
    assert found is not None and found.record == stats.WinRecord(6, 0, 0)


def test_random_seeds_are_averaged_first_and_seed_conditions_have_a_table_each() -> None:
    """Six topics with two random seeds each are six values, not twelve."""
    outcomes = [
        ran("vsm", f"t{topic}", value + shift, random_seed=seed)
        for topic, value in enumerate(BASE)
        for seed, shift in enumerate((-0.05, 0.05))
    ]
    found = standing(compare_with([*outcomes, *by_topic({"bfs": BASE})], "bfs"), "vsm")
    assert found.mean is not None and found.difference is not None
    assert found.mean.groups == 6 and found.runs == 12
    assert found.difference.record == stats.WinRecord(0, 6, 0)
    assert found.seed_deviation == pytest.approx(math.sqrt(0.005))
    # sdvsm Tables 4 to 6: the last is the mean of the others.
    outcomes = [
        ran(strategy, topic, value + shift, seeds=seeds)
        for strategy, value in (("bfs", 0.1), ("vsm", 0.3))
        for topic in ("a", "b")
        for seeds, shift in ((RELEVANT, 0.1), (IRRELEVANT, 0.0))
    ]
    tables = compare_with(outcomes, "bfs").tables
    assert [table.seeds for table in tables] == ["relevant", "irrelevant", "all"]
    means = [table.standings[0].mean for table in tables]
    assert [mean.value for mean in means if mean] == pytest.approx([0.4, 0.3, 0.35])
    assert [mean.groups for mean in means if mean] == [2, 2, 2]


def drawn(topics: str, draws: int) -> list[Outcome]:
    """vsm is 0.2 above bfs everywhere."""
    return [
        ran(strategy, topic, value + draw / 100, draw=draw)
        for strategy, value in (("bfs", 0.1), ("vsm", 0.3))
        for topic in topics
        for draw in range(draws)
    ]


def test_draws_of_a_topic_do_not_make_it_several_and_one_topic_is_compared_by_them() -> None:
    statistics = compare_with(drawn("ab", 10), "bfs")
    assert only(statistics).groups == "topics"
    assert verdicts(statistics) == {"vsm": "too few topics to tell"}
    found = standing(statistics, "vsm").difference
    assert found is not None and found.mean.groups == 2 and found.p is None
    outcomes = drawn("a", 6)
    statistics = compare_with(outcomes, "bfs")
    assert only(statistics).groups == "draws"
    assert verdicts(statistics) == {"vsm": "better"}
    assert verdicts(compare_with(outcomes[1:], "bfs")) == {"vsm": "too few draws to tell"}
    assert standing(statistics, "vsm").best_at == 6
    assert standing(statistics, "vsm").best_topics == {stats.Topic("web", "a")}
    assert any("one topic only" in sentence for sentence in statistics.remarks)


def test_only_what_both_have_is_compared_and_what_cannot_be_is_reported() -> None:
    """vsm failed at t0, where bfs has its worst: five differences of 0.1 are left."""
    good = [ran("vsm", f"t{place}", value + 0.1) for place, value in enumerate(BASE) if place]
    outcomes = [*by_topic({"bfs": BASE}), *good, failed("vsm", "t0")]
    statistics = compare_with(outcomes, "bfs")
    found = standing(statistics, "vsm")
    assert found.difference is not None and found.mean is not None
    assert (found.runs, found.failed, found.difference.mean.groups) == (6, 1, 5)
    assert found.difference.mean.value == pytest.approx(0.1)
    assert found.mean.value == pytest.approx(fmean(BASE[1:]) + 0.1)
    assert found.difference.verdict == "too few topics to tell" and found.difference.p is None
    assert topics_of(standing(statistics, "bfs")) == {"t0"}, "no other has it"
    assert "1 of 12 runs failed and are left out." in statistics.remarks
    assert any("lack runs that others have" in sentence for sentence in statistics.remarks)
    cases: list[tuple[list[Outcome], str]] = [
        ([], "no run has finished"),
        ([failed("bfs", "a"), failed("vsm", "a")], "2 of 2 runs failed"),
        ([failed("bfs", "a"), ran("vsm", "a", 0.1)], "no run of the baseline bfs has a figure"),
        ([ran("vsm", "a", 0.1)], "no run of the baseline bfs has a figure"),
    ]
    for runs, words in cases:
        statistics = compare_with(runs, "bfs")
        assert any(words in sentence for sentence in statistics.remarks)
        assert all(
            each.difference is None for table in statistics.tables for each in table.standings
        )
    broken = replace(indicators(0.1), labelled_harvest=math.nan)
    unknown = [Outcome(Cell("web", "a", "vsm"), final=broken), ran("bfs", "a", 0.2)]
    statistics = compare_with(unknown, "bfs")
    assert standing(statistics, "vsm").mean is None
    assert only(statistics).standings[-1].strategy == "vsm"
    assert "1 of 2 runs have no labelled harvest and are left out." in statistics.remarks


def milestone_table(outcomes: Sequence[Outcome], measure: str) -> MilestoneTable:
    (table,) = milestone_tables(outcomes, (measure_named(measure),))
    return table


def crawled(strategy: str, topic: str, harvest: float, pages: int, budget: int) -> Outcome:
    """A checkpoint every 100 pages; the last is over the budget, as in a run."""
    rows = [indicators(harvest, fetched) for fetched in range(100, pages + 1, 100)]
    final = over_budget(rows[-1], budget)
    return replace(
        ran(strategy, topic, harvest),
        budget=budget,
        fetched=pages,
        final=final,
        checkpoints=(*rows[:-1], final),
    )


def test_milestones_and_their_rows() -> None:
    assert milestones(1_600) == (*range(100, 1_001, 100), 1_500)
    assert milestones(5_000)[-8:] == (*range(1_500, 5_001, 500),)
    assert milestones(15_000)[-10:] == (*range(6_000, 15_001, 1_000),)
    assert milestones(9) == () and milestones(0) == ()
    assert milestones(59) == (10, 20, 30, 40, 50)
    assert milestones(1_000)[:5] == (10, 20, 50, 100, 200)
    outcomes = [crawled("vsm", "a", 0.2, 300, 300), crawled("vsm", "b", 0.4, 100, 300)]
    table = milestone_table(outcomes, "labelled_harvest")
    assert table.pages == (100, 200, 300)
    rows = table.by_strategy["vsm"]
    assert [row.runs for row in rows] == [2, 1, 1, 2]
    assert [row.mean for row in rows] == pytest.approx(
        [(0.2 + 0.4) / 2, 0.2, 0.2, (0.2 + 0.4 / 3) / 2], abs=1e-6
    )
    few = [crawled("vsm", "a", 0.2, 100, 100), crawled("vsm", "b", 0.4, 100, 100)]
    rows = milestone_table([*few, ran("vsm", "b", 0.6, draw=1)], "hr").by_strategy["vsm"]
    assert rows[0].mean == pytest.approx((0.2 + 0.5) / 2) and rows[0].runs == 3  # topics are alike
    table = milestone_table([replace(ran("vsm", "a", 0.2), final=None, checkpoints=())], "hr")
    assert table.pages == () and table.by_strategy == {"vsm": ((None, 0),)}
    assert milestone_table([], "hr").by_strategy == {}

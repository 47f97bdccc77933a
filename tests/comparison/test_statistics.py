"""Every strategy against the baseline, with figures that can be worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean

import pytest

from comparison.outcomes_made import by_topic, failed, indicators, ran
from scenthound.comparison.bootstrap import Interval, mean_interval
from scenthound.comparison.model import IRRELEVANT, RELEVANT, Cell, Outcome
from scenthound.comparison.pairing import Topic
from scenthound.comparison.standings import Standing, Statistics, Table
from scenthound.comparison.statistics import compare_with
from scenthound.comparison.wins import Record
from scenthound.core.errors import UnknownNameError
from scenthound.core.ways_read import WaysRead

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


def verdicts(statistics: Statistics) -> dict[str, str]:
    return {
        each.strategy: each.difference.verdict
        for each in only(statistics).standings
        if each.difference
    }


def test_means_and_differences_by_hand() -> None:
    """bfs: 1.2 / 6 = 0.2; good is 0.1 above it at every topic."""
    statistics = compare_with(by_topic(HARVESTS), "bfs")
    base, good = standing(statistics, "bfs"), standing(statistics, "good")
    assert base.mean is not None and base.difference is None
    assert base.mean.value == pytest.approx(0.2) and base.mean.groups == 6
    assert base.mean.interval == mean_interval(BASE)
    assert good.difference is not None and good.difference.mean.value == pytest.approx(0.1)
    assert good.difference.mean.interval == Interval(0.1, 0.1)
    assert good.difference.record == Record(6, 0, 0)
    assert good.difference.p == pytest.approx(2 / 64)


def test_verdicts() -> None:
    assert verdicts(compare_with(by_topic(HARVESTS), "bfs")) == {
        "good": "better", "same": "no difference", "mixed": "no difference", "bad": "worse",
    }  # fmt: skip


def test_p_counts_how_many_were_compared() -> None:
    """good and bad have 2/64 each: four times that, then three times, but never less."""
    statistics = compare_with(by_topic(HARVESTS), "bfs")
    adjusted = {
        each.strategy: each.difference.p_holm
        for each in only(statistics).standings
        if each.difference
    }
    assert adjusted == pytest.approx({"good": 0.125, "bad": 0.125, "same": 1.0, "mixed": 1.0})


def test_the_best_come_first_and_are_counted() -> None:
    table = only(compare_with(by_topic(HARVESTS), "bfs"))
    assert table.standings[0].strategy == "good" and table.standings[-1].strategy == "bad"
    assert {each.strategy: each.best_at for each in table.standings} == {
        "good": 6, "mixed": 3, "bfs": 0, "same": 0, "bad": 0,
    }  # fmt: skip
    assert standing_topics(table, "mixed") == {"t0", "t2", "t4"}


def standing_topics(table: Table, strategy: str) -> set[str]:
    return {
        topic.topic
        for each in table.standings
        if each.strategy == strategy
        for topic in each.best_topics
    }


def test_of_errors_the_lowest_come_first() -> None:
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
    assert found is not None and found.record == Record(6, 0, 0)
    assert found.mean.value == pytest.approx(-0.05)


def test_random_seeds_are_averaged_before_anything_else() -> None:
    """Six topics with two random seeds each are six values, not twelve."""
    outcomes = [
        ran("vsm", f"t{topic}", value + shift, random_seed=seed)
        for topic, value in enumerate(BASE)
        for seed, shift in enumerate((-0.05, 0.05))
    ]
    found = standing(compare_with([*outcomes, *by_topic({"bfs": BASE})], "bfs"), "vsm")
    assert found.mean is not None and found.difference is not None
    assert found.mean.groups == 6 and found.runs == 12
    assert found.difference.record == Record(0, 6, 0)
    assert found.seed_deviation == pytest.approx(math.sqrt(0.005))


def test_draws_of_a_topic_do_not_make_it_several() -> None:
    outcomes = [
        ran(strategy, topic, value, draw=draw)
        for strategy, value in (("bfs", 0.1), ("vsm", 0.3))
        for topic in ("a", "b")
        for draw in range(10)
    ]
    statistics = compare_with(outcomes, "bfs")
    assert only(statistics).groups == "topics"
    assert verdicts(statistics) == {"vsm": "too few topics to tell"}
    found = standing(statistics, "vsm").difference
    assert found is not None and found.mean.groups == 2 and found.p is None


def test_one_topic_is_compared_by_its_draws_and_said_to_be_one() -> None:
    outcomes = [
        ran(strategy, "a", value + draw / 100, draw=draw)
        for strategy, value in (("bfs", 0.1), ("vsm", 0.3))
        for draw in range(6)
    ]
    statistics = compare_with(outcomes, "bfs")
    assert only(statistics).groups == "draws"
    assert verdicts(statistics) == {"vsm": "better"}
    assert verdicts(compare_with(outcomes[1:], "bfs")) == {"vsm": "too few draws to tell"}
    assert standing(statistics, "vsm").best_at == 6
    assert standing(statistics, "vsm").best_topics == {Topic("web", "a")}
    assert any("one topic only" in sentence for sentence in statistics.remarks)


def test_one_unit_has_no_interval() -> None:
    statistics = compare_with(by_topic({"bfs": [0.1], "vsm": [0.3]}), "bfs")
    found = standing(statistics, "vsm")
    assert found.mean is not None and found.mean.interval is None
    assert found.difference is not None and found.difference.mean.interval is None
    assert verdicts(statistics) == {"vsm": "too few draws to tell"}


def test_what_failed_runs_have_fetched_enters_no_figure() -> None:
    runs = by_topic({"bfs": BASE, "vsm": BASE})
    broken = failed("vsm", "t9")
    fetched = replace(broken, fetched=532)
    assert compare_with([*runs, fetched], "bfs") == compare_with([*runs, broken], "bfs")


def test_only_what_both_have_is_compared() -> None:
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
    assert standing_topics(only(statistics), "bfs") == {"t0"}, "no other has it"
    assert "1 of 12 runs failed and are left out." in statistics.remarks
    assert any("lack runs that others have" in sentence for sentence in statistics.remarks)


def test_both_seed_conditions_and_all_together() -> None:
    """sdvsm Tables 4 to 6: the last is the mean of the others."""
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


def test_topics_of_two_webs_are_two() -> None:
    outcomes = [ran("vsm", "a", 0.1, web="one"), ran("vsm", "a", 0.3, web="two")]
    table = only(compare_with(outcomes, "vsm"))
    assert table.topics == (Topic("one", "a"), Topic("two", "a"))
    assert table.standings[0].by_topic == {table.topics[0]: 0.1, table.topics[1]: 0.3}


def test_without_labels_it_is_said_what_that_proves() -> None:
    outcomes = [ran("vsm", "a", 0.3, labelled=False), ran("vsm", "b", 0.2)]
    statistics = compare_with(outcomes, "vsm")
    assert statistics.measure.name == "hr"
    assert statistics.remarks[0].startswith("not all runs have labels, so")
    assert "proves less" in statistics.remarks[0]
    asked = compare_with(outcomes[:1], "vsm", "hr")
    assert asked.remarks[0].startswith("the runs have no labels, so")


def test_who_asks_for_labels_gets_the_runs_that_have_them() -> None:
    outcomes = [ran("vsm", "a", 0.3, labelled=False), ran("vsm", "b", 0.2)]
    statistics = compare_with(outcomes, "vsm", "labelled_harvest")
    assert standing(statistics, "vsm").mean is not None
    assert "1 of 2 runs have no labelled harvest and are left out." in statistics.remarks


def test_every_measure_can_be_asked_for() -> None:
    names = ("labelled_harvest", "target_recall", "labelled", "hr", "rn", "as", "ar", "sd", "ae")
    for name in names:
        statistics = compare_with(by_topic(HARVESTS), "bfs", name)
        assert standing(statistics, "good").mean is not None
    with pytest.raises(UnknownNameError, match="labelled_harvest"):
        compare_with([], "bfs", "labeled_harvest")


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([], "no run has finished"),
        ([failed("bfs", "a"), failed("vsm", "a")], "2 of 2 runs failed"),
        ([failed("bfs", "a"), ran("vsm", "a", 0.1)], "no run of the baseline bfs has a figure"),
        ([ran("vsm", "a", 0.1)], "the baseline bfs has not been run"),
    ],
)
def test_what_cannot_be_compared_is_told(outcomes: list[Outcome], words: str) -> None:
    statistics = compare_with(outcomes, "bfs")
    assert any(words in sentence for sentence in statistics.remarks)
    assert all(each.difference is None for table in statistics.tables for each in table.standings)


def test_no_baseline_is_told() -> None:
    assert any("no baseline" in each for each in compare_with([ran("v", "a", 0.1)], "").remarks)


def test_the_ways_of_reading_are_told_once_for_each_strategy() -> None:
    ways = WaysRead(("words", "meaning"), "the extra neural is not installed")
    outcomes = [replace(ran("scent", topic, 0.2), ways=ways) for topic in "ab"]
    told = compare_with([*outcomes, ran("vsm", "a", 0.1)], "scent").remarks
    sentence = "scent: texts were read by words and meaning: the extra neural is not installed."
    assert told.count(sentence) == 1 and not any("vsm: texts" in each for each in told)


def test_a_figure_that_is_no_number_is_left_out() -> None:
    broken = replace(indicators(0.1), labelled_harvest=math.nan)
    outcomes = [Outcome(Cell("web", "a", "vsm"), final=broken), ran("bfs", "a", 0.2)]
    statistics = compare_with(outcomes, "bfs")
    assert standing(statistics, "vsm").mean is None
    assert only(statistics).standings[-1].strategy == "vsm"
    assert "1 of 2 runs have no labelled harvest and are left out." in statistics.remarks

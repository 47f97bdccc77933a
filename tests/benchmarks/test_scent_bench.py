"""The bench of ``scent``: its figures, worked out by hand."""

from __future__ import annotations

import pytest
from benchmarks.scent.choosing import choices, losses, of_choices
from benchmarks.scent.comparing import failures, harvests
from benchmarks.scent.cost import VSM, cost_rows
from benchmarks.scent.grids import LIGHT, ORACLE, SCENT, variant
from benchmarks.scent.harvest_parts import of_draws, of_keywords, of_seeds, ratio_lines
from benchmarks.scent.markdown import limits, share, signed, table
from benchmarks.scent.memory import (
    Grown,
    bytes_per_link,
    memory_table,
)
from benchmarks.scent.standings import lead, not_above_zero, rows, standings_table

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.model import IRRELEVANT, RELEVANT, Cell, Outcome, Unit
from scenthound.comparison.pairing import Topic
from scenthound.core.errors import InputError
from scenthound.experiments.metrics import Indicators

TOPICS = A, B, C = tuple(Topic("web", name) for name in "abc")


def unit(topic: str, draw: int = 0) -> Unit:
    return Unit("web", topic, "given", draw)


def outcome(
    strategy: str, topic: str, harvest: float, draw: int = 0, seeds: str = "given"
) -> Outcome:
    final = Indicators(10, 5, 0.5, 0.5, 0.5, 0.1, 0.1, 4, harvest, 2 * harvest)
    return Outcome(Cell("web", topic, strategy, seeds, draw), final=final)


def everywhere(**figures: float) -> list[Outcome]:
    """The same harvest on every topic and draw, by strategy."""
    return [
        outcome(name.replace("_", "-"), topic, value, draw)
        for name, value in figures.items()
        for topic in "abc"
        for draw in (0, 1)
    ]


def test_a_lead_is_ours_less_theirs_with_topics_counted_once() -> None:
    ours = {unit("a", 0): 0.5, unit("a", 1): 0.3, unit("b"): 0.2, unit("c", 7): 0.9}
    theirs = {unit("a", 0): 0.1, unit("a", 1): 0.1, unit("b"): 0.3}
    found = lead(ours, theirs)
    assert found is not None and found.mean == pytest.approx((0.3 - 0.1) / 2)
    assert found.over_topics == Interval(-0.1, 0.3)  # of two values it is these two
    assert found.over_pairs is not None and -0.1 <= found.over_pairs.low < found.over_pairs.high


def test_pairs_of_one_topic_make_the_interval_narrower() -> None:
    theirs = {unit(topic, draw): 0.0 for topic in "abcdef" for draw in range(4)}
    ours = {each: 0.1 * (ord(each.topic) - ord("a")) for each in theirs}
    found = lead(ours, theirs)
    assert found is not None and found.over_topics is not None and found.over_pairs is not None
    assert found.mean == pytest.approx(0.25)
    assert found.over_topics.low < found.over_pairs.low < 0.25 < found.over_pairs.high


def test_no_lead_without_a_unit_in_common() -> None:
    assert lead({unit("a"): 0.5}, {unit("b"): 0.5}) is None


def test_rows_are_best_first_with_their_share_of_the_oracle() -> None:
    made = rows(harvests(everywhere(vsm=0.1, oracle=0.4, scent=0.3)))
    assert [row.strategy for row in made] == [ORACLE, SCENT, "vsm"]
    assert [row.mean for row in made] == pytest.approx([0.4, 0.3, 0.1])
    assert [row.of_oracle for row in made] == pytest.approx([1.0, 0.75, 0.25])
    assert made[2].leads[SCENT].over_topics == pytest.approx((0.2, 0.2))
    assert SCENT not in made[1].leads and LIGHT not in made[2].leads
    assert rows(harvests(everywhere(vsm=0.1)))[0].of_oracle is None


def test_the_table_has_a_cell_for_every_head() -> None:
    runs = [*everywhere(scent=0.3, vsm=0.1), outcome(LIGHT, "a", 0.25)]
    head, dashes, *body = standings_table(rows(harvests(runs)))[:-2]
    assert {line.count("|") for line in (dashes, *body)} == {head.count("|")}
    assert "scent less it | over topics | over pairs | light less it" in head
    assert body[0].startswith("| `scent` | .300 | .300 | .300 | .300 | | | |")
    assert "| `vsm` | .100 | .100 | .100 | .100 | | +.200 | +.200 to +.200 |" in body[2]


def test_whom_ours_are_not_ahead_of() -> None:
    runs = [*everywhere(scent=0.3, oracle=0.4, vsm=0.1, shark=0.3), outcome(LIGHT, "a", 0.4)]
    topics, pairs = not_above_zero(rows(harvests(runs)), SCENT)
    assert topics.endswith("scent less it, over topics: `shark`")
    assert pairs.endswith("scent less it, over pairs: `shark`")


def test_the_bars_of_the_draws() -> None:
    lines = of_draws(everywhere(scent=0.38, oracle=0.4, vsm=0.1))
    assert "scent / oracle: 0.95 (bar: 0.90)" in lines
    assert lines[-1].endswith("over pairs: none") and not any("light /" in each for each in lines)


def test_ratios_of_keywords() -> None:
    lines = of_keywords(everywhere(scent=0.3, vsm_mean=0.24, soft_svsm=0.25))
    assert lines[-2:] == ["scent / vsm-mean: 1.25", "scent / soft-svsm: 1.20"]
    assert ratio_lines({SCENT: 0.3, "vsm": 0.0}, {(SCENT, "vsm"): None}) == []


def test_recall_off_the_topic() -> None:
    figures = {
        (SCENT, RELEVANT, "a"): 0.4, (SCENT, RELEVANT, "b"): 0.4,
        (SCENT, IRRELEVANT, "a"): 0.3, (SCENT, IRRELEVANT, "b"): 0.1,
        ("breadth-first", IRRELEVANT, "a"): 0.05, ("breadth-first", IRRELEVANT, "b"): 0.05,
    }  # fmt: skip
    runs = [outcome(n, t, value, 0, seeds) for (n, seeds, t), value in figures.items()]
    lines = of_seeds(runs)
    assert lines[2:4] == [
        "| `scent` | relevant | .800 | .800 | .800 |",
        "| `scent` | irrelevant | .600 | .200 | .400 |",
    ]
    assert lines[-2:] == [
        "scent from irrelevant seeds / from relevant ones: 0.50 (bar: 0.5); topics below it: b",
        "scent from irrelevant seeds / breadth-first from them: 4.00 (bar: 1.5); "
        "topics below it: none",
    ]


def test_parameters_are_chosen_on_the_other_topics() -> None:
    found = {
        "x": {A: 0.1, B: 0.3, C: 0.3},  # best without a, and worst there
        "y": {A: 0.2, B: 0.2, C: 0.2},
        "z": {A: 0.4, B: 0.1, C: 0.2},
        "of two topics": {A: 0.9, B: 0.9},
    }
    made = choices(found, "y")
    assert [each.topic for each in made] == list(TOPICS)
    assert [each.chosen for each in made] == ["x", "z", "z"]
    assert [each.found for each in made] == [0.1, 0.1, 0.2]
    assert [each.by_default for each in made] == [0.2, 0.2, 0.2]
    assert [(each.best, each.hindsight) for each in made] == [("z", 0.4), ("x", 0.3), ("x", 0.3)]
    # 1.0 / 3 in hindsight, 0.4 / 3 as chosen, 0.6 / 3 by default
    assert losses(made) == [
        "mean loss against the best in hindsight (.3333): .2000 where parameters are chosen on the "
        "other topics, .1333 with the defaults"
    ]


def test_of_equal_variants_the_first_is_chosen() -> None:
    made = choices({"x": {A: 0.1, B: 0.1}, "y": {A: 0.1, B: 0.1}}, "y")
    assert [(each.chosen, each.best) for each in made] == [("x", "x")] * 2


@pytest.mark.parametrize("found", [{}, {"y": {A: 0.1}}, {"x": {A: 0.1, B: 0.1}, "y": {A: 0.1}}])
def test_nothing_to_choose_on(found: dict[str, dict[Topic, float]]) -> None:
    with pytest.raises(InputError, match="two topics or more"):
        choices(found, "y")


def test_the_report_of_choices_marks_the_defaults() -> None:
    other, default = variant(500.0).label, variant().label
    runs = [outcome(name, t, 0.2) for name in (other, default) for t in "ab"]
    assert f"| `{default}` (default) | .200 | .200 | .2000 |" in of_choices(runs)


def test_ratios_of_processor_time() -> None:
    made = cost_rows("kept", {VSM: 4.0, LIGHT: 5.0, SCENT: 10.0})
    assert [row[2:] for row in made] == [["4.0", "1.00", ""], ["5.0", "1.25", "1.5"],
                                         ["10.0", "2.50", "2"]]  # fmt: skip


def test_bytes_ofn_tables() -> None:
    assert (share(0.0951, 2), share(12.5, 1), share(None)) == (".10", "12.5", "")
    assert (signed(0.0), signed(-10.5), limits(None)) == ("+.000", "-10.500", "")
    assert table(["a", "b"], [["1", ""]]) == ["| a | b |", "| --- | --- |", "| 1 | |"]


def test_failed_runs_are_told() -> None:
    broken = Outcome(Cell("web", "a", "elmo"), error="no model.")
    (line,) = failures([outcome(SCENT, "a", 0.2), broken])
    assert line.startswith("1 of 2 runs failed") and line.endswith("elmo on a: no model.")
    assert failures([outcome(SCENT, "a", 0.2)]) == []


def test_bytes_of_a_further_link() -> None:
    small, large = Grown(10, 1_000, 900, 100.0), Grown(20, 1_000 + 2**10, 1_800, 101.0)
    assert bytes_per_link(small, large) == 1024.0
    assert memory_table([small], [large])[-1] == (
        "| 20 | 1,000 | 900 | 100 | 2,024 | 1,800 | 101 | +1 |"
    )

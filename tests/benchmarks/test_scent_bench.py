"""The bench of ``scent``: its figures, worked out by hand."""

from __future__ import annotations

import pytest
from benchmarks.scent.comparing import harvests
from benchmarks.scent.grids import LIGHT, ORACLE, SCENT
from benchmarks.scent.harvest_parts import of_draws
from benchmarks.scent.standings import lead, rows

from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import Cell, Outcome, Unit
from scenthound.evaluation.statistics import Interval, Topic

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


def test_rows_are_best_first_with_their_share_of_the_oracle() -> None:
    made = rows(harvests(everywhere(vsm=0.1, oracle=0.4, scent=0.3)))
    assert [row.strategy for row in made] == [ORACLE, SCENT, "vsm"]
    assert [row.mean for row in made] == pytest.approx([0.4, 0.3, 0.1])
    assert [row.of_oracle for row in made] == pytest.approx([1.0, 0.75, 0.25])
    assert made[2].leads[SCENT].over_topics == pytest.approx((0.2, 0.2))
    assert SCENT not in made[1].leads and LIGHT not in made[2].leads
    assert rows(harvests(everywhere(vsm=0.1)))[0].of_oracle is None


def test_the_bars_of_the_draws() -> None:
    lines = of_draws(everywhere(scent=0.38, oracle=0.4, vsm=0.1))
    assert "scent / oracle: 0.95 (bar: 0.90)" in lines
    assert lines[-1].endswith("over pairs: none") and not any("light /" in each for each in lines)

"""Reports of comparisons: many strategies, one topic, failed runs, both kinds of seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from comparison.outcomes_made import by_topic, failed, indicators, ran
from reporting.report_making import read
from scenthound.comparison.measures import measure_named
from scenthound.comparison.model import IRRELEVANT, RELEVANT, Outcome
from scenthound.comparison.results_file import Comparison, write_results
from scenthound.reporting.comparison_curves import SHARE, axis_of, mean_points, runs_of
from scenthound.reporting.line_drawing import PAGES


def curved(outcome: Outcome, budget: int = 100) -> Outcome:
    """With a checkpoint at each fifth of the budget; harvest falls to its value."""
    assert outcome.final is not None
    end = outcome.final.hr
    steps = [(budget * part // 5, end + (5 - part) * 0.05) for part in range(1, 6)]
    rows = tuple(indicators(harvest, pages) for pages, harvest in steps)
    return replace(outcome, budget=budget, fetched=budget, checkpoints=rows, final=rows[-1])


def folder_of(
    path: Path, outcomes: Sequence[Outcome], finished: bool = True, baseline: str = "bf"
) -> Path:
    path.mkdir()
    grid = {"baseline": baseline, "strategies": ["bf"], "web": []}
    versions = {"scenthound": "0.1.0"}
    write_results(path, Comparison(grid, tuple(outcomes), finished, versions), tables=False)
    return path


def six(**harvests: float) -> list[Outcome]:
    steps = (0.00, 0.01, -0.01, 0.02, 0.005, -0.005)
    made = by_topic({name: [value + s for s in steps] for name, value in harvests.items()})
    return [curved(outcome) for outcome in made]


def test_means_verdicts_wins_and_curves(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "c", six(bf=0.1, vsm=0.3, same=0.1, bad=0.02))
    path = scenthound.report(folder)
    text = read(path).text
    assert path == folder / "report.html" and "4 strategies on 6 topics" in text
    assert "better" in text and "worse" in text and "no difference" in text and "6-0-0" in text
    names = {each.stem for each in (folder / "report").iterdir()}
    assert {"means", "differences", "curve-labelled-harvest", "curve-rn", "topics"} <= names
    rows = (folder / "report" / "differences.csv").read_text(encoding="utf-8-sig").splitlines()
    assert rows[0] == "strategy,mean,low,high,verdict" and rows[1].startswith("vsm,0.2,")
    assert "scenthound compare --grid" in text and "Run with scenthound 0.1.0." in text


def test_thirty_one_strategies_stay_readable(tmp_path: Path) -> None:
    harvests = {"bf": 0.1, **{f"s{n:02}": 0.1 + n / 100 for n in range(30)}}
    folder = folder_of(tmp_path / "c", six(**harvests))
    parsed = read(scenthound.report(folder, files=False))
    assert "the others are thin lines" in parsed.text
    assert all(name in parsed.text for name in harvests)
    curves = Path(folder / "report.html").read_text(encoding="utf-8")
    picture = curves[curves.index('aria-labelledby="curve-hr-title') :].split("</svg>")[0]
    labels = [name for name in harvests if f">{name}</text>" in picture]
    assert labels == ["bf", *(f"s{n}" for n in range(23, 30))]


def test_one_topic_proves_nothing_and_says_so(tmp_path: Path) -> None:
    outcomes = [curved(ran("bf", "t", 0.1)), curved(ran("vsm", "t", 0.4))]
    text = read(scenthound.report(folder_of(tmp_path / "c", outcomes), files=False)).text
    assert "one topic only" in text and "too few topics to tell" in text


def test_failed_runs_are_told_with_their_sentence(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>"
    outcomes = [*six(bf=0.1, vsm=0.3), failed("vsm", hostile, f"it broke: {hostile}.")]
    parsed = read(scenthound.report(folder_of(tmp_path / "c", outcomes), files=False))
    assert "13 runs, 1 of them failed" in parsed.text and f"it broke: {hostile}." in parsed.text
    assert parsed.named("script") == []


@pytest.mark.parametrize("outcomes", [[], [failed("bf", "t"), failed("vsm", "t")]])
def test_a_comparison_without_figures_is_shown_as_what_it_is(
    tmp_path: Path, outcomes: list[Outcome]
) -> None:
    text = read(
        scenthound.report(folder_of(tmp_path / "c", outcomes, finished=False), files=False)
    ).text
    assert "not finished: under way, or broken off" in text


def test_seed_conditions_stand_apart(tmp_path: Path) -> None:
    outcomes = [
        curved(ran(name, f"t{n}", value, seeds=seeds))
        for seeds in (RELEVANT, IRRELEVANT)
        for name, value in (("bf", 0.1), ("vsm", 0.3))
        for n in range(5)
    ]
    folder = folder_of(tmp_path / "c", outcomes)
    parsed = read(scenthound.report(folder, files=False))
    text = parsed.text
    assert "Relevant seeds" in text and "Irrelevant seeds" in text and "All seeds together" in text
    names = {str(svg["aria-labelledby"]).split("-title")[0] for svg in parsed.named("svg")}
    assert {"relevant-means", "irrelevant-means", "all-means", "relevant-curve-hr"} <= names
    assert "all-curve-hr" not in names


def test_another_baseline_and_measure(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "c", six(bf=0.1, vsm=0.3))
    text = read(scenthound.report(folder, baseline="vsm", measure="hr", files=False)).text
    assert "less vsm" in text and "Difference to vsm in HR" in text
    for wrong in ({"baseline": "vsn"}, {"measure": "harvest"}):
        with pytest.raises(scenthound.InputError, match="unknown"):
            scenthound.report(folder, **wrong)  # type: ignore[arg-type]


def test_curves_go_by_pages_or_by_shares_of_the_budget() -> None:
    small, large = curved(ran("a", "t", 0.1), 100), curved(ran("a", "u", 0.3), 200)
    assert axis_of([small]) == PAGES and axis_of([small, large]) == SHARE
    hr = measure_named("hr")
    points = mean_points(runs_of([small, large], hr, SHARE))
    assert [at for at, _ in points] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert [value for _, value in points] == pytest.approx([0.4, 0.35, 0.3, 0.25, 0.2])


def test_topics_count_once_and_curves_end_where_the_shortest_does() -> None:
    twice = [curved(ran("a", "t", value, draw=draw)) for draw, value in enumerate((0.1, 0.3))]
    short = replace(
        curved(ran("a", "u", 0.5)), checkpoints=curved(ran("a", "u", 0.5)).checkpoints[:3]
    )
    points = mean_points(runs_of([*twice, short], measure_named("hr"), PAGES))
    assert points[-1] == pytest.approx((60.0, ((0.2 + 0.1) + (0.5 + 0.1)) / 2))
    assert mean_points([]) == ()


def test_topics_with_one_checkpoint_are_told(tmp_path: Path) -> None:
    outcomes = [*six(bf=0.1, vsm=0.3), ran("bf", "tiny", 0.2), ran("vsm", "tiny", 0.4)]
    text = read(scenthound.report(folder_of(tmp_path / "c", outcomes), files=False)).text
    assert "one checkpoint only: tiny." in text

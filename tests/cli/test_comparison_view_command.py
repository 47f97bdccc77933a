"""How comparisons are printed, whatever is in them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from evaluation.outcomes_made import by_topic, failed, ran
from scenthound.cli.comparison_view import print_comparison
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT, Outcome
from scenthound.evaluation.results import Comparison

RUN = "web, given seeds, draw 0, random seed 0"
BASE = [0.10, 0.20, 0.30, 0.15, 0.25, 0.20]
SIX = by_topic({"bfs": BASE, "good": [value + 0.1 for value in BASE], "same": BASE})


def printed(outcomes: Sequence[Outcome], width: int = 100, finished: bool = True) -> str:
    file = io.StringIO()
    comparison = Comparison({"baseline": "bfs"}, tuple(outcomes), finished)
    print_comparison(comparison, Console(file=file, width=width, highlight=False))
    return file.getvalue()


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_a_row_has_mean_difference_and_verdict() -> None:
    lines = words(printed(SIX))
    assert lines[0] == ["labelled", "harvest,", "given", "seeds"]
    row = next(line for line in lines if line[0] == "good")
    assert row[1] == "0.300" and row[5:] == [
        "6", "+0.100", "+0.100", "to", "+0.100", "0.031", "6/0/0", "better",
    ]  # fmt: skip
    same = next(line for line in lines if line and line[0] == "same")
    assert same[-3:] == ["0/6/0", "no", "difference"] and "+0.000" in same
    assert next(line for line in lines if line and line[0] == "bfs")[-1] == "baseline"


def test_topics_have_their_best_starred() -> None:
    lines = words(printed(SIX))
    assert ["strategy", "t0", "t1", "t2", "t3", "t4", "t5"] in lines
    assert ["good", "0.200*", "0.300*", "0.400*", "0.250*", "0.350*", "0.300*"] in lines
    assert ["bfs", "0.100", "0.200", "0.300", "0.150", "0.250", "0.200"] in lines


def test_how_many_stand_when_all_are_counted() -> None:
    """2/64 times two is above 0.05, so that with six topics neither can."""
    text = " ".join(printed(SIX).split())
    assert "0 of 2 differences stand when it counts that 2 were looked at (Holm, 5 %)." in text
    assert "With 6 topics none can: compare fewer strategies on more." in text
    eight = by_topic({"bfs": [0.1] * 8, "good": [0.2] * 8, "same": [0.1] * 8})
    text = " ".join(printed(eight).split())
    assert "1 of 2 differences stand" in text and "none can" not in text


def test_few_topics_are_told_and_one_has_no_interval() -> None:
    text = printed(by_topic({"bfs": [0.1, 0.2], "vsm": [0.3, 0.4]}))
    assert "too few topics to tell" in text and "narrower than they should be" in text
    lines = words(printed(by_topic({"bfs": [0.1], "vsm": [0.3]})))
    assert [
        "vsm", "0.300", "-", "1", "+0.200", "-", "1/0/0", "too", "few", "draws", "to", "tell",
    ] in lines  # fmt: skip
    assert "one topic only" in printed(by_topic({"bfs": [0.1], "vsm": [0.3]}))


def test_seed_conditions_stand_apart() -> None:
    outcomes = [
        ran(name, topic, 0.1, seeds=seeds)
        for name in ("bfs", "vsm")
        for topic in ("a", "b")
        for seeds in (RELEVANT, IRRELEVANT)
    ]
    text = printed(outcomes)
    titles = ["relevant seeds", "irrelevant seeds", "all seeds together"]
    assert [title for title in titles if f"labelled harvest, {title}" in text] == titles
    assert text.count("by topic (* best)") == 2


def test_random_seeds_have_their_deviation() -> None:
    outcomes = [ran("bfs", "a", value, random_seed=k) for k, value in enumerate((0.1, 0.3))]
    text = printed(outcomes)
    assert "0.141" in text and "seeds: deviation over random seeds." in text
    assert "deviation" not in printed(SIX)


def test_failed_runs_are_told_by_strategy_and_reason() -> None:
    reason = "SettingsError: no seeds."
    broken = [failed("vsm", f"t{number}", reason) for number in range(5)]
    others = [failed("ssrm", "t0", reason), failed("ssrm", "t1", reason), failed("vsm", "t9", "!")]
    text = printed([*SIX, *broken, *others, failed("svsm", "t0", "killed.")])
    assert [line for line in text.splitlines() if line.startswith("failed: ")] == [
        f"failed: vsm in 5 of 6 runs, such as on t0 ({RUN}): SettingsError: no seeds.",
        f"failed: ssrm in all 2 runs, such as on t0 ({RUN}): SettingsError: no seeds.",
        f"failed: vsm on t9 ({RUN}): !",
        f"failed: svsm on t0 ({RUN}): killed.",
    ]
    assert "9 of 27 runs failed and are left out." in text


def test_many_reasons_are_counted() -> None:
    text = printed([failed("vsm", "a", f"reason {number}", draw=number) for number in range(13)])
    assert text.count("failed: vsm") == 10 and "3 more reasons are in comparison.json" in text


def test_nothing_to_show_is_told() -> None:
    assert printed([]).strip() == "Note: no run has finished: there is nothing to compare."
    assert "not finished; 18 runs are over." in printed(SIX, finished=False)


def test_names_cannot_steer_the_terminal() -> None:
    hostile = "\x1b[31mred[/]\u202e"
    outcomes = [
        ran(hostile, hostile, 0.1, web=hostile),
        ran("bfs", "[bold]x", 0.2),
        replace(failed(hostile, hostile), error=f"{hostile}\nsecond line"),
    ]
    text = printed(outcomes, width=160)
    assert "\x1b" not in text and "\u202e" not in text
    assert "[31mred[/]" in text and "[bold]x" in text


def test_long_topics_are_cut_only_if_that_tells_them_apart() -> None:
    apart = [ran("bfs", name, 0.1) for name in ("climate-change-and-us", "severe-weather-news")]
    assert "climate-cha…" in printed(apart)
    alike = [ran("bfs", name, 0.1) for name in ("climate-change-and-us", "climate-change-and-sea")]
    assert "climate-change-and-sea" in printed(alike)


def test_no_figure_is_cut_on_a_narrow_screen() -> None:
    for width in [20, 40, 60]:
        flat = [word for line in words(printed(SIX, width)) for word in line]
        assert flat.count("0.400*") == 1 and flat.count("6/0/0") == 1 and flat.count("0.031") == 1

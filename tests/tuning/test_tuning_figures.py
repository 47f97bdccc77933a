"""Figures of tunings: their numbers by hand, their files, and any name of a topic."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from scenthound.core.errors import InputError
from scenthound.tuning.figures import draw_tuning
from scenthound.tuning.figures_drawing import convergence, heat_map, mean_errors
from scenthound.tuning.figures_numbers import (
    convergence_rows,
    differences,
    group_means,
    heat_map_rows,
    mean_error_rows,
    shares,
)
from scenthound.tuning.result import Tuning
from tuning.tuning_values import searched, tuning

NAN = float("nan")
HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800",
           "_hidden", "=1+1"]  # fmt: skip
FIGURES = ("heat-map", "mean-errors", "convergence")


def lines(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_a_difference_above_0_says_that_learnt_weights_are_better() -> None:
    found = differences([tuning(equal=[0.3, 0.1], learnt=[0.1, 0.2])])
    assert found == pytest.approx(np.array([[0.2, -0.1]]))


def test_topics_may_have_fewer_groups_than_others_and_errors_that_are_no_number() -> None:
    both = [tuning("a", [0.4, 0.2, 0.6], [0.2, 0.2, 0.3]), tuning("b", [0.2, NAN], [0.1, 0.1])]
    assert differences(both) == pytest.approx(
        np.array([[0.2, 0.0, 0.3], [0.1, NAN, NAN]]), nan_ok=True
    )
    assert heat_map_rows(both) == [
        ("a", 1, 0.4, 0.2, 0.2), ("a", 2, 0.2, 0.2, 0.0), ("a", 3, 0.6, 0.3, 0.3),
        ("b", 1, 0.2, 0.1, 0.1),
    ]  # fmt: skip


def test_means_are_over_the_topics_that_have_the_group() -> None:
    both = [tuning("a", [0.4, NAN, 0.6], [0.2, 0.2, 0.3]), tuning("b", [0.2], [0.1])]
    means = group_means(both)
    assert means.equal == pytest.approx(np.array([0.3, NAN, 0.6]), nan_ok=True)
    assert means.learnt == pytest.approx(np.array([0.15, NAN, 0.3]), nan_ok=True)
    assert mean_error_rows(both) == [(1, 2, 0.3, 0.15), (3, 1, 0.6, 0.3)]


def test_a_curve_is_told_in_parts_of_the_exact_fitness() -> None:
    assert shares(searched()) == [(10, 0.5), (100, 0.95), (1000, 0.95)]
    assert convergence_rows([tuning(), searched("sea")])[:1] == [("sea", "ga", 10, 0.2, 0.4, 0.5)]
    assert shares(tuning()) == []
    for nothing in (0.0, NAN, float("inf")):
        assert shares(searched(exact_fitness=nothing)) == []


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".SVG", b"<?xml"), (".pdf", b"%PDF")]
)
def test_every_figure_stands_beside_its_numbers(tmp_path: Path, suffix: str, start: bytes) -> None:
    for name in ("one", "two"):
        drawn = draw_tuning([searched("a"), searched("b")], tmp_path / name, suffix)
        paths = [tmp_path / name / f"{figure}{suffix.lower()}" for figure in FIGURES]
        assert (list(drawn.paths), dict(drawn.left_out)) == (paths, {})
    for figure in FIGURES:
        one, two = (tmp_path / name / f"{figure}{suffix.lower()}" for name in ("one", "two"))
        assert one.read_bytes().startswith(start)
        assert one.read_bytes() == two.read_bytes()
    assert len(list((tmp_path / "one").iterdir())) == 6


def test_the_numbers_are_those_of_the_figure(tmp_path: Path) -> None:
    draw_tuning([searched("=storms")], tmp_path)
    assert lines(tmp_path / "heat-map.csv") == [
        ["topic", "group", "error_equal", "error_learnt", "difference"],
        ["'=storms", "1", "0.3", "0.1", "0.2"],
        ["'=storms", "2", "0.1", "0.2", "-0.1"],
    ]
    assert lines(tmp_path / "mean-errors.csv")[1] == ["1", "1", "0.3", "0.1"]
    assert lines(tmp_path / "convergence.csv")[-1] == [
        "'=storms", "ga", "1000", "0.38", "0.4", "0.95",
    ]  # fmt: skip


def test_a_heat_map_is_centred_at_0_and_marks_what_is_worse() -> None:
    axes = heat_map([tuning(equal=[0.3, 0.1], learnt=[0.1, 0.2])]).axes[0]
    assert axes.collections[0].get_clim() == pytest.approx((-0.2, 0.2))
    assert axes.lines[0].get_xydata() == pytest.approx(np.array([[1.5, 0.5]]))


def test_rows_of_a_heat_map_say_how_many_groups_are_better() -> None:
    given = [tuning("a"), tuning("b", reason="too few links")]
    labels = [label.get_text() for label in heat_map(given).axes[0].get_yticklabels()]
    assert labels == ["a  (better in 1 of 2)", "b  (equal weights)"]


@pytest.mark.parametrize("draw", [heat_map, mean_errors, convergence])
@pytest.mark.parametrize("topics", [1, 2, 3, 6, 20])
def test_nothing_is_cut(draw: Callable[[Sequence[Tuning]], Figure], topics: int) -> None:
    many = np.linspace(0.001, 0.1, 50)
    figure = draw([searched("w" * 90, equal=many, learnt=many[::-1])] * topics)
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    needed, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert needed.x0 >= 0.0 and needed.y0 >= 0.0
    assert needed.x1 <= width and needed.y1 <= height
    assert all(axes.get_position().height * height > 0.1 for axes in figure.axes)


def test_a_topic_without_test_links_says_so() -> None:
    labels = heat_map([tuning("a"), tuning("b", [], [])]).axes[0].get_yticklabels()
    assert labels[1].get_text() == "b  (no test links)"


def test_a_curve_that_ends_below_1_does_not_say_1() -> None:
    near = searched(curve=((10, 0.39999999),))
    assert convergence([near]).axes[0].lines[1].get_label() == "0.9999 storms (ga)"
    assert convergence_rows([near])[0][-1] == 0.999999


def test_the_exact_optimum_is_a_line_at_1() -> None:
    axes = convergence([tuning("exact one"), searched("sea")]).axes[0]
    optimum, curve = axes.lines
    assert np.asarray(optimum.get_ydata()).tolist() == [1.0, 1.0]
    assert curve.get_xydata() == pytest.approx(np.array([[10, 0.5], [100, 0.95], [1000, 0.95]]))
    assert curve.get_label() == "0.9500 sea (ga)"


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        ([tuning()], {"convergence": "the exact optimum needs no search"}),
        ([searched(curve=(), reason="few")], {"convergence": "nothing could be learnt"}),
        (
            [searched(equal=[], learnt=[])],
            {"heat-map": "no topic has test links", "mean-errors": "no topic has test links"},
        ),
        ([], dict.fromkeys(FIGURES, "there is no tuning")),
    ],
)  # fmt: skip
def test_an_empty_figure_is_not_drawn_but_told(
    tmp_path: Path, given: list[Tuning], reasons: dict[str, str]
) -> None:
    drawn = draw_tuning(given, tmp_path)
    assert list(drawn.left_out) == list(reasons)
    for name, reason in reasons.items():
        assert drawn.left_out[name].startswith(reason)
        assert not list(tmp_path.glob(f"{name}.*"))
    assert {path.stem for path in drawn.paths} == set(FIGURES) - set(reasons)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_any_topic_can_be_drawn(tmp_path: Path, suffix: str) -> None:
    draw_tuning([searched(name) for name in HOSTILE], tmp_path, suffix)
    written = (tmp_path / f"convergence{suffix}").read_bytes()
    assert len(written) > 1_000
    if suffix == ".svg":
        text = written.decode()
        assert "&lt;svg&gt;" in text and "_hidden" in text and "\x00" not in text
        assert "w" * 23 + "\u2026" in text and "w" * 24 not in text


def test_weights_that_change_nothing_are_drawn(tmp_path: Path) -> None:
    drawn = draw_tuning([tuning(equal=[0.1], learnt=[0.1])], tmp_path)
    assert [path.name for path in drawn.paths] == ["heat-map.svg", "mean-errors.svg"]


def test_other_suffixes_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf"):
        draw_tuning([tuning()], tmp_path, ".gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="give a folder to write to"):
        draw_tuning([tuning()], tmp_path / "file")
    (tmp_path / "taken" / "heat-map.svg").mkdir(parents=True)
    with pytest.raises(InputError, match=r"heat-map\.svg: .*; give a folder"):
        draw_tuning([tuning()], tmp_path / "taken")

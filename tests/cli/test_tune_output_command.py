"""How tunings are printed, whatever is in them."""

from __future__ import annotations

import io

from rich.console import Console

from evaluation.tuning_values import QUARTERS, searched, tuning
from scenthound.cli.tune_output import links_text, print_tunings
from scenthound.evaluation.training_links import CollectedLinks, TrainingLinks
from scenthound.evaluation.tuning import Tuning

NAN = float("nan")


def printed(*tunings: Tuning, width: int = 100) -> list[list[str]]:
    file = io.StringIO()
    print_tunings(tunings, Console(file=file, width=width, highlight=False))
    return [line.split() for line in file.getvalue().splitlines()]


def collected(wanted: int, left_out: dict[str, int]) -> CollectedLinks:
    return CollectedLinks(TrainingLinks("t", "vsm", (), ()), 1234, wanted, left_out, "an archive")


def test_errors_are_told_against_equal_weights() -> None:
    """0.1 against 0.2 is half the error; 0.15 is a quarter less."""
    lines = printed(searched("sea"))
    assert ["sea", "0.100", "0.200", "0.300", "0.000"] in lines
    assert [
        "sea", "0.1000", "0.2000", "50.0", "%", "0.1500", "0.2000", "25.0", "%", "0.9500",
    ] in lines  # fmt: skip


def test_several_topics_have_a_mean() -> None:
    lines = printed(searched("a"), tuning("b", test_error=0.25, train_error=0.3))
    assert [
        "mean", "0.2000", "0.2000", "0.0", "%", "0.2000", "0.2000", "0.0", "%", "0.9750",
    ] in lines  # fmt: skip
    assert not [line for line in printed(searched("a")) if line[:1] == ["mean"] and len(line) > 5]


def test_what_is_not_known_is_a_dash() -> None:
    lines = printed(
        tuning("a", reason="few", weights=QUARTERS, share=None, test=0, train_error=NAN),
        tuning("b", test_error_equal=0.0, test_error=0.0),
    )
    assert ["a", "-", "0.2000", "-", "-", "-", "-", "-"] in lines
    assert ["b", "0.1000", "0.2000", "50.0", "%", "0.0000", "0.0000", "-", "1.0000"] in lines


def test_topics_cannot_steer_the_terminal() -> None:
    told = printed(tuning("\x1b[31mred[/]\u202e"), tuning(""))
    flat = " ".join(" ".join(line) for line in told)
    assert "\x1b" not in flat and "\u202e" not in flat and "[31mred[/]" in flat
    assert ["links", "0.100", "0.200", "0.300", "0.000"] in told


def test_no_figure_is_cut_on_any_screen() -> None:
    for width in [10, 20, 40, 60]:
        names = ("severe-weather-and-other-storms", "\u53f0\u98ce" * 20)
        lines = printed(*map(searched, names), width=width)
        words = [word for line in lines for word in line]
        assert words.count("0.300") == 2 and words.count("0.9500") == 3
        assert words.count("25.0") == 3 and words.count("context") == (2 if width < 40 else 1)
        if width == 40:
            assert ["training", "0.1000"] in lines and ["better", "25.0", "%"] in lines


def test_a_share_below_1_is_not_shown_as_1() -> None:
    assert printed(searched(share=0.99999))[-3][-1] == "0.9999"


def test_where_the_links_came_from() -> None:
    for given, told in [
        (None, "sea: 10 training and 10 test links."),
        (collected(20, {}), "sea: 10 training and 10 test links from 1,234 pages."),
        (
            collected(1000, {"not in the archive": 3000, "copy": 0, "failed": 2}),
            "sea: 10 training and 10 test links of the 1,000 wanted from 1,234 pages; "
            "targets left out: not in the archive 3,000, failed 2.",
        ),
    ]:
        assert links_text(tuning("sea"), given) == told

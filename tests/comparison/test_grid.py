from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from comparison.grid_web import small_grid, small_web, write_web
from scenthound.comparison.contenders import contender
from scenthound.comparison.grid import Grid
from scenthound.comparison.model import Cell
from scenthound.comparison.rules import Rules
from scenthound.core.errors import InputError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("grid"))


def test_every_combination_is_a_run_of_its_own(folder: Path) -> None:
    grid = small_grid(folder, seeds=("given", "irrelevant"), draws=3)
    cells = list(grid.cells())
    assert len(cells) == len(set(cells)) == 2 * 2 * 2 * 3
    assert cells[:3] == [
        Cell("small", "coffee", "breadth-first", "given", 0, 0),
        Cell("small", "coffee", "vsm-mean", "given", 0, 0),
        Cell("small", "coffee", "breadth-first", "given", 1, 0),
    ]


def test_one_random_seed_does_for_strategies_that_leave_nothing_to_chance(folder: Path) -> None:
    grid = small_grid(folder, "vsm-mean", "random", random_seeds=3)
    assert grid.steady == ("vsm-mean",)
    counted = [cell.strategy for cell in grid.cells() if cell.topic == "storms"]
    assert counted.count("vsm-mean") == 1 and counted.count("random") == 3
    assert replace(grid, random_seeds=1).steady == ()


def test_the_first_strategy_is_the_baseline_unless_another_is(folder: Path) -> None:
    assert small_grid(folder, "vsm", "shark").baseline == "vsm"
    assert small_grid(folder, "vsm", "shark", baseline="shark").baseline == "shark"


@pytest.mark.parametrize(
    "change, told",
    [
        ({"webs": ()}, "nothing to crawl"),
        ({"contenders": ()}, "nothing to compare"),
        ({"seeds": ()}, "no seeds"),
        ({"seeds": ("given", "given")}, "given twice"),
        ({"seeds": ("relevnt",)}, "did you mean 'relevant'"),
        ({"draws": 0}, "draws is 1 or more"),
        ({"random_seeds": -1}, "random_seeds is 1 or more"),
        ({"baseline": "shrk"}, "unknown baseline"),
        ({"measure": "harvest"}, "unknown measure"),
        ({"contenders": (contender("vsm"), contender("vsm"))}, "'vsm' is given twice"),
    ],
)
def test_a_grid_that_cannot_be_run(folder: Path, change: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        replace(small_grid(folder, "vsm"), **change)  # type: ignore[arg-type]


def test_two_webs_need_two_names(folder: Path) -> None:
    web = small_web(folder)
    with pytest.raises(InputError, match="given twice; give each one once or a name of its own"):
        Grid((web, web), (contender("vsm"),))
    assert len(list(Grid((web, replace(web, name="b")), (contender("vsm"),)).cells())) == 4


@pytest.mark.parametrize(
    "more, told",
    [
        ({"draws": 2}, "draws are drawn by them; give --labels"),
        ({"seeds": ("relevant",)}, "relevant seeds are drawn by them"),
        ({"rules": Rules(budget="2x")}, "give --labels"),
    ],
)
def test_what_needs_labels_says_so(folder: Path, more: dict[str, object], told: str) -> None:
    bare = replace(small_web(folder), labels=None, labels_file=None)
    with pytest.raises(InputError, match=told):
        Grid((bare,), (contender("vsm"),), **more)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs labelled pages"):
        Grid((bare,), (contender("oracle"),))


def test_labels_must_know_every_topic(folder: Path) -> None:
    web = small_web(folder)
    other = replace(web.topics[0], name="storm")
    with pytest.raises(InputError, match="did you mean 'storms'"):
        Grid((replace(web, topics=(other,)),), (contender("vsm"),))


@pytest.mark.parametrize(
    "rules", [{"threshold": 1.5}, {"judge": "nobody"}, {"budget": "2y"}, {"inlinks": "median"}]
)
def test_rules_that_cannot_be(rules: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Rules(**rules)  # type: ignore[arg-type]


def test_inlinks_are_for_the_strategies_that_heed_them() -> None:
    rules = Rules(inlinks="last")
    assert rules.recipe(contender("vsm").recipe).combination.value == "last"
    plain = contender("breadth-first").recipe
    assert rules.recipe(plain) is plain

"""What ``scenthound tune`` warns of, and the command it advises."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from cli.commands import Command
from scenthound import read_weights

VSM = ("--model", "vsm", "--links", "60")


@pytest.fixture
def storms(sample: Path) -> list[str | Path]:
    """An archive and a topic."""
    return [sample / "sample.warc.gz", "--topic", sample / "topics" / "storms.toml"]


def advised(out: str) -> list[str]:
    (line,) = [line for line in out.splitlines() if line.startswith("Use the weights: ")]
    return shlex.split(line.removeprefix("Use the weights: "))


def own_links(path: Path, rows: list[str], more: str = "") -> Path:
    path.write_text(f"sim_full,sim_anchor,relevance{more}\n" + "\n".join(rows) + "\n")
    return path


ROWS = [f"0.{n % 7},0.{n % 5},0.{n % 3}" for n in range(60)]


def test_the_command_has_what_was_set_of_the_model(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    answer = scenthound(
        "tune", *storms, "--links", "40", "--model", "soft-svsm", "--set", "soft-svsm.power=3",
        "--set", "soft-svsm.measure=wu-palmer", "--out", tmp_path / "a b",
    )  # fmt: skip
    words = advised(answer.out)
    assert words[:2] == ["scenthound", "replay"]
    assert words[5:11] == [
        "--strategy", "soft-svsm", "--set", "soft-svsm.power=3.0", "--set",
        "soft-svsm.measure=wu-palmer",
    ]  # fmt: skip
    assert words[-1] == str(tmp_path / "a b" / "storms" / "weights.toml")
    again = scenthound(*words[1:], "--budget", "5")
    assert again.code == 0, again.err


def test_weights_of_a_plain_tuning_are_used_as_advised(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    words = advised(scenthound("tune", *storms, "--links", "40", "--out", tmp_path / "t").out)
    weights = tmp_path / "t" / "storms" / "weights.toml"
    assert read_weights(weights).model == "soft-sdvsm"
    assert words[words.index("--strategy") + 1] == "soft-sdvsm"
    assert scenthound(*words[1:], "--budget", "5").code == 0
    plain = scenthound("replay", *storms, "--weights", weights, "--budget", "5")
    assert plain.code == 2
    assert "strategy 'scent' takes no weights" in plain.err
    assert "choose one that does (soft-sdvsm), or leave the weights out." in plain.err


def test_a_crawl_folder_is_read_by_its_own_model(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    for strategy in ("soft-svsm", "breadth-first"):
        scenthound("replay", *storms, "-s", strategy, "--budget", "60", "--out", tmp_path / "c",
                   "--quiet")  # fmt: skip
        answer = scenthound("tune", tmp_path / "c" / "storms" / strategy, "--links", "40", "--json")
        model = json.loads(answer.out)["topics"][0]["model"]
        assert model == ("soft-svsm" if strategy == "soft-svsm" else "soft-sdvsm")
    wrong = scenthound("tune", tmp_path / "c" / "storms" / "soft-svsm", "--set", "vsm.x=1")
    assert wrong.code == 2 and "model 'vsm' is not in use" in wrong.err


def test_a_search_that_ends_far_off_is_told(scenthound: Command, storms: list[str | Path]) -> None:
    far = scenthound("tune", *storms, *VSM, "--optimiser", "sa", "--set", "sa.cold=99.5")
    assert far.code == 0
    assert "warning: storms: sa reached only 0." in far.err
    assert "take the optimiser exact, or a search that comes nearer" in far.err
    near = scenthound("tune", *storms, *VSM, "--optimiser", "mcoa-symmetric",
                      "--set", "mcoa-symmetric.generations=100")  # fmt: skip
    assert near.code == 0 and "reached only" not in near.err


def test_links_of_which_none_tests(scenthound: Command, tmp_path: Path) -> None:
    path = own_links(tmp_path / "l.csv", [f"{row},train" for row in ROWS], ",half")
    answer = scenthound("tune", path, "--out", tmp_path / "t")
    assert answer.code == 0
    assert "warning: links: there are no test links, so nothing says how good" in answer.err
    assert "no heat-map: no topic has test links whose errors are known" in answer.out
    assert not (tmp_path / "t" / "heat-map.svg").exists()


def test_a_value_that_is_missing_is_named(scenthound: Command, tmp_path: Path) -> None:
    answer = scenthound("tune", own_links(tmp_path / "l.csv", [*ROWS, "0.1,,0.2", ",0.1,nan"]))
    assert answer.code == 0 and "0.500" in answer.out
    assert "sim_anchor in row 62 is empty or not a finite number, the first of 3" in answer.err
    huge = scenthound("tune", own_links(tmp_path / "l.csv", [*ROWS, "0.1,1e308,0.2"]))
    assert (huge.code, huge.out) == (2, "")
    assert "sim_anchor in row 62 is 1e+308; similarities and relevances lie within" in huge.err

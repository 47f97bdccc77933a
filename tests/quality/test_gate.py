from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from quality.gate import FLOORS, Finding, compare, gated, main, measure, tolerance_of, updated

from scenthound import CATALOGUE
from scenthound.core.errors import InputError
from scenthound.core.model import Topic
from scenthound.sample.responses import make_response
from scenthound.sample.web import SampleWeb, write_labels, write_topics, write_warc

RULES = {"tolerance": 0.01, "bands": {"oracle": [0.5, 0.02]}, "floors": {"vsm": 0.3}}


def verdicts(**measured: float) -> dict[str, bool]:
    return {finding.name: finding.holds for finding in compare(measured, RULES)}


def test_a_floor_holds_down_to_its_tolerance() -> None:
    assert verdicts(oracle=0.5, vsm=0.291)["vsm"]
    assert not verdicts(oracle=0.5, vsm=0.289)["vsm"]


def test_a_band_holds_either_way() -> None:
    assert verdicts(oracle=0.481, vsm=0.3)["oracle"]
    assert not verdicts(oracle=0.53, vsm=0.3)["oracle"]
    assert not verdicts(oracle=0.47, vsm=0.3)["oracle"]


def test_nothing_may_lie_above_the_oracle() -> None:
    assert not verdicts(oracle=0.5, vsm=0.51)["the best of the others"]


def test_a_strategy_without_a_floor_fails_the_gate() -> None:
    assert Finding("new", 0.4, "no floor yet: run with --update", False) in compare(
        {"oracle": 0.5, "new": 0.4}, RULES
    )


def test_a_floor_whose_strategy_is_gone_fails_the_gate() -> None:
    assert verdicts(oracle=0.5) == {"oracle": True, "vsm": False, "the best of the others": True}


def test_update_raises_and_adds_but_does_not_lower() -> None:
    assert updated({"vsm": 0.35, "new": 0.1}, RULES, False)["floors"] == {"vsm": 0.35, "new": 0.1}
    with pytest.raises(InputError, match="--allow-lower"):
        updated({"vsm": 0.2}, RULES, False)
    assert updated({"vsm": 0.2}, RULES, True)["floors"] == {"vsm": 0.2}


def test_a_strategy_that_draws_has_a_tolerance_of_its_own() -> None:
    rules = {**RULES, "floors": {"moaco": 0.2, "vsm": 0.2}, "drawn_tolerance": 0.05}
    measured = {"oracle": 0.5, "moaco": 0.16, "vsm": 0.16}
    holds = {finding.name: finding.holds for finding in compare(measured, rules)}
    assert holds["moaco"] and not holds["vsm"]
    assert tolerance_of("moaco", RULES) == RULES["tolerance"]


def test_strategies_that_need_the_neural_extra_are_left_out() -> None:
    assert set(CATALOGUE) - set(gated()) == {
        "word2vec", "elmo", "bsvsm", "bsvsm-ha", "soft-bsvsm", "sentences",
    }  # fmt: skip
    assert {"sentences-light", "olmoaco", "wseo"} < set(gated())


def test_what_is_left_to_chance_comes_out_the_same_each_time(tmp_path: Path) -> None:
    home, urls = "http://a.test/", [f"http://a.test/{number}" for number in range(40)]
    links = "".join(f'<a href="{url}">{url}</a>' for url in urls)
    pages = {url: make_response(url, f"<p>star {url}") for url in urls}
    pages[home] = make_response(home, f"<p>stars{links}")
    topic = Topic("space", keywords=("star",), seeds=(home,))
    web = SampleWeb(0, pages, (topic,), dict.fromkeys(urls[::2], "space"))
    write_warc(web, tmp_path / "schools.warc.gz")
    write_topics(web, tmp_path / "topics")
    write_labels(web, tmp_path / "labels.tsv")
    first, again = (measure(tmp_path, ["random", "moaco"], "20") for _ in range(2))
    assert first == again
    assert 0.0 < first["random"]["space"] < 1.0


def test_every_strategy_has_a_floor_or_a_band_on_file() -> None:
    floors = json.loads(FLOORS.read_text())
    assert set(floors["bands"]) | set(floors["floors"]) == set(gated())
    assert len(floors["sha256"]) == 64


def test_ratios_of_strategies() -> None:
    rules = {"tolerance": 0.0, "bands": {}, "floors": {}, "ratios": [["soft", "vsm", 1.05]]}
    verdicts = {
        soft: next(f.holds for f in compare({"soft": soft, "vsm": 0.2}, rules) if "/" in f.name)
        for soft in (0.2, 0.22, 0.3)
    }
    assert verdicts == {0.2: False, 0.22: True, 0.3: True}


def test_a_missing_web_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--webs", str(tmp_path)]) == 2
    assert "schools.warc.gz" in capsys.readouterr().err


def test_the_readme_and_the_page_on_replays_print_what_the_floors_say() -> None:
    floors = json.loads(FLOORS.read_text())["floors"]
    readme, page = (
        (FLOORS.parent.parent / name).read_text(encoding="utf-8")
        for name in ("README.md", "docs/howto/replay.md")
    )
    head, row = re.findall(r"^(\| `random` \|.*)\n\|[-|]+\n(.*)$", readme, re.MULTILINE)[0]
    shown = zip(
        re.findall(r"`([\w-]+)`", head), re.findall(r"(\.\d{3})\*{0,2} \|", row), strict=True
    )
    table = dict(re.findall(r"\| `([\w-]+)` \| \*{0,2}(\.\d{3})\*{0,2} ", page))
    for name, value in (*shown, *table.items()):
        if name in floors:
            assert value == f"{floors[name]:.3f}".lstrip("0"), name
    assert set(floors) <= set(table)

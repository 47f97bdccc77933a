from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from quality.gate import FLOORS, Finding, compare, gated, main, measure, tolerance_of, updated

from sample.sample_once import write_files
from scenthound import CATALOGUE
from scenthound.core.errors import InputError
from scenthound.core.model import Topic
from scenthound.sample.responses import make_response
from scenthound.sample.web import SampleWeb

RULES = {"tolerance": 0.01, "bands": {"oracle": [0.5, 0.02]}, "floors": {"vsm": 0.3}}


def verdicts(**measured: float) -> dict[str, bool]:
    return {finding.name: finding.holds for finding in compare(measured, RULES)}


def test_floors_hold_down_to_their_tolerance_and_an_update_does_not_lower_them() -> None:
    for measured, held in ((0.291, True), (0.289, False)):
        assert verdicts(oracle=0.5, vsm=measured)["vsm"] is held
    for measured, held in ((0.481, True), (0.53, False), (0.47, False)):
        assert verdicts(oracle=measured, vsm=0.3)["oracle"] is held
    assert not verdicts(oracle=0.5, vsm=0.51)["the best of the others"]
    rules = {**RULES, "floors": {"moaco": 0.2, "vsm": 0.2}, "drawn_tolerance": 0.05}
    drawn = compare({"oracle": 0.5, "moaco": 0.16, "vsm": 0.16}, rules)
    holds = {finding.name: finding.holds for finding in drawn}
    assert holds["moaco"] and not holds["vsm"]  # a strategy that draws has a tolerance of its own
    assert tolerance_of("moaco", RULES) == RULES["tolerance"]
    rules = {"tolerance": 0.0, "bands": {}, "floors": {}, "ratios": [["soft", "vsm", 1.05]]}
    for soft, held in ((0.2, False), (0.22, True), (0.3, True)):
        found = compare({"soft": soft, "vsm": 0.2}, rules)
        assert [finding.holds for finding in found if "/" in finding.name] == [held]
    new = Finding("new", 0.4, "no floor yet: run with --update", False)
    assert new in compare({"oracle": 0.5, "new": 0.4}, RULES)
    assert verdicts(oracle=0.5) == {"oracle": True, "vsm": False, "the best of the others": True}
    assert updated({"vsm": 0.35, "new": 0.1}, RULES, False)["floors"] == {"vsm": 0.35, "new": 0.1}
    with pytest.raises(InputError, match="--allow-lower"):
        updated({"vsm": 0.2}, RULES, False)
    assert updated({"vsm": 0.2}, RULES, True)["floors"] == {"vsm": 0.2}


def test_every_strategy_without_an_extra_has_a_floor_or_a_band_and_pages_print_them() -> None:
    left_out = {"word2vec", "elmo", "bsvsm", "bsvsm-ha", "soft-bsvsm", "sentences"}
    assert set(CATALOGUE) - set(gated()) == left_out
    file = json.loads(FLOORS.read_text())
    assert set(file["bands"]) | set(file["floors"]) == set(gated())
    assert len(file["sha256"]) == 64
    floors = file["floors"]
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


def test_what_is_left_to_chance_comes_out_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--webs", str(tmp_path)]) == 2
    assert "schools.warc.gz" in capsys.readouterr().err
    home, urls = "http://a.test/", [f"http://a.test/{number}" for number in range(40)]
    links = "".join(f'<a href="{url}">{url}</a>' for url in urls)
    pages = {url: make_response(url, f"<p>star {url}") for url in urls}
    pages[home] = make_response(home, f"<p>stars{links}")
    topic = Topic("space", keywords=("star",), seeds=(home,))
    web = SampleWeb(0, pages, (topic,), dict.fromkeys(urls[::2], "space"))
    write_files(web, tmp_path)
    first, again = (measure(tmp_path, ["random", "moaco"], "20") for _ in range(2))
    assert first == again
    assert 0.0 < first["random"]["space"] < 1.0

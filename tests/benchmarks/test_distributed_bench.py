"""The arithmetic of the benchmark of many workers: bars, rewritten webs, shares, speeds."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.distributed.bars import Bar
from benchmarks.distributed.closed_webs import rewritten
from benchmarks.distributed.run import PARTS, main, parts

A, B = "http://a.test/x/1.html", "http://a.test/x/2.html"


def test_a_bar_is_held_from_its_own_value_on() -> None:
    for figure, at_most, held in (
        (1.4, False, True), (1.39, False, False), (1.4, True, True), (1.41, True, False),
    ):  # fmt: skip
        bar = Bar("speed", figure, 1.4, at_most)
        assert bar.is_held is held
        assert bar.line().startswith("PASS speed" if held else "FAIL speed")


def test_links_lead_to_the_new_place_or_nowhere() -> None:
    body = b"""<a href="2.html#part">in</a> <a href='http://b.test/'>out</a> <a HREF=/x/2.html>"""
    moved = rewritten(body, A, lambda url: "http://new.test/?a=1&b=2" if url == B else None)
    assert moved == (
        b'<a href="http://new.test/?a=1&amp;b=2">in</a> <a href="#">out</a> '
        b'<a HREF="http://new.test/?a=1&amp;b=2">'
    )


def test_parts_are_known_by_name_and_a_missing_web_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {*parts(Path(), 1), "cost"} == set(PARTS)
    for part in ("speed", "harvest"):
        assert main(["--only", part, "--webs", str(tmp_path), "--out", str(tmp_path)]) == 2
        assert str(tmp_path) in capsys.readouterr().err

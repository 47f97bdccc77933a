"""The arithmetic of the benchmark of many workers: bars, rewritten webs, shares, speeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.closed_webs import closed_web, on_hosts, rewritten
from benchmarks.distributed.harvest import Task
from benchmarks.distributed.kills import HOSTS, killing_web
from benchmarks.distributed.run import PARTS, main, parts
from benchmarks.distributed.speed import described
from benchmarks.distributed.stored_pages import StoredPage, span
from benchmarks.distributed.together import Crawled, Start

from scenthound import Topic
from scenthound.sample.response import answer

A, B = "http://a.test/x/1.html", "http://a.test/x/2.html"


@pytest.mark.parametrize(
    ("figure", "at_most", "held"),
    [(1.4, False, True), (1.39, False, False), (1.4, True, True), (1.41, True, False)],
)
def test_a_bar_is_held_from_its_own_value_on(figure: float, at_most: bool, held: bool) -> None:
    bar = Bar("speed", figure, 1.4, at_most)
    assert bar.is_held is held
    assert bar.line().startswith("PASS speed" if held else "FAIL speed")


def test_a_section_is_held_when_all_its_bars_are(tmp_path: Path) -> None:
    section = Section([Bar("one", 2, 1), Bar("two", 0, 1)], ["said"], {"raw": 3})
    assert not section.is_held
    section.write(tmp_path / "new" / "part.json")
    told = json.loads((tmp_path / "new" / "part.json").read_text(encoding="utf-8"))
    assert [bar["held"] for bar in told["bars"]] == [True, False]
    assert told["raw"] == {"raw": 3}


def test_links_lead_to_the_new_place_or_nowhere() -> None:
    body = b"""<a href="2.html#part">in</a> <a href='http://b.test/'>out</a> <a HREF=/x/2.html>"""
    moved = rewritten(body, A, lambda url: "http://new.test/?a=1&b=2" if url == B else None)
    assert moved == (
        b'<a href="http://new.test/?a=1&amp;b=2">in</a> <a href="#">out</a> '
        b'<a HREF="http://new.test/?a=1&amp;b=2">'
    )


def test_every_page_of_a_closed_web_is_at_its_new_place() -> None:
    pages = {A: answer(A, '<a href="2.html">'), B: answer(B, "<a href='/gone'>")}
    web = closed_web(pages, lambda url: on_hosts(url, 20))
    assert set(web) == {on_hosts(A, 20), on_hosts(B, 20)}
    assert web[on_hosts(A, 20)].body == f'<a href="{on_hosts(B, 20)}">'.encode()
    for url, page in web.items():
        assert page.url == url
        assert page.header("Content-Length") == str(len(page.body))


def test_a_page_has_one_of_the_hosts_whenever_it_is_asked() -> None:
    urls = [f"http://a.test/{number}" for number in range(200)]
    hosts = {on_hosts(url, 20).split("/")[2] for url in urls}
    assert hosts == {f"s{number:02}.a.test" for number in range(20)}
    assert on_hosts(A, 1) == "http://s00.a.test/x/1.html"


def test_figures_leave_out_the_start() -> None:
    pages = [StoredPage(f"http://a.test/{n}", 10.0 + n, n != 0) for n in range(11)]
    crawled = Crawled(pages, [6, 5], cpu=7.0, start=Start(5.0, 1), wall=20.0, server_cpu=1.0)
    assert span(pages) == 10.0
    assert crawled.speed == pytest.approx(1.1)
    assert crawled.cpu_a_page == pytest.approx(0.2)
    assert crawled.cpu_a_page_with_server == pytest.approx(0.3)
    assert crawled.figures()["worked"] == 10


def test_cpu_of_a_page_is_told_without_and_with_the_server() -> None:
    pages = [StoredPage(f"http://a.test/{n}", float(n), True) for n in range(10)]
    crawled = Crawled(pages, [10], cpu=2.0, start=Start(1.0, 0), wall=9.0, server_cpu=0.5)
    assert "100.00 ms CPU a page without the server's, 150.00 with it" in described("x", [crawled])


def test_harvest_counts_a_labelled_page_once() -> None:
    task = Task("t", Topic("t", ("k",), (A,)), frozenset({A, B}))
    pages = [StoredPage(url, 0.0, True) for url in (A, A, "http://a.test/other", "http://b.test/")]
    assert task.budget == 4
    assert task.harvest(Crawled(pages, [4], 0.0, Start(0.0, 0), 0.0)) == 0.25


def test_the_web_of_the_kills_is_on_all_hosts() -> None:
    web = killing_web(60, seed=1)
    assert len(web) == 60
    assert len({url.split("/")[2] for url in web}) == HOSTS
    assert next(iter(web)) == "http://h1.test/"


def test_parts_are_known_by_name() -> None:
    assert {*parts(Path(), 1), "cost"} == set(PARTS)


@pytest.mark.parametrize("part", ["speed", "harvest"])
def test_a_missing_web_is_bad_input(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--only", part, "--webs", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err

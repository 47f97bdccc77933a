"""What is shown of one crawl: its last pages, its curve, its page table, the way to a page."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from dashboard.app_asking import ask, at, open_app
from dashboard.crawl_making import append, made_crawl, page, summary
from scenthound.output.dashboard.curve import CurvePoint, as_lists, thin_points, with_recent
from scenthound.output.dashboard.pages import PageQuery, search_pages
from scenthound.output.dashboard.values import describe_setting
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import open_journal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_crawl(tmp_path_factory.mktemp("views") / "c", 2_000, stopped="budget spent")


def get(folder: Path, path: str, status: int = 200) -> Any:
    answer = ask(open_app(folder), at(folder, path))
    assert answer.status == status, answer.body
    return answer.json


def test_the_last_pages(folder: Path) -> None:
    told = get(folder, "")
    assert [row["n"] for row in told["recent"]] == list(range(2000, 1980, -1))
    assert [row["n"] for row in told["latest"]] == list(range(1998, 1938, -3))
    assert told["recent"][0] == {
        "n": 2000, "at": 2000.0, "url": "http://h5.test/p2000", "title": "Page 2000 of storms",
        "relevant": False, "similarity": 0.25, "priority": 0.5, "depth": 10, "status": 200,
        "parts": [["anchor", 0.4, 0.5, "anchor"]], "linked_from": 1, "problem": "",
        "language": None, "anchor": "link to 2000",
    }  # fmt: skip
    assert told["threshold"] == 0.2
    assert ["parameter xi", "2"] in told["settings"] and ["archive", "a.warc"] in told["settings"]


def test_hosts_and_refusals_of_a_replay_are_those_of_the_last_pages(folder: Path) -> None:
    told = get(folder, "")
    pages = told["counted"]["pages"]
    assert 0 < pages < 2000 and not told["counted"]["whole"] and not told["hosts_whole"]
    assert sum(host["pages"] for host in told["hosts"]) == pages
    assert {host["waiting"] for host in told["hosts"]} == {None}
    assert list(told["refused"]) == ["robots.txt"]
    assert told["frontier"]["waiting"] == 4000 and told["frontier"]["retrying"] is None


def test_a_short_crawl_is_counted_whole(tmp_path: Path) -> None:
    told = get(made_crawl(tmp_path / "c", 14), "")
    assert told["hosts_whole"] and told["counted"] == {"pages": 14, "whole": True}
    assert all(host["pages"] == 2 for host in told["hosts"]) and len(told["hosts"]) == 7


def test_the_curve_spans_the_crawl(folder: Path) -> None:
    points = get(folder, "/curve?points=50")["points"]
    assert points[0] == [1, 0, 0.0, 0.0, 0.25, 2, 1.0]
    assert points[-1] == [2000, 666, 0.333, pytest.approx(1 / 3, abs=0.01), 0.25, 4000, 2000.0]
    assert 40 <= len(points) <= 50
    assert [point[0] for point in points] == sorted({point[0] for point in points})


def test_the_recent_harvest_is_over_a_hundred_pages() -> None:
    points = [CurvePoint(n, n // 2, None, None, None, 0, None) for n in (1, 40, 90, 150, 260, 1000)]
    recent = [point.recent for point in with_recent(points)]
    assert recent[0] == 0.0 and recent[1:] == pytest.approx([0.5] * 5, abs=0.01)
    assert with_recent([], points) == []
    later = with_recent([CurvePoint(1100, 620, None, None, None, 0, None)], points)
    assert later[0].recent == pytest.approx(120 / 100)


def test_the_recent_harvest_of_a_curve_is_that_of_the_last_hundred(tmp_path: Path) -> None:
    rng = random.Random(5)
    relevant = [rng.random() < 0.7 * (n < 400) + 0.02 for n in range(1, 601)]
    folder = made_crawl(tmp_path / "c")
    for n in range(1, 601):
        totals = {**summary(n), "relevant": sum(relevant[:n])}
        append(folder, page(n, title="x" * rng.randrange(900), summary=totals))
    for most, tolerance in ((60, 0.06), (1000, 0.02)):
        points = get(folder, f"/curve?points={most}")["points"]
        for n, _, _, recent, *_ in points:
            last = relevant[max(0, n - 100) : n]
            assert recent == pytest.approx(sum(last) / len(last), abs=tolerance)


def test_the_recent_harvest_where_pages_are_missing(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c")
    append(folder, *(page(n) for n in range(1, 2000) if not 300 < n < 1200), page(7))
    points = get(folder, "/curve?points=40")["points"]
    assert points[-1][0] == 7 and all(0 <= point[3] <= 1 for point in points)


def test_points_are_thinned_evenly() -> None:
    points = [CurvePoint(n, 0, None, None, None, 0, None) for n in range(1, 11)]
    assert [point.n for point in thin_points(points, 5)] == [2, 4, 6, 8, 10]
    assert thin_points(points, 10) == points and thin_points([], 5) == []
    assert as_lists([CurvePoint(1, 0, 1 / 3, None, None, 0, 2.0)]) == [
        [1, 0, 0.33333, None, None, 0, 2.0]
    ]


def test_pages_are_given_from_the_last_one_back(folder: Path) -> None:
    numbers, cursor = [], ""
    for _ in range(20):
        told = get(folder, f"/pages?limit=200&before={cursor}")
        numbers += [row["n"] for row in told["pages"]]
        cursor = told["next"]
        if told["complete"]:
            break
    assert numbers == list(range(2000, 0, -1)) and cursor is None


def test_words_are_looked_for_in_title_and_url(folder: Path) -> None:
    cases: list[tuple[str, list[int] | None]] = [
        ("PAGE%20777", [1777, 777]), ("p1999", [1999]), ("h3.test/p17%20Page", None),
        ("nothing-has-this", []), ("page%20storms%20p31", None),
    ]  # fmt: skip
    for query, numbers in cases:
        told = get(folder, f"/pages?query={query}&limit=200")
        found = [row["n"] for row in told["pages"]]
        words = query.replace("%20", " ").lower().split()
        texts = {n: f"page {n} of storms http://h{n % 7}.test/p{n}" for n in range(1, 2001)}
        assert found == [n for n in range(2000, 0, -1) if all(word in texts[n] for word in words)]
        assert numbers is None or found == numbers
        assert told["complete"] and told["searched"] == 2000


def test_only_relevant_pages(folder: Path) -> None:
    told = get(folder, "/pages?relevant=1&limit=3")
    assert [row["n"] for row in told["pages"]] == [1998, 1995, 1992]
    assert told["searched"] == 9 and not told["complete"]


def test_words_in_any_writing(tmp_path: Path) -> None:
    cases: list[str] = ["straße", "STRASSE", 'say "hi"', "back\\slash", "МОРОЗ"]
    for number, query in enumerate(cases):
        here = tmp_path / str(number)
        here.mkdir()
        folder = made_crawl(here / "c", 3)
        append(folder, page(4, title='Die Straße: say "hi", back\\slash, Мороз'), page(5))
        with open_journal(CrawlFolder(folder).journal_path) as journal:
            told = search_pages([(None, journal)], PageQuery.of(query, False), "", 9)
        assert [row["n"] for row in told["pages"]] == [4]  # type: ignore[attr-defined]


def test_one_answer_looks_through_a_portion(folder: Path) -> None:
    with open_journal(CrawlFolder(folder).journal_path) as journal:
        before, query = "", PageQuery.of("p1 ", False)
        searched, answers = 0, 0
        while True:
            told = search_pages([(None, journal)], query, before, 500, portion=100_000)
            searched, answers = searched + int(str(told["searched"])), answers + 1
            before = str(told["next"])
            if told["complete"]:
                break
    assert searched == 2000 and answers == -(-journal.size // 100_000)


def test_the_way_to_a_page(folder: Path) -> None:
    told = get(folder, "/pages/1234")
    assert told["page"]["n"] == 1234
    assert [step["n"] for step in told["path"]] == [1, 2, 4, 9, 19, 38, 77, 154, 308, 617, 1234]
    assert told["path"][0]["anchor"] == "" and told["path"][0]["score"] is None
    assert told["path"][-1] == {
        "n": 1234, "url": "http://h2.test/p1234", "title": "Page 1234 of storms",
        "anchor": "link to 1234", "score": 0.5, "redirects": [],
    }  # fmt: skip
    steps = told["explanation"]["path"]
    assert [step["page"] for step in steps] == [step["n"] for step in told["path"]]
    assert told["explanation"]["verdict"] == "fetched as page 1,234 of 2,000"


def test_the_way_to_a_page_tells_of_redirects(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, redirects=["http://a.test/old", 7]))
    steps = get(folder, "/pages/4")["path"]
    assert [step["redirects"] for step in steps] == [[], [], ["http://a.test/old", ""]]


def test_a_way_in_a_circle_ends(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, inlinks=[[9, 0.1, "x"]]), page(5, inlinks=[[5, 0.1, "x"]]))
    assert [step["n"] for step in get(folder, "/pages/4")["path"]] == [4]
    assert [step["n"] for step in get(folder, "/pages/5")["path"]] == [5]


def test_a_page_that_there_is_not(folder: Path) -> None:
    assert get(folder, "/pages/2001", 404)["error"] == "this crawl has no page 2,001."


def test_what_cannot_be_asked_for(folder: Path) -> None:
    cases: list[str] = [
        "/curve?points=1", "/curve?points=1001", "/curve?points=x", "/pages?limit=0",
        "/pages?limit=201", "/pages?before=-1", "/pages?relevant=2", f"/pages?query={'x' * 201}",
        "/pages/0", "/pages/x", f"/pages/{'9' * 30}", "/pages?before=²",
    ]  # fmt: skip
    for path in cases:
        assert "takes" in get(folder, path, 400)["error"]


def test_addresses_that_lead_nowhere(folder: Path) -> None:
    cases: list[str] = ["/x", "/curve/x", "/../../etc/passwd"]
    for path in cases:
        assert "error" in get(folder, path, 405 if path == "/x" else 404)


def test_a_title_with_a_script_stays_text(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 1)
    title = "<script>alert(1)</script>\u2028\ud800"
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"page","n":2,"title":"<script>alert(1)</script>\\u2028\\ud800"}\n')
    answer = ask(open_app(folder), at(folder, "/pages"))
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json["pages"][0]["title"] == title and answer.body.isascii()


def test_an_empty_crawl_has_no_curve_and_no_pages(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 0, begun=False)
    for _ in range(2):
        assert get(folder, "/curve")["points"] == []
        assert get(folder, "/pages") == {
            "pages": [], "next": None, "searched": 0, "complete": True,
        }  # fmt: skip
        assert get(folder, "")["recent"] == [] and get(folder, "/pages/1", 404)
        (folder / "journal.jsonl").unlink(missing_ok=True)


def test_settings_in_words() -> None:
    assert describe_setting(None) == describe_setting([]) == "-"
    assert (
        describe_setting(True) == "yes"
        and describe_setting(["a", 2]) == "a, 2"
        and describe_setting({"a": 1}) == "a 1"
    )
    assert len(describe_setting("x" * 999)) == 300

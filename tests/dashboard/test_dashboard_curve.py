"""What is shown of one crawl: its last pages, its curve, its page table, the way to a page."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.crawl_making import (
    append,
    ask,
    at,
    line,
    made_crawl,
    made_worker,
    open_app,
    page,
    summary,
)
from dashboard.crawl_making import get as get_at
from scenthound.core.errors import FolderError
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.curve import (
    CurvePoint,
    add_curves,
    curve_rows,
    join_curves,
    sample_curve,
)
from scenthound.output.dashboard.pages import PageQuery, search_pages
from scenthound.output.dashboard.values import describe_setting
from scenthound.storage import journal as journal_places
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import JournalLine, JournalPage, open_journal, page_on_line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_crawl(tmp_path_factory.mktemp("views") / "c", 2_000, stopped="budget spent")


def get(folder: Path, path: str, status: int = 200) -> Any:
    return get_at(folder, at(folder, path), status)


def test_the_last_pages_their_hosts_and_refusals_and_the_curve(
    folder: Path, tmp_path: Path
) -> None:
    reported = get(folder, "")
    assert [row["n"] for row in reported["recent"]] == list(range(2000, 1950, -1))
    assert [row["n"] for row in reported["latest"]] == list(range(1998, 1938, -3))
    assert reported["recent"][0] == {
        "n": 2000, "at": 2000.0, "url": "http://h5.test/p2000", "title": "Page 2000 of storms",
        "relevant": False, "similarity": 0.25, "priority": 0.5, "depth": 10, "status": 200,
        "parts": [["anchor", 0.4, 0.5, "anchor"]], "linked_from": 1, "problem": "",
        "language": None, "anchor": "link to 2000",
    }  # fmt: skip
    assert reported["threshold"] == 0.2
    assert ["parameter xi", "2"] in reported["settings"] and ["archive", "a.warc"] in reported[
        "settings"
    ]
    assert "worker" not in dict(reported["settings"])
    pages = reported["counted"]["pages"]
    assert 0 < pages < 2000 and not reported["counted"]["whole"] and not reported["hosts_whole"]
    assert sum(host["pages"] for host in reported["hosts"]) == pages
    assert {host["waiting"] for host in reported["hosts"]} == {None}
    assert list(reported["refused"]) == ["robots.txt"]
    assert reported["frontier"]["waiting"] == 4000 and reported["frontier"]["retrying"] is None
    short = get(made_crawl(tmp_path / "c", 14), "")
    assert short["hosts_whole"] and short["counted"] == {"pages": 14, "whole": True}
    assert all(host["pages"] == 2 for host in short["hosts"]) and len(short["hosts"]) == 7
    points = get(folder, "/curve")["points"]
    assert points[0] == [1, 0, 0.0, 0.0, 0.25, 2, 1.0]
    assert points[-1] == [2000, 666, 0.333, pytest.approx(1 / 3, abs=0.01), 0.25, 4000, 2000.0]
    assert 150 <= len(points) <= 200
    assert [point[0] for point in points] == sorted({point[0] for point in points})


def test_the_recent_harvest_is_over_a_hundred_pages() -> None:
    known = [CurvePoint(n, n // 2, None, 0, 1.0) for n in (1, 40, 90, 150, 260, 1000)]
    recent = [row[3] for row in curve_rows(known)]
    assert recent[0] == 0.0 and recent[1:] == pytest.approx([0.5] * 5, abs=0.01)
    assert curve_rows([]) == []
    known = [CurvePoint(n, n // 3, 0.5 * n, n, float(n)) for n in range(1, 301)]
    assert curve_rows(known)[299] == [300, 100, 0.33333, 0.34, 0.5, 300, 300.0]


def test_the_recent_harvest_of_a_curve_is_that_of_the_last_hundred(tmp_path: Path) -> None:
    rng = random.Random(5)
    relevant = [rng.random() < 0.7 * (n < 400) + 0.02 for n in range(1, 601)]
    folder = made_crawl(tmp_path / "c")
    for n in range(1, 601):
        totals = {**summary(n), "relevant": sum(relevant[:n])}
        append(folder, page(n, title="x" * rng.randrange(900), summary=totals))
    with open_journal(CrawlFolder(folder).journal_path) as journal:
        for most, tolerance in ((60, 0.06), (1000, 0.02)):
            points = sample_curve(journal, most).points
            for point, row in zip(points, curve_rows(points), strict=True):
                last = relevant[max(0, point.n - 100) : point.n]
                assert row[3] == pytest.approx(sum(last) / len(last), abs=tolerance)


def test_pages_are_given_from_the_last_one_back_in_portions(folder: Path) -> None:
    numbers, cursor = [], ""
    for _ in range(20):
        reported = get(folder, f"/pages?limit=200&before={cursor}")
        numbers += [row["n"] for row in reported["pages"]]
        cursor = reported["next"]
        if reported["complete"]:
            break
    assert numbers == list(range(2000, 0, -1)) and cursor is None
    reported = get(folder, "/pages?relevant=1&limit=3")
    assert [row["n"] for row in reported["pages"]] == [1998, 1995, 1992]
    assert reported["searched"] == 11 and not reported["complete"]
    with open_journal(CrawlFolder(folder).journal_path) as journal:
        before, query = "", PageQuery(("p1",))
        searched, answers = 0, 0
        while True:
            reported = search_pages([(None, journal)], query, before, 500, portion=100_000)
            searched, answers = searched + int(str(reported["searched"])), answers + 1
            before = str(reported["next"])
            if reported["complete"]:
                break
    assert searched == 2000 and answers == -(-journal.size // 100_000)


def test_words_are_looked_for_in_title_and_url_in_any_writing(folder: Path, tmp_path: Path) -> None:
    cases: list[tuple[str, list[int] | None]] = [
        ("PAGE%20777", [1777, 777]), ("p1999", [1999]), ("h3.test/p17%20Page", None),
        ("nothing-has-this", []), ("page%20storms%20p31", None),
    ]  # fmt: skip
    for query, numbers in cases:
        reported = get(folder, f"/pages?query={query}&limit=200")
        found = [row["n"] for row in reported["pages"]]
        words = query.replace("%20", " ").lower().split()
        texts = {n: f"page {n} of storms http://h{n % 7}.test/p{n}" for n in range(1, 2001)}
        assert found == [n for n in range(2000, 0, -1) if all(word in texts[n] for word in words)]
        assert numbers is None or found == numbers
        assert reported["complete"] and reported["searched"] == 2000
    for number, word in enumerate(["straße", "STRASSE", 'say "hi"', "back\\slash", "МОРОЗ"]):
        folder = made_crawl(tmp_path / str(number), 3)
        append(folder, page(4, title='Die Straße: say "hi", back\\slash, Мороз'), page(5))
        with open_journal(CrawlFolder(folder).journal_path) as journal:
            reported = search_pages(
                [(None, journal)], PageQuery((*word.casefold().split(),)), "", 9
            )
        assert [row["n"] for row in reported["pages"]] == [4]


def test_the_way_to_a_page_with_redirects_and_in_a_circle(folder: Path, tmp_path: Path) -> None:
    reported = get(folder, "/pages/1234")
    assert reported["page"]["n"] == 1234
    assert [step["n"] for step in reported["path"]] == [1, 2, 4, 9, 19, 38, 77, 154, 308, 617, 1234]
    assert reported["path"][0]["anchor"] == "" and reported["path"][0]["score"] is None
    assert reported["path"][-1] == {
        "n": 1234, "url": "http://h2.test/p1234", "title": "Page 1234 of storms",
        "anchor": "link to 1234", "score": 0.5, "redirects": [],
    }  # fmt: skip
    steps = reported["explanation"]["path"]
    assert [step["page"] for step in steps] == [step["n"] for step in reported["path"]]
    assert reported["explanation"]["verdict"] == "fetched as page 1,234 of 2,000"
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, inlinks=[[9, 0.1, "x"]]), page(5, inlinks=[[5, 0.1, "x"]]))
    append(folder, page(6, redirects=["http://a.test/old"]))
    assert [step["n"] for step in get(folder, "/pages/4")["path"]] == [4]
    assert [step["n"] for step in get(folder, "/pages/5")["path"]] == [5]
    redirects = [step["redirects"] for step in get(folder, "/pages/6")["path"]]
    assert redirects == [[], [], ["http://a.test/old"]]


def test_what_cannot_be_asked_for(folder: Path) -> None:
    cases: list[str] = [
        "/pages?limit=0",
        "/pages?limit=201", "/pages?before=77", "/pages?relevant=2", f"/pages?query={'x' * 201}",
        "/pages/0", "/pages/x", f"/pages/{'9' * 30}", "/pages?before=²",
    ]  # fmt: skip
    for path in cases:
        assert "takes" in get(folder, path, 400)["error"]
    for path in ["/x", "/curve/x", "/../../etc/passwd"]:
        assert "error" in get(folder, path, 405 if path == "/x" else 404)
    assert get(folder, "/pages/2001", 404)["error"] == "this crawl has no page 2,001."


def test_a_title_with_a_script_stays_text(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 1)
    title = "<script>alert(1)</script>\u2028"
    append(folder, page(2, title=title))
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
    assert describe_setting(True) == "yes" and describe_setting(["a", 2]) == "a, 2"
    assert describe_setting({"a": 1}) == "a 1"
    assert len(describe_setting("x" * 999)) == 300


# The curves and page tables of several workers, put together.


def points(*known: tuple[int, int, float]) -> list[CurvePoint]:
    """Page, relevant pages by then, time."""
    return [CurvePoint(n, relevant, 0.5 * n, n, at) for n, relevant, at in known]


def figures(made: Sequence[CurvePoint]) -> list[tuple[int, int, float]]:
    return [(point.n, point.relevant, point.at) for point in made]


def test_workers_are_added_up_in_the_order_of_time() -> None:
    first, second = points((1, 1, 1.0), (2, 1, 4.0)), points((1, 0, 2.0), (2, 1, 3.0))
    made = add_curves([first, second])
    assert figures(made) == [(1, 1, 1.0), (2, 1, 2.0), (3, 2, 3.0), (4, 2, 4.0)]
    assert [point.similarity for point in made] == [0.5, 1.0, 1.5, 2.0]
    assert [point.waiting for point in made] == [1, 1, 2, 2]
    assert add_curves([]) == add_curves([[], []]) == []
    long, other = points((1, 1, 0.0), (101, 51, 100.0)), points((1, 0, 50.0))
    assert figures(add_curves([long, other])) == [(1, 1, 0.0), (52, 26, 50.0), (102, 51, 100.0)]
    same = points((1, 0, 5.0), (2, 1, 5.0))
    back = points((1, 0, 4.0), (2, 1, 1.0), (3, 1, 6.0))
    assert figures(add_curves([same])) == [(2, 1, 5.0)]
    assert figures(add_curves([back])) == [(2, 1, 4.0), (3, 1, 6.0)]


def test_a_long_crawl_is_sampled(tmp_path: Path) -> None:
    for number in (1, 2):
        pages = [(2.0 * n + number, n % 4 == 0) for n in range(1_000)]
        made_worker(tmp_path / str(number), number, pages)
    with ExitStack() as stack:
        paths = [tmp_path / each / "journal.jsonl" for each in "12"]
        opened = [stack.enter_context(open_journal(path)) for path in paths]
        made = join_curves([sample_curve(journal, 25) for journal in opened], 50)
    assert len(made) == 50 and figures(made)[-1] == (2_000, 500, 2_000.0)
    assert [point.n for point in made] == sorted(point.n for point in made)
    assert all(abs(point.relevant - point.n / 4) < 3 for point in made)
    assert all(row[3] == pytest.approx(0.25, abs=0.05) for row in curve_rows(made)[10:])


TIMES = st.lists(st.integers(0, 20), max_size=12).map(sorted)


@settings(max_examples=30, deadline=None)
@given(st.lists(TIMES, min_size=1, max_size=3), st.integers(1, 5), st.sampled_from([900, 10**6]))
def test_every_page_is_listed_once_by_time(
    tmp_path_factory: pytest.TempPathFactory, workers: list[list[int]], most: int, portion: int
) -> None:
    folder = tmp_path_factory.mktemp("listed")
    for number, times in enumerate(workers, 1):
        made_worker(folder / str(number), number, [(float(at), False) for at in times])
    seen: list[tuple[object, object]] = []
    cursor, searched = "", 0
    with ExitStack() as stack:
        marks = [_mark(number) for number, _ in enumerate(workers, 1)]
        paths = [folder / str(each.number) / "journal.jsonl" for each in marks]
        opened = [(each, stack.enter_context(open_journal(path)))
                  for each, path in zip(marks, paths, strict=True)]  # fmt: skip
        for _ in range(200):
            answer = search_pages(opened, PageQuery(), cursor, most, portion)
            rows = answer["pages"]
            assert isinstance(rows, list)
            seen += [(row["at"], row["key"]) for row in rows]
            searched += int(str(answer["searched"]))
            if answer["next"] is None:
                break
            cursor = str(answer["next"])
    assert [at for at, _ in seen] == sorted(float(t) for times in workers for t in times)[::-1]
    assert len({key for _, key in seen}) == len(seen) == searched


def _mark(number: int) -> WorkerIdentity:
    return WorkerIdentity("storms", "c0ffee", f"w{number}", number)


# Any place of a journal can be read, and what is found is what a reading of the whole finds.


@pytest.fixture(scope="module")
def journal(folder: Path) -> Path:
    return CrawlFolder(folder).journal_path


def slow_lines(path: Path) -> list[JournalLine]:
    found, start = [], 0
    for raw in path.read_bytes().splitlines(keepends=True):
        found.append(JournalLine(start, start + len(raw), raw[:-1]))
        start += len(raw)
    return found


def slow_pages(path: Path) -> list[JournalPage]:
    pages = [page_on_line(each) for each in slow_lines(path)]
    return [each for each in pages if each is not None]


def test_lines_pages_and_points_are_those_of_the_file_from_any_place(journal: Path) -> None:
    lines = slow_lines(journal)
    with open_journal(journal) as places:
        assert list(places.forward()) == lines
        assert list(places.backward()) == lines[::-1]
        assert [places.page(each.number) for each in slow_pages(journal)] == slow_pages(journal)
        assert [places.page(n) for n in (0, -1, 2_001)] == [None] * 3
    for place in [1, 777, 123_456, 500_000]:
        later = [each for each in lines if each.start >= place]
        earlier = [each for each in lines if each.end <= place]
        with open_journal(journal) as places:
            assert list(places.forward(place)) == later
            assert list(places.backward(place)) == earlier[::-1]
            assert list(places.forward(later[0].start, later[3].start)) == later[:3]
    for most in [2, 3, 10, 200, 999]:
        pages = slow_pages(journal)
        size = journal.stat().st_size
        wanted = {pages[0].start: pages[0], pages[-1].start: pages[-1]}
        for place in range(1, most - 1):
            start, after = size * place // (most - 1), size * (place + 1) // (most - 1)
            behind = (each for each in pages if start <= each.start < min(after, start + 64 * 1024))
            found = next(behind, None)
            if found is not None:
                wanted[found.start] = found
        with open_journal(journal) as places:
            assert places.spread(most) == [wanted[start] for start in sorted(wanted)]


def test_numbers_that_are_left_out_and_what_is_no_journal_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text("".join(line(page(n)) for n in range(2, 400, 2)))
    with open_journal(path) as places:
        assert [n for n in range(1, 400) if places.page(n)] == list(range(2, 400, 2))
    strange = ['{"event":"page","n":"two"}', "[]", "\x00\x00", '{"event":"page"', "[" * 5000, ""]
    path.write_text(line(page(1)) + "\n".join(strange) + "\n" + line(page(2)))
    with open_journal(path) as places:
        assert [each.number for each in places.pages()] == [1, 2]
        assert [each.number for each in places.pages_backward()] == [2, 1]
    monkeypatch.setattr(journal_places, "MAX_LINE_BYTES", 100_000)
    path.write_text(line(page(1)) + "x" * 450_000 + "\n" + line(page(2)))
    with open_journal(path) as places:
        assert [each.number for each in places.pages()] == [1, 2]
        assert [each.number for each in places.pages_backward()] == [2, 1]
        assert places.page(2) is not None


def test_a_short_journal(tmp_path: Path) -> None:
    path = CrawlFolder(made_crawl(tmp_path / "c", 5)).journal_path
    length = path.stat().st_size
    append(tmp_path / "c", {"event": "revised", "n": 5}, page(6), {"event": "revised", "n": 6})
    with path.open("a") as journal:
        journal.write(line(page(7))[:-30])
    with open_journal(path) as places:
        assert [each.number for each in places.pages()] == [1, 2, 3, 4, 5, 6]
        assert next(places.pages_backward()).number == 6
        assert places.page(7) is None
        assert [each["n"] for each in places.events_backward("revised")] == [6, 5]
    with open_journal(path, length) as places:  # which hides what is behind it
        assert [each.number for each in places.pages()] == [1, 2, 3, 4, 5]
        assert next(places.pages_backward()).number == 5 and places.page(6) is None
        assert [each.number for each in places.spread(200)] == [1, 2, 3, 4, 5]
        assert [each.number for each in places.spread(1)] == [1, 5]
        assert places.spread(0) == []
    path.write_bytes(b"")
    with open_journal(path) as places:
        assert list(places.forward()) == list(places.backward()) == []
        assert places.spread(9) == []
        assert places.page(1) is None
    with pytest.raises(FolderError, match="cannot be used"), open_journal(tmp_path / "none"):
        pass

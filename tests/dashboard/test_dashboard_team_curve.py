"""The curves and page tables of several workers, put together."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.crawl_making import append
from dashboard.team_making import FIRST, SECOND, made_worker, told
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import CrawlReader
from scenthound.output.dashboard.curve import CurvePoint, add_curves, sample_curve, with_recent
from scenthound.output.dashboard.page_details import PageExplainer
from scenthound.output.dashboard.pages import PageQuery, search_pages
from scenthound.output.dashboard.updates import Update
from scenthound.output.dashboard.watched_crawl import WatchedCrawl
from scenthound.storage.journal import JournalLine, JournalPage, open_journal, page_on_line


def points(*known: tuple[int, int, float]) -> list[CurvePoint]:
    """Page, relevant pages by then, time."""
    return [CurvePoint(n, relevant, None, None, 0.5, n, at) for n, relevant, at in known]


def figures(made: list[CurvePoint]) -> list[tuple[int, int, float | None]]:
    return [(point.n, point.relevant, point.at) for point in made]


def test_workers_are_added_up_in_the_order_of_time() -> None:
    first, second = points((1, 1, 1.0), (2, 1, 4.0)), points((1, 0, 2.0), (2, 1, 3.0))
    made = add_curves([first, second])
    assert figures(made) == [(1, 1, 1.0), (2, 1, 2.0), (3, 2, 3.0), (4, 2, 4.0)]
    assert [point.harvest for point in made] == [1.0, 0.5, 2 / 3, 0.5]
    assert {point.similarity for point in made} == {0.5}
    assert [point.waiting for point in made] == [1, 1, 2, 2]
    assert add_curves([]) == add_curves([[], []]) == []


def test_between_two_points_figures_lie_on_the_line_that_joins_them() -> None:
    long, other = points((1, 1, 0.0), (101, 51, 100.0)), points((1, 0, 50.0))
    assert figures(add_curves([long, other])) == [(1, 1, 0.0), (52, 26, 50.0), (102, 51, 100.0)]


def test_pages_of_one_moment_and_a_clock_that_was_put_back() -> None:
    same = points((1, 0, 5.0), (2, 1, 5.0))
    back = points((1, 0, 4.0), (2, 1, 1.0), (3, 1, 6.0))
    assert figures(add_curves([same])) == [(2, 1, 5.0)]
    assert figures(add_curves([back])) == [(2, 1, 4.0), (3, 1, 6.0)]


def test_the_recent_harvest_of_all_pages_is_as_of_one_crawl() -> None:
    known = points(*((n, n // 3, float(n)) for n in range(1, 301)))
    assert with_recent(known)[299].recent == 34 / 100
    later, before = known[200:], known[:200]
    assert with_recent(later, before) == with_recent(known)[200:]


def test_a_long_crawl_is_sampled(tmp_path: Path) -> None:
    for number in (1, 2):
        pages = [(2.0 * n + number, n % 4 == 0) for n in range(1_000)]
        made_worker(tmp_path / str(number), number, pages)
    with ExitStack() as stack:
        paths = [tmp_path / each / "journal.jsonl" for each in "12"]
        made = sample_curve([stack.enter_context(open_journal(path)) for path in paths], 50)
    assert len(made) == 50 and figures(made)[-1] == (2_000, 500, 2_000.0)
    assert [point.n for point in made] == sorted(point.n for point in made)
    assert all(abs(point.relevant - point.n / 4) < 3 for point in made)
    assert all(point.recent == pytest.approx(0.25, abs=0.05) for point in made[10:])


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
        opened = [
            (
                _mark(number),
                stack.enter_context(open_journal(folder / str(number) / "journal.jsonl")),
            )
            for number, _ in enumerate(workers, 1)
        ]
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


def distributed_of(*folders: Path) -> WatchedCrawl:
    team = WatchedCrawl("storms", PageExplainer(lambda: 9.0))
    readers = [CrawlReader(folder, lambda: 9.0, lambda: 9.0) for folder in folders]
    team.members = tuple((_mark(number), reader) for number, reader in enumerate(readers, 1))
    return team


def keys(update: Update) -> list[object]:
    return [row["at"] for row in update.rows]


def test_all_workers_are_followed(tmp_path: Path) -> None:
    first = made_worker(tmp_path / "a", 1, FIRST[:1])
    second = made_worker(tmp_path / "b", 2, SECOND[:1])
    following = distributed_of(first, second).updates(None)
    begun = following.look()
    assert keys(begun) == [2.0, 1.0] and not begun.anew
    assert figures(list(begun.points)) == [(2, 2, 2.0)]
    assert following.look().is_empty
    append(first, *told(FIRST, {}, since=1))
    append(second, *told(SECOND, {}, since=1))
    update = following.look()
    assert keys(update) == [5.0, 4.0, 3.0]
    assert figures(list(update.points)) == [(3, 2, 3.0), (4, 2, 4.0), (5, 3, 5.0)]
    assert [point.recent for point in update.points] == [2 / 3, 1 / 2, 3 / 5]
    assert following.look().is_empty


def test_a_worker_that_joins_is_followed_from_its_first_page(tmp_path: Path) -> None:
    first = made_worker(tmp_path / "a", 1, FIRST)
    team = distributed_of(first)
    following = team.updates(None)
    following.look()
    team.members = distributed_of(
        first, made_worker(tmp_path / "b", 2, ((6.0, True), (7.0, False)))
    ).members
    update = following.look()
    assert keys(update) == [7.0, 6.0] and not update.anew
    assert figures(list(update.points)) == [(4, 3, 6.0), (5, 3, 7.0)]


def test_who_comes_back_asks_for_everything_again(tmp_path: Path) -> None:
    following = distributed_of(made_worker(tmp_path / "a", 1, FIRST)).updates(77)
    assert following.look().anew and not following.look().anew


def test_a_journal_that_begins_anew(tmp_path: Path) -> None:
    folder = made_worker(tmp_path / "a", 1, FIRST)
    following = distributed_of(folder).updates(None)
    following.look()
    (folder / "journal.jsonl").write_bytes(b"")
    append(folder, *told(SECOND[:1], {}))
    update = following.look()
    assert update.anew and figures(list(update.points)) == [(1, 1, 2.0)]


def test_little_is_read_of_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [
        made_worker(tmp_path / str(number), number, [(float(n), False) for n in range(2_000)])
        for number in (1, 2)
    ]
    following = distributed_of(*folders).updates(None)
    following.look()
    read: list[int] = []

    def counted(line: JournalLine) -> JournalPage | None:
        read.append(len(line.raw))
        return page_on_line(line)

    monkeypatch.setattr("scenthound.output.dashboard.updates.page_on_line", counted)
    assert following.look().is_empty and read == []
    append(folders[0], *told([(float(n), False) for n in range(2_001)], {}, since=2_000))
    assert len(following.look().rows) == len(read) == 1

"""Events of several workers in one order, whatever their clocks say."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from output.worker_making import WorkerMaking
from scenthound.core.model import global_page_number
from scenthound.storage.merged_journal import MergedNumbers, events_in_order, find_worker_folders


def order(*makers: WorkerMaking) -> list[str]:
    """The events in order: ``worker.page`` for a page, or the kind of another one."""
    paths = [maker.commit().close() for maker in makers]
    return [
        f"{told.worker.number}.{told.page.n}" if told.page else str(told.event["event"])
        for told in events_in_order(find_worker_folders(paths))
    ]


def test_by_time_and_a_worker_s_own_order_stays(tmp_path: Path) -> None:
    first, second = WorkerMaking(tmp_path / "1", 1), WorkerMaking(tmp_path / "2", 2, started=1)
    first.page("a", 5)
    first.page("b", 3)  # came early, was read late: it stands where it was read
    first.led("o", "a")  # has no time
    second.page("c", 4)
    second.page("d", 6)
    assert order(first, second) == [
        "started", "started", "2.1", "1.1", "1.2", "redirect", "2.2",
    ]  # fmt: skip


def test_a_page_waits_for_the_page_that_links_to_it(tmp_path: Path) -> None:
    first, second = WorkerMaking(tmp_path / "1", 1), WorkerMaking(tmp_path / "2", 2)
    first.page("a", 50)
    first.page("b", 60, sources=[1])
    second.page("c", 2, sources=[global_page_number(1, 1)])  # its clock is late
    second.page("d", 3)
    assert order(first, second) == ["started", "started", "1.1", "2.1", "2.2", "1.2"]


def test_nobody_waits_for_what_is_not_there(tmp_path: Path) -> None:
    first, second = WorkerMaking(tmp_path / "1", 1), WorkerMaking(tmp_path / "2", 2)
    first.page("a", 1, sources=[global_page_number(2, 9), global_page_number(7, 1)])
    second.page("b", 2, sources=[global_page_number(1, 8)])
    assert order(first, second) == ["started", "started", "1.1", "2.1"]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_crawl_comes_in_an_order_that_it_can_have_had(data: st.DataObject) -> None:
    """Pages in their true order go to workers with clocks of their own."""
    skews = data.draw(st.lists(st.integers(-50, 50), min_size=1, max_size=4))
    owners = data.draw(st.lists(st.integers(0, len(skews) - 1), max_size=12))
    picks = data.draw(st.lists(st.integers(0, 11), min_size=len(owners), max_size=len(owners)))
    with TemporaryDirectory() as folder:
        makers = [
            WorkerMaking(Path(folder) / str(i), i + 1, started=s) for i, s in enumerate(skews)
        ]
        named: list[int] = []
        for now, (owner, pick) in enumerate(zip(owners, picks, strict=True)):
            source = [named[pick % len(named)]] if named else []
            maker = makers[owner]
            own = [each & 0xFFFFFFFF if each >> 32 == maker.number else each for each in source]
            n = maker.page(f"{now}", now + skews[owner], sources=own)
            named.append(global_page_number(maker.number, n))
        paths = [maker.commit().close() for maker in makers]
        with closing(MergedNumbers()) as numbers:
            for told in events_in_order(find_worker_folders(paths)):
                if told.page is None:
                    continue
                number = numbers.enter(told.worker.number, told.page.url)
                assert number == numbers.pages
                for each in told.page.inlinks:
                    assert numbers.number_of(told.worker.number, each.source) < number
            assert numbers.pages == len(owners)


def test_numbers_of_pages_and_of_those_that_came_twice() -> None:
    with closing(MergedNumbers()) as numbers:
        assert [numbers.enter(1, "a"), numbers.enter(2, "b"), numbers.enter(2, "a")] == [1, 2, None]
        assert numbers.enter(1, "c") == 3
        assert (numbers.pages, numbers.pages_of(1), numbers.pages_of(2)) == (3, 2, 2)
        assert [numbers.kept(2, n) for n in (0, 1, 2, 3)] == [None, 2, None, None]
        assert [numbers.left_out(2, n) for n in (1, 2, 3)] == [False, True, False]
        assert numbers.number_of(2, 2) == numbers.number_of(1, global_page_number(2, 2)) == 1
        assert numbers.number_of(1, global_page_number(1, 2)) == 3, "its own, as others call it"
        assert numbers.number_of(1, global_page_number(5, 1)) == global_page_number(5, 1)
        assert numbers.number_of(2, 9) == global_page_number(2, 9), "lost"

"""Any place of a journal can be read, and what is found is what a reading of the whole finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.crawl_making import append, line, made_crawl, page
from scenthound.core.errors import FolderError
from scenthound.storage import journal as journal_places
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import JournalLine, JournalPage, open_journal, page_on_line

PAGES = 2_000


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = made_crawl(tmp_path_factory.mktemp("long") / "crawl", PAGES, stopped="budget spent")
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


def test_lines_and_pages_are_those_of_the_file(journal: Path) -> None:
    lines = slow_lines(journal)
    with open_journal(journal) as places:
        assert list(places.forward()) == lines
        assert list(places.backward()) == lines[::-1]
        assert [places.page(each.number) for each in slow_pages(journal)] == slow_pages(journal)
        assert [places.page(n) for n in (0, -1, PAGES + 1)] == [None] * 3


def test_reading_begins_at_the_next_whole_line(journal: Path) -> None:
    for place in [1, 777, 123_456, 500_000]:
        lines = slow_lines(journal)
        later = [each for each in lines if each.start >= place]
        earlier = [each for each in lines if each.end <= place]
        with open_journal(journal) as places:
            assert list(places.forward(place)) == later
            assert list(places.backward(place)) == earlier[::-1]
            assert list(places.forward(later[0].start, later[3].start)) == later[:3]


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


def test_points_are_the_first_pages_behind_even_places(journal: Path) -> None:
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


def test_a_short_journal(tmp_path: Path) -> None:
    path = CrawlFolder(made_crawl(tmp_path / "c", 5)).journal_path
    length = path.stat().st_size
    append(tmp_path / "c", {"event": "revised", "n": 5}, page(6), {"event": "revised", "n": 6})
    with path.open("a") as journal:
        journal.write(line(page(7))[:-30])
    with open_journal(path) as places:
        assert [each.number for each in places.pages()] == [1, 2, 3, 4, 5, 6]
        assert next(places.pages_backward()).number == 6
        assert places.page(7) is None and not places.starts_line(places.size)
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
    with pytest.raises(FolderError, match="cannot be read"), open_journal(tmp_path / "none"):
        pass

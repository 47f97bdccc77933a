from __future__ import annotations

import io
from pathlib import Path

import pytest

from scenthound.core.errors import TopicError
from scenthound.topics.seeds_file import MOST_WARNINGS, read_seeds, seeds_in


def read(tmp_path: Path, content: bytes) -> tuple[tuple[str, ...], list[str]]:
    path = tmp_path / "seeds.txt"
    path.write_bytes(content)
    told: list[str] = []
    return read_seeds(path, told.append), told


def test_a_url_a_line_with_comments_blanks_and_a_mark(tmp_path: Path) -> None:
    content = "\ufeffhttp://a.test/1 # mine\r\n\r\n  # all of it\n\t HTTP://B.test \n"
    assert read(tmp_path, content.encode()) == (("http://a.test/1", "http://b.test/"), [])


def test_a_fragment_is_no_comment_and_duplicates_count_once(tmp_path: Path) -> None:
    found, _ = read(tmp_path, b"http://a.test/1#top\nhttp://a.test/1\n")
    assert found == ("http://a.test/1",)


def test_junk_is_told_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    content = (
        b"http://a.test/\nftp://b.test/\nhttp://c.test/ http://d.test/\n\xff\xfe\nhttp://e.test"
    )
    found, told = read(tmp_path, content)
    assert found == ("http://a.test/", "http://e.test/")
    lines = [f"line {number} is left out" for number in (2, 3, 4)]
    assert all(line in text for line, text in zip(lines, told, strict=True))
    assert "'ftp://b.test/' is not an http or https URL" in told[0]


def test_after_ten_lines_of_junk_they_are_counted(tmp_path: Path) -> None:
    found, told = read(tmp_path, b"http://a.test/\n" + b"junk\n" * (MOST_WARNINGS + 7))
    assert found == ("http://a.test/",)
    assert len(told) == MOST_WARNINGS + 1
    assert "7 more lines" in told[-1]


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"junk\n", b"\x00\x01\x02"])
def test_a_file_without_a_url_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(TopicError, match="holds no URL"):
        read(tmp_path, content)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="No such file"):
        read_seeds(tmp_path / "none.txt", print)
    with pytest.raises(TopicError, match="Is a directory"):
        read_seeds(tmp_path, print)


def test_standard_input_is_read_alike() -> None:
    told: list[str] = []
    lines = io.StringIO("http://a.test/\nx\n")
    assert seeds_in(lines, "standard input", told.append) == ("http://a.test/",)
    assert told == ["standard input, line 2 is left out: 'x' is not an http or https URL"]

from __future__ import annotations

import io
import os
import threading
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
    assert told[-1].endswith("left out: 7")


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"junk\n", b"\x00\x01\x02"])
def test_a_file_without_a_url_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(TopicError, match="holds no URL"):
        read(tmp_path, content)


def test_a_row_of_a_table_is_told_once(tmp_path: Path) -> None:
    rows = b"http://a.test/\nhttp://a.test/1.html,storm\nhttp://a.test/2.html;wind and rain\n"
    found, told = read(tmp_path, rows.replace(b" and rain", b""))
    assert found[1] == "http://a.test/1.html%2Cstorm"
    assert len(told) == 1
    assert "line 2 looks like a row of a table" in told[0] and "(so in 2 lines)" in told[0]


def test_commas_that_belong_to_a_url_are_left_in_peace(tmp_path: Path) -> None:
    paths = ("0,1518,700.html", "x,y/z", "52,13", "x;jsessionid=ab", "?q=a,b", "x;p=1?q=a,b")
    lines = "\n".join(f"http://a.test/{path}" for path in paths)
    assert read(tmp_path, lines.encode())[1] == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_one_sentence(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(TopicError, match="is in UTF-16; save it as UTF-8"):
        read(tmp_path, "http://a.test/1\nhttp://b.test/2\n".encode(encoding))


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="No such file"):
        read_seeds(tmp_path / "none.txt", print)
    with pytest.raises(TopicError, match="Is a directory"):
        read_seeds(tmp_path, print)


def test_a_pipe_is_read_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"http://a.test/\n",))
    writer.start()
    assert read_seeds(pipe, print) == ("http://a.test/",)
    writer.join()


def test_standard_input_is_read_alike() -> None:
    told: list[str] = []
    lines = io.StringIO("http://a.test/\nx\n")
    assert seeds_in(lines, "standard input", told.append) == ("http://a.test/",)
    assert told == ["standard input, line 2 is left out: 'x' is not an http or https URL"]

"""Labels files: lines of URL, tab, topic, and errors that name file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.errors import LabelsError
from scenthound.experiments.labels import read_labels


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "labels.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_pages_by_topic(tmp_path: Path) -> None:
    content = (
        "HTTP://a.test\tstorms\n# a remark\n\nhttp://a.test/b\t storms \nhttp://a.test/\tfood\n"
    )
    labels = read_labels(written(tmp_path, content))
    assert labels.of("storms") == {"http://a.test/", "http://a.test/b"}
    assert labels.of("food") == {"http://a.test/"}


@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_byte_order_mark_and_windows_line_ends(tmp_path: Path, start: str, end: str) -> None:
    content = f"{start}http://a.test/\tstorms{end}http://a.test/b\tstorms{end}"
    assert len(read_labels(written(tmp_path, content)).of("storms")) == 2


def test_path_may_be_a_text(tmp_path: Path) -> None:
    assert read_labels(str(written(tmp_path, "http://a.test/\tstorms"))).of("storms")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("http://a.test/ storms", "expected URL, tab, topic"),
        ("http://a.test/\t", "expected URL, tab, topic"),
        ("http://a.test/\tstorms\t1", "expected URL, tab, topic"),
        ("a.test\tstorms", "not an http or https URL"),
        ("\tstorms", "the URL is empty"),
    ],
)
def test_bad_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = written(tmp_path, f"http://ok.test/\u2028\tx\n\n{line}\n")
    with pytest.raises(LabelsError) as caught:
        read_labels(path)
    message = str(caught.value)
    assert message.startswith(f"labels file {path}, line 3: ")
    assert says in message and "\n" not in message and message.endswith(".")


def test_unusable_files_are_named(tmp_path: Path) -> None:
    for path, says in (
        (tmp_path / "none.tsv", "No such file"),
        (tmp_path, "directory"),
        (written(tmp_path, b"http://a.test/\t\xff"), "not UTF-8"),
    ):
        with pytest.raises(LabelsError, match=says) as caught:
            read_labels(path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n\n", "# only a remark\n"])
def test_file_without_labels(tmp_path: Path, content: str) -> None:
    with pytest.raises(LabelsError, match=r"labels\.tsv is empty"):
        read_labels(written(tmp_path, content))


def test_topic_that_is_not_there_says_what_was_perhaps_meant(tmp_path: Path) -> None:
    labels = read_labels(written(tmp_path, "http://a.test/\tstorms\n"))
    with pytest.raises(LabelsError, match=r"labels\.tsv .*'storm'; did you mean 'storms'\?"):
        labels.of("storm")

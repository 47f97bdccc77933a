"""Files that a topic names: which they are, and where they are found from another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.model import Topic
from scenthound.topics.file import read_topic
from scenthound.topics.local_files import named_files, with_whole_paths

WORDS = ("http://a.test/b.html", "a text of storms, and of floods")


def test_example_pages_and_the_ontology_are_files() -> None:
    topic = Topic("storms", examples=("a.html", *WORDS, " ../b.txt"), ontology="o.owl")
    assert named_files(topic) == ["a.html", " ../b.txt", "o.owl"]
    assert named_files(Topic("storms", ("storm",), examples=WORDS)) == []


def test_whole_paths_stand_wherever_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    topic = Topic("s", examples=("a.html", *WORDS, " ../b.txt"), ontology="o.owl", file="t.toml")
    whole = with_whole_paths(topic)
    assert whole.examples == (f"{tmp_path}/a.html", *WORDS, f"{tmp_path}/../b.txt")
    assert (whole.ontology, whole.file) == (f"{tmp_path}/o.owl", f"{tmp_path}/t.toml")
    monkeypatch.chdir("/")
    assert with_whole_paths(whole) == whole


def test_a_topic_of_words_stays() -> None:
    topic = Topic("storms", ("storm",), examples=WORDS)
    assert with_whole_paths(topic) == topic and with_whole_paths(topic).file is None


def test_the_topic_file_read_by_its_whole_path_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "t.toml").write_text('name = "s"\nexamples = ["a.html", "../b.txt"]')
    monkeypatch.chdir(tmp_path)
    for name in ("in/t.toml", "in/../in/t.toml", "./in/t.toml"):
        whole = with_whole_paths(read_topic(name))
        assert whole.file is not None and read_topic(whole.file) == whole

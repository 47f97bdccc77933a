"""What a crawl knows of its topic is kept in its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing, Document
from scenthound.store.topic_file import NAME, read_briefing, write_briefing

texts = st.text(st.characters(exclude_categories=["Cs"]))
documents = st.builds(
    Document, texts, texts, texts, st.dictionaries(texts, texts, max_size=2), st.none() | texts
)
briefings = st.builds(
    Briefing,
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(documents, max_size=3).map(tuple),
    texts,
    st.none() | texts,
)


@given(briefing=briefings)
def test_a_briefing_comes_back(
    tmp_path_factory: pytest.TempPathFactory, briefing: Briefing
) -> None:
    folder = tmp_path_factory.getbasetemp()
    write_briefing(folder, briefing)
    assert read_briefing(folder) == briefing


def test_a_folder_without_one(tmp_path: Path) -> None:
    assert read_briefing(tmp_path) is None


def test_half_a_character_does_not_break_it(tmp_path: Path) -> None:
    write_briefing(tmp_path, Briefing("storms", ("st\ud800rm",), ()))
    assert read_briefing(tmp_path) == Briefing("storms", ("st?rm",), ())


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", "5", "null", "{}", '{"examples": 5, "keywords": []}', "[" * 100_000,
     '{"name": "x", "keywords": [], "examples": [{"titel": ""}]}',
     '{"name": "x", "keywords": [], "examples": [], "more": 1}'],
)  # fmt: skip
def test_damage_is_told(tmp_path: Path, damage: str) -> None:
    (tmp_path / NAME).write_text(damage)
    with pytest.raises(FolderError, match=r"topic\.json is damaged: .*; start a new crawl\."):
        read_briefing(tmp_path)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b'{"name": "\xff"}')
    with pytest.raises(FolderError, match="is damaged"):
        read_briefing(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"topic\.json cannot be written: No such file"):
        write_briefing(tmp_path / "gone", Briefing("storms", ("storm",), ()))


def test_what_was_there_stays_whole_where_writing_fails(tmp_path: Path) -> None:
    kept = Briefing("storms", ("storm",), (Document("title", "text"),))
    write_briefing(tmp_path, kept)
    with pytest.raises(TypeError):
        write_briefing(tmp_path, Briefing("storms", (object(),), ()))  # type: ignore[arg-type]
    assert read_briefing(tmp_path) == kept
    assert json.loads((tmp_path / NAME).read_text())["name"] == "storms"

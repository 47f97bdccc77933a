"""The concepts of a crawl, in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store.concepts_file import NAME, read_concepts, write_concepts


def test_what_is_kept_comes_back_in_its_order(tmp_path: Path) -> None:
    concepts = {"typhoon": 1.0, "storm surge": 0.1 + 0.2, "台风": 0.0}
    write_concepts(tmp_path, concepts)
    found = read_concepts(tmp_path)
    assert found == concepts and list(found) == list(concepts)


def test_a_folder_without_concepts(tmp_path: Path) -> None:
    assert read_concepts(tmp_path) is None


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "{", '{"a": "b"}', '{"a": null}', '{"a": -1}', '{"a": NaN}', "[" * 100_000],
)
def test_a_damaged_file_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    with pytest.raises(FolderError, match=r"concepts\.json is damaged"):
        read_concepts(tmp_path)


def test_a_folder_that_is_not_there_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="cannot be written"):
        write_concepts(tmp_path / "none", {"storm": 1.0})

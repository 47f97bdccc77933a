from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Topic
from scenthound.topics.file import read_topic
from scenthound.topics.writing import topic_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


def read_back(topic: Topic, folder: Path) -> Topic:
    path = folder / "t.toml"
    path.write_bytes(topic_text(topic).encode())
    return read_topic(path)


@given(name=TEXTS, keywords=st.lists(TEXTS, min_size=1), exclude=st.lists(st.text(max_size=5)))
def test_it_reads_back_as_the_same_topic(
    tmp_path_factory: pytest.TempPathFactory, name: str, keywords: list[str], exclude: list[str]
) -> None:
    topic = Topic(name, tuple(keywords), ("http://a.test/",), exclude=tuple(exclude))
    folder = tmp_path_factory.mktemp("written")
    assert read_back(topic, folder) == topic


def test_every_key_is_there_with_a_comment(tmp_path: Path) -> None:
    topic = Topic("storms", ("typhoon",), examples=("http://a.test/1",), language="de")
    text = topic_text(topic)
    assert read_back(topic, tmp_path) == topic
    for key in ("name", "language", "keywords", "seeds", "examples", "exclude"):
        before = text.split(f"\n{key} = ")[0].splitlines()[-1]
        assert before.startswith("# ")


def test_an_ontology_is_written_where_there_is_one(tmp_path: Path) -> None:
    topic = Topic("storms", ("typhoon",), ontology=str(tmp_path / 'a "b".owl'))
    assert read_back(topic, tmp_path) == topic
    assert "ontology" not in topic_text(Topic("storms", ("typhoon",)))

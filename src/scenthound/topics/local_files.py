"""The files that a topic names: example pages and its ontology."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scenthound.core.model import Topic
from scenthound.topics.file import is_file_name, is_url


def named_files(topic: Topic) -> list[str]:
    """Their names as the topic has them; none for one of words and addresses."""
    ontology = [topic.ontology] if topic.ontology else []
    return [*filter(_is_file, topic.examples), *ontology]


def with_whole_paths(topic: Topic) -> Topic:
    """The same topic, its files and its own found from every folder: names start at the root.

    Links and ``..`` stay as they are, so that reading the topic file again gives the same names.
    """
    return replace(
        topic,
        examples=tuple(_whole(each) if _is_file(each) else each for each in topic.examples),
        ontology=topic.ontology and _whole(topic.ontology),
        file=topic.file and _whole(topic.file),
    )


def _is_file(example: str) -> bool:
    return is_file_name(example) and not is_url(example)


def _whole(name: str) -> str:
    return str(Path(name.strip()).absolute())

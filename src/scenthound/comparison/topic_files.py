"""Topics that were given without a file get one, so that a comparison can be repeated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scenthound.comparison.grid import Grid
from scenthound.comparison.webs import Web
from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.store.atomic import write_bytes
from scenthound.store.folder import folder_name
from scenthound.topics.local_files import with_whole_paths
from scenthound.topics.writing import topic_text


def with_topic_files(grid: Grid, folder: Path) -> Grid:
    """The grid, with a file for every topic; those that have none are written to ``folder``.

    FolderError where that cannot be.
    """
    webs = tuple(replace(web, topics=_filed(web, folder)) for web in grid.webs)
    return replace(grid, webs=webs)


def _filed(web: Web, folder: Path) -> tuple[Topic, ...]:
    numbered = enumerate(web.topics, start=1)
    return tuple(
        topic if topic.file else _written(topic, folder / folder_name(web.name) / _name(n, topic))
        for n, topic in numbered
    )


def _name(number: int, topic: Topic) -> str:
    """Two names may be the same as the names of files."""
    return f"{number:02}-{folder_name(topic.name)}.toml"


def _written(topic: Topic, path: Path) -> Topic:
    topic = with_whole_paths(topic)  # names in a topic file are relative to that file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, topic_text(topic).encode())
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror or error}.") from None
    return replace(topic, file=str(path))

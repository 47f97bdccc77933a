"""What is crawled in a comparison: an archive, the topics that are looked for, their labels."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.labels import Labels, read_labels
from scenthound.topics.file import read_topic

_ENDINGS = (".gz", ".warc", ".wacz", ".zip")
_PATTERN = frozenset("*?[")


@dataclass(frozen=True)
class Web:
    """An archive with its topics; ``labels`` and ``labels_file`` are None where there are none.

    SettingsError for one without a topic, or with two of one name.
    """

    name: str
    archive: Path
    topics: tuple[Topic, ...]
    labels: Labels | None = None
    labels_file: Path | None = None

    def __post_init__(self) -> None:
        if not self.topics:
            raise SettingsError(f"web {self.name!r} has no topics; give topic files.")
        names = [topic.name for topic in self.topics]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SettingsError(f"topic {twice!r} is given twice; give each one once.")

    def topic(self, name: str) -> Topic:
        """The topic of this name."""
        return next(topic for topic in self.topics if topic.name == name)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it, with paths that are found from everywhere."""
        files = [str(Path(topic.file).resolve()) for topic in self.topics if topic.file]
        made: dict[str, object] = {
            "name": self.name,
            "archive": str(self.archive.resolve()),
            "topics": files,
        }
        if self.labels_file is not None:
            made["labels"] = str(self.labels_file.resolve())
        return made


def read_web(
    archive: Path, topics: Sequence[Topic | str | Path], labels: Path | None, name: str = ""
) -> Web:
    """A web with its files read; topics may be patterns such as ``topics/*.toml``.

    InputError of some kind for a file that cannot be used.
    """
    found: list[Topic] = []
    for each in topics:
        found += [each] if isinstance(each, Topic) else map(read_topic, _files(each))
    read = None if labels is None else read_labels(labels)
    return Web(name or web_name(archive), archive, tuple(found), read, labels)


def web_name(archive: Path) -> str:
    """What an archive is called: its file name without the endings.

    Examples
    --------
    >>> web_name(Path("webs/schools.warc.gz"))
    'schools'
    """
    name = archive.resolve().name
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    return name or "web"


def _files(pattern: str | Path) -> list[Path]:
    """The files that a pattern means, in the order of their names; a path means itself."""
    text = str(pattern)
    if not _PATTERN & set(text) or Path(text).exists():
        return [Path(text)]
    found = sorted(map(Path, glob.glob(text, recursive=True)))
    if not found:
        raise SettingsError(f"no topic file is called {text!r}; give the paths of topic files.")
    return found

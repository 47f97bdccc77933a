"""The folder that ``scenthound tune --out`` writes.

DIR/TOPIC/weights.toml    the weights, for --weights of crawl and replay
DIR/TOPIC/links.csv       the training and test links, or links.parquet
DIR/tuning.json           all figures of all topics
DIR/heat-map.svg, ...     the figures of the papers, each with its numbers as CSV
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.api.tuning import TunedTopic
from scenthound.cli.tune_options import LinksFormat
from scenthound.cli.tune_view import named
from scenthound.core.errors import SettingsError
from scenthound.store.atomic import write_json
from scenthound.store.folder import folder_name
from scenthound.tuning.figures import Drawn, draw_tuning


@dataclass(frozen=True)
class Asked:
    """What the figures do not say of how they were come by, for who wants to repeat it.

    ``topics`` are the topic files by the names of the topics; a crawl folder or a file of links
    has its own topic.
    """

    source: Path
    topics: Mapping[str, Path]
    wordnet: Path | None = None
    pdf: bool = False

    def to_json(self, topic: str) -> dict[str, object]:
        """What belongs to one topic, with whole paths."""
        file = self.topics.get(topic)
        return {
            "source": str(self.source.resolve()),
            "topic_file": None if file is None else str(file.resolve()),
            "wordnet": None if self.wordnet is None else str(self.wordnet.resolve()),
            "pdf": self.pdf,
        }


class TuningFolder:
    """Takes one tuned topic after the other; what is finished is on the disk."""

    def __init__(self, path: Path, format_: LinksFormat) -> None:
        self.path = path
        self.files: list[Path] = []
        """Those that were written, in order; figures are not among them."""
        self.topics: list[TunedTopic] = []
        """Those of which all was written."""
        self._format = format_
        self._figures = path / "tuning.json"

    def refuse_taken(self) -> None:
        """SettingsError if a tuning lies here, or if nothing can be written here."""
        with _told(self.path):
            taken = self._figures.exists() or any(self.path.glob("*/weights.toml"))
            above = next(
                path for path in (self.path, *self.path.absolute().parents) if path.exists()
            )
            if not above.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, f"{above} is no folder")
            if not os.access(above, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if taken:
            raise SettingsError(
                f"{self.path} holds a tuning already; choose another --out folder, or delete it."
            )

    def weights_path(self, topic: str) -> Path:
        """Where the weights of a topic are."""
        return self.path / folder_name(topic) / "weights.toml"

    def links_path(self, topic: str) -> Path:
        """Where its links are."""
        return self.path / folder_name(topic) / f"links.{self._format.value}"

    def write(self, newest: TunedTopic, asked: Asked) -> None:
        """The files of one more topic, and the figures of all."""
        topic = newest.tuning.topic
        links, weights = self.links_path(topic), self.weights_path(topic)
        with _told(self.path):
            weights.parent.mkdir(parents=True, exist_ok=True)
            newest.write_links(links)
            self.files.append(links)
            newest.write_weights(weights)
            self.files.append(weights)
            write_json(self._figures, figures([*self.topics, newest], asked))
        self.topics.append(newest)

    def draw(self) -> Drawn:
        """The figures of the papers, for the topics that were written."""
        return draw_tuning([each.tuning for each in self.topics], self.path)

    def told(self, tuned: Sequence[TunedTopic]) -> list[str]:
        """Which files of these topics there are, and of which there are not all: a line each."""
        kinds = f"TOPIC/weights.toml, TOPIC/links.{self._format.value}, tuning.json"
        lines = [f"written to {self.path}: {kinds}"] if self.topics else []
        missing = ", ".join(named(each.tuning) for each in tuned if each not in self.topics)
        return [*lines, f"not (fully) written: {missing}"] if missing else lines


def told_figures(drawn: Drawn) -> list[str]:
    """Which figures there are, and which are not, and why: a line each."""
    names = ", ".join(path.name for path in drawn.paths)
    lines = [f"figures there, each with its numbers as CSV: {names}"] if names else []
    return [*lines, *(f"no {name}: {reason}" for name, reason in drawn.left_out.items())]


def figures(tuned: Sequence[TunedTopic], asked: Asked) -> dict[str, object]:
    """What the results file holds."""
    return {
        "topics": [{**each.to_json(), "asked": asked.to_json(each.tuning.topic)} for each in tuned]
    }


def refuse_twins(topics: Iterable[str]) -> None:
    """SettingsError for two topics whose files would be the same."""
    seen: dict[str, str] = {}
    for topic in topics:
        name = folder_name(topic)
        if name in seen:
            raise SettingsError(
                f"topics {seen[name]!r} and {topic!r} would share the folder {name}; "
                "give each once, or rename one."
            )
        seen[name] = topic


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise SettingsError(f"--out {path}: {reason}; choose another folder.") from None

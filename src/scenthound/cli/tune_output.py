"""What ``scenthound tune`` prints, and the folder that it writes: weights and links of each
topic, all figures, the plots.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.text import Text

from scenthound.cli.screen import figure, plain, print_figures
from scenthound.core.errors import SettingsError
from scenthound.evaluation.training_links import CollectedLinks
from scenthound.evaluation.tune import TunedTopic
from scenthound.evaluation.tuning import Tuning, rounded_share
from scenthound.output.tuning_figures import Drawn, draw_tuning
from scenthound.storage.files import write_json
from scenthound.storage.folder import folder_name


class LinksFormat(StrEnum):
    """What training links are written as."""

    CSV = "csv"
    PARQUET = "parquet"


# How tunings are shown: weights, errors, and where the links came from.


_LEGEND = (
    "Errors: how far the priority of a link lies from the relevance of its page, on average; "
    "equal: with equal weights. of exact: fitness as a part of the best there is."
)


def print_tunings(tunings: Sequence[Tuning], screen: Console) -> None:
    """The weights and the errors, a row a topic, and their means where there are several."""
    _print_weights(tunings, screen)
    screen.print()
    _print_errors(tunings, screen)
    screen.print(_LEGEND, style="dim")


def named(tuning: Tuning) -> str:
    """The topic; links that somebody made may not say theirs."""
    return tuning.topic or "links"


def _print_weights(tunings: Sequence[Tuning], screen: Console) -> None:
    names = list(dict.fromkeys(name for tuning in tunings for name in tuning.names))
    rows = [
        (named(tuning), [figure(tuning.by_name.get(name)) for name in names]) for tuning in tunings
    ]
    print_figures("weights", "topic", names, rows, screen)


def _print_errors(tunings: Sequence[Tuning], screen: Console) -> None:
    columns = ("training", "equal", "better", "test", "equal", "better", "of exact")
    rows = [(named(tuning), _cells(_figures(tuning))) for tuning in tunings]
    if len(tunings) > 1:
        rows.append(("", []))
        rows.append(("mean", _cells(_means([_figures(tuning) for tuning in tunings]))))
    print_figures("mean absolute errors", "topic", columns, rows, screen)


Figures = tuple[float | None, ...]
"""Errors of training links, learned and equal, those of test links, share of the optimum."""


def _figures(tuning: Tuning) -> Figures:
    train = (tuning.train_error, tuning.train_error_equal) if tuning.train else (None, None)
    test = (tuning.test_error, tuning.test_error_equal) if tuning.test else (None, None)
    return (*map(_known, (*train, *test)), tuning.share)


def _known(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _means(rows: Sequence[Figures]) -> Figures:
    """Column by column, over the topics that have the figure."""
    columns = (
        [value for value in column if value is not None] for column in zip(*rows, strict=True)
    )
    return tuple(fmean(column) if column else None for column in columns)


def _cells(figures: Figures) -> list[str]:
    train, train_equal, test, test_equal, share = figures
    return [
        figure(train, 4), figure(train_equal, 4), _better(train, train_equal),
        figure(test, 4), figure(test_equal, 4), _better(test, test_equal),
        figure(None if share is None else rounded_share(share, 4), 4),
    ]  # fmt: skip


def _better(learnt: float | None, equal: float | None) -> str:
    """By how many per cent the error is smaller than with equal weights."""
    if learnt is None or equal is None or equal <= 0.0:
        return "-"
    return f"{100.0 * (1.0 - learnt / equal):.1f} %"


def links_text(tuning: Tuning, collected: CollectedLinks | None) -> Text:
    """How many links there were, where they came from, and what was left out."""
    described = f"{named(tuning)}: {tuning.train:,} training and {tuning.test:,} test links"
    if collected is None:
        return plain(f"{described}.")
    if tuning.train + tuning.test < collected.wanted:
        described += f" of the {collected.wanted:,} wanted"
    described += f" from {collected.fetched:,} pages"
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in collected.left_out.items() if n)
    return plain(f"{described}; targets left out: {reasons}." if reasons else f"{described}.")


# The folder that ``scenthound tune --out`` writes.
#
# DIR/TOPIC/weights.toml the weights, for --weights of crawl and replay DIR/TOPIC/links.csv the
# training and test links, or links.parquet DIR/tuning.json all figures of all topics DIR/heat-
# map.svg, ... the figures of the papers, each with its numbers as CSV


@dataclass(frozen=True)
class TuningRequest:
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

    def check_free(self) -> None:
        """SettingsError if a tuning lies here, or if nothing can be written here."""
        with _writing(self.path):
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

    def write(self, newest: TunedTopic, asked: TuningRequest) -> None:
        """The files of one more topic, and the figures of all."""
        topic = newest.tuning.topic
        links, weights = self.links_path(topic), self.weights_path(topic)
        with _writing(self.path):
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

    def described(self, tuned: Sequence[TunedTopic]) -> list[str]:
        """Which files of these topics there are, and of which there are not all: a line each."""
        kinds = f"TOPIC/weights.toml, TOPIC/links.{self._format.value}, tuning.json"
        lines = [f"written to {self.path}: {kinds}"] if self.topics else []
        missing = ", ".join(named(each.tuning) for each in tuned if each not in self.topics)
        return [*lines, f"not (fully) written: {missing}"] if missing else lines


def figure_lines(drawn: Drawn) -> list[str]:
    """Which figures there are, and which are not, and why: a line each."""
    names = ", ".join(path.name for path in drawn.paths)
    lines = [f"figures there, each with its numbers as CSV: {names}"] if names else []
    return [*lines, *(f"no {name}: {reason}" for name, reason in drawn.left_out.items())]


def figures(tuned: Sequence[TunedTopic], asked: TuningRequest) -> dict[str, object]:
    """What the results file holds."""
    return {
        "topics": [{**each.to_json(), "asked": asked.to_json(each.tuning.topic)} for each in tuned]
    }


def check_distinct_folders(topics: Iterable[str]) -> None:
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
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise SettingsError(f"--out {path}: {reason}; choose another folder.") from None

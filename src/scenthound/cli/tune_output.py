"""What ``scenthound tune`` prints, and the folder that it writes: weights and links of each
topic, all figures, the plots.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from statistics import fmean

from rich.console import Console

from scenthound.cli.screen import figure, print_figures
from scenthound.core.errors import SettingsError
from scenthound.evaluation.training_links import CollectedLinks
from scenthound.evaluation.tune import TunedTopic
from scenthound.evaluation.tuning_result import Tuning, rounded_share
from scenthound.output.tuning_figures import draw_tuning
from scenthound.storage.files import write_json
from scenthound.storage.folder import folder_name

_LEGEND = (
    "Errors: how far the priority of a link lies from the relevance of its page, on average; "
    "equal: with equal weights. of exact: fitness as a part of the best there is."
)
_ERRORS = ("training", "equal", "better", "test", "equal", "better", "of exact")
Figures = tuple[float | None, ...]
"""Errors of training links, learned and equal, those of test links, share of the optimum."""


class LinksFormat(StrEnum):
    """File formats of training links."""

    CSV = "csv"
    PARQUET = "parquet"


def print_tunings(tunings: Sequence[Tuning], screen: Console) -> None:
    """The weights and the errors, a row for each topic, and their means where there are several."""
    names = list(dict.fromkeys(name for tuning in tunings for name in tuning.names))
    weights = [
        (title(tuning), [figure(tuning.by_name.get(name)) for name in names]) for tuning in tunings
    ]
    print_figures("weights", "topic", names, weights, screen)
    screen.print()
    found = [_figures(tuning) for tuning in tunings]
    rows = [(title(tuning), _cells(each)) for tuning, each in zip(tunings, found, strict=True)]
    if len(tunings) > 1:  # means of the topics that have the figure
        columns = [[v for v in column if v is not None] for column in zip(*found, strict=True)]
        means = tuple(fmean(column) if column else None for column in columns)
        rows += [("", []), ("mean", _cells(means))]
    print_figures("mean absolute errors", "topic", _ERRORS, rows, screen)
    screen.print(_LEGEND, style="dim")


def title(tuning: Tuning) -> str:
    """The topic; a file of links may name none."""
    return tuning.topic or "links"


def _figures(tuning: Tuning) -> Figures:
    train = (tuning.train_error, tuning.train_error_equal) if tuning.train else (None, None)
    test = (tuning.test_error, tuning.test_error_equal) if tuning.test else (None, None)
    known = (
        value if value is not None and math.isfinite(value) else None for value in train + test
    )
    return (*known, tuning.share)


def _cells(figures: Figures) -> list[str]:
    *errors, share = figures
    cells = []
    for learned, equal in (errors[:2], errors[2:]):
        better = "-"
        if learned is not None and equal is not None and equal > 0.0:
            better = f"{100.0 * (1.0 - learned / equal):.1f} %"
        cells += [figure(learned, 4), figure(equal, 4), better]
    return [*cells, figure(None if share is None else rounded_share(share, 4), 4)]


def links_text(tuning: Tuning, collected: CollectedLinks | None) -> str:
    """How many links there were, where they came from, and what was left out."""
    text = f"{title(tuning)}: {tuning.train:,} training and {tuning.test:,} test links"
    if collected is None:
        return f"{text}."
    if tuning.train + tuning.test < collected.wanted:
        text += f" of the {collected.wanted:,} wanted"
    text += f" from {collected.fetched:,} pages"
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in collected.left_out.items() if n)
    return f"{text}; targets left out: {reasons}." if reasons else f"{text}."


class TuningFolder:
    """Takes one tuned topic after the other; what is finished is on the disk.

    - ``DIR/TOPIC/weights.toml``: the weights, for ``--weights`` of crawl and replay
    - ``DIR/TOPIC/links.csv`` or ``links.parquet``: the training and test links
    - ``DIR/tuning.json``: all figures of all topics
    - ``DIR/heat-map.svg`` and others: the figures of the papers, each with its numbers as CSV
    """

    def __init__(self, path: Path, format_: LinksFormat) -> None:
        self.path = path
        self.topics: list[TunedTopic] = []
        """Those that were written."""
        self._format = format_
        self._figures = path / "tuning.json"

    def check_free(self) -> None:
        """Raise SettingsError if a tuning lies here, or if nothing can be written here."""
        with self._writing():
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

    def write(self, newest: TunedTopic, asked: Mapping[str, object]) -> None:
        """Write the files of one more topic, and the figures of all."""
        weights = self.weights_path(newest.tuning.topic)
        with self._writing():
            weights.parent.mkdir(parents=True, exist_ok=True)
            newest.write_links(weights.with_name(f"links.{self._format.value}"))
            newest.write_weights(weights)
            write_json(self._figures, figures([*self.topics, newest], asked))
        self.topics.append(newest)

    def lines(self, tuned: Sequence[TunedTopic]) -> Iterator[str]:
        """Which files of these topics were written and which were not; draws the plots last."""
        if self.topics:
            files = f"TOPIC/weights.toml, TOPIC/links.{self._format.value}, tuning.json"
            yield f"written to {self.path}: {files}"
        missing = ", ".join(title(each.tuning) for each in tuned if each not in self.topics)
        if missing:
            yield f"not (fully) written: {missing}"
        if self.topics:
            drawn = draw_tuning([each.tuning for each in self.topics], self.path)
            if drawn.paths:
                names = ", ".join(path.name for path in drawn.paths)
                yield f"figures there, each with its numbers as CSV: {names}"
            yield from (f"no {name}: {reason}" for name, reason in drawn.left_out.items())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or "cannot be written"
            raise SettingsError(f"--out {self.path}: {reason}; choose another folder.") from None


def figures(tuned: Sequence[TunedTopic], asked: Mapping[str, object]) -> dict[str, object]:
    """The content of the results file; ``asked`` by topic is how the figures can be repeated."""
    return {"topics": [topic_figures(each, asked) for each in tuned]}


def topic_figures(tuned: TunedTopic, asked: Mapping[str, object]) -> dict[str, object]:
    """The figures of one topic there."""
    return {**tuned.to_json(), "asked": asked[tuned.tuning.topic]}

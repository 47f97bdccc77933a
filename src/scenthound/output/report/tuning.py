"""The report of a tuning: the weights of each topic, their errors against equal weights, and the
commands that use and repeat them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from scenthound.core.errors import FolderError
from scenthound.evaluation.tuning_result import Tuning, rounded_share
from scenthound.output.plots.tuning import TUNING_FIGURES
from scenthound.output.report.document import (
    Block,
    Code,
    Column,
    Document,
    Fact,
    Facts,
    Paragraph,
    Plot,
    Plots,
    Section,
    format_number,
    make_table,
    shorten,
)
from scenthound.similarity.link_priority import STRUCTURE
from scenthound.storage.folder import CrawlFolder, folder_name
from scenthound.strategies.catalogue import STRATEGIES

_LARGEST = 50_000_000
Stored = Mapping[str, Any]


class StoredTuning(NamedTuple):
    """A tuning, and where its links come from, as far as its file says.

    ``collected`` is empty for links that were collected before; ``asked`` has the archive, crawl
    folder or file of links, and the topic file. Files of older versions lack it.
    """

    tuning: Tuning
    collected: Stored
    asked: Stored

    @property
    def source(self) -> Path | None:
        """The archive, the crawl or the links; None where it is unknown."""
        return Path(self.asked["source"]) if self.asked.get("source") else None

    @property
    def model_options(self) -> list[str]:
        """What was set of the text model, as options."""
        return _set_options(self.tuning.model, self.collected.get("parameters") or {})


def read_tunings(path: Path) -> list[StoredTuning]:
    """The tunings in a ``tuning.json``, in its order; FolderError where it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise FolderError(f"{path} is too large for the figures of a tuning.")
        return [stored_tuning(each) for each in json.loads(path.read_bytes())["topics"]]
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise FolderError(f"{path} is damaged, or not what 'scenthound tune' writes.") from None


def stored_tuning(stored: Stored) -> StoredTuning:
    """One entry of a ``tuning.json``; see :meth:`.Tuning.from_json` for damage."""
    others = (dict(stored.get(key) or {}) for key in ("collected", "asked"))
    return StoredTuning(Tuning.from_json(stored), *others)


# What it takes to use the weights of a tuning, and to learn them again.


def repeat_blocks(folder: Path, stored: Sequence[StoredTuning]) -> list[Code]:
    """For each topic a command that crawls with its weights, and one that learns them again."""
    blocks: list[Code] = []
    for each in stored:
        name = shorten(each.tuning.topic)
        blocks.append(Code(f"To crawl with the weights of {name}", use_command(folder, each)))
        if each.source is not None:
            caption = f"To learn those of {name} again"
            blocks.append(Code(caption, learn_command(folder, each)))
    return blocks


def use_command(folder: Path, stored: StoredTuning) -> str:
    """What was an archive is replayed; otherwise the live web is crawled."""
    model, source = stored.tuning.model, stored.source
    path = folder.resolve() / folder_name(stored.tuning.topic) / "weights.toml"
    topic = stored.asked.get("topic_file") or "TOPIC.toml"
    if source is not None and stored.collected and not CrawlFolder(source).spec_path.is_file():
        words = ["replay", str(source), "--topic", topic]
    else:
        words = ["crawl", "--topic", topic, "--out", f"{folder.resolve().name}-crawl"]
    options = ["--strategy", model, *stored.model_options] if model in STRATEGIES else []
    return shlex.join(["scenthound", *words, *options, "--weights", str(path)])


def learn_command(folder: Path, stored: StoredTuning) -> str:
    """The same tuning, of this topic alone; links that were collected before are only read."""
    tuning, asked = stored.tuning, stored.asked
    words = ["scenthound", "tune", str(stored.source)]
    if stored.collected:
        given = {
            "--topic": asked.get("topic_file"),
            "--model": tuning.model,
            "--links": str(stored.collected.get("wanted") or tuning.train + tuning.test),
            "--wordnet": asked.get("wordnet"),
        }
        words += [word for option, value in given.items() if value for word in (option, value)]
        words += ["--structure"] if set(STRUCTURE) & set(tuning.names) else []
        words += ["--pdf"] if asked.get("pdf") else []
        words += stored.model_options
    words += ["--optimiser", tuning.optimiser, "--random-seed", str(tuning.seed)]
    words += _set_options(tuning.optimiser, tuning.parameters)
    out = f"{folder.resolve().name}-again-{folder_name(tuning.topic)}"
    return shlex.join([*words, "--out", out])


def _set_options(table: str, parameters: Mapping[str, object]) -> list[str]:
    pairs = (f"{table}.{name}={json.dumps(value)}" for name, value in parameters.items())
    return [word for pair in pairs for word in ("--set", pair)]


_Tunings = Sequence[Tuning]
_EMPTY = "No topic was tuned."
_AVERAGES = (
    "Errors in the table are means over links. The plot by groups has the mean of each group of "
    "consecutive test links, and its legend the mean over groups, each of which counts once: where "
    "groups are of different sizes these differ a little."
)


def tuning_document(folder: Path) -> Document:
    """The report of the tuning in a folder; FolderError where there is none."""
    stored = read_tunings(folder / "tuning.json")
    tunings = [each.tuning for each in stored]
    title = ", ".join(shorten(each.topic, 40) for each in tunings[:4])
    more = f" and {len(tunings) - 4} more" if len(tunings) > 4 else ""
    sections = [
        Section("summary", "Summary", tuple(_summary(tunings))),
        Section("weights", "Weights", tuple(_weights(tunings))),
        Section("errors", "Errors against equal weights", tuple(_errors(tunings))),
        Section("repeat", "To use and repeat it", tuple(repeat_blocks(folder, stored))),
    ]
    state = f"{len(tunings)} topic{'' if len(tunings) == 1 else 's'}"
    return Document("Tuning", f"Link weights for {title or 'nothing'}{more}", state,
                    tuple(sections))  # fmt: skip


def _summary(tunings: _Tunings) -> list[Block]:
    if not tunings:
        return [Paragraph(_EMPTY, warns=True)]
    better = sum(each.gain > 0.0 for each in tunings)
    links = sum(each.train + each.test for each in tunings)
    facts = [
        Fact("topics", format_number(len(tunings))),
        Fact("better than equal weights", f"{better} of {len(tunings)}", "by the test error"),
        Fact("model", shorten(", ".join(sorted({each.model or "-" for each in tunings})))),
        Fact("optimiser", shorten(", ".join(sorted({each.optimiser for each in tunings})))),
        Fact("links", format_number(links), "train and test"),
        Fact("seconds", format_number(sum(each.seconds for each in tunings), 1)),
    ]
    doubts = [Paragraph(f"{each.topic}: {doubt}", warns=True)
              for each in tunings for doubt in each.doubts]  # fmt: skip
    return [Facts(tuple(facts)), *doubts]


def _weights(tunings: _Tunings) -> list[Block]:
    if not tunings:
        return [Paragraph(_EMPTY)]
    names = list(dict.fromkeys(name for each in tunings for name in each.names))
    columns: list[str | Column] = ["topic:", *map(Column, names)]
    learned, exact = [], []
    for each in tunings:
        topic, best = shorten(each.topic), dict(zip(each.names, each.exact_weights, strict=True))
        share = "-" if each.share is None else f"{rounded_share(each.share, 4):.4f}"
        learned.append([topic, *map(each.by_name.get, names), share, each.evaluations])
        exact.append([topic, *map(best.get, names)])
    more = ["share of the exact optimum", "evaluations"]
    return [
        make_table("Learned", [*columns, *more], learned),
        make_table("Those of the exact optimum", columns, exact),
    ]


def _errors(tunings: _Tunings) -> list[Block]:
    errors = ("error, learned", "error, equal")
    gain = Column("gain", meaning="by which part the test error is smaller")
    columns = ("topic:", "train links", *errors, "test links", *errors, gain)
    rows: list[tuple[str | int, ...]] = []
    for each in tunings:
        train = [format_number(error, 4) for error in (each.train_error, each.train_error_equal)]
        test = [format_number(error, 4) for error in (each.test_error, each.test_error_equal)]
        gain_text = f"{each.gain:+.1%}"
        rows.append((shorten(each.topic), each.train, *train, each.test, *test, gain_text))
    plots = tuple(
        Plot(
            each.name,
            each.title,
            f"{each.title}, for {len(tunings)} topics; the CSV file has the numbers.",
            each.columns,
            numbers,
            partial(each.draw, tunings),
            wide=True,
        )
        for each in TUNING_FIGURES
        if (numbers := each.rows(tunings))
    )
    drawn: list[Block] = [Paragraph("There is nothing to draw.")]
    if plots:
        drawn = [Paragraph(_AVERAGES), Plots(plots)]
    caption = "Mean absolute errors of the priorities, over links"
    return [make_table(caption, columns, rows), *drawn]

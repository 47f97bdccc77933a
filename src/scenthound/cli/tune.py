"""``scenthound tune``: learn how much each text of a link weighs.

:func:`tune_topics` finds out what the source is (an archive, a crawl folder, a file of links) and
yields one tuned topic after the other, so that each is written before the next begins. The
learning is in ``evaluation.tune``.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryFile
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.settings import assignment, naming_option
from scenthound.cli.topic_options import warn_skipped
from scenthound.core.command_options import TuneOptions
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.crawler.replay_plan import check_distinct
from scenthound.evaluation import tune as tuning_api
from scenthound.evaluation.link_collection import default_model, is_crawl_folder, opened_archive
from scenthound.evaluation.training_links import CollectedLinks, is_links_name, read_links
from scenthound.evaluation.tune import TunedTopic
from scenthound.evaluation.tuning_result import Tuning, rounded_share
from scenthound.output.plots.tuning import draw_tuning
from scenthound.output.report.tuning import stored_tuning, use_command
from scenthound.papers.optimiser_catalogue import EXACT, NAMES, check_optimiser
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive
from scenthound.storage.files import os_errors_as, require_parquet, write_json
from scenthound.storage.folder import folder_name
from scenthound.strategies.text_model_builders import TEXT_MODELS

_LEGEND = (
    "Errors: how far the priority of a link lies from the relevance of its page, on average; "
    "equal: with equal weights. of exact: fitness as a part of the best there is."
)
_ERRORS = ("training", "equal", "better", "test", "equal", "better", "of exact")
Figures = tuple[float | None, ...]
"""Errors of training links, learned and equal, those of test links, share of the optimum."""
_UNITS = {tuning_api.COLLECTING: (1.0, "links"), tuning_api.LEARNING: (100.0, "%")}


class Parameters(NamedTuple):
    """Values of ``--set``, checked: those of the text model and those of the optimiser."""

    model: dict[str, Value]
    optimiser: dict[str, Value]


def set_parameters(assignments: Sequence[str], model: str | None, optimiser: str) -> Parameters:
    """The parameters that the options set, for this model (None: links are read) and optimiser.

    UnknownNameError for an unknown model or optimiser, SettingsError for an option that sets
    something else, or a key or value that the model or optimiser does not take.
    """
    check_optimiser(optimiser, {})
    text_model = None if model is None else TEXT_MODELS[model]
    found = Parameters({}, {})
    for text in assignments:
        table, key, value = assignment(text)
        with naming_option(text):
            if text_model is not None and table == text_model.name:
                found.model.update(text_model.check({key: value}))
            elif table == optimiser:
                found.optimiser.update(check_optimiser(optimiser, {key: value}))
            else:
                settable = [
                    f"{name}.KEY" for name in (model, optimiser) if name not in (None, EXACT)
                ]
                raise SettingsError(
                    f"{table!r} is not in use; what can be set is "
                    f"{' and '.join(settable) or 'nothing here'}."
                )
    return found


# Where the links come from: an archive, a crawl folder, a file of links.


def is_links_file(source: Path) -> bool:
    """Is this a table of links? SettingsError where there is nothing at all."""
    if not os.path.exists(source):
        raise SettingsError(
            f"{source} does not exist; give an archive, a crawl folder or a file of links."
        )
    return is_links_name(source) and not source.is_dir()


def tune_topics(
    source: Path,
    topics: Sequence[Topic],
    options: TuneOptions,
    parameters: Parameters,
    progress: Progress,
) -> Iterator[TunedTopic]:
    """One topic after the other; by default the one of the file or the crawl folder."""

    def tune_topic(archive: Path | Archive, topic: Topic | None) -> TunedTopic:
        name = "" if topic is None else topic.name
        with ui.stage_bar(progress, _UNITS, name, "reading the topic") as on_progress:
            return tuning_api.tune(
                archive,
                topic,
                parameters=parameters.model,
                optimiser_parameters=parameters.optimiser,
                on_progress=on_progress,
                **options.model_dump(exclude_none=True),
            )

    if is_links_file(source):
        with ui.stage_bar(progress, first="reading the links"):
            links = read_links(source)
        first = tuning_api.LEARNING
        with ui.stage_bar(progress, _UNITS, links.topic, first) as on_progress:
            tuning = tuning_api.tune_links(
                links, options.optimiser, parameters=parameters.optimiser,
                random_seed=options.random_seed, on_progress=on_progress,
            )  # fmt: skip
        yield TunedTopic(tuning, links)
    elif is_crawl_folder(source):
        yield from (tune_topic(source, topic) for topic in topics or (None,))
    else:
        with ui.reading_bar(progress, source.name) as on_bytes:
            opened = opened_archive(source, on_bytes)
        with opened as archive:
            if not topics:
                raise SettingsError(
                    f"{source} has no topic of its own; give one with --topic T.toml."
                )
            warn_skipped(archive)
            yield from (tune_topic(archive, topic) for topic in topics)


# What is printed.


def print_tunings(tunings: Sequence[Tuning], screen: Console) -> None:
    """The weights and the errors, a row for each topic, and their means where there are several."""
    names = list(dict.fromkeys(name for tuning in tunings for name in tuning.names))
    weights = [
        (title(tuning), [ui.figure(tuning.by_name.get(name)) for name in names])
        for tuning in tunings
    ]
    ui.print_figures("weights", "topic", names, weights, screen)
    screen.print()
    found = [_figures(tuning) for tuning in tunings]
    rows = [(title(tuning), _cells(each)) for tuning, each in zip(tunings, found, strict=True)]
    if len(tunings) > 1:  # means of the topics that have the figure
        columns = [[v for v in column if v is not None] for column in zip(*found, strict=True)]
        means = tuple(fmean(column) if column else None for column in columns)
        rows += [("", []), ("mean", _cells(means))]
    ui.print_figures("mean absolute errors", "topic", _ERRORS, rows, screen)
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
        cells += [ui.figure(learned, 4), ui.figure(equal, 4), better]
    return [*cells, ui.figure(None if share is None else rounded_share(share, 4), 4)]


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


# The folder that is written: weights and links of each topic, all figures, the plots.


class LinksFormat(StrEnum):
    """File formats of training links."""

    CSV = "csv"
    PARQUET = "parquet"


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
            above = (self.path, *self.path.absolute().parents)
            TemporaryFile(dir=next(path for path in above if path.exists())).close()
        if taken:
            raise SettingsError(
                f"{self.path} holds a tuning already; choose another --out folder, or delete it."
            )

    def write(self, newest: TunedTopic, asked: Mapping[str, object]) -> None:
        """Write the files of one more topic, and the figures of all."""
        weights = self.path / folder_name(newest.tuning.topic) / "weights.toml"
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

    def _writing(self) -> AbstractContextManager[None]:
        return os_errors_as(SettingsError, f"--out {self.path}", "; choose another folder")


def figures(tuned: Sequence[TunedTopic], asked: Mapping[str, object]) -> dict[str, object]:
    """The content of the results file; ``asked`` by topic is how the figures can be repeated."""
    return {"topics": [topic_figures(each, asked) for each in tuned]}


def topic_figures(tuned: TunedTopic, asked: Mapping[str, object]) -> dict[str, object]:
    """The figures of one topic there."""
    return {**tuned.to_json(), "asked": asked[tuned.tuning.topic]}


# ``scenthound tune``.


@opt.with_options(
    *("model", "optimiser", "links", "structure", "random_seed", "wordnet", "cache"),
    *("cache_limit", "pdf"),
    models=(TuneOptions,),
    spelled={"model": "--model -m"},
    choices={"model": TEXT_MODELS, "optimiser": NAMES},
)
def tune(
    source: Path = opt.argument(
        "SOURCE", "Archive, crawl folder, or a file of links that --out wrote."
    ),
    topic: list[Path] | None = opt.option(
        "T.toml", "Topic file; may be repeated. [default: that of the crawl]", "--topic -t"
    ),
    assignments: list[str] | None = opt.option(
        "TABLE.KEY=VALUE", "Parameter, e.g. mcoa.generations=500; may be repeated.", "--set"
    ),
    out: Path | None = opt.option("DIR", "Folder for weights, links and figures.", "--out -o"),
    format_: LinksFormat | None = opt.option(
        "", "File format of the links. [default: csv]", "--format -f"
    ),
    *,
    given: opt.Given,
    as_json: bool = opt.AS_JSON,
    quiet: bool = opt.switch("--quiet -q", "Print no progress and no tables."),
) -> None:
    """Learn how much each text of a link weighs, for a topic, from links whose pages are known.

    Prints the weights and how much better they are than equal ones on links not learned from.
    """
    folder = None if out is None else TuningFolder(out, format_ or LinksFormat.CSV)
    _check_target(folder, format_)
    values = dict(given)
    from_file = is_links_file(source)
    if from_file:
        _reject_unused(source, {"topic": topic, **values})
    values.setdefault("model", default_model(source))
    options = TuneOptions(**values)
    model = None if from_file else options.model
    parameters = set_parameters(assignments or [], model, options.optimiser)
    topics = [read_topic(path) for path in topic or []]
    asked = _request(source, zip(topics, topic or [], strict=True), options)
    done: list[TunedTopic] = []
    try:
        with ui.bars(ui.notices(), quiet) as progress:
            for each in tune_topics(source, topics, options, parameters, progress):
                done.append(each)
                for doubt in each.tuning.doubts:
                    ui.print_warning(f"{title(each.tuning)}: {doubt}")
                if folder is not None:
                    folder.write(each, asked)
    except KeyboardInterrupt:
        kept = folder is not None and any(folder.path.glob("*/links.*"))
        result = "what was written so far is kept" if kept else "nothing was written"
        ui.print_error(f"interrupted; {result}.")
        raise ui.CommandExit(ui.INTERRUPTED_CODE) from None
    finally:  # whatever ends the work, what is finished is shown
        if done and as_json:
            ui.print_json(figures(done, asked), ensure_ascii=False)
        if done:
            _print(done, folder, silent=as_json or quiet)
    if not (as_json or quiet):
        advice = "To use the weights, write them to a file with --out DIR."
        if folder is not None:
            first = stored_tuning(topic_figures(done[0], asked))
            advice = f"Use the weights: {use_command(folder.path, first)}"
        ui.say(advice, ui.output())


def _request(
    source: Path, topics: Iterable[tuple[Topic, Path]], options: TuneOptions
) -> Mapping[str, object]:
    """By topic, what the figures do not say of how they can be repeated, with absolute paths.

    A crawl folder or a file of links has its own topic, and no topic file. SettingsError for two
    topics whose files would be the same.
    """

    def request(file: Path | None = None) -> dict[str, object]:
        return {
            "source": str(source.resolve()),
            "topic_file": None if file is None else str(file.resolve()),
            "wordnet": None if options.wordnet is None else str(Path(options.wordnet).resolve()),
            "pdf": options.pdf,
        }

    asked: defaultdict[str, object] = defaultdict(request)
    folders = []
    for topic, path in topics:
        folders.append(folder_name(topic.name))
        asked[topic.name] = request(path)
    check_distinct(folders, "topic folder", ", or rename a topic")
    return asked


def _check_target(folder: TuningFolder | None, format_: LinksFormat | None) -> None:
    """Find out before the work that nothing could be written."""
    if format_ is not None and folder is None:
        raise SettingsError("--format is about the links that --out writes; give --out too.")
    if format_ is LinksFormat.PARQUET:
        require_parquet()
    if folder is not None:
        folder.check_free()


def _reject_unused(source: Path, given: Mapping[str, object]) -> None:
    """Options that have no effect on a file of links are an error."""
    used = ("optimiser", "random_seed")
    unused = [key for key, value in given.items() if key not in used and value not in (None, [])]
    if names := " and ".join(map(opt.option_name, unused)):
        raise SettingsError(
            f"the links in {source} are collected already, and {names} would not be "
            "used; drop it, or give an archive or a crawl folder."
        )


def _print(done: Sequence[TunedTopic], folder: TuningFolder | None, silent: bool) -> None:
    """Figures to stdout, and which files were written; the plots are last, as they may fail too."""
    if not silent:
        print_tunings([each.tuning for each in done], ui.output())
        for each in done:
            ui.say(links_text(each.tuning, each.collected), ui.output())
    for line in () if folder is None else folder.lines(done):
        if not silent:
            ui.say(line, ui.output())

"""``scenthound tune``: learn how much each text of a link weighs."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from scenthound.cli.options import warn_skipped, with_options
from scenthound.cli.results import INTERRUPTED_CODE, CommandExit
from scenthound.cli.screen import (
    bars,
    notices,
    output,
    plain,
    print_error,
    print_warning,
    reading_bar,
)
from scenthound.cli.settings import OptionValue, assignment, masked_assignment, option_values
from scenthound.cli.tune_output import (
    LinksFormat,
    TuningFolder,
    TuningRequest,
    check_distinct_folders,
    figure_lines,
    figures,
    links_text,
    named,
    print_tunings,
)
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.core.options import TuneOptions
from scenthound.core.parameters import Value
from scenthound.crawler.arguments import command
from scenthound.evaluation import tune as tuning_api
from scenthound.evaluation.links_file import is_links_name
from scenthound.evaluation.tune import (
    COLLECTING,
    LEARNING,
    OnTuning,
    TunedTopic,
    default_model,
    is_crawl_folder,
    opened_archive,
)
from scenthound.papers import optimiser_catalogue
from scenthound.papers.optimiser_catalogue import NAMES
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive
from scenthound.storage.files import require_parquet
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.text_models import TEXT_MODELS

# fmt: off
SourcePath = Annotated[
    Path,
    typer.Argument(
        metavar="SOURCE", help="Archive, crawl folder, or a file of links that --out wrote.",
        show_default=False,
    ),
]

TopicFiles = Annotated[
    list[Path] | None,
    typer.Option("--topic", "-t", metavar="T.toml",
                 help="Topic file; may be repeated. [default: the topic of the crawl folder]"),
]

Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="A parameter of the model or the "
                 "optimiser, e.g. mcoa.generations=500; may be repeated."),
]

OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Write weights, links and figures there."),
]

Format = Annotated[
    LinksFormat | None,
    typer.Option("--format", "-f", help="Write the links as this. [default: csv]"),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables.")]

# fmt: on


# What ``--set`` of ``scenthound tune`` sets: parameters of the text model and the optimiser.


@dataclass(frozen=True)
class Parameters:
    """Values by key, checked."""

    model: dict[str, Value]
    optimiser: dict[str, Value]


def set_parameters(assignments: Sequence[str], model: str | None, optimiser: str) -> Parameters:
    """The parameters that the options set, for this model (None: no model is asked) and optimiser.

    Raises
    ------
    UnknownNameError
        There is no such model or optimiser.
    SettingsError
        An option is about another part, or about a key or value that the part does not take.
    """
    optimiser_catalogue.check_optimiser(optimiser, {})
    text_model = None if model is None else TEXT_MODELS[model]
    found = Parameters({}, {})
    for text in assignments:
        table, key, value = assignment(text)
        with _naming(text):
            if text_model is not None and table == text_model.name:
                found.model.update(text_model.check({key: value}))
            elif table == optimiser:
                found.optimiser.update(optimiser_catalogue.check_optimiser(optimiser, {key: value}))
            else:
                raise SettingsError(_unused_reason(table, model, optimiser))
    return found


@contextmanager
def _naming(text: str) -> Iterator[None]:
    """Every error says which option it is about."""
    try:
        yield
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"{masked_assignment(text)}: {error}") from None


def _unused_reason(table: str, model: str | None, optimiser: str) -> str:
    """Why a table is not looked at, and what to do."""
    if model is None and table in TEXT_MODELS:
        return "a file of links has its similarities already; drop the option."
    for kind, names in (("model", TEXT_MODELS), ("optimiser", optimiser_catalogue.NAMES)):
        if table in names:
            return f"{kind} {table!r} is not in use; give --{kind} {table}, or drop the option."
    settable = [
        name for name in (model, optimiser) if name not in (None, optimiser_catalogue.EXACT)
    ]
    tables = " and ".join(f"{name}.KEY" for name in settable) or "nothing here"
    return f"{table!r} is neither the model nor the optimiser; what can be set is {tables}."


# Where ``scenthound tune`` takes its links from: an archive, a crawl folder, a file of links.


_PER_CENT = 100


def is_links_file(source: Path) -> bool:
    """Is this a table of links? Archives are never called so.

    SettingsError where there is nothing at all.
    """
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
    if is_links_file(source):
        yield _tune_file(source, options, parameters, progress)
    elif is_crawl_folder(source):
        own: list[Topic | None] = [None]
        yield from (
            _tune_topic(source, topic, options, parameters, progress) for topic in topics or own
        )
    else:
        yield from _tune_archive(source, topics, options, parameters, progress)


def _tune_file(
    source: Path, options: TuneOptions, parameters: Parameters, progress: Progress
) -> TunedTopic:
    with _bar(progress, "", "reading the links"):
        links = tuning_api.read_links(source)
    with _bar(progress, links.topic, LEARNING) as on_progress:
        tuning = tuning_api.tune_links(
            links, options.optimiser, parameters=parameters.optimiser,
            random_seed=options.random_seed, on_progress=on_progress,
        )  # fmt: skip
    return TunedTopic(tuning, links)


def _tune_archive(
    source: Path,
    topics: Sequence[Topic],
    options: TuneOptions,
    parameters: Parameters,
    progress: Progress,
) -> Iterator[TunedTopic]:
    with reading_bar(progress, source.name) as on_bytes:
        opened = opened_archive(source, on_bytes)
    with opened as archive:
        if not topics:
            raise SettingsError(f"{source} has no topic of its own; give one with --topic T.toml.")
        warn_skipped(archive)
        yield from (_tune_topic(archive, topic, options, parameters, progress) for topic in topics)


def _tune_topic(
    source: Path | Archive,
    topic: Topic | None,
    options: TuneOptions,
    parameters: Parameters,
    progress: Progress,
) -> TunedTopic:
    name = "" if topic is None else topic.name
    with _bar(progress, name, "reading the topic") as on_progress:
        return tuning_api.tune(
            source,
            topic,
            parameters=parameters.model,
            optimiser_parameters=parameters.optimiser,
            on_progress=on_progress,
            **options.model_dump(exclude_none=True),
        )


@contextmanager
def _bar(progress: Progress, topic: str, first: str) -> Iterator[OnTuning]:
    """One bar for each stage, which goes when the next one comes; ``first`` is what comes first."""
    name = f"{plain(topic).plain}: " if topic else ""
    task = progress.add_task(f"{name}{first}", total=None, found="")
    drawn = ""

    def on_progress(stage: str, done: float, total: float) -> None:
        nonlocal drawn
        scale, unit = (1, "links") if stage == COLLECTING else (_PER_CENT, "%")
        if stage != drawn:
            progress.reset(task, total=total * scale, description=name + stage, found=unit)
            drawn = stage
        progress.update(task, completed=int(done * scale))

    yield on_progress
    progress.remove_task(task)


_MODELS = (TuneOptions,)


@with_options(
    *("model", "optimiser", "links", "structure", "random_seed", "wordnet", "cache"),
    *("cache_limit", "pdf"),
    models=_MODELS,
    spelled={"model": "--model -m"},
    choices={"model": TEXT_MODELS, "optimiser": NAMES},
)
def tune(
    source: SourcePath,
    topic: TopicFiles = None,
    assignments: Assignments = None,
    out: OutFolder = None,
    format_: Format = None,
    *,
    given: Mapping[str, OptionValue],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Learn how much each text of a link weighs, for a topic, from links whose pages are known.

    Prints the weights and how much better they are than equal ones on links not learned from.
    """
    folder = None if out is None else TuningFolder(out, format_ or LinksFormat.CSV)
    _check_target(folder, format_)
    values = option_values(given, _MODELS)
    from_file = is_links_file(source)
    if from_file:
        _reject_unused(source, {"topic": topic, **values})
    values.setdefault("model", default_model(source))
    options = TuneOptions(**values)
    model = None if from_file else options.model
    parameters = set_parameters(assignments or [], model, options.optimiser)
    topics = [read_topic(path) for path in topic or []]
    check_distinct_folders(each.name for each in topics)
    wordnet = None if options.wordnet is None else Path(options.wordnet)
    by_name = {each.name: path for each, path in zip(topics, topic or [], strict=True)}
    how, done = TuningRequest(source, by_name, wordnet, options.pdf), list[TunedTopic]()
    with _report_interruption(folder):
        try:
            with bars(notices(), quiet) as progress:
                for each in tune_topics(source, topics, options, parameters, progress):
                    done.append(each)
                    _write_topic(each, folder, how)
        finally:  # whatever ends the work, what is finished is shown
            if done:
                _show(done, folder, how, as_json, quiet)
    if not (as_json or quiet):
        output().print(plain(_usage_advice(source, topic or [], done[0], folder)), soft_wrap=True)


def _check_target(folder: TuningFolder | None, format_: LinksFormat | None) -> None:
    """Find out before the work, not after it, that nothing could be written."""
    if format_ is not None and folder is None:
        raise SettingsError("--format is about the links that --out writes; give --out too.")
    if format_ is LinksFormat.PARQUET:
        require_parquet()
    if folder is not None:
        folder.check_free()


def _reject_unused(source: Path, given: Mapping[str, object]) -> None:
    """What is given and would not be looked at must not seem to have counted."""
    used = ("optimiser", "random_seed")
    names = [
        f"--{name.replace('_', '-')}"
        for name, value in given.items()
        if name not in used and value not in (None, [])
    ]
    if names:
        raise SettingsError(
            f"the links in {source} are collected already, and {' and '.join(names)} would not be "
            "used; drop it, or give an archive or a crawl folder."
        )


@contextmanager
def _report_interruption(folder: TuningFolder | None) -> Iterator[None]:
    """After Ctrl-C it is said what became of the work."""
    try:
        yield
    except KeyboardInterrupt:
        kept = folder is not None and folder.files
        described = "what was written so far is kept" if kept else "nothing was written"
        print_error(f"interrupted; {described}.")
        raise CommandExit(INTERRUPTED_CODE) from None


def _write_topic(newest: TunedTopic, folder: TuningFolder | None, how: TuningRequest) -> None:
    """What speaks against its weights is reported; it goes to the disk."""
    for doubt in newest.tuning.doubts:
        print_warning(f"{named(newest.tuning)}: {doubt}")
    if folder is not None:
        folder.write(newest, how)


def _show(
    done: Sequence[TunedTopic],
    folder: TuningFolder | None,
    how: TuningRequest,
    as_json: bool,
    quiet: bool,
) -> None:
    """Figures to stdout, and which files were written; drawn is last, for that may fail too."""
    if as_json:
        typer.echo(json.dumps(figures(done, how), ensure_ascii=False))
    elif not quiet:
        screen = output()
        print_tunings([each.tuning for each in done], screen)
        for each in done:
            screen.print(links_text(each.tuning, each.collected), soft_wrap=True)
    if folder is not None:
        silent = as_json or quiet
        _print_lines(folder.described(done), silent)
        if folder.topics:
            _print_lines(figure_lines(folder.draw()), silent)


def _print_lines(lines: Sequence[str], silent: bool) -> None:
    for line in [] if silent else lines:
        output().print(plain(line), soft_wrap=True)


def _usage_advice(
    source: Path, topics: Sequence[Path], first: TunedTopic, folder: TuningFolder | None
) -> str:
    """What to do with the weights, as a command to paste: what was an archive is replayed."""
    if folder is None:
        return "To use the weights, write them to a file with --out DIR."
    weights = folder.weights_path(first.tuning.topic)
    options = [*_strategy(first), "--weights", str(weights)]
    if is_links_file(source) or is_crawl_folder(source):
        return f"Use the weights: scenthound crawl --topic T.toml --out DIR {shlex.join(options)}"
    return f"Use the weights: {command('replay', source, '--topic', str(topics[0]), *options)}"


def _strategy(first: TunedTopic) -> list[str]:
    """The strategy of the text model that the weights fit, with what was set of the model."""
    model = first.tuning.model
    if model not in CATALOGUE:
        return []
    parameters = {} if first.collected is None else first.collected.parameters
    described = (f"{model}.{key}={_toml(value)}" for key, value in parameters.items())
    return ["--strategy", model, *(word for each in described for word in ("--set", each))]


def _toml(value: Value) -> str:
    """A value as ``--set`` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

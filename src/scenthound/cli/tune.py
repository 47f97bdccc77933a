"""``scenthound tune``: learn how much each text of a link weighs.

:func:`tune_topics` finds out what the source is (an archive, a crawl folder, a file of links) and
yields one tuned topic after the other, so that each is written before the next begins. Files and
tables are in ``tune_output``, the learning in ``evaluation.tune``.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.progress import Progress

from scenthound.cli import screen as ui
from scenthound.cli import tune_output as results
from scenthound.cli.options import (
    AS_JSON,
    Given,
    argument,
    option,
    option_name,
    switch,
    with_options,
)
from scenthound.cli.settings import assignment, naming_option
from scenthound.cli.topic_options import warn_skipped
from scenthound.core.command_options import TuneOptions
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.evaluation import tune as tuning_api
from scenthound.evaluation.link_collection import default_model, is_crawl_folder, opened_archive
from scenthound.evaluation.training_links_file import is_links_name, read_links
from scenthound.output.tuning_report import stored_tuning, use_command
from scenthound.papers.optimiser_catalogue import EXACT, NAMES, check_optimiser
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive
from scenthound.storage.files import require_parquet
from scenthound.storage.folder import folder_name
from scenthound.strategies.text_models import TEXT_MODELS


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
                raise SettingsError(_unused_reason(table, model, optimiser))
    return found


def _unused_reason(table: str, model: str | None, optimiser: str) -> str:
    if model is None and table in TEXT_MODELS:
        return "a file of links has its similarities already; drop the option."
    for kind, names in (("model", TEXT_MODELS), ("optimiser", NAMES)):
        if table in names:
            return f"{kind} {table!r} is not in use; give --{kind} {table}, or drop the option."
    settable = [name for name in (model, optimiser) if name not in (None, EXACT)]
    tables = " and ".join(f"{name}.KEY" for name in settable) or "nothing here"
    return f"{table!r} is neither the model nor the optimiser; what can be set is {tables}."


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
) -> Iterator[tuning_api.TunedTopic]:
    """One topic after the other; by default the one of the file or the crawl folder."""

    def tune_topic(archive: Path | Archive, topic: Topic | None) -> tuning_api.TunedTopic:
        name = "" if topic is None else topic.name
        with _bar(progress, name, "reading the topic") as on_progress:
            return tuning_api.tune(
                archive,
                topic,
                parameters=parameters.model,
                optimiser_parameters=parameters.optimiser,
                on_progress=on_progress,
                **options.model_dump(exclude_none=True),
            )

    if is_links_file(source):
        with _bar(progress, "", "reading the links"):
            links = read_links(source)
        with _bar(progress, links.topic, tuning_api.LEARNING) as on_progress:
            tuning = tuning_api.tune_links(
                links, options.optimiser, parameters=parameters.optimiser,
                random_seed=options.random_seed, on_progress=on_progress,
            )  # fmt: skip
        yield tuning_api.TunedTopic(tuning, links)
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


@contextmanager
def _bar(progress: Progress, topic: str, first: str) -> Iterator[tuning_api.OnTuning]:
    """One bar for each stage, replaced by that of the next; ``first`` names the first stage."""
    name = f"{ui.plain(topic).plain}: " if topic else ""
    task = progress.add_task(f"{name}{first}", total=None, found="")
    drawn = ""

    def on_progress(stage: str, done: float, total: float) -> None:
        nonlocal drawn
        scale, unit = (1, "links") if stage == tuning_api.COLLECTING else (100, "%")
        if stage != drawn:
            progress.reset(task, total=total * scale, description=name + stage, found=unit)
            drawn = stage
        progress.update(task, completed=int(done * scale))

    yield on_progress
    progress.remove_task(task)


@with_options(
    *("model", "optimiser", "links", "structure", "random_seed", "wordnet", "cache"),
    *("cache_limit", "pdf"),
    models=(TuneOptions,),
    spelled={"model": "--model -m"},
    choices={"model": TEXT_MODELS, "optimiser": NAMES},
)
def tune(
    source: Path = argument(
        "SOURCE", "Archive, crawl folder, or a file of links that --out wrote."
    ),
    topic: list[Path] | None = option(
        "T.toml", "Topic file; may be repeated. [default: that of the crawl]", "--topic -t"
    ),
    assignments: list[str] | None = option(
        "TABLE.KEY=VALUE", "Parameter, e.g. mcoa.generations=500; may be repeated.", "--set"
    ),
    out: Path | None = option("DIR", "Folder for weights, links and figures.", "--out -o"),
    format_: results.LinksFormat | None = option(
        "", "File format of the links. [default: csv]", "--format -f"
    ),
    *,
    given: Given,
    as_json: bool = AS_JSON,
    quiet: bool = switch("--quiet -q", "Print no progress and no tables."),
) -> None:
    """Learn how much each text of a link weighs, for a topic, from links whose pages are known.

    Prints the weights and how much better they are than equal ones on links not learned from.
    """
    folder = None if out is None else results.TuningFolder(out, format_ or results.LinksFormat.CSV)
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
    done: list[tuning_api.TunedTopic] = []
    try:
        with ui.bars(ui.notices(), quiet) as progress:
            for each in tune_topics(source, topics, options, parameters, progress):
                done.append(each)
                for doubt in each.tuning.doubts:
                    ui.print_warning(f"{results.title(each.tuning)}: {doubt}")
                if folder is not None:
                    folder.write(each, asked)
    except KeyboardInterrupt:
        kept = folder is not None and any(folder.path.glob("*/links.*"))
        result = "what was written so far is kept" if kept else "nothing was written"
        ui.print_error(f"interrupted; {result}.")
        raise ui.CommandExit(ui.INTERRUPTED_CODE) from None
    finally:  # whatever ends the work, what is finished is shown
        if done and as_json:
            ui.print_json(results.figures(done, asked), ensure_ascii=False)
        if done:
            _print(done, folder, silent=as_json or quiet)
    if not (as_json or quiet):
        advice = "To use the weights, write them to a file with --out DIR."
        if folder is not None:
            first = stored_tuning(results.topic_figures(done[0], asked))
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
    names: dict[str, str] = {}
    for topic, path in topics:
        name = folder_name(topic.name)
        if name in names:
            raise SettingsError(
                f"topics {names[name]!r} and {topic.name!r} would share the folder {name}; "
                "give each once, or rename one."
            )
        names[name] = topic.name
        asked[topic.name] = request(path)
    return asked


def _check_target(folder: results.TuningFolder | None, format_: results.LinksFormat | None) -> None:
    """Find out before the work that nothing could be written."""
    if format_ is not None and folder is None:
        raise SettingsError("--format is about the links that --out writes; give --out too.")
    if format_ is results.LinksFormat.PARQUET:
        require_parquet()
    if folder is not None:
        folder.check_free()


def _reject_unused(source: Path, given: Mapping[str, object]) -> None:
    """Options that have no effect on a file of links are an error."""
    used = ("optimiser", "random_seed")
    unused = [key for key, value in given.items() if key not in used and value not in (None, [])]
    if names := " and ".join(map(option_name, unused)):
        raise SettingsError(
            f"the links in {source} are collected already, and {names} would not be "
            "used; drop it, or give an archive or a crawl folder."
        )


def _print(
    done: Sequence[tuning_api.TunedTopic], folder: results.TuningFolder | None, silent: bool
) -> None:
    """Figures to stdout, and which files were written; the plots are last, as they may fail too."""
    if not silent:
        results.print_tunings([each.tuning for each in done], ui.output())
        for each in done:
            ui.say(results.links_text(each.tuning, each.collected), ui.output())
    for line in () if folder is None else folder.lines(done):
        if not silent:
            ui.say(line, ui.output())

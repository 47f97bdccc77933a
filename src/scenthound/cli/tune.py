"""``scenthound tune``: learn how much each text of a link weighs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from scenthound.api.advice import command
from scenthound.api.tuning import TunedTopic
from scenthound.api.tuning_sources import default_model, is_crawl_folder
from scenthound.cli.cache_options import CacheFolder, CacheLimit
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.progress import bars
from scenthound.cli.screen import notices, output, plain, say_error, say_warning
from scenthound.cli.tune_folder import Asked, TuningFolder, figures, refuse_twins, told_figures
from scenthound.cli.tune_options import (
    AsJson,
    Assignments,
    Format,
    LinkCount,
    LinksFormat,
    ModelName,
    OptimiserName,
    OutFolder,
    Quiet,
    RandomSeed,
    ReadPdf,
    SourcePath,
    Structure,
    TopicFiles,
    WordNetFolder,
)
from scenthound.cli.tune_settings import set_parameters
from scenthound.cli.tune_sources import Wish, is_links_file, tuned
from scenthound.cli.tune_view import links_text, named, print_tunings
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.corpus.parquet_table import require_parquet
from scenthound.optimise.catalogue import EXACT
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.topics.file import read_topic
from scenthound.tuning.plan import DEFAULT_LINKS


def tune(
    source: SourcePath,
    topic: TopicFiles = None,
    model: ModelName = None,
    optimiser: OptimiserName = EXACT,
    links: LinkCount = None,
    structure: Structure = False,
    assignments: Assignments = None,
    random_seed: RandomSeed = 0,
    out: OutFolder = None,
    format_: Format = None,
    wordnet: WordNetFolder = None,
    cache: CacheFolder = None,
    cache_limit: CacheLimit = None,
    pdf: ReadPdf = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Learn how much each text of a link weighs, for a topic, from links whose pages are known.

    Prints the weights and how much better they are than equal ones on links not learnt from.
    """
    folder = None if out is None else TuningFolder(out, format_ or LinksFormat.CSV)
    _check_target(folder, format_)
    asked = {"topic": topic, "model": model, "links": links, "structure": structure or None,
             "wordnet": wordnet, "cache": cache, "cache-limit": cache_limit,
             "pdf": pdf or None}  # fmt: skip
    from_file = is_links_file(source)
    if from_file:
        _refuse_unread(source, asked)
    chosen = default_model(source) if model is None else model
    found = set_parameters(assignments or [], None if from_file else chosen, optimiser)
    topics = [read_topic(path) for path in topic or []]
    refuse_twins(each.name for each in topics)
    wish = Wish(
        chosen, optimiser, DEFAULT_LINKS if links is None else links, structure,
        found.model, found.optimiser, random_seed, wordnet, pdf, cache, cache_limit,
    )  # fmt: skip
    by_name = {each.name: path for each, path in zip(topics, topic or [], strict=True)}
    how, done = Asked(source, by_name, wordnet, pdf), list[TunedTopic]()
    with _told_interruption(folder):
        try:
            with bars(notices(), quiet) as progress:
                for each in tuned(source, topics, wish, progress):
                    done.append(each)
                    _keep(each, folder, how)
        finally:  # whatever ends the work, what is finished is shown
            if done:
                _show(done, folder, how, as_json, quiet)
    if not (as_json or quiet):
        output().print(plain(_use(source, topic or [], done[0], folder)), soft_wrap=True)


def _check_target(folder: TuningFolder | None, format_: LinksFormat | None) -> None:
    """Find out before the work, not after it, that nothing could be written."""
    if format_ is not None and folder is None:
        raise SettingsError("--format is about the links that --out writes; give --out too.")
    if format_ is LinksFormat.PARQUET:
        require_parquet()
    if folder is not None:
        folder.refuse_taken()


def _refuse_unread(source: Path, given: Mapping[str, object]) -> None:
    """What is given and would not be looked at must not seem to have counted."""
    names = [f"--{name}" for name, value in given.items() if value not in (None, [])]
    if names:
        raise SettingsError(
            f"the links in {source} are collected already, and {' and '.join(names)} would not be "
            "heeded; drop it, or give an archive or a crawl folder."
        )


@contextmanager
def _told_interruption(folder: TuningFolder | None) -> Iterator[None]:
    """After Ctrl-C it is said what became of the work."""
    try:
        yield
    except KeyboardInterrupt:
        kept = folder is not None and folder.files
        told = "what was written so far is kept" if kept else "nothing was written"
        say_error(f"interrupted; {told}.")
        raise ToldExit(BROKEN_OFF) from None


def _keep(newest: TunedTopic, folder: TuningFolder | None, how: Asked) -> None:
    """What speaks against its weights is told; it goes to the disk."""
    for doubt in newest.tuning.doubts:
        say_warning(f"{named(newest.tuning)}: {doubt}")
    if folder is not None:
        folder.write(newest, how)


def _show(
    done: Sequence[TunedTopic], folder: TuningFolder | None, how: Asked, as_json: bool, quiet: bool
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
        _tell(folder.told(done), silent)
        if folder.topics:
            _tell(told_figures(folder.draw()), silent)


def _tell(lines: Sequence[str], silent: bool) -> None:
    for line in [] if silent else lines:
        output().print(plain(line), soft_wrap=True)


def _use(
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
    told = (f"{model}.{key}={_toml(value)}" for key, value in parameters.items())
    return ["--strategy", model, *(word for each in told for word in ("--set", each))]


def _toml(value: Value) -> str:
    """A value as ``--set`` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

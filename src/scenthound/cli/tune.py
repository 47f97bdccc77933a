"""``scenthound tune``: learn how much each text of a link weighs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from scenthound.api.advice import command
from scenthound.api.tuning import TunedTopic
from scenthound.api.tuning_sources import is_crawl_folder
from scenthound.cli.progress import bars
from scenthound.cli.screen import notices, output, plain, say_warning
from scenthound.cli.tune_folder import TuningFolder, figures, refuse_twins
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
from scenthound.corpus.parquet_table import require_parquet
from scenthound.optimise.catalogue import EXACT
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.topics.file import read_topic
from scenthound.tuning.plan import DEFAULT_LINKS, DEFAULT_MODEL


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
             "wordnet": wordnet, "pdf": pdf or None}  # fmt: skip
    from_file = is_links_file(source)
    if from_file:
        _refuse_unread(source, asked)
    chosen = DEFAULT_MODEL if model is None else model
    found = set_parameters(assignments or [], None if from_file else chosen, optimiser)
    topics = [read_topic(path) for path in topic or []]
    refuse_twins(each.name for each in topics)
    wish = Wish(
        chosen, optimiser, DEFAULT_LINKS if links is None else links, structure,
        found.model, found.optimiser, random_seed, wordnet, pdf,
    )  # fmt: skip
    done: list[TunedTopic] = []
    try:
        with bars(notices(), quiet) as progress:
            for each in tuned(source, topics, wish, progress):
                done.append(each)
                _keep(done, folder)
    finally:  # whatever ends the work, what is finished is shown
        if done:
            _show(done, folder, as_json, quiet)
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


def _keep(done: Sequence[TunedTopic], folder: TuningFolder | None) -> None:
    """The newest topic goes to the disk; where equal weights are the better choice is told."""
    tuning = done[-1].tuning
    if tuning.reason is not None:
        say_warning(f"{named(tuning)}: equal weights, since {tuning.reason}")
    elif tuning.gain < 0.0:
        say_warning(
            f"{named(tuning)}: on the test links equal weights are better than those learnt; "
            "try more links, or do without the file."
        )
    if folder is not None:
        folder.write(done)


def _show(
    done: Sequence[TunedTopic], folder: TuningFolder | None, as_json: bool, quiet: bool
) -> None:
    """Figures to stdout, and which files were written."""
    drawn = None if folder is None else folder.draw(done)
    if as_json:
        typer.echo(json.dumps(figures(done), ensure_ascii=False))
    elif not quiet:
        screen = output()
        print_tunings([each.tuning for each in done], screen)
        for each in done:
            screen.print(links_text(each.tuning, each.collected), soft_wrap=True)
        for line in [] if folder is None or drawn is None else folder.told(drawn):
            screen.print(plain(line), soft_wrap=True)


def _use(
    source: Path, topics: Sequence[Path], first: TunedTopic, folder: TuningFolder | None
) -> str:
    """What to do with the weights, as a command to paste: what was an archive is replayed."""
    if folder is None:
        return "To use the weights, write them to a file with --out DIR."
    model, weights = first.tuning.model, folder.weights_path(first.tuning.topic)
    options = [*(["--strategy", model] if model in CATALOGUE else []), "--weights", str(weights)]
    if is_links_file(source) or is_crawl_folder(source):
        return f"Use the weights: scenthound crawl --topic T.toml --out DIR {shlex.join(options)}"
    return f"Use the weights: {command('replay', source, '--topic', str(topics[0]), *options)}"

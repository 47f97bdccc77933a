"""The command ``scenthound``."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from scenthound import __version__
from scenthound.cli.bench_web import bench_web
from scenthound.cli.cache import cache
from scenthound.cli.compare import compare
from scenthound.cli.crawl import crawl
from scenthound.cli.dashboard import dashboard
from scenthound.cli.demo import demo
from scenthound.cli.explain import explain
from scenthound.cli.export import export, merge
from scenthound.cli.init import init
from scenthound.cli.ontology import ontology
from scenthound.cli.ontology_learn import learn
from scenthound.cli.options import WIDTH, HelpPages
from scenthound.cli.replay import replay
from scenthound.cli.report import report
from scenthound.cli.results import CommandExit
from scenthound.cli.resume import pause, resume, stop
from scenthound.cli.sample import sample
from scenthound.cli.scope_test import scope_test
from scenthound.cli.score import score
from scenthound.cli.screen import print_error, warnings_printed
from scenthound.cli.seeds import seeds
from scenthound.cli.status import status
from scenthound.cli.strategies import strategies
from scenthound.cli.topic import topic
from scenthound.cli.tune import tune
from scenthound.cli.worker import forget, worker
from scenthound.core.errors import InputError

BAD_INPUT = 2

INTERRUPTED = 130


app = typer.Typer(
    name="scenthound",
    help="Tell it a topic, it brings back the pages: a focused web crawler.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)

for command in (
    init, seeds, crawl, worker, status, resume, pause, stop, forget, dashboard, scope_test, explain,
    export, merge, replay, compare, report, bench_web, sample, score, tune, strategies, cache, demo,
):  # fmt: skip
    app.command(cls=HelpPages)(command)

app.add_typer(topic)

ontology.command(cls=HelpPages)(learn)

app.add_typer(ontology)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scenthound {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run the command; bad input is one sentence and exit code 2."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with warnings_printed():
            app()
    except InputError as error:
        print_error(str(error))
        sys.exit(BAD_INPUT)
    except CommandExit:
        raise
    except SystemExit as end:
        if end.code == INTERRUPTED:
            print_error("interrupted; what was written so far is kept.")
        raise


def _interrupt(number: int, frame: object) -> None:
    """A polite request to end is obeyed as Ctrl-C is: the journal says why it stopped."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()

"""The command ``scenthound``."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from scenthound import __version__
from scenthound.cli.bench_web import bench_web
from scenthound.cli.compare import compare
from scenthound.cli.control import forget, pause, resume, status, stop, worker
from scenthound.cli.crawl import crawl, scope_test
from scenthound.cli.demo import demo
from scenthound.cli.explain import explain
from scenthound.cli.export import export, merge
from scenthound.cli.init import init
from scenthound.cli.judging import sample, score
from scenthound.cli.listings import cache, strategies
from scenthound.cli.ontology import ontology
from scenthound.cli.ontology_learn import learn
from scenthound.cli.options import WIDTH, HelpPages
from scenthound.cli.replay import replay
from scenthound.cli.report import dashboard, report
from scenthound.cli.screen import INTERRUPTED_CODE, CommandExit, print_error, warnings_printed
from scenthound.cli.seeds import seeds
from scenthound.cli.topic import topic
from scenthound.cli.tune import tune
from scenthound.core.errors import InputError

BAD_INPUT = 2

app = typer.Typer(
    name="scenthound",
    help="A focused web crawler: give it a topic, it brings back the pages about it.",
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
        # Typer turns Ctrl-C into this exit code, and prints nothing.
        if end.code == INTERRUPTED_CODE:
            print_error("interrupted; what was written so far is kept.")
        raise


def _interrupt(number: int, frame: object) -> None:
    """SIGTERM ends a command as Ctrl-C does, so that the journal says why it stopped."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()

"""The command ``scenthound``."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from scenthound import __version__
from scenthound.cli import screen as ui
from scenthound.core.errors import InputError

BAD_INPUT = 2
_MODULES = {
    "init": "init", "seeds": "seeds", "crawl": "crawl", "worker": "control", "status": "control",
    "resume": "control", "pause": "control", "stop": "control", "forget": "control",
    "dashboard": "report", "scope-test": "crawl", "explain": "explain", "export": "export",
    "merge": "export", "replay": "replay", "compare": "compare", "report": "report",
    "bench-web": "bench_web", "sample": "judging", "score": "judging", "tune": "tune",
    "strategies": "listings", "cache": "listings", "demo": "demo", "topic": "topic",
    "ontology": "ontology",
}  # fmt: skip
"""The module of each command, in the order of the help."""


class _Commands(Mapping[str, Any]):
    """The commands by name. Each is imported when it is asked for: one command has no use for the
    dashboard's server, the sample web and the strategies that the others import.
    """

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)

    def __getitem__(self, name: str) -> Any:
        module = import_module(f"scenthound.cli.{_MODULES[name]}")
        command = getattr(module, name.replace("-", "_"))
        if isinstance(command, typer.Typer):
            return typer.main.get_command(command)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(name, cls=import_module("scenthound.cli.options").HelpPages)(command)
        return typer.main.get_command(single)


class _Group(TyperGroup):
    """The command ``scenthound``, whose commands are imported when they are asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()


app = typer.Typer(
    name="scenthound",
    cls=_Group,
    help="A focused web crawler: give it a topic, it brings back the pages about it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": ui.HELP_WIDTH},
)


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
    # SIGTERM ends a command as Ctrl-C does, so that the journal says why it stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ui.warnings_printed():
            app()
    except InputError as error:
        ui.print_error(str(error))
        sys.exit(BAD_INPUT)
    except ui.CommandExit:
        raise
    except SystemExit as end:
        # Typer turns Ctrl-C into this exit code, and prints nothing.
        if end.code == ui.INTERRUPTED_CODE:
            ui.print_error("interrupted; what was written so far is kept.")
        raise


if __name__ == "__main__":
    main()

"""Options of commands: those that several commands share, those that are made from the fields of
a model, their values, and the two pages of help.
"""

from __future__ import annotations

import functools
import inspect
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from scenthound.cli.screen import LEVELS
from scenthound.core.command_options import MEASURING, RunOptions
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.options import SECRETS, Options, option_text
from scenthound.core.parameters import parse_value
from scenthound.crawler.options import CrawlOptions

FEW = 20
"""So many options need no second page."""
_ALL, _FIRST_PAGE = "scenthound.help_all", "Options"


class HelpPages(TyperCommand):
    """A command whose help comes in two pages, where it has many options and some in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options of the page that is asked for."""
        arguments: list[tuple[str, str]] = []
        options: list[tuple[str, tuple[str, str]]] = []
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is None:
                continue
            if param.param_type_name == "argument":
                arguments.append(record)
            else:
                options.append((getattr(param, "rich_help_panel", None) or _FIRST_PAGE, record))
        groups: dict[str, list[tuple[str, str]]] = {_FIRST_PAGE: []}
        for panel, record in options:
            groups.setdefault(_FIRST_PAGE if len(options) <= FEW else panel, []).append(record)
        shown = groups if ctx.meta.get(_ALL) else {_FIRST_PAGE: groups[_FIRST_PAGE]}
        for heading, records in {"Arguments": arguments, **shown}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
        if len(shown) < len(groups):
            formatter.write_paragraph()
            formatter.write_text("--help-all lists every option.")


def _show_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        ctx.meta[_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


HELP_ALL = typer.Option(False, "--help-all", is_eager=True, callback=_show_all, hidden=True)
"""The option of a command that has groups; its last line of help names it."""


# Options of the same meaning have the same help in every command.


def option(metavar: str, text: str, names: str = "", default: Any = None, **more: Any) -> Any:
    """An option: what stands for its value, its help, its names; ``default=...`` for none."""
    return typer.Option(default, *names.split(), metavar=metavar or None, help=text, **more)


def switch(names: str, text: str) -> Any:
    """An option without a value, and its help."""
    return typer.Option(False, *names.split(), help=text)


def argument(metavar: str, text: str, default: Any = ...) -> Any:
    """An argument: what stands for it, and its help."""
    return typer.Argument(default, metavar=metavar, help=text, show_default=False)


def command_group(name: str, text: str) -> typer.Typer:
    """A command that has commands of its own."""
    return typer.Typer(
        name=name, help=text, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


AS_JSON = switch("--json", "Print JSON instead of text.")
FORCE = switch("--force", "Replace an existing file.")
QUIET = switch("--quiet -q", "Print nothing but errors.")
NO_PROGRESS = switch("--quiet -q", "Print no progress and no summary.")
WORKER_COUNT = option("N", "Number of processes. [default: one for each core]", "--workers", min=1)
JSON_FILE = option("FILE", "Write all figures to this JSON file (- for stdout).", "--json")
TOPIC_FILE = option("T.toml", "Topic file.", "--topic -t")
TOPIC_ARGUMENT = argument("T.toml", "Topic file.")
OUT_FOLDER = option("DIR", "New folder for the crawl.", default=...)
CONFIG_FILE = option("C.toml", "Settings file.")
ASSIGNMENTS = option(
    "TABLE.KEY=VALUE", "One setting, e.g. crawl.retries=5; may be repeated.", "--set"
)
LABELS_FILE = option(
    "L.tsv", "Human labels to measure by: URL, tab, topic.", rich_help_panel=MEASURING
)
LOG_LEVEL = option(
    "LEVEL", f"Write the log to stderr: {', '.join(LEVELS[:3])}, ...", rich_help_panel=MEASURING
)
CRAWL_FOLDER_PATH = argument("DIR", "Crawl folder.")


# The options by which commands name a crawl on a server, in place of a folder.

REDIS_VARIABLE = "SCENTHOUND_REDIS"
REDIS_URL = option(
    "URL",
    f"Redis server of a crawl by many workers. [env: {REDIS_VARIABLE}]",
    "--redis",
    envvar=REDIS_VARIABLE,
    show_envvar=False,
)
SHARED_NAME = option("NAME", "Name of the crawl on that server.", "--crawl")
FOLDER_OR_NONE = argument("[DIR]", "Crawl folder.", default=None)


def check_crawl_name(crawl: str | None) -> None:
    """Raise SettingsError for an empty name; None is no name given."""
    if crawl is not None and not crawl.strip():
        raise SettingsError(f"--crawl {crawl!r} is no name; give the crawl one, such as storms.")


@dataclass(frozen=True, slots=True)
class ServerCrawl:
    """A crawl on a server."""

    redis: str
    crawl: str

    def command(self, name: str, *options: str) -> str:
        """``scenthound NAME --crawl CRAWL``, to be pasted; the address may hold a password."""
        words = ["scenthound", name, "--crawl", self.crawl, *options]
        return f"{shlex.join(words)} --redis URL"


def named_crawl(folder: Path | None, redis: str | None, crawl: str | None) -> Path | ServerCrawl:
    """The crawl that a command is about: one in a folder, or one on a server."""
    if folder is not None:
        if crawl is not None:
            raise SettingsError("give a folder, or --redis and --crawl, not both.")
        return folder
    if redis is None and crawl is None:
        raise SettingsError("give the folder of a crawl, or --redis URL and --crawl NAME.")
    return server_crawl(redis, crawl)


def server_crawl(redis: str | None, crawl: str | None) -> ServerCrawl:
    """The crawl on a server; SettingsError where one of the two is not given."""
    check_crawl_name(crawl)
    if redis is None:
        raise SettingsError(
            f"give the address of the server: --redis redis://HOST:6379, or {REDIS_VARIABLE}."
        )
    if crawl is None:
        raise SettingsError("give the name of the crawl on the server: --crawl NAME.")
    return ServerCrawl(redis, crawl)


# The options of a command that come from a model. They are texts here: they are read and checked
# as those of a settings file are.

BOUNDS = ("max_depth", "allow_host", "deny_host", "include", "exclude", "stay")
SPELLED = {
    "stay": "--stay/--follow-external",
    "count_missing": "--count-missing/--free-missing",
    "keywords_only": "--keywords-only/--with-examples",
    "keep_crawls": "--keep-crawls/--no-keep-crawls",
}
"""Switches that have an opposite."""
Command = Callable[..., None]
Models = Sequence[type[Options]]
CRAWL_MODELS: Models = (CrawlOptions, RunOptions)
Given = Mapping[str, Any]
"""The values of options that were given, by key of their models."""
OptionValue = str | bool | list[str] | None
"""What an option of the command line was given: a text, a switch, texts; None for nothing."""


def keys_of(models: Models) -> dict[str, type[Options]]:
    """Every key of these models, with its model."""
    return {key: model for model in models for key in model.model_fields}


def option_name(key: str) -> str:
    """``--max-pages`` of the key ``max_pages``."""
    return f"--{key.replace('_', '-')}"


def with_options(
    *keys: str,
    models: Models = CRAWL_MODELS,
    spelled: Mapping[str, str] = SPELLED,
    choices: Mapping[str, Iterable[str]] | None = None,
) -> Callable[[Command], Command]:
    """Give a command the options of these keys of its models.

    The command has a parameter ``given``, which gets the values of those that are given, by key;
    they stand in its help where that parameter stands in its signature. Some are ``spelled``
    otherwise than ``--key``; of some the help lists the ``choices``.
    """
    known = keys_of(models)

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def called(**values: Any) -> None:
            values.pop("help_all", None)
            given: dict[str, OptionValue] = {key: values.pop(key) for key in keys}
            command(given=option_values(given, models), **values)

        # Typer reads signature and annotations, so both are written for it. Annotations are texts
        # in modules with the future import, hence ``eval_str``.
        own = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in own.parameters.values():
            if parameter.name == "given":
                for key in keys:
                    listed = (choices or {}).get(key, ())
                    parameters.append(_model_option(known[key], key, spelled, listed))
            else:
                parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        if any(option_text(known[key], key).panel for key in keys):  # one page is not enough
            parameters.append(_keyword("help_all", bool, HELP_ALL))
        called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in parameters}
        return called

    return decorate


def _model_option(
    model: type[Options], key: str, spelled: Mapping[str, str], choices: Iterable[str]
) -> inspect.Parameter:
    """The parameter that typer makes an option of."""
    about = option_text(model, key)
    hints: dict[type, Any] = {bool: bool | None, tuple: list[str] | None}
    listed = ", ".join(choices)
    text = about.help.replace(".", f": {listed}.", 1) if listed else about.help
    names = spelled.get(key, option_name(key))
    panel = about.panel or None
    declared = option(about.metavar, text, names, show_default=False, rich_help_panel=panel)
    return _keyword(key, hints.get(about.kind, str | None), declared)


def _keyword(name: str, annotation: Any, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def option_values(
    given: Mapping[str, OptionValue], models: Models = CRAWL_MODELS
) -> dict[str, Any]:
    """The values of the options that are given, by key of their models.

    SettingsError with the option named.
    """
    values: dict[str, Any] = {}
    known = keys_of(models)
    for key, text in given.items():
        if text is not None:
            name = option_name(key)
            hidden = key in SECRETS or isinstance(text, list)  # whose errors say what is wrong
            kind = option_text(known[key], key).kind
            parsed = parse_value(text.strip()) if isinstance(text, str) and kind not in (
                str, tuple) else text  # fmt: skip
            value = text if isinstance(parsed, list) else parsed
            with naming_error(name if hidden else f"{name} {text}", key, name):
                values[key] = known[key].read(key, value)
    return values


@contextmanager
def naming_error(origin: str, key: str = "", called: str = "") -> Iterator[None]:
    """Say which file or option an error is about.

    One that begins with the ``key`` of an option begins with what that is ``called`` instead.
    """
    try:
        yield
    except (SettingsError, UnknownNameError) as error:
        message = str(error)
        if called and message.startswith(f"{key} "):
            message = called + message.removeprefix(key)
        named = called.startswith("--") and message.startswith(called)
        raise SettingsError(message if named else f"{origin}: {message}") from None

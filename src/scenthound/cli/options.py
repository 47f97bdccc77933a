"""Options that several commands share: the topic, the strategy, the crawl folder or server, the
fields of ``[crawl]``, and the two pages of help.
"""

from __future__ import annotations

import functools
import inspect
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from scenthound.cli.screen import LEVELS, bars, notices, print_warning, reading_bar
from scenthound.cli.settings import CRAWL_MODELS, Models, OptionValue, keys_of
from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import DEFAULT_LANGUAGE, Topic
from scenthound.core.options import MEASURING, Options, option_text
from scenthound.similarity.topic_file import (
    quick_topic,
    read_seeds,
    read_topic,
    seeds_in,
    split_keywords,
)
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import STRATEGIES
from scenthound.strategies.spec import StrategySpec

WIDTH = 100
"""Columns that help takes where the screen has them."""

FEW = 20
"""So many options need no second page."""

_ALL = "scenthound.help_all"

_USED = "Options"


Records = list[tuple[str, str]]


class HelpPages(TyperCommand):
    """A command whose help comes in two pages, where it has many options and some in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments, and the options of the page that is asked for."""
        arguments, options = self._records(ctx)
        groups: dict[str, Records] = {_USED: []}
        for panel, record in options:
            groups.setdefault(_USED if len(options) <= FEW else panel, []).append(record)
        shown = groups if ctx.meta.get(_ALL) else {_USED: groups[_USED]}
        for heading, records in {"Arguments": arguments, **shown}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
        if len(shown) < len(groups):
            formatter.write_paragraph()
            formatter.write_text("--help-all lists every option.")

    def _records(self, ctx: Any) -> tuple[Records, list[tuple[str, tuple[str, str]]]]:
        """What is reported of each argument, and of each option with its group."""
        arguments: Records = []
        options: list[tuple[str, tuple[str, str]]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            if param.param_type_name == "argument":
                arguments.append(record)
            else:
                options.append((getattr(param, "rich_help_panel", None) or _USED, record))
        return arguments, options


def _show_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        ctx.meta[_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option("--help-all", is_eager=True, callback=_show_all, hidden=True),
]
"""The option of a command that has groups; its last line of help names it."""


# The options by which commands name a crawl on a server, in place of a folder.


REDIS_VARIABLE = "SCENTHOUND_REDIS"

WORKERS_PANEL = "Many workers"

RedisUrl = Annotated[
    str | None,
    typer.Option("--redis", metavar="URL", envvar=REDIS_VARIABLE, show_envvar=False,
                 help=f"Server of a crawl by many workers. [env: {REDIS_VARIABLE}]"),
]  # fmt: skip

SharedName = Annotated[
    str | None, typer.Option("--crawl", metavar="NAME", help="Name of the crawl on that server.")
]

FolderOrNone = Annotated[
    Path | None, typer.Argument(metavar="[DIR]", help="Crawl folder.", show_default=False)
]


def check_crawl_name(crawl: str | None) -> None:
    """SettingsError for a name without a sign; None is no name given."""
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
    """The crawl that a command is about: one in a folder, or one on a server.

    SettingsError where neither is given, or both.
    """
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


# The strategies that a user asks for by name.


def named_strategies(names: Sequence[str]) -> list[StrategySpec]:
    """Their recipes, ours and those of installed packages; a name of ours that is taken is told.

    UnknownNameError for a name that there is not, PluginError for one that cannot be used.
    """
    specs = [STRATEGIES[name] for name in names]
    for name in dict.fromkeys(names):
        for hidden in STRATEGIES.hidden(name):
            print_warning(hidden)
    return specs


# What a command is to look for: a topic file, words and URLs on the command line, or both.


STDIN = Path("-")


Keywords = Annotated[
    str | None,
    typer.Option(metavar="WORDS", help='Instead of a topic file or with it: "typhoon, surge".'),
]

SeedUrls = Annotated[
    list[str] | None, typer.Option("--seed", metavar="URL", help="Start here; may repeat.")
]

SeedsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file with a URL to start from a line (- for stdin)."),
]

TopicName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of the topic. [default: first keyword]")
]

Language = Annotated[
    str | None, typer.Option(metavar="CODE", help=f"Its language. [default: {DEFAULT_LANGUAGE}]")
]


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """What was given on the command line to say what to look for; None is not given."""

    file: Path | None = None
    keywords: str | None = None
    seeds: Sequence[str] = ()
    seeds_file: Path | None = None
    name: str | None = None
    language: str | None = None

    def topic(self) -> Topic:
        """The topic: that of the file with the rest added, or one of the words alone.

        Lines of a seeds file that are no URLs are warned of.

        Raises
        ------
        InputError
            There is neither file nor keywords, or one of them cannot be used.
        """
        if self.file is None and self.keywords is None:
            raise SettingsError(
                'there is no topic: give --topic T.toml, or --keywords "storm, flood" with '
                "--seed URL."
            )
        for seed in filter(str.isdecimal, self.seeds):  # what the option once took
            raise SettingsError(
                f"--seed {seed} is no URL; the random generator's is --random-seed."
            )
        seeds = (*self.seeds, *self._listed())
        if self.file is None:
            language = self.language or DEFAULT_LANGUAGE
            return quick_topic(self.keywords or "", seeds, self.name, language)
        read = read_topic(self.file.resolve())  # the day it is resumed may be in another folder
        return self._added(read, seeds)

    def _listed(self) -> tuple[str, ...]:
        if self.seeds_file is None:
            return ()
        if self.seeds_file == STDIN:
            return seeds_in(sys.stdin, "standard input", warn_caller)
        return read_seeds(self.seeds_file, warn_caller)

    def _added(self, read: Topic, seeds: tuple[str, ...]) -> Topic:
        """The topic of the file, with what stands beside it; then it is no longer the file's."""
        words = split_keywords(self.keywords or "")
        topic = replace(
            read,
            name=self.name or read.name,
            keywords=_each_once(read.keywords, words),
            seeds=_each_once(read.seeds, seeds),
            language=self.language or read.language,
        )
        return replace(topic, seeds=_each_once(topic.seeds), file=_file(read, topic))


def _file(read: Topic, topic: Topic) -> str | None:
    return read.file if topic == read else None


def _each_once(*lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in lists for text in texts))


# An archive that a command may be given: opened with a bar, and closed again.


@contextmanager
def opened_archive(archive: Path | None) -> Iterator[Archive | None]:
    """The archive, with a bar while it is indexed; None where none is given."""
    if archive is None:
        yield None
        return
    with bars(notices(), quiet=False) as progress, reading_bar(progress, archive.name) as on_bytes:
        opened = open_archive(archive, progress=on_bytes)
    with opened:
        yield opened


def warn_skipped(archive: Archive) -> None:
    """Warn of records of an archive that cannot be read, by reason."""
    for reason, skipped in archive.skipped.items():
        print_warning(
            f"{archive.path.name}: {skipped.count} records skipped ({reason}), "
            f"e.g. {skipped.examples[0]}"
        )


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


def _plain_option(metavar: str, help_text: str, panel: str | None = None) -> Any:
    return typer.Option(metavar=metavar, help=help_text, show_default=False, rich_help_panel=panel)


def _model_option(
    model: type[Options], key: str, spelled: Mapping[str, str], choices: Iterable[str]
) -> Any:
    """The annotation of a parameter that typer makes an option of."""
    about = option_text(model, key)
    hints: dict[type, Any] = {bool: bool | None, tuple: list[str] | None}
    hint = hints.get(about.kind, str | None)
    names = spelled.get(key, f"--{key.replace('_', '-')}").split()
    listed = ", ".join(choices)
    declared = typer.Option(
        *names,
        metavar=about.metavar or None,
        help=about.help.replace(".", f": {listed}.", 1) if listed else about.help,
        show_default=False,
        rich_help_panel=about.panel or None,
    )
    return Annotated[hint, declared]


TopicFile = Annotated[
    Path | None,
    typer.Option("--topic", "-t", metavar="T.toml", help="Topic file.", show_default=False),
]

OutFolder = Annotated[
    Path, typer.Option(metavar="DIR", help="Crawl folder to make.", show_default=False)
]

StrategyName = Annotated[
    str, typer.Option("--strategy", "-s", metavar="NAME", help="Strategy.", show_default=True)
]

ConfigFile = Annotated[Path | None, _plain_option("C.toml", "Settings file.")]

Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, e.g. crawl.retries=5; "
                 "may repeat."),
]  # fmt: skip

LabelsFile = Annotated[
    Path | None, _plain_option("L.tsv", "Human labels to measure by.", MEASURING)
]

JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", help="Write all figures here (- for stdout)."),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing but errors.")]

LogLevel = Annotated[
    str | None, _plain_option("LEVEL", f"Log to stderr: {', '.join(LEVELS[:3])}, ...", MEASURING)
]

CrawlFolderPath = Annotated[
    Path, typer.Argument(metavar="DIR", help="Crawl folder.", show_default=False)
]


Command = Callable[..., None]


def with_options(
    *keys: str,
    models: Models = CRAWL_MODELS,
    spelled: Mapping[str, str] = SPELLED,
    choices: Mapping[str, Iterable[str]] | None = None,
) -> Callable[[Command], Command]:
    """Gives a command the options of these keys of its models.

    The command has a parameter ``given``, which gets them all by key; they stand in its help
    where that parameter stands in its signature. Some are ``spelled`` otherwise than ``--key``;
    of some the help lists the ``choices``.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def called(**values: Any) -> None:
            values.pop("help_all")
            given: dict[str, OptionValue] = {key: values.pop(key) for key in keys}
            command(given=given, **values)

        known = keys_of(models)
        own = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in own.parameters.values():
            if parameter.name == "given":
                hints = {
                    key: _model_option(known[key], key, spelled, (choices or {}).get(key, ()))
                    for key in keys
                }
                parameters += [_keyword(key, hint, None) for key, hint in hints.items()]
            else:
                parameters.append(parameter)
        parameters.append(_keyword("help_all", HelpAll, False))
        by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
        called.__signature__ = own.replace(parameters=by_name)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in by_name}
        return called

    return decorate


def _keyword(name: str, annotation: Any, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)

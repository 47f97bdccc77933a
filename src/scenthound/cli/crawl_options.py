"""The options that the commands of live crawls share.

Those that set a field of CrawlOptions stand in one table and are texts here: they are read and
checked as those of a settings file are, so that both take the same and complain in the same words.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from scenthound.cli.cache_options import CACHE_HELP, DEFAULT_FOLDER, DEFAULT_SIZE, LIMIT_HELP
from scenthound.cli.help_pages import HelpAll
from scenthound.cli.logs import LEVELS
from scenthound.live.options import CrawlOptions
from scenthound.settings import Given

_DEFAULT = CrawlOptions()
REQUESTS, LIMITS, MEASURING = "Requests", "When to stop, and whose turn it is", "Measuring"


def _option(
    metavar: str, help_text: str, default: object = None, panel: str | None = None
) -> Any:  # what typer.Option says it gives
    """An option whose value is read later; ``default`` is told in its help."""
    told = "" if default is None else f" [default: {default}]"
    return typer.Option(
        metavar=metavar, help=f"{help_text}{told}", show_default=False, rich_help_panel=panel
    )


def _text(metavar: str, help_text: str, default: object = None, panel: str | None = None) -> Any:
    return Annotated[str | None, _option(metavar, help_text, default, panel)]


def _texts(metavar: str, help_text: str, panel: str | None = None) -> Any:
    return Annotated[list[str] | None, _option(metavar, f"{help_text}; may repeat.", None, panel)]


def _switch(names: str, help_text: str, panel: str | None = None) -> Any:
    option = typer.Option(names, help=help_text, show_default=False, rich_help_panel=panel)
    return Annotated[bool | None, option]


OPTIONS: Mapping[str, Any] = {
    "max_pages": _text("N", "Pages, over the whole crawl.", f"{_DEFAULT.max_pages}"),
    "max_time": _text("TIME", "Time, over all its runs: 90s, 15m, 2h, 1d."),
    "max_depth": _text("N", "Links away from a seed; 0: seeds only.", _DEFAULT.max_depth),
    "allow_host": _texts("HOST", "Follow links to this host and its subdomains only"),
    "deny_host": _texts("HOST", "Never fetch from this host and its subdomains"),
    "include": _texts("PATTERN", "Follow only URLs like *storm* or re:/news/[0-9]+"),
    "exclude": _texts("PATTERN", "Never fetch URLs like */login*"),
    "stay": _switch("--stay/--follow-external", "Stay on the seeds' hosts? [default: no]"),
    "delay": _text("TIME", "Rest of a host after an answer.", "1s"),
    "concurrency": _text("N", "Requests at once.", _DEFAULT.concurrency),
    "contact": _text("WHO", "Your address or page, sent with requests."),
    "pdf": _switch("--pdf", "PDF documents are pages too."),
    "javascript": _switch("--javascript", "Use a browser where a page is empty without one."),
    "weights": _text("FILE", "Weights of a link's texts, as 'tune' writes them."),
    "per_host": _text("N", "Requests to one host at once.", 1, REQUESTS),
    "timeout": _text("TIME", "For one answer.", f"{_DEFAULT.timeout:g}s", REQUESTS),
    "proxy": _text("URL", "Proxy; else as the environment says.", None, REQUESTS),
    "allow_private": _switch("--allow-private", "Private and loopback addresses too.", REQUESTS),
    "header": _texts("'NAME: VALUE'", "Sent with every request", REQUESTS),
    "cookie_file": _text("FILE", "Cookies to send, a cookies.txt.", None, REQUESTS),
    "auth": _texts("HOST=USER:PASSWORD", "Log in there; not kept in the folder", REQUESTS),
    "netrc": _text("FILE", "More names and passwords, a .netrc.", None, REQUESTS),
    "pages_per_host": _text("N", "No more pages than this of one host.", None, LIMITS),
    "host_share": _text("X", "Hosts over this share of all pages wait.", None, LIMITS),
    "min_harvest": _text("X", "Stop below this share of relevant pages.", None, LIMITS),
    "harvest_window": _text(
        "N", "Pages that --min-harvest looks at.", _DEFAULT.harvest_window, LIMITS
    ),
    "inlinks": _text("max|mean|last", "How several links to a page count.", None, LIMITS),
    "judge": _text("similarity|ontology", "What tells relevant pages.", _DEFAULT.judge, MEASURING),
    "threshold": _text("X", "Similarity of relevant pages; else calibrated.", None, MEASURING),
    "wordnet": _text("DIR", "WordNet instead of the shipped one.", None, MEASURING),
    "cache": _text("DIR", CACHE_HELP, DEFAULT_FOLDER, MEASURING),
    "cache_limit": _text("SIZE", LIMIT_HELP, DEFAULT_SIZE, MEASURING),
    "random_seed": _text(
        "N", "Seed of the random generator.", _DEFAULT.random_seed, MEASURING
    ),
}  # fmt: skip
"""By key of ``[crawl]``, in the order of the help."""
BOUNDS = ("max_depth", "allow_host", "deny_host", "include", "exclude", "stay")

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
ConfigFile = Annotated[Path | None, _option("C.toml", "Settings file.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, e.g. crawl.retries=5; "
                 "may repeat."),
]  # fmt: skip
LabelsFile = Annotated[
    Path | None, _option("L.tsv", "Human labels to measure by.", None, MEASURING)
]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", help="Write all figures here (- for stdout)."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing but errors.")]
LogLevel = Annotated[
    str | None, _option("LEVEL", f"Log to stderr: {', '.join(LEVELS[:3])}, ...", None, MEASURING)
]
CrawlFolderPath = Annotated[
    Path, typer.Argument(metavar="DIR", help="Crawl folder.", show_default=False)
]

Command = Callable[..., None]


def with_crawl_options(*keys: str) -> Callable[[Command], Command]:
    """Gives a command the options of these keys of ``[crawl]``.

    The command has a parameter ``given``, which gets them all by key; they stand in its help
    where that parameter stands in its signature.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def called(**values: Any) -> None:
            values.pop("help_all")
            given: dict[str, Given] = {key: values.pop(key) for key in keys}
            command(given=given, **values)

        own = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in own.parameters.values():
            parameters += [parameter] if parameter.name != "given" else map(_parameter, keys)
        parameters.append(_keyword("help_all", HelpAll, False))
        by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
        called.__signature__ = own.replace(parameters=by_name)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in by_name}
        return called

    return decorate


def _parameter(key: str) -> inspect.Parameter:
    return _keyword(key, OPTIONS[key], None)


def _keyword(name: str, annotation: Any, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)

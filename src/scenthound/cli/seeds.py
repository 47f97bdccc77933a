"""``scenthound seeds``: propose seeds and example pages for a topic, and write the accepted
ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from scenthound.cli.crawl import crawl_options
from scenthound.cli.options import BOUNDS, ConfigFile, with_options
from scenthound.cli.results import INTERRUPTED_CODE, CommandExit
from scenthound.cli.screen import (
    can_redraw,
    is_interactive,
    notices,
    output,
    plain,
    print_error,
    print_warning,
    prompt,
    silence_warnings,
)
from scenthound.cli.settings import CRAWL, OptionValue, option_values, read_settings
from scenthound.core.errors import SettingsError, warn_caller
from scenthound.crawler import seeds as api
from scenthound.crawler.seed_proposals import Proposal, SeedReport, chosen_numbers
from scenthound.crawler.seed_search import DEFAULT_COUNT, ProgressReporter
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.files import check_replaceable
from scenthound.strategies.catalogue import STRATEGIES

_LONGEST_TITLE = 100

_LEGEND = (
    "score: similarity to the topic, from 0 to 1, of what stands under 'of': the text of the page "
    "(as a crawl measures it), its title and snippet, or the words in its address."
)

_ZERO = "a score of 0: a search engine brought it, though nothing it says has a word of the topic."


def print_proposals(proposals: Sequence[Proposal], console: Console) -> None:
    """Two lines for each: figures and title, then the address, which is never broken."""
    sources = max(len("from"), *(len(_sources(each)) for each in proposals))
    console.print(f"  no  score  kind     of       {'from':<{sources}}  title", style="bold")
    for number, each in enumerate(proposals, start=1):
        facts = f"{number:>4}  {each.score:.3f}  {each.kind:<7}  {each.basis:<7}"
        title = each.title[:_LONGEST_TITLE] or "(no title)"
        console.print(plain(f"{facts}  {_sources(each):<{sources}}  {title}"), soft_wrap=True)
        console.print(plain(f"      {each.url}"), style="dim", soft_wrap=True)
    console.print(_LEGEND, style="dim", soft_wrap=True)
    if not all(each.score for each in proposals):
        console.print(_ZERO, style="dim", soft_wrap=True)


def nothing_text(report: SeedReport) -> str:
    """Why there is no proposal, in one sentence."""
    if report.failed:
        return f"no proposals: no source could be asked: {report.failures()}."
    failures = f"; went wrong: {report.failures()}" if report.failures() else ""
    return f"no proposals; {report.summary()}{failures}."


def print_summary(report: SeedReport, console: Console) -> None:
    """What each source found, and why the rest is no proposal, in a line."""
    console.print(plain(report.summary()), style="dim", soft_wrap=True)


def counted(things: Sequence[object], name: str) -> str:
    """``1 seed``, ``2 seeds``."""
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


@contextmanager
def progress_line(quiet: bool) -> Iterator[ProgressReporter]:
    """A line on a terminal that says what is being done; elsewhere warnings alone; or nothing."""
    console = notices()
    if quiet:
        silence_warnings()
    if quiet or not can_redraw(console):
        yield ProgressReporter(warn_caller)
        return
    with console.status("") as status:

        def warn(message: str) -> None:
            status.stop()  # or the warning would stand in its line
            print_warning(message)
            status.start()

        def doing(what: str) -> None:
            status.update(plain(what[: max(20, console.width - 4)]))

        yield ProgressReporter(warn, doing)


def _sources(proposal: Proposal) -> str:
    return ",".join(proposal.sources)


# Where accepted proposals go: into the topic file, a copy of it, or a seeds file.


_TOML = ".toml"


def check_target(topic: Path, out: Path | None, force: bool) -> None:
    """SettingsError where accepted proposals could not be written, or over something else."""
    if out is not None:
        _check_out(topic, out, force)
    try:
        check_replaceable((out or topic).resolve())
    except OSError as error:
        raise SettingsError(
            f"{out or topic} cannot be written: {error.strerror}; give another --out."
        ) from None


def _check_out(topic: Path, out: Path, force: bool) -> None:
    if out.is_dir():
        raise SettingsError(f"--out {out} is a folder; give the name of a file.")
    if not out.parent.is_dir():
        raise SettingsError(f"--out {out}: there is no folder {out.parent}; make it first.")
    is_topic = out.suffix.lower() == _TOML and out.resolve() == topic.resolve()
    if out.is_file() and not force and not is_topic:
        raise SettingsError(f"--out {out} is there already; give another name, or --force.")


def write_accepted(topic: Path, accepted: Sequence[Proposal], out: Path | None) -> None:
    """Write what was accepted, and say what was written where."""
    from scenthound.crawler import topic_editing  # its library is loaded by those who need it

    if out is not None and out.suffix.lower() != _TOML:
        topic_editing.write_seeds_file(out, accepted)
        described = f"wrote {counted(accepted, 'URL')} to {out}"
    else:
        topic_editing.add_to_topic(topic, accepted, out)
        added = topic_editing.additions(accepted)
        described = (
            f"wrote {counted(added['seeds'], 'seed')} and "
            f"{counted(added['examples'], 'example page')} to {out or topic}"
        )
    notices().print(plain(described), soft_wrap=True)


# ``scenthound seeds``: proposes seeds and example pages for a topic, and adds the accepted.


USED_KEYS = (
    *(key for key in BOUNDS if key != "max_depth"), "delay", "contact", "pdf", "timeout", "proxy",
    "allow_private", "header", "cookie_file", "auth", "netrc", "judge", "threshold",
    "wordnet",
)  # fmt: skip
"""Keys of ``[crawl]`` that say where to look, how, and what may be proposed."""

_WITHOUT_OPTION = ("max_body",)


class Accept(StrEnum):
    """Who chooses."""

    ASK = "ask"
    ALL = "all"
    NONE = "none"


TopicFile = Annotated[
    Path, typer.Argument(metavar="T.toml", help="Topic file.", show_default=False)
]

Sources = Annotated[
    str | None,
    typer.Option("--from", metavar="NAMES", help="Where to look: sitemaps, feeds, searxng, "
                 "archive, with commas. [default: all that are given what they need]"),
]  # fmt: skip

Server = Annotated[
    str | None, typer.Option(metavar="URL", help="A SearXNG server whose JSON format is on.")
]

ArchivePath = Annotated[
    Path | None,
    typer.Option(
        metavar="ARCHIVE", help="WARC, WACZ or folder to search; its pages count by their text."
    ),
]

Count = Annotated[int, typer.Option(metavar="N", help="Proposals wanted.")]

Fetch = Annotated[
    int,
    typer.Option(metavar="N", help="Fetch the best N and judge them by their text: which are "
                 "example pages, which seeds, which neither?"),
]  # fmt: skip

Accepted = Annotated[
    Accept | None,
    typer.Option(help="Which go into the topic file. [default: ask, on a terminal; else none]",
                 show_default=False),
]  # fmt: skip

Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the accepted there: .toml for a copy of the topic "
                 "file, else a seeds file, a URL a line."),
]  # fmt: skip

Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="crawl.KEY=VALUE", help="One setting, e.g. crawl.delay=2s; may "
                 "repeat."),
]  # fmt: skip

Force = Annotated[bool, typer.Option("--force", help="Write over an --out that is there.")]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no warnings.")]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@with_options(*USED_KEYS)
def seeds(
    topic: TopicFile,
    sources: Sources = None,
    searxng: Server = None,
    archive: ArchivePath = None,
    count: Count = DEFAULT_COUNT,
    fetch: Fetch = 0,
    accept: Accepted = None,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
    assignments: Assignments = None,
    *,
    given: Mapping[str, OptionValue],
) -> None:
    """Propose seeds and example pages for a topic, with scores, to accept or not.

    Looks at the sitemaps and feeds of the seeds' sites, politely, and asks search providers for
    the keywords. What a crawl with these options would not fetch is not proposed.
    """
    asked = read_topic(topic)
    choice = _accept_mode(accept, as_json)
    _check_target(topic, out, choice, force)
    values = _settings(config, assignments or (), given)
    lexicon = values.get("wordnet")
    reports: list[SeedReport] = []
    with _report_interruption(), progress_line(quiet) as reporter:
        proposals = api.find_seeds(
            asked, None if sources is None else _names(sources), searxng=searxng, archive=archive,
            count=count, fetch=fetch, options=crawl_options(values),
            wordnet=None if lexicon is None else str(lexicon),
            doing=reporter.doing, warn=reporter.warn, report=reports.append,
        )  # fmt: skip
    if choice is Accept.ALL and proposals:  # before anything is printed: a pipe may be closed
        write_accepted(topic, proposals, out)
    _show(proposals, reports[0], as_json, quiet)
    if choice is Accept.ASK and proposals:
        accepted = _choose_proposals(proposals)
        if accepted:
            write_accepted(topic, accepted, out)
    if reports[0].failed:
        raise CommandExit(1)


def _settings(
    config: Path | None, assignments: Sequence[str], given: Mapping[str, OptionValue]
) -> dict[str, Any]:
    """What the file, ``--set`` and the options say; the last has the last word."""
    settings = read_settings(config, assignments, [], STRATEGIES, CRAWL)
    for text in assignments:
        key = text.partition("=")[0].strip().removeprefix(f"{CRAWL}.")
        if key not in (*USED_KEYS, *_WITHOUT_OPTION):
            raise SettingsError(f"--set {text}: seeds does not use it; drop the option.")
    return {**settings.of(CRAWL), **option_values(given)}


@contextmanager
def _report_interruption() -> Iterator[None]:
    """Ctrl-C ends the search, which has written nothing."""
    try:
        yield
    except KeyboardInterrupt:
        print_error("interrupted; nothing was written.")
        raise CommandExit(INTERRUPTED_CODE) from None


def _show(proposals: Sequence[Proposal], report: SeedReport, as_json: bool, quiet: bool) -> None:
    """Proposals to stdout; what became of the rest to stderr."""
    if as_json:
        typer.echo(json.dumps([each.to_json() for each in proposals], indent=1))
    elif proposals:
        print_proposals(proposals, output())
    else:
        output().print(plain(nothing_text(report)), soft_wrap=True)
    if not quiet and (proposals or as_json):
        print_summary(report, notices())


def _names(text: str) -> list[str]:
    """The sources in a text with commas; an empty one would quietly look nowhere."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise SettingsError("--from is empty; give names such as sitemaps,feeds.")
    return names


def _accept_mode(accept: Accept | None, as_json: bool) -> Accept:
    if accept is None:
        return Accept.ASK if is_interactive() and not as_json else Accept.NONE
    if accept is Accept.ASK and not is_interactive():
        raise SettingsError("--accept ask needs a terminal; give --accept all or none.")
    return accept


def _check_target(topic: Path, out: Path | None, choice: Accept, force: bool) -> None:
    """Find out before anything is fetched that nothing would be written."""
    if out is None and force:
        raise SettingsError("--force is about a file that --out names; give --out, or drop it.")
    if choice is not Accept.NONE:
        check_target(topic, out, force)
    elif out is not None:
        raise SettingsError(f"--out {out}: nothing is accepted; give --accept all.")


def _choose_proposals(proposals: Sequence[Proposal]) -> list[Proposal]:
    numbers = prompt(
        "Which to accept? (1,3-5, all, none)", lambda text: chosen_numbers(text, len(proposals))
    )
    return [proposals[number - 1] for number in numbers]

"""``scenthound seeds``: proposes seeds and example pages for a topic, and adds the accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.cli.asking import ask, can_ask
from scenthound.cli.crawl import crawl_options
from scenthound.cli.crawl_options import BOUNDS, ConfigFile, with_crawl_options
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.screen import notices, output, plain, say_error
from scenthound.cli.seeds_view import nothing_text, print_proposals, print_summary, watched
from scenthound.cli.seeds_writing import check_target, write_accepted
from scenthound.core.errors import SettingsError
from scenthound.seeding.choosing import chosen_numbers
from scenthound.seeding.order import DEFAULT_COUNT
from scenthound.seeding.proposal import Proposal
from scenthound.seeding.report import Report
from scenthound.settings import (
    CRAWL,
    WORDNET,
    CrawlValue,
    Given,
    option_values,
    read_settings,
)
from scenthound.strategies.installed import STRATEGIES
from scenthound.topics.file import read_topic

HEEDED = (
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


@with_crawl_options(*HEEDED)
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
    given: Mapping[str, Given],
) -> None:
    """Propose seeds and example pages for a topic, with scores, to accept or not.

    Looks at the sitemaps and feeds of the seeds' sites, politely, and asks search providers for
    the keywords. What a crawl with these options would not fetch is not proposed.
    """
    asked = read_topic(topic)
    choice = _who_chooses(accept, as_json)
    _check_target(topic, out, choice, force)
    values = _settings(config, assignments or (), given)
    lexicon = values.get(WORDNET)
    reports: list[Report] = []
    with _told_interruption(), watched(quiet) as teller:
        proposals = api.find_seeds(
            asked, None if sources is None else _names(sources), searxng=searxng, archive=archive,
            count=count, fetch=fetch, options=crawl_options(values),
            wordnet=None if lexicon is None else str(lexicon),
            doing=teller.doing, warn=teller.warn, report=reports.append,
        )  # fmt: skip
    if choice is Accept.ALL and proposals:  # before anything is printed: a pipe may be closed
        write_accepted(topic, proposals, out)
    _show(proposals, reports[0], as_json, quiet)
    if choice is Accept.ASK and proposals:
        accepted = _asked(proposals)
        if accepted:
            write_accepted(topic, accepted, out)
    if reports[0].failed:
        raise ToldExit(1)


def _settings(
    config: Path | None, assignments: Sequence[str], given: Mapping[str, Given]
) -> dict[str, CrawlValue]:
    """What the file, ``--set`` and the options say; the last has the last word."""
    settings = read_settings(config, assignments, [], STRATEGIES, CRAWL)
    for text in assignments:
        key = text.partition("=")[0].strip().removeprefix(f"{CRAWL}.")
        if key not in (*HEEDED, *_WITHOUT_OPTION):
            raise SettingsError(f"--set {text}: seeds does not heed it; drop the option.")
    return {**settings.crawl, **option_values(given)}


@contextmanager
def _told_interruption() -> Iterator[None]:
    """Ctrl-C ends the search, which has written nothing."""
    try:
        yield
    except KeyboardInterrupt:
        say_error("interrupted; nothing was written.")
        raise ToldExit(BROKEN_OFF) from None


def _show(proposals: Sequence[Proposal], report: Report, as_json: bool, quiet: bool) -> None:
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


def _who_chooses(accept: Accept | None, as_json: bool) -> Accept:
    if accept is None:
        return Accept.ASK if can_ask() and not as_json else Accept.NONE
    if accept is Accept.ASK and not can_ask():
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


def _asked(proposals: Sequence[Proposal]) -> list[Proposal]:
    numbers = ask(
        "Which to accept? (1,3-5, all, none)", lambda text: chosen_numbers(text, len(proposals))
    )
    return [proposals[number - 1] for number in numbers]

"""``scenthound seeds``: proposes seeds and example pages for a topic, and adds the accepted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.cli.asking import ask, can_ask
from scenthound.cli.crawl import crawl_options
from scenthound.cli.crawl_options import with_crawl_options
from scenthound.cli.screen import notices, output, plain
from scenthound.cli.seeds_view import print_proposals, watched
from scenthound.core.errors import SettingsError
from scenthound.seeding.choosing import chosen_numbers
from scenthound.seeding.order import DEFAULT_COUNT
from scenthound.seeding.proposal import Proposal
from scenthound.settings import WORDNET, Given, option_values
from scenthound.topics.file import read_topic


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
    typer.Option(metavar="ARCHIVE", help="WARC, WACZ or folder to search, by BM25."),
]
Count = Annotated[int, typer.Option(metavar="N", help="Proposals wanted.")]
Fetch = Annotated[
    int,
    typer.Option(metavar="N", help="Fetch the best N and judge them by their text; only those can "
                 "be proposed as example pages."),
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
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no warnings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@with_crawl_options(
    "delay", "contact", "deny_host", "exclude", "timeout", "proxy", "allow_private", "wordnet"
)
def seeds(
    topic: TopicFile,
    sources: Sources = None,
    searxng: Server = None,
    archive: ArchivePath = None,
    count: Count = DEFAULT_COUNT,
    fetch: Fetch = 0,
    accept: Accepted = None,
    out: Out = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    *,
    given: Mapping[str, Given],
) -> None:
    """Propose seeds and example pages for a topic, with scores, to accept or not.

    Looks at the sitemaps and feeds of the seeds' sites, politely, and asks search providers for
    the keywords.
    """
    asked = read_topic(topic)
    choice = _who_chooses(accept, as_json)
    _check_out(out, choice)
    values = option_values(given)
    lexicon = values.get(WORDNET)
    with watched(quiet) as teller:
        proposals = api.find_seeds(
            asked, None if sources is None else _names(sources), searxng=searxng, archive=archive,
            count=count, fetch=fetch, options=crawl_options(values),
            wordnet=None if lexicon is None else str(lexicon),
            doing=teller.doing, warn=teller.warn,
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps([each.to_json() for each in proposals], indent=1))
    else:
        print_proposals(proposals, output())
    accepted = _accepted(proposals, choice)
    if accepted:
        _write(topic, accepted, out)


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


def _check_out(out: Path | None, choice: Accept) -> None:
    """Find out before anything is fetched that nothing would be written there."""
    if out is None:
        return
    if choice is Accept.NONE:
        raise SettingsError(f"--out {out}: nothing is accepted; give --accept all.")
    if out.is_dir():
        raise SettingsError(f"--out {out} is a folder; give the name of a file.")
    if not out.parent.is_dir():
        raise SettingsError(f"--out {out}: there is no folder {out.parent}; make it first.")


def _accepted(proposals: Sequence[Proposal], choice: Accept) -> list[Proposal]:
    if choice is Accept.NONE or not proposals:
        return []
    if choice is Accept.ALL:
        return list(proposals)
    numbers = ask(
        "Which to accept? (1,3-5, all, none)", lambda text: chosen_numbers(text, len(proposals))
    )
    return [proposals[number - 1] for number in numbers]


def _write(topic: Path, accepted: Sequence[Proposal], out: Path | None) -> None:
    from scenthound.seeding import topic_editing  # its library is loaded by those who need it

    if out is not None and out.suffix.lower() != ".toml":
        topic_editing.write_seeds_file(out, accepted)
        told = f"wrote {_counted(accepted, 'URL')} to {out}"
    else:
        topic_editing.add_to_topic(topic, accepted, out)
        added = topic_editing.additions(accepted)
        told = (
            f"wrote {_counted(added['seeds'], 'seed')} and "
            f"{_counted(added['examples'], 'example page')} to {out or topic}"
        )
    notices().print(plain(told), soft_wrap=True)


def _counted(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"

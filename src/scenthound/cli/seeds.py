"""``scenthound seeds``: propose seeds and example pages for a topic, and write the accepted
ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from rich.console import Console

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.crawl import crawl_options
from scenthound.cli.settings import CRAWL, read_settings
from scenthound.core.errors import SettingsError
from scenthound.crawler.seeds import finder as api
from scenthound.crawler.seeds.proposals import Proposal, SeedReport, chosen_numbers
from scenthound.crawler.seeds.search import DEFAULT_COUNT
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.files import check_target
from scenthound.strategies.catalogue import STRATEGIES

_LONGEST_TITLE = 100
_LEGEND = (
    "score: similarity to the topic, from 0 to 1, of what stands under 'of': the text of the page "
    "(as a crawl measures it), its title and snippet, or the words in its URL."
)
_ZERO = "a score of 0: a search engine found it, but its text has no word of the topic."
_TOML = ".toml"
USED_KEYS = (
    *(key for key in opt.BOUNDS if key != "max_depth"), "delay", "contact", "pdf", "timeout",
    "proxy", "allow_private", "header", "cookie_file", "auth", "netrc", "judge", "threshold",
    "wordnet",
)  # fmt: skip
"""Keys of ``[crawl]`` that say where to look, how, and what may be proposed."""
_WITHOUT_OPTION = ("max_body",)


class Accept(StrEnum):
    """Who chooses the proposals that are written."""

    ASK = "ask"
    ALL = "all"
    NONE = "none"


@opt.with_options(*USED_KEYS)
def seeds(
    topic: Path = opt.TOPIC_ARGUMENT,
    sources: str | None = opt.option(
        "NAMES", "Any of sitemaps,feeds,searxng,archive. [default: all possible]", "--from"
    ),
    searxng: str | None = opt.option("URL", "SearXNG server whose JSON format is enabled."),
    archive: Path | None = opt.option(
        "ARCHIVE", "WARC, WACZ or folder to search; its pages are scored by their text."
    ),
    count: int = opt.option("N", "Number of proposals.", default=DEFAULT_COUNT),
    fetch: int = opt.option("N", "Fetch the best N and judge them by their text.", default=0),
    accept: Accept | None = opt.option(
        "", "Which are written to the topic file. [default: ask on a terminal, else none]"
    ),
    out: Path | None = opt.option(
        "FILE", "Write a copy of the topic file (.toml), or a seeds file, instead."
    ),
    force: bool = opt.FORCE,
    as_json: bool = opt.AS_JSON,
    quiet: bool = opt.NO_PROGRESS,
    config: Path | None = opt.CONFIG_FILE,
    assignments: list[str] | None = opt.option(
        "crawl.KEY=VALUE", "One setting, e.g. crawl.delay=2s; may be repeated.", "--set"
    ),
    *,
    given: opt.Given,
) -> None:
    """Propose seeds and example pages for a topic, with scores, to accept or not.

    Looks at the sitemaps and feeds of the seeds' sites, politely, and asks search providers for
    the keywords. What a crawl with these options would not fetch is not proposed.
    """
    asked = read_topic(topic)
    choice = _accept_mode(accept, as_json)
    _check_target(topic, out, choice, force)
    values = _settings(config, assignments or (), given)
    reports: list[SeedReport] = []
    names = None if sources is None else [*filter(None, map(str.strip, sources.split(",")))]
    if names == []:
        raise SettingsError("--from is empty; give names such as sitemaps,feeds.")
    with ui.report_interruption("nothing was written."), progress_line(quiet) as doing:
        proposals = api.find_seeds(
            asked, names, searxng=searxng, archive=archive, count=count, fetch=fetch,
            options=crawl_options(values), wordnet=values.get("wordnet"),
            doing=doing, report=reports.append,
        )  # fmt: skip
    if choice is Accept.ALL and proposals:  # before anything is printed: a pipe may be closed
        write_accepted(topic, proposals, out)
    _show(proposals, reports[0], as_json, quiet)
    if choice is Accept.ASK and proposals:
        numbers = ui.prompt(
            "Which to accept? (1,3-5, all, none)", lambda text: chosen_numbers(text, len(proposals))
        )
        if numbers:
            write_accepted(topic, [proposals[number - 1] for number in numbers], out)
    if reports[0].failed:
        raise ui.CommandExit(ui.FAILED)


def _settings(config: Path | None, assignments: Sequence[str], given: opt.Given) -> dict[str, Any]:
    """The values of the file, of ``--set`` and of the options; the last wins."""
    settings = read_settings(config, assignments, [], STRATEGIES, CRAWL)
    for text in assignments:
        key = text.partition("=")[0].strip().removeprefix(f"{CRAWL}.")
        if key not in (*USED_KEYS, *_WITHOUT_OPTION):
            raise SettingsError(f"--set {text}: seeds does not use it; drop the option.")
    return {**settings.of(CRAWL), **given}


def _accept_mode(accept: Accept | None, as_json: bool) -> Accept:
    if accept is None:
        return Accept.ASK if ui.is_interactive() and not as_json else Accept.NONE
    if accept is Accept.ASK and not ui.is_interactive():
        raise SettingsError("--accept ask needs a terminal; give --accept all or none.")
    return accept


def _check_target(topic: Path, out: Path | None, choice: Accept, force: bool) -> None:
    """Find out before anything is fetched that nothing would be written."""
    if out is None and force:
        raise SettingsError("--force is about a file that --out names; give --out, or drop it.")
    if choice is not Accept.NONE:
        is_topic = out is None or (out.suffix.lower() == _TOML and out.resolve() == topic.resolve())
        check_target(out or topic, "" if out is None else "--out", force=force or is_topic)
    elif out is not None:
        raise SettingsError(f"--out {out}: nothing is accepted; give --accept all.")


def write_accepted(topic: Path, accepted: Sequence[Proposal], out: Path | None) -> None:
    """Write the accepted proposals, and print how many went where."""
    # its library is loaded only where it is needed
    from scenthound.crawler.topics import editing as topic_editing

    if out is not None and out.suffix.lower() != _TOML:
        topic_editing.write_seeds_file(out, accepted)
        ui.say(f"wrote {ui.counted(len(accepted), 'URL')} to {out}")
        return
    topic_editing.add_to_topic(topic, accepted, out)
    added = topic_editing.additions(accepted)
    seeds, examples = len(added["seeds"]), len(added["examples"])
    both = f"{ui.counted(seeds, 'seed')} and {ui.counted(examples, 'example page')}"
    ui.say(f"wrote {both} to {out or topic}")


# How proposals are shown.


def _show(proposals: Sequence[Proposal], report: SeedReport, as_json: bool, quiet: bool) -> None:
    """Proposals to stdout; a summary of each source to stderr."""
    if as_json:
        ui.print_json([each.to_json() for each in proposals], indent=1)
    elif proposals:
        print_proposals(proposals, ui.output())
    elif report.failed:
        ui.say(f"no proposals: no source could be asked: {report.failures()}.", ui.output())
    else:
        failures = f"; went wrong: {report.failures()}" if report.failures() else ""
        ui.say(f"no proposals; {report.summary()}{failures}.", ui.output())
    if not quiet and (proposals or as_json):
        ui.say(report.summary(), style="dim")


def print_proposals(proposals: Sequence[Proposal], console: Console) -> None:
    """Two lines for each: figures and title, then the URL, which is never broken."""
    origins = [",".join(each.sources) for each in proposals]
    width = max(map(len, ("from", *origins)))
    console.print(f"  no  score  kind     of       {'from':<{width}}  title", style="bold")
    for number, (each, origin) in enumerate(zip(proposals, origins, strict=True), start=1):
        facts = f"{number:>4}  {each.score:.3f}  {each.kind:<7}  {each.basis:<7}"
        title = each.title[:_LONGEST_TITLE] or "(no title)"
        ui.say(f"{facts}  {origin:<{width}}  {title}", console)
        ui.say(f"      {each.url}", console, "dim")
    ui.say(_LEGEND, console, "dim")
    if not all(each.score for each in proposals):
        ui.say(_ZERO, console, "dim")


@contextmanager
def progress_line(quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Show a line on a terminal with the current step; None where there is no terminal."""
    console = ui.notices()
    if quiet:
        ui.silence_warnings()
    if quiet or not ui.can_redraw(console):
        yield None
        return
    with console.status("") as status, warnings.catch_warnings():
        show = warnings.showwarning

        def show_above(*message: Any, **more: Any) -> None:
            status.stop()  # or the warning would stand in its line
            show(*message, **more)
            status.start()

        def doing(what: str) -> None:
            status.update(ui.plain(what[: max(20, console.width - 4)]))

        warnings.showwarning = show_above
        yield doing

"""How proposals for seeds are shown, and that the search for them goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console

from scenthound.cli.screen import can_redraw, notices, plain, say_warning
from scenthound.seeding.proposal import Proposal
from scenthound.seeding.report import Report
from scenthound.seeding.telling import Teller

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


def nothing_text(report: Report) -> str:
    """Why there is no proposal, in one sentence."""
    if report.failed:
        return f"no proposals: no source could be asked: {report.failures()}."
    failures = f"; went wrong: {report.failures()}" if report.failures() else ""
    return f"no proposals; {report.summary()}{failures}."


def print_summary(report: Report, console: Console) -> None:
    """What each source found, and why the rest is no proposal, in a line."""
    console.print(plain(report.summary()), style="dim", soft_wrap=True)


def counted(things: Sequence[object], name: str) -> str:
    """``1 seed``, ``2 seeds``."""
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


@contextmanager
def watched(quiet: bool) -> Iterator[Teller]:
    """A line on a terminal that says what is being done; elsewhere warnings alone; or nothing."""
    console = notices()
    if quiet or not can_redraw(console):
        yield Teller(_ignored if quiet else say_warning)
        return
    with console.status("") as status:

        def warn(message: str) -> None:
            status.stop()  # or the warning would stand in its line
            say_warning(message)
            status.start()

        def doing(what: str) -> None:
            status.update(plain(what[: max(20, console.width - 4)]))

        yield Teller(warn, doing)


def _sources(proposal: Proposal) -> str:
    return ",".join(proposal.sources)


def _ignored(message: str) -> None:
    """Nobody wants to hear it."""

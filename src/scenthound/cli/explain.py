"""``scenthound explain``: why a page was fetched, and why another one was not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound.cli.results import CommandExit
from scenthound.cli.screen import bars, figure, notices, output, plain, print_error, table
from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import format_page_number, global_page_number
from scenthound.core.options import ONTOLOGY
from scenthound.output.explain import TERMS, explain_all
from scenthound.output.explanation import (
    Explanation,
    FoundLink,
    FrontierPlace,
    InlinkScore,
    PageDetails,
    Priority,
    Relevance,
    ScorePart,
    Step,
    UrlEvent,
    WeightsOrigin,
)
from scenthound.output.verdicts import format_time

DIGITS = 4

_FIRST_STEPS, _LAST_STEPS = 3, 6
"""Shown of a long way."""

_SEVERAL, _LARGEST = 6, 4
"""Of more parts than so many, the largest are shown, and none that adds nothing."""

_COMBINED = {
    "max": "; the best of them counts",
    "mean": "; the mean of them counts",
    "last": "; the last of them counts",
}


def print_path(path: Sequence[Step], console: Console, scored: bool = True) -> None:
    """The pages that led to a URL; nothing for one that a person named.

    Without ``scored`` all links have the same score, which then is not told.
    """
    if len(path) < 2:
        return
    which = "best" if scored else "first"
    heading(console, f"How the crawl came to it, by the {which} link to each page")
    between = len(path) - _FIRST_STEPS - _LAST_STEPS
    if between <= 1:
        _print_steps(path, console, scored)
        return
    _print_steps(path[:_FIRST_STEPS], console, scored)
    line(console, f"    ... {between:,} pages, which --json has ...", "dim")
    _print_steps(path[-_LAST_STEPS:], console, scored)


def _print_steps(path: Sequence[Step], console: Console, scored: bool) -> None:
    for step in path:
        if step.score is not None:
            score = f", score {figure(step.score, DIGITS)}" if scored else ""
            line(console, f"    link {quoted(step.anchor)}{score}")
        for hop in step.redirects:
            line(console, f"    redirected from {hop}")
        number = "not fetched" if step.page is None else _page_label(step.page, step.worker)
        line(console, f"  {number}  {step.url}")


def _page_label(page: int, worker: int) -> str:
    """A page by its number, and whose it is where another worker has it."""
    return format_page_number(global_page_number(worker, page))


def quoted(anchor: str) -> str:
    """The words of a link in one line."""
    return f'"{" ".join(anchor.split())}"' if anchor.strip() else "without words"


def print_priority(priority: Priority, console: Console) -> None:
    """The value, its parts, and the links that it comes from."""
    heading(console, f"Priority: {_value(priority)}")
    line(console, f"  order: {priority.order}")
    if priority.gist:
        line(console, f"  for it: {priority.gist}")
    _print_parts(priority, console)
    if priority.revised is not None:
        line(console, f"  weights: {_revised(priority.revised)}")
    if not priority.linked_from:
        return
    count = priority.linked_from
    how = _COMBINED.get(priority.combination, "") if count > 1 and priority.scored else ""
    line(console, f"  linked from {count:,} page{'s' if count > 1 else ''}{how}")
    for inlink in priority.inlinks:
        _print_inlink(inlink, console, priority.scored)


def _value(priority: Priority) -> str:
    """A strategy may order links by a score that is no estimate of relevance."""
    if priority.value is not None:
        return figure(priority.value, DIGITS)
    if not priority.parts:
        return "none"
    place = sum(part.contribution for part in priority.parts)
    return f"{figure(place, DIGITS)}, for the order alone"


def _revised(revised: WeightsOrigin) -> str:
    if not revised.times:
        return "those of the start, before any were learnt"
    times = "once" if revised.times == 1 else f"{revised.times:,} times"
    links = f"learnt from {revised.links:,} links"
    return f"{links}, revised {times}, last after page {revised.after:,}"


def _print_parts(priority: Priority, console: Console) -> None:
    if not priority.parts:
        return
    rows = table("", ("  part",), ("value", "weight", "adds", "share"))
    rows.add_column("what it is", overflow="fold")
    several = len(priority.parts) > _SEVERAL
    idle = [part.name for part in priority.parts if several and not part.contribution]
    for part in priority.parts:
        if part.name not in idle:
            rows.add_row(plain(f"  {part.name}"), *_figures(part), plain(part.meaning))
    if priority.rest:
        rest = figure(priority.rest, DIGITS)
        rows.add_row("  rest", "", "", rest, "", "from a redirect with a higher score")
    console.print(rows)
    if idle:
        line(console, f"  nothing from: {', '.join(idle)}", "dim")


def _figures(part: ScorePart) -> list[str]:
    figures = [figure(each, DIGITS) for each in (part.value, part.weight, part.contribution)]
    return [*figures, "" if part.share is None else f"{part.share:.0%}"]


def _print_inlink(inlink: InlinkScore, console: Console, scored: bool) -> None:
    score = f"{figure(inlink.score, DIGITS)}  " if scored else ""
    called = _page_label(inlink.page, inlink.worker)
    line(console, f"  {score}{called}  {inlink.url}  {quoted(inlink.anchor)}")
    if inlink.parts:
        shown = inlink.parts if len(inlink.parts) <= _SEVERAL else inlink.parts[:_LARGEST]
        parts = [f"{p.name} {figure(p.value, DIGITS)}" for p in shown]
        if len(shown) < len(inlink.parts):
            parts.append(f"{len(inlink.parts) - len(shown)} others, which --json has")
        line(console, f"          {', '.join(parts)}", "dim")


def heading(console: Console, text: str) -> None:
    """What follows is about this."""
    console.print()
    line(console, text, "bold")


def line(console: Console, text: str, style: str = "") -> None:
    """One line that comes from pages and URLs of others: never read as markup."""
    console.print(plain(text), style=style or None, soft_wrap=True)


# How an explanation is shown on a terminal.


_CLOCKS_START = 1e8
"""Times below are seconds of a replay's clock, which counts fetches."""


def print_explanation(described: Explanation, console: Console) -> None:
    """The verdict first, then what it rests on."""
    line(console, described.url, "bold")
    line(console, f"{described.verdict[:1].upper()}{described.verdict[1:]}.")
    if described.page is not None:
        _print_page(described.page, console)
    _print_history(described.history, console)
    print_path(
        described.path, console, scored=described.priority is None or described.priority.scored
    )
    if described.priority is not None:
        print_priority(described.priority, console)
    if described.place is not None:
        _print_place(described.place, console)
    if described.relevance is not None:
        _print_relevance(described.relevance, console)
    if described.page is not None:
        _print_links(described.page, console)
    _print_found(described, console)
    if described.near:
        heading(console, "Known to the crawl")
        for url in described.near:
            line(console, f"  {url}")


def _print_page(page: PageDetails, console: Console) -> None:
    if page.title:
        line(console, f"title:    {page.title}")
    when = f" at {format_time(page.at)}" if page.at > _CLOCKS_START else ""
    line(
        console, f"answer:   status {page.status}{when}, {_links(page.depth)} from the nearest seed"
    )
    if page.problem:
        line(console, f"problem:  {page.problem}")
    if page.language:
        line(console, f"language: {page.language}, not the topic's")
    if page.rendered:
        line(console, "read:     with a browser")
    if page.copy_of:
        line(console, f"copy of:  {page.copy_of}")


def _links(depth: int) -> str:
    return "1 link" if depth == 1 else f"{depth} links"


def _print_history(history: Sequence[UrlEvent], console: Console) -> None:
    if not history:
        return
    heading(console, "What happened")
    for each in history:
        when = "" if each.at is None else f"{format_time(each.at)}  "
        line(console, f"  {when}{each.event}: {each.reason}{_outcome(each)}")


def _outcome(each: UrlEvent) -> str:
    if each.event == "redirect":
        return f" -> {each.target}"
    if each.event != "failed":
        return ""
    again = "given up" if each.retry_at is None else f"tried again at {format_time(each.retry_at)}"
    return f" (attempt {each.attempts}, {again})"


def _print_place(place: FrontierPlace, console: Console) -> None:
    heading(console, "Frontier")
    if place.better is not None:
        own = f", {place.better_on_host:,} on its own host" if place.better else ""
        line(console, f"  better URLs that wait: {place.better:,} of {place.waiting:,}{own}")
    if place.attempts:
        due = "" if place.due is None else f", due at {format_time(place.due)}"
        line(console, f"  failed attempts: {place.attempts}{due}")
    until = "" if place.host_until is None else f" until {format_time(place.host_until)}"
    waiting = f"{place.host_waiting:,} waiting, {place.host_had:,} had"
    line(console, f"  host {place.host}: {waiting}, {place.host_state}{until}")


def _print_relevance(relevance: Relevance, console: Console) -> None:
    sign = "relevant" if relevance.relevant else "not relevant"
    heading(console, f"Relevance: {figure(relevance.similarity, DIGITS)}, {sign}")
    by_ontology = relevance.judge == ONTOLOGY
    if by_ontology:
        line(console, "  judge:     the concepts of the ontology")
    line(console, f"  threshold: {figure(relevance.threshold, DIGITS)}")
    if relevance.nearest:
        line(console, f"  nearest:   {relevance.nearest}")
    if relevance.note:
        line(console, f"  note:      {relevance.note}")
    if relevance.recomputed is None:
        return
    what = "concept" if by_ontology else "term"
    rows = table("", (f"  {what}",), ("on the page", "adds"))
    for term in relevance.terms:
        rows.add_row(plain(f"  {term.term}"), str(term.count), figure(term.contribution, DIGITS))
    if relevance.rest_terms:
        rest = figure(relevance.rest, DIGITS)
        rows.add_row(f"  {relevance.rest_terms:,} other {what}s", "", rest)
    rows.add_row("  together", "", figure(relevance.recomputed, DIGITS))
    console.print(rows)


def _print_links(page: PageDetails, console: Console) -> None:
    links = page.links
    heading(console, f"Its links: {links.found:,}")
    counted = {
        "new": links.new,
        "known and scored again": links.rescored,
        "known and dealt with": links.closed,
        "repeated": links.repeated,
        **{f"dropped, {reason}": count for reason, count in links.dropped.items()},
    }
    for name, count in counted.items():
        if count:
            line(console, f"  {count:,} {name}")


def _print_found(described: Explanation, console: Console) -> None:
    if described.searched is not None:
        heading(console, f"Links to it on the {described.searched:,} stored pages looked through")
        for each in described.found_on:
            line(console, _found(each))
        if not described.found_on:
            line(console, "  none")
        if described.unread:
            line(console, f"  note: {described.unread:,} of them cannot be read any more")


def _found(each: FoundLink) -> str:
    why = f": {each.reason}" if each.reason else ""
    return f"  page {each.page:,}  {each.url}  {quoted(each.anchor)}{why}"


# ``scenthound explain``: why a page was fetched, and why another one was not.


def explain(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder of a crawl, or replay.", show_default=False),
    ],
    urls: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL",
            help="A URL, perhaps without https://, or a page's number.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        list[int] | None, typer.Option("--page", metavar="N", help="A page by its number.")
    ] = None,
    terms: Annotated[
        int, typer.Option(metavar="N", help="Terms of a page's relevance to show.")
    ] = TERMS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Explain why a page was fetched, or why a URL was not.

    Prints the pages that led there, every part of its priority and of its relevance. For a URL
    that was not fetched: where it stands in the frontier, or what dropped it. Works while the
    crawl runs. What is no URL is told, and the others are explained.
    """
    what: list[str | int] = [*(urls or ()), *(page or ())]
    if not what:
        raise SettingsError("explain needs something to explain: give a URL, or --page N.")
    with bars(notices(), quiet=False) as progress:
        task = progress.add_task("looking for links", total=None, found="pages", visible=False)

        def on_page(done: int, pages: int) -> None:
            progress.update(task, completed=done, total=pages, visible=True)

        bad: list[InputError] = []
        described = explain_all(folder, what, terms=terms, on_page=on_page, on_bad=bad.append)
    _show(described, as_json)
    for error in bad:
        print_error(str(error))
    if bad:
        raise CommandExit(1 if described else 2)


def _show(described: Sequence[Explanation], as_json: bool) -> None:
    if as_json and described:
        typer.echo(json.dumps({"explanations": [each.to_json() for each in described]}, indent=1))
        return
    console = output()
    for number, each in enumerate(described):
        if number:
            console.print()
        print_explanation(each, console)

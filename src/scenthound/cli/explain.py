"""``scenthound explain``: why a page was fetched, and why another one was not.

Only printing is here; ``output/explain`` finds the facts. Each ``_print_...`` prints one block, in
the order in which :func:`print_explanation` calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from scenthound.cli import screen as ui
from scenthound.cli.options import AS_JSON, argument, option
from scenthound.core.command_options import ONTOLOGY
from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import format_page_number, global_page_number
from scenthound.output.explain import explanation as ex
from scenthound.output.explain.explain import TERMS, explain_all

DIGITS = 4
_FIRST_STEPS, _LAST_STEPS = 3, 6
"""Printed of a long path."""
_SEVERAL, _LARGEST = 6, 4
"""Of more parts than so many, the largest are printed, and none that adds nothing."""
_COMBINED = {
    "max": "; the best of them counts",
    "mean": "; the mean of them counts",
    "last": "; the last of them counts",
}
_CLOCKS_START = 1e8
"""Times below are seconds of a replay's clock, which counts fetches."""


def explain(
    folder: Path = argument("DIR", "Folder of a crawl or replay."),
    urls: list[str] | None = argument(
        "URL", "A URL, with or without https://, or the number of a page.", default=None
    ),
    page: list[int] | None = option("N", "A page by its number; may be repeated.", "--page"),
    terms: int = option("N", "Number of terms of a page's relevance to show.", default=TERMS),
    as_json: bool = AS_JSON,
) -> None:
    """Explain why a page was fetched, or why a URL was not.

    Prints the pages that led there, every part of its priority and of its relevance. For a URL
    that was not fetched: its place in the frontier, or the rule that dropped it. Works while the
    crawl runs. Text that is no URL is an error, and the others are explained.
    """
    what: list[str | int] = [*(urls or ()), *(page or ())]
    if not what:
        raise SettingsError("explain needs something to explain: give a URL, or --page N.")
    bad: list[InputError] = []
    with ui.bars(ui.notices(), quiet=False) as progress, ui.stage_bar(progress) as on_progress:
        on_page = partial(on_progress, "looking for links")
        described = explain_all(folder, what, terms=terms, on_page=on_page, on_bad=bad.append)
    if as_json and described:
        ui.print_json({"explanations": [each.to_json() for each in described]}, indent=1)
    else:
        console = ui.output()
        for number, each in enumerate(described):
            if number:
                console.print()
            print_explanation(each, console)
    for error in bad:
        ui.print_error(str(error))
    if bad:
        raise ui.CommandExit(ui.FAILED if described else 2)


def print_explanation(described: ex.Explanation, console: Console) -> None:
    """The verdict first, then the facts behind it."""
    ui.say(described.url, console, "bold")
    ui.say(f"{described.verdict[:1].upper()}{described.verdict[1:]}.", console)
    priority, page = described.priority, described.page
    if page is not None:
        _print_page(page, console)
    _print_history(described.history, console)
    print_path(described.path, console, scored=priority is None or priority.scored)
    if priority is not None:
        print_priority(priority, console)
    if described.place is not None:
        _print_place(described.place, console)
    if described.relevance is not None:
        _print_relevance(described.relevance, console)
    if page is not None:
        _print_links(page, console)
    if described.searched is not None:
        heading(console, f"Links to it on the {described.searched:,} stored pages looked through")
        for each in described.found_on:
            why = f": {each.reason}" if each.reason else ""
            ui.say(f"  page {each.page:,}  {each.url}  {quoted(each.anchor)}{why}", console)
        if not described.found_on:
            ui.say("  none", console)
        if described.unread:
            ui.say(f"  note: {described.unread:,} of them cannot be read any more", console)
    if described.near:
        heading(console, "Known to the crawl")
        for url in described.near:
            ui.say(f"  {url}", console)


def heading(console: Console, text: str) -> None:
    """Print a heading after an empty line."""
    console.print()
    ui.say(text, console, "bold")


def _print_page(page: ex.PageDetails, console: Console) -> None:
    when = f" at {ex.format_time(page.at)}" if page.at > _CLOCKS_START else ""
    depth = f"{ui.counted(page.depth, 'link')} from the nearest seed"
    for name, text in (
        ("title", page.title),
        ("answer", f"status {page.status}{when}, {depth}"),
        ("problem", page.problem),
        ("language", f"{page.language}, not the topic's" if page.language else ""),
        ("read", "with a browser" if page.rendered else ""),
        ("copy of", page.copy_of),
    ):
        if text:
            ui.say(f"{name + ':':10}{text}", console)


def _print_history(history: Sequence[ex.UrlEvent], console: Console) -> None:
    if history:
        heading(console, "What happened")
    for each in history:
        when = "" if each.at is None else f"{ex.format_time(each.at)}  "
        outcome = f" -> {each.target}" if each.event == "redirect" else ""
        if each.event == "failed":
            retry = each.retry_at
            again = "given up" if retry is None else f"tried again at {ex.format_time(retry)}"
            outcome = f" (attempt {each.attempts}, {again})"
        ui.say(f"  {when}{each.event}: {each.reason}{outcome}", console)


def print_path(path: Sequence[ex.Step], console: Console, scored: bool = True) -> None:
    """The pages that led to a URL; nothing for a seed.

    Without ``scored`` all links have the same score, which is not printed then.
    """
    if len(path) < 2:
        return
    which = "best" if scored else "first"
    heading(console, f"How the crawl came to it, by the {which} link to each page")
    between = len(path) - _FIRST_STEPS - _LAST_STEPS
    for place, step in enumerate(path):
        if between > 1 and _FIRST_STEPS <= place < _FIRST_STEPS + between:
            if place == _FIRST_STEPS:
                ui.say(f"    ... {between:,} pages, which --json has ...", console, "dim")
            continue
        if step.score is not None:
            score = f", score {ui.figure(step.score, DIGITS)}" if scored else ""
            ui.say(f"    link {quoted(step.anchor)}{score}", console)
        for hop in step.redirects:
            ui.say(f"    redirected from {hop}", console)
        number = "not fetched" if step.page is None else _page_label(step.page, step.worker)
        ui.say(f"  {number}  {step.url}", console)


def _page_label(page: int, worker: int) -> str:
    """The number of a page, with the worker that has it where that is another one."""
    return format_page_number(global_page_number(worker, page))


def quoted(anchor: str) -> str:
    """The words of a link in one line."""
    return f'"{" ".join(anchor.split())}"' if anchor.strip() else "without words"


def print_priority(priority: ex.Priority, console: Console) -> None:
    """The value, its parts, and the links that it comes from."""
    value = ui.figure(priority.value, DIGITS) if priority.value is not None else "none"
    if priority.value is None and priority.parts:  # a score that is no estimate of relevance
        place = sum(part.contribution for part in priority.parts)
        value = f"{ui.figure(place, DIGITS)}, for the order alone"
    heading(console, f"Priority: {value}")
    ui.say(f"  order: {priority.order}", console)
    if priority.gist:
        ui.say(f"  for it: {priority.gist}", console)
    _print_parts(priority, console)
    if priority.revised is not None:
        ui.say(f"  weights: {_revised(priority.revised)}", console)
    if not priority.linked_from:
        return
    several = priority.linked_from > 1 and priority.scored
    how = _COMBINED.get(priority.combination, "") if several else ""
    ui.say(f"  linked from {ui.counted(priority.linked_from, 'page')}{how}", console)
    for inlink in priority.inlinks:
        _print_inlink(inlink, console, priority.scored)


def _revised(revised: ex.WeightsOrigin) -> str:
    if not revised.times:
        return "those of the start, before any were learned"
    times = "once" if revised.times == 1 else f"{revised.times:,} times"
    links = f"learned from {revised.links:,} links"
    return f"{links}, revised {times}, last after page {revised.after:,}"


def _print_parts(priority: ex.Priority, console: Console) -> None:
    if not priority.parts:
        return
    rows = ui.table("", ("  part",), ("value", "weight", "adds", "share"))
    rows.add_column("what it is", overflow="fold")
    several = len(priority.parts) > _SEVERAL
    idle = [part.name for part in priority.parts if several and not part.contribution]
    for part in priority.parts:
        if part.name not in idle:
            values = (part.value, part.weight, part.contribution)
            share = "" if part.share is None else f"{part.share:.0%}"
            cells = [*(ui.figure(each, DIGITS) for each in values), share]
            rows.add_row(ui.plain(f"  {part.name}"), *cells, ui.plain(part.meaning))
    if priority.rest:
        rest = ui.figure(priority.rest, DIGITS)
        rows.add_row("  rest", "", "", rest, "", "from a redirect with a higher score")
    console.print(rows)
    if idle:
        ui.say(f"  nothing from: {', '.join(idle)}", console, "dim")


def _print_inlink(inlink: ex.InlinkScore, console: Console, scored: bool) -> None:
    score = f"{ui.figure(inlink.score, DIGITS)}  " if scored else ""
    page = _page_label(inlink.page, inlink.worker)
    ui.say(f"  {score}{page}  {inlink.url}  {quoted(inlink.anchor)}", console)
    if inlink.parts:
        shown = inlink.parts if len(inlink.parts) <= _SEVERAL else inlink.parts[:_LARGEST]
        parts = [f"{p.name} {ui.figure(p.value, DIGITS)}" for p in shown]
        if len(shown) < len(inlink.parts):
            parts.append(f"{len(inlink.parts) - len(shown)} others, which --json has")
        ui.say(f"          {', '.join(parts)}", console, "dim")


def _print_place(place: ex.FrontierPlace, console: Console) -> None:
    heading(console, "Frontier")
    if place.better is not None:
        own = f", {place.better_on_host:,} on its own host" if place.better else ""
        ui.say(f"  better URLs that wait: {place.better:,} of {place.waiting:,}{own}", console)
    if place.attempts:
        due = "" if place.due is None else f", due at {ex.format_time(place.due)}"
        ui.say(f"  failed attempts: {place.attempts}{due}", console)
    until = "" if place.host_until is None else f" until {ex.format_time(place.host_until)}"
    waiting = f"{place.host_waiting:,} waiting, {place.host_had:,} had"
    ui.say(f"  host {place.host}: {waiting}, {place.host_state}{until}", console)


def _print_relevance(relevance: ex.Relevance, console: Console) -> None:
    sign = "relevant" if relevance.relevant else "not relevant"
    heading(console, f"Relevance: {ui.figure(relevance.similarity, DIGITS)}, {sign}")
    by_ontology = relevance.judge == ONTOLOGY
    for name, text in (
        ("judge", "the concepts of the ontology" if by_ontology else ""),
        ("threshold", ui.figure(relevance.threshold, DIGITS)),
        ("nearest", relevance.nearest),
        ("note", relevance.note),
    ):
        if text:
            ui.say(f"  {name + ':':11}{text}", console)
    if relevance.recomputed is None:
        return
    what = "concept" if by_ontology else "term"
    rows = ui.table("", (f"  {what}",), ("on the page", "adds"))
    for term in relevance.terms:
        rows.add_row(
            ui.plain(f"  {term.term}"), str(term.count), ui.figure(term.contribution, DIGITS)
        )
    if relevance.rest_terms:
        rest = ui.figure(relevance.rest, DIGITS)
        rows.add_row(f"  {relevance.rest_terms:,} other {what}s", "", rest)
    rows.add_row("  together", "", ui.figure(relevance.recomputed, DIGITS))
    console.print(rows)


def _print_links(page: ex.PageDetails, console: Console) -> None:
    links = page.links
    heading(console, f"Its links: {links.found:,}")
    for name, count in {
        "new": links.new,
        "known and scored again": links.rescored,
        "known and dealt with": links.closed,
        "repeated": links.repeated,
        **{f"dropped, {reason}": count for reason, count in links.dropped.items()},
    }.items():
        if count:
            ui.say(f"  {count:,} {name}", console)

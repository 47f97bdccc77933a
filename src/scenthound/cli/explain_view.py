"""How an explanation is shown on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.explain_way import DIGITS, heading, line, print_path, print_priority, quoted
from scenthound.cli.screen import figure, plain, table
from scenthound.explanation.model import (
    Explanation,
    Happening,
    LinkFound,
    PageTold,
    Place,
    Relevance,
)
from scenthound.explanation.verdicts import told_time
from scenthound.relevance.judge_names import ONTOLOGY

_CLOCKS_START = 1e8
"""Times below are seconds of a replay's clock, which counts fetches."""


def print_explanation(told: Explanation, console: Console) -> None:
    """The verdict first, then what it rests on."""
    line(console, told.url, "bold")
    line(console, f"{told.verdict[:1].upper()}{told.verdict[1:]}.")
    if told.page is not None:
        _print_page(told.page, console)
    _print_history(told.history, console)
    print_path(told.path, console, scored=told.priority is None or told.priority.scored)
    if told.priority is not None:
        print_priority(told.priority, console)
    if told.place is not None:
        _print_place(told.place, console)
    if told.relevance is not None:
        _print_relevance(told.relevance, console)
    if told.page is not None:
        _print_links(told.page, console)
    _print_found(told, console)
    if told.near:
        heading(console, "Known to the crawl")
        for url in told.near:
            line(console, f"  {url}")


def _print_page(page: PageTold, console: Console) -> None:
    if page.title:
        line(console, f"title:    {page.title}")
    when = f" at {told_time(page.at)}" if page.at > _CLOCKS_START else ""
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


def _print_history(history: Sequence[Happening], console: Console) -> None:
    if not history:
        return
    heading(console, "What happened")
    for each in history:
        when = "" if each.at is None else f"{told_time(each.at)}  "
        line(console, f"  {when}{each.event}: {each.reason}{_outcome(each)}")


def _outcome(each: Happening) -> str:
    if each.event == "redirect":
        return f" -> {each.target}"
    if each.event != "failed":
        return ""
    again = "given up" if each.retry_at is None else f"tried again at {told_time(each.retry_at)}"
    return f" (attempt {each.attempts}, {again})"


def _print_place(place: Place, console: Console) -> None:
    heading(console, "Frontier")
    if place.better is not None:
        own = f", {place.better_on_host:,} on its own host" if place.better else ""
        line(console, f"  better URLs that wait: {place.better:,} of {place.waiting:,}{own}")
    if place.attempts:
        due = "" if place.due is None else f", due at {told_time(place.due)}"
        line(console, f"  failed attempts: {place.attempts}{due}")
    until = "" if place.host_until is None else f" until {told_time(place.host_until)}"
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


def _print_links(page: PageTold, console: Console) -> None:
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


def _print_found(told: Explanation, console: Console) -> None:
    if told.searched is not None:
        heading(console, f"Links to it on the {told.searched:,} stored pages looked through")
        for each in told.found_on:
            line(console, _found(each))
        if not told.found_on:
            line(console, "  none")
        if told.unread:
            line(console, f"  note: {told.unread:,} of them cannot be read any more")


def _found(each: LinkFound) -> str:
    why = f": {each.reason}" if each.reason else ""
    return f"  page {each.page:,}  {each.url}  {quoted(each.anchor)}{why}"

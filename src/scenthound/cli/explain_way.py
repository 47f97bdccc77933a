"""How the way to a URL and its priority are shown on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.screen import figure, plain, table
from scenthound.core.page_numbers import foreign, told_page
from scenthound.explanation.model import InlinkTold, PartTold, Priority, Revised, Step

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
        number = "not fetched" if step.page is None else _called(step.page, step.worker)
        line(console, f"  {number}  {step.url}")


def _called(page: int, worker: int) -> str:
    """A page by its number, and whose it is where another worker has it."""
    return told_page(foreign(worker, page))


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


def _revised(revised: Revised) -> str:
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


def _figures(part: PartTold) -> list[str]:
    figures = [figure(each, DIGITS) for each in (part.value, part.weight, part.contribution)]
    return [*figures, "" if part.share is None else f"{part.share:.0%}"]


def _print_inlink(inlink: InlinkTold, console: Console, scored: bool) -> None:
    score = f"{figure(inlink.score, DIGITS)}  " if scored else ""
    called = _called(inlink.page, inlink.worker)
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

"""How the way to a URL and its priority are shown on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.screen import figure, plain, table
from scenthound.explanation.model import InlinkTold, PartTold, Priority, Step

DIGITS = 4
_FIRST_STEPS, _LAST_STEPS = 3, 6
"""Shown of a long way."""
_COMBINED = {
    "max": "; the best of them counts",
    "mean": "; the mean of them counts",
    "last": "; the last of them counts",
}


def print_path(path: Sequence[Step], console: Console) -> None:
    """The pages that led to a URL; nothing for one that a person named."""
    if len(path) < 2:
        return
    heading(console, "How the crawl came to it, by the best link to each page")
    between = len(path) - _FIRST_STEPS - _LAST_STEPS
    if between <= 1:
        _print_steps(path, console)
        return
    _print_steps(path[:_FIRST_STEPS], console)
    line(console, f"    ... {between:,} pages, which --json has ...", "dim")
    _print_steps(path[-_LAST_STEPS:], console)


def _print_steps(path: Sequence[Step], console: Console) -> None:
    for step in path:
        if step.score is not None:
            line(console, f"    link {quoted(step.anchor)}, score {figure(step.score, DIGITS)}")
        for hop in step.redirects:
            line(console, f"    redirected from {hop}")
        number = "not fetched" if step.page is None else f"page {step.page:,}"
        line(console, f"  {number}  {step.url}")


def quoted(anchor: str) -> str:
    """The words of a link in one line."""
    return f'"{" ".join(anchor.split())}"' if anchor.strip() else "without words"


def print_priority(priority: Priority, console: Console) -> None:
    """The value, its parts, and the links that it comes from."""
    value = "none" if priority.value is None else figure(priority.value, DIGITS)
    heading(console, f"Priority: {value}")
    line(console, f"  order: {priority.order}")
    _print_parts(priority, console)
    if not priority.linked_from:
        return
    count = priority.linked_from
    how = _COMBINED.get(priority.combination, "") if count > 1 else ""
    line(console, f"  linked from {count:,} page{'s' if count > 1 else ''}{how}")
    for inlink in priority.inlinks:
        _print_inlink(inlink, console)


def _print_parts(priority: Priority, console: Console) -> None:
    if not priority.parts:
        return
    rows = table("", ("  part",), ("value", "weight", "adds"))
    rows.add_column("what it is", overflow="fold")
    for part in priority.parts:
        rows.add_row(plain(f"  {part.name}"), *_figures(part), plain(part.meaning))
    if priority.rest:
        rest = figure(priority.rest, DIGITS)
        rows.add_row("  rest", "", "", rest, "from a redirect with a higher score")
    console.print(rows)


def _figures(part: PartTold) -> list[str]:
    return [figure(each, DIGITS) for each in (part.value, part.weight, part.contribution)]


def _print_inlink(inlink: InlinkTold, console: Console) -> None:
    score = figure(inlink.score, DIGITS)
    line(console, f"  {score}  page {inlink.page:,}  {inlink.url}  {quoted(inlink.anchor)}")
    if inlink.parts:
        parts = ", ".join(f"{p.name} {figure(p.value, DIGITS)}" for p in inlink.parts)
        line(console, f"          {parts}", "dim")


def heading(console: Console, text: str) -> None:
    """What follows is about this."""
    console.print()
    line(console, text, "bold")


def line(console: Console, text: str, style: str = "") -> None:
    """One line that comes from pages and URLs of others: never read as markup."""
    console.print(plain(text), style=style or None, soft_wrap=True)

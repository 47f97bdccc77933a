"""How a live crawl looks: a panel for a terminal, a line for a file."""

from __future__ import annotations

from collections import Counter

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from scenthound.cli.live_state import Find, ViewState
from scenthound.cli.screen import figure, plain
from scenthound.cli.weights_view import told_values
from scenthound.live.status import Status

_REASONS_SHOWN = 4
_REASON_LENGTH = 40
_BAR_WIDTH = 30
_LABEL_WIDTH = 10
_TITLE_SHARE, _URL_SHARE = 2, 3
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def draw(state: ViewState) -> RenderableType:
    """The whole view; before the first figures it says that the crawl is beginning."""
    parts: list[RenderableType] = [_head(state)]
    if state.status is None:
        return Group(*parts, Text("reading the topic and its example pages ...", style="dim"))
    parts += [_bar(state, state.status), _figures(state, state.status)]
    if state.finds:
        parts += [Text("latest finds", style="bold"), _finds(state)]
    return Group(*parts)


def _head(state: ViewState) -> RenderableType:
    heading, row = state.heading, Table.grid(expand=True)
    row.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    row.add_column(no_wrap=True, justify="right")
    name = plain(f"{heading.topic}, {heading.strategy}, into {heading.folder}")
    name.stylize("bold", 0, len(heading.topic))
    row.add_row(name, _phase(state))
    return row


def _phase(state: ViewState) -> Text:
    if state.status is None:
        return Text("beginning", style="dim")
    if state.status.paused:
        return Text(" PAUSED: scenthound resume goes on ", style="black on yellow")
    return Text(f"{state.status.phase}, Ctrl-C stops", style="dim")


def _bar(state: ViewState, status: Status) -> RenderableType:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(no_wrap=True, width=_BAR_WIDTH)
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=True, style="dim")
    done = status.summary.fetched
    bar = ProgressBar(total=max(1, status.budget), completed=done, width=_BAR_WIDTH)
    row.add_row(bar, f"{done:,} of {status.budget:,} pages", _times(state, status))
    return row


def _times(state: ViewState, status: Status) -> str:
    text = clock_time(status.seconds)
    left = state.seconds_left
    if left is None or status.paused:
        return text
    return f"{text}, {rough_time(left)} left"


def _figures(state: ViewState, status: Status) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(no_wrap=True, style="dim", width=_LABEL_WIDTH)
    rows.add_column(overflow="ellipsis", no_wrap=True)
    for label, text in (
        ("relevant", _relevant(state, status)),
        ("speed", _speed(state, status)),
        ("frontier", _frontier(status)),
        ("weights", _weights(state)),
        ("errors", _reasons(state.errors) or "none"),
        ("retries", _reasons(state.retries) or "none"),
        ("left out", _reasons(state.dropped) or "nothing"),
    ):
        if text:
            rows.add_row(label, plain(text))
    return rows


def _weights(state: ViewState) -> str:
    """Those learnt last; empty for a strategy that has learnt none."""
    if state.revised is None:
        return ""
    return f"{told_values(state.revised.weights)}, revised after page {state.revised.n:,}"


def _relevant(state: ViewState, status: Status) -> str:
    text = f"{status.summary.relevant:,} pages, harvest {_harvest(state)}"
    return text + (f", {status.summary.copies:,} copies" if status.summary.copies else "")


def _harvest(state: ViewState) -> str:
    """Now, that is over the last pages, and overall."""
    return f"now {figure(state.recent_harvest)}, overall {figure(state.harvest)}"


def _speed(state: ViewState, status: Status) -> str:
    return f"{figure(state.speed, 1)} pages/s, {status.under_way} under way"


def _frontier(status: Status) -> str:
    return f"{status.summary.waiting:,} waiting, {status.hosts:,} hosts seen"


def _reasons(counts: Counter[str]) -> str:
    """The most frequent reasons; the rest in one figure."""
    shown = counts.most_common(_REASONS_SHOWN)
    texts = [f"{_short(reason)} {count:,}" for reason, count in shown]
    rest = counts.total() - sum(count for _, count in shown)
    return ", ".join([*texts, f"others {rest:,}"] if rest else texts)


def _short(reason: str) -> str:
    return reason if len(reason) <= _REASON_LENGTH else f"{reason[: _REASON_LENGTH - 3]}..."


def _finds(state: ViewState) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0), expand=True)
    rows.add_column(no_wrap=True, width=5)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=_TITLE_SHARE)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=_URL_SHARE, style="dim")
    for find in state.finds:
        rows.add_row(figure(find.similarity), plain(_title(find)), plain(find.url))
    return rows


def _title(find: Find) -> str:
    return find.title.strip() or "(no title)"


def line(state: ViewState) -> str:
    """The crawl in one line; empty before the first figures."""
    status = state.status
    if status is None:
        return ""
    parts = [
        f"{status.summary.fetched:,} of {status.budget:,} pages",
        f"{status.summary.relevant:,} relevant (harvest {_harvest(state)})",
        f"{figure(state.speed, 1)} pages/s",
        f"{status.summary.waiting:,} waiting",
        f"{status.hosts:,} hosts",
        _errors(state),
    ]
    if status.paused:
        parts.append("paused")
    elif state.seconds_left is not None:
        parts.append(f"{rough_time(state.seconds_left)} left")
    return f"{clock_time(status.seconds)}  {', '.join(parts)}"


def _errors(state: ViewState) -> str:
    """Errors, and apart from them what is tried again: it may still go well."""
    errors, retries = state.errors.total(), state.retries.total()
    text = f"{errors:,} error{'' if errors == 1 else 's'}"
    return f"{text} ({retries:,} {'retry' if retries == 1 else 'retries'})" if retries else text


def clock_time(seconds: float) -> str:
    """``0:02:10``, and ``27:46:40`` after a day."""
    whole = int(seconds)
    return f"{whole // _HOUR}:{whole % _HOUR // _MINUTE:02}:{whole % _MINUTE:02}"


def rough_time(seconds: float) -> str:
    """``40 s``, ``12 min``, ``3.5 h`` or ``2.1 days``: as near as a guess can be."""
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    if seconds < 2 * _DAY:
        return f"{seconds / _HOUR:.1f} h"
    return f"{seconds / _DAY:.1f} days"

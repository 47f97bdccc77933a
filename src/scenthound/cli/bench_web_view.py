"""How a score card is shown."""

from __future__ import annotations

from rich.console import Console

from scenthound.cli.figure_table import print_figures
from scenthound.cli.screen import figure, plain
from scenthound.comparison.open_web import BUDGET, ORACLE
from scenthound.comparison.score_card import Against, Line, ScoreCard
from scenthound.comparison.wins import BETTER, NO_DIFFERENCE, WORSE

_LEGEND = (
    "harvest: pages about the topic / fetches of the budget, with 95 % interval over topics; "
    "recall: of all such pages; area: the mean of the recall after each fetch; speed: fetches in a "
    "second against breadth-first, roughly, as runs share what they read and the first reads most. "
    "The oracle follows links to labelled pages first and sees one link ahead."
)
_WHAT_IT_IS = (
    "The webs are small and invented: good for finding out whether something works, no proof for "
    "the real web."
)
_VERDICTS = {BETTER: "better than", WORSE: "worse than", NO_DIFFERENCE: "no difference from"}


def print_card(card: ScoreCard, screen: Console) -> None:
    """The card: what was run, all figures, topic by topic, and what they say in words."""
    screen.print(plain(_heading(card)), style="bold", soft_wrap=True)
    screen.print(plain(_webs(card)), soft_wrap=True)
    print_figures("", "strategy", _COLUMNS, [(each.strategy, _cells(each)) for each in card.lines],
                  screen)  # fmt: skip
    if len(card.topics) > 1:
        screen.print()
        _print_topics(card, screen)
    screen.print()
    for each in card.against:
        screen.print(plain(_verdict(each, card)), soft_wrap=True)
    for name, way in card.way.items():
        screen.print(plain(_way(name, way)), soft_wrap=True)
    print_errors(card, screen)
    screen.print(_LEGEND, style="dim")
    screen.print(_WHAT_IT_IS, style="dim")


_COLUMNS = ("harvest", "interval", "recall", "area", "hosts", "speed")


def _heading(card: ScoreCard) -> str:
    part = "" if card.whole else ", a part of it"
    webs = f"{len(card.webs)} web{'' if len(card.webs) == 1 else 's'}"
    topics = f"{len(card.topics)} topic{'' if len(card.topics) == 1 else 's'}"
    return f"{card.benchmark}{part}: {webs}, {topics}, budget {BUDGET}"


def _webs(card: ScoreCard) -> str:
    """The webs with their fingerprints, as ``--serve`` tells them."""
    told = ", ".join(f"web {seed} (fingerprint {found})" for seed, found in card.webs.items())
    return told if card.known else f"{told}: OTHER WEBS than those of this version"


def _cells(line: Line) -> list[str]:
    if line.harvest is None:
        return ["-"] * len(_COLUMNS)
    span = line.harvest.interval
    interval = "-" if span is None else f"{span.low:.3f} to {span.high:.3f}"
    speed = "-" if line.speed is None else f"{line.speed:.1f} x"
    return [
        figure(line.harvest.value), interval, figure(line.recall), figure(line.area),
        figure(line.hosts, 0), speed,
    ]  # fmt: skip


def _print_topics(card: ScoreCard, screen: Console) -> None:
    rows = [
        (topic, [figure(line.harvests.get(topic)) for line in card.lines]) for topic in card.topics
    ]
    names = [line.strategy for line in card.lines]
    print_figures("Harvest by topic, mean of the webs", "topic", names, rows, screen)


def _verdict(each: Against, card: ScoreCard) -> str:
    found = each.difference
    span, record = found.mean.interval, found.record
    words = _VERDICTS.get(found.verdict)
    told = f"{words} {each.reference}" if words else f"against {each.reference}: {found.verdict}"
    interval = "" if span is None else f" ({span.low:+.3f} to {span.high:+.3f})"
    counts = f"; topics won {record.wins}, tied {record.ties}, lost {record.losses}"
    topics = counts if len(card.topics) > 1 else ""
    return f"{each.strategy}: {told}, {found.mean.value:+.3f}{interval}{topics}"


def _way(name: str, way: float) -> str:
    return f"{name}: {way:.0%} of the way from breadth-first to the {ORACLE}"


def print_errors(card: ScoreCard, screen: Console) -> None:
    """How many runs of a strategy failed, and each reason once; nothing where none did."""
    for line in card.lines:
        if line.failed:
            told = f"{line.strategy}: {line.failed} of {line.runs} runs failed"
            screen.print(plain(told), soft_wrap=True)
    for error in card.errors:
        screen.print(plain(f"  {error}"), soft_wrap=True)

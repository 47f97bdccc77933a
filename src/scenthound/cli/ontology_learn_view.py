"""How a learnt ontology is summed up on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from scenthound.cli.ontology_view import counted, facts
from scenthound.cli.screen import plain, say_warning
from scenthound.ontology.levels import levels
from scenthound.ontology_learning.learned import Learned

_TOLD = 5
"""Pairs of words, and relations, that are named."""


def learnt_facts(learned: Learned) -> dict[str, object]:
    """The ontology and how it came about, as JSON knows it."""
    return {
        **facts(learned.ontology),
        "origins": learned.origins,
        "topics": [list(topic) for topic in learned.topics],
        "pairs": [asdict(pair) for pair in learned.pairs],
        "said": [{**asdict(said), "kind": said.kind.value} for said in learned.said],
        "notes": list(learned.notes),
        "complete": learned.complete,
    }


def print_learnt(learned: Learned, out: Path, topic: Path, console: Console) -> None:
    """Concepts by where they come from, levels, what was found and what not, what to do next."""
    ontology = learned.ontology
    size = counted(len(ontology), "concept")
    depth = counted(max(levels(ontology).values(), default=0), "level")
    relations = counted(len(ontology.relations), "relation")
    _line(console, f"{size}, {depth}, {relations}")
    _line(console, ", ".join(f"{step} {count}" for step, count in learned.origins.items()))
    _told(console, "strong pair", [f"{pair.first} + {pair.second}" for pair in learned.pairs])
    said = [f"{each.child} {each.kind.value} {each.parent}" for each in learned.said]
    _told(console, "relation", said, " that texts tell of")
    for note in learned.notes:
        say_warning(note)
    name = json.dumps(str(_seen_from(topic, out)), ensure_ascii=False)
    _line(console, f"To use it, put ontology = {name} into {topic}.")


def _told(console: Console, what: str, found: Sequence[str], more: str = "") -> None:
    """How many there are, and the first of them; nothing where there are none."""
    if found:
        rest = ", ..." if len(found) > _TOLD else ""
        _line(console, f"{counted(len(found), what)}{more}: {', '.join(found[:_TOLD])}{rest}")


def _seen_from(topic: Path, out: Path) -> Path:
    """A file as a topic file names it: relative to itself, or by its whole path."""
    folder, path = topic.parent.resolve(), out.resolve()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def _line(console: Console, text: str) -> None:
    console.print(plain(text), soft_wrap=True)

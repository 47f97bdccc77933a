"""How an ontology is shown on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from scenthound.cli.screen import plain, say_warning
from scenthound.ontology.checking import Finding, is_serious
from scenthound.ontology.levels import levels
from scenthound.ontology.merging import Merged
from scenthound.ontology.model import Kind, Ontology

_LONGEST, _LONGEST_ORIGIN = 60, 80
_STEP = "  "
_DEEPEST = 30
"""Levels that are indented further; a tree below fills the screen with blanks."""
_TOLD = 10
"""Relations that did not fit which are told one by one."""


def facts(ontology: Ontology) -> dict[str, object]:
    """All of an ontology, as JSON knows it."""
    depth = levels(ontology)
    return {
        "name": ontology.name,
        "topic": ontology.topic,
        "levels": max(depth.values(), default=0),
        "concepts": [
            {"label": each.label, "origin": each.origin, "level": depth[each.label]}
            for each in ontology.concepts
        ],
        "relations": [
            {"child": each.child, "parent": each.parent, "kind": each.kind.value}
            for each in ontology.relations
        ],
    }


def print_ontology(ontology: Ontology, console: Console) -> None:
    """Every concept below each of its parents; what is below a concept only once."""
    console.print(plain(f"Ontology {_cut(ontology.name)}"), style="bold", soft_wrap=True)
    for line in _tree(ontology):
        console.print(line, soft_wrap=True)
    console.print()
    console.print(plain(_summary(ontology)), style="dim", soft_wrap=True)


def _tree(ontology: Ontology) -> Iterator[Text]:
    shown: set[str] = set()
    # The labels after the roots: concepts on a circle are below no root.
    for start in (*ontology.roots, *ontology.labels):
        stack = [(0, start, Kind.IS_A)] if start not in shown else []
        while stack:
            depth, label, kind = stack.pop()
            first = label not in shown
            shown.add(label)
            below = [each for each in ontology.children[label] if each.child in ontology]
            yield _line(ontology, depth, label, kind, more=not first and bool(below), first=first)
            if first:
                stack.extend((depth + 1, each.child, each.kind) for each in reversed(below))


def _line(
    ontology: Ontology, depth: int, label: str, kind: Kind, *, more: bool, first: bool
) -> Text:
    """``storm surge (induced-by)  [topic]  WordNet``; dots where its concepts are above."""
    name = plain(_cut(label) + (" ..." if more else ""))
    name.stylize("bold" if label == ontology.topic else "")
    line = Text.assemble(_STEP * min(depth, _DEEPEST), name)
    if kind is not Kind.IS_A:
        line.append(f" ({kind.value})", "cyan")
    if label == ontology.topic:
        line.append("  [topic]", "green")
    origin = ontology[label].origin
    if first and origin:
        line.append_text(Text.assemble("  ", plain(_cut(origin, _LONGEST_ORIGIN)), style="dim"))
    return line


def _summary(ontology: Ontology) -> str:
    depth = max(levels(ontology).values(), default=0)
    kinds = Counter(relation.kind for relation in ontology.relations)
    told = ", ".join(f"{kinds[kind]:,} {kind.value}" for kind in Kind if kinds[kind])
    relations = counted(len(ontology.relations), "relation") + (f" ({told})" if told else "")
    about = "no topic concept" if ontology.topic is None else f"topic {_cut(ontology.topic)!r}"
    concepts, layers = counted(len(ontology), "concept"), counted(depth, "level")
    return f"{concepts}, {layers}, {relations}; {about}."


def print_findings(ontology: Ontology, findings: Sequence[Finding], console: Console) -> None:
    """What is wrong, one line each, and whether the ontology can be used."""
    for finding in findings:
        style = "bold red" if is_serious(finding) else "yellow"
        word = Text(f"{finding.severity.value}: ", style)
        console.print(Text.assemble(word, plain(finding.sentence)), soft_wrap=True)
    if any(map(is_serious, findings)):
        console.print("It cannot be used as it is.")
    else:
        console.print(plain(f"It can be used: {_summary(ontology)}"), soft_wrap=True)


def say_left_out(merged: Merged) -> None:
    """Tell of the relations that did not fit."""
    for each in merged.left_out[:_TOLD]:
        child, parent = _cut(each.relation.child), _cut(each.relation.parent)
        told = f"{child!r} {each.relation.kind.value} {parent!r} was left out: {each.reason}."
        say_warning(told)
    more = len(merged.left_out) - _TOLD
    if more > 0:
        say_warning(f"{counted(more, 'more relation')} did not fit and were left out.")


def counted(number: int, name: str) -> str:
    """``1 concept``, ``1,200 concepts``."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"

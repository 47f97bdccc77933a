"""``scenthound ontology``: show, check, convert, merge and draw the concepts of a topic."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from scenthound.cli.results import CommandExit
from scenthound.cli.screen import notices, output, plain, print_warning
from scenthound.core.errors import SettingsError
from scenthound.output import ontologies
from scenthound.output.ontology_files import MOST_CONCEPTS
from scenthound.output.plots import SUFFIXES as PICTURES
from scenthound.papers.olmoaco.ontology import Kind, Ontology, concept_levels
from scenthound.papers.olmoaco.ontology_checks import MergeResult, Problem, is_serious
from scenthound.papers.olmoaco.ontology_files import SUFFIXES as FILES

_LONGEST, _LONGEST_ORIGIN = 60, 80

_STEP = "  "

_DEEPEST = 30
"""Levels that are indented further; a tree below fills the screen with blanks."""

_REPORTED = 10
"""Relations that did not fit which are reported one by one."""


def facts(ontology: Ontology) -> dict[str, object]:
    """All of an ontology, as JSON knows it."""
    depth = concept_levels(ontology)
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
    depth = max(concept_levels(ontology).values(), default=0)
    kinds = Counter(relation.kind for relation in ontology.relations)
    described = ", ".join(f"{kinds[kind]:,} {kind.value}" for kind in Kind if kinds[kind])
    relations = counted(len(ontology.relations), "relation") + (
        f" ({described})" if described else ""
    )
    about = "no topic concept" if ontology.topic is None else f"topic {_cut(ontology.topic)!r}"
    concepts, layers = counted(len(ontology), "concept"), counted(depth, "level")
    return f"{concepts}, {layers}, {relations}; {about}."


def print_findings(ontology: Ontology, findings: Sequence[Problem], console: Console) -> None:
    """What is wrong, one line each, and whether the ontology can be used."""
    for finding in findings:
        style = "bold red" if is_serious(finding) else "yellow"
        word = Text(f"{finding.severity.value}: ", style)
        console.print(Text.assemble(word, plain(finding.sentence)), soft_wrap=True)
    if any(map(is_serious, findings)):
        console.print("It cannot be used as it is.")
    else:
        console.print(plain(f"It can be used: {_summary(ontology)}"), soft_wrap=True)


def warn_left_out(merged: MergeResult) -> None:
    """Tell of the relations that did not fit."""
    for each in merged.left_out[:_REPORTED]:
        child, parent = _cut(each.relation.child), _cut(each.relation.parent)
        described = f"{child!r} {each.relation.kind.value} {parent!r} was left out: {each.reason}."
        print_warning(described)
    more = len(merged.left_out) - _REPORTED
    if more > 0:
        print_warning(f"{counted(more, 'more relation')} did not fit and were left out.")


def counted(number: int, name: str) -> str:
    """``1 concept``, ``1,200 concepts``."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"


# ``scenthound ontology``: the concepts of a topic: shown, checked, converted, merged and drawn.


SERIOUS = 1
"""Exit code of a check that found something serious."""

_FEWEST = 2
"""Files that can be merged."""


ontology = typer.Typer(
    name="ontology",
    help="The concepts of a topic and how they are related: learn, look at and change them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


OntologyFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="OWL (.owl), SKOS (.ttl, .rdf) or indented text (.txt).",
                   show_default=False),
]  # fmt: skip

Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]

TopicConcept = Annotated[
    str | None,
    typer.Option("--topic", metavar="LABEL", help="The concept that the topic is about."),
]


@ontology.command()
def show(
    file: OntologyFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Show an ontology as a tree.

    With the kinds of relations, and where concepts come from.
    """
    read = ontologies.read_ontology(file)
    if as_json:
        typer.echo(json.dumps(facts(read), indent=1))
    else:
        print_ontology(read, output())


@ontology.command()
def check(file: OntologyFile) -> None:
    """Look for circles, lost and doubled concepts.

    The exit code is 1 where something is serious and the ontology cannot be used.
    """
    read = ontologies.read_ontology(file)
    findings = ontologies.check_ontology(read)
    print_findings(read, findings, output())
    if any(map(is_serious, findings)):
        raise CommandExit(SERIOUS)


@ontology.command()
def convert(
    file: OntologyFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write: .owl, .ttl, .rdf or "
                                        ".txt.", show_default=False)],
    topic: TopicConcept = None,
    force: Force = False,
) -> None:  # fmt: skip
    """Write an ontology as another kind of file.

    The ending of the name says which: OWL, SKOS or indented text.
    """
    check_target(out, FILES, force)
    read = ontologies.read_ontology(file)
    _write(_about(read, topic), out)


@ontology.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Ontologies, two or "
                                                "more; name and topic come from the first.",
                                                show_default=False)],
    out: Annotated[Path, typer.Option(metavar="OUT", help="File to write: .owl, .ttl, .rdf or "
                                      ".txt.", show_default=False)],
    topic: TopicConcept = None,
    force: Force = False,
) -> None:  # fmt: skip
    """Join ontologies into one.

    Concepts of the same label become one concept. What would close a circle is left out.
    """
    if len(files) < _FEWEST:
        raise SettingsError("one ontology is nothing to merge; give two files or more.")
    check_target(out, FILES, force)
    merged = ontologies.merge_ontologies(*(ontologies.read_ontology(file) for file in files))
    warn_left_out(merged)
    _write(_about(merged.ontology, topic), out)


@ontology.command()
def draw(
    file: OntologyFile,
    out: Annotated[Path, typer.Option(metavar="PICTURE", help="File to draw: .svg, .png or .pdf.",
                                      show_default=False)],
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Concepts to draw, those nearest to the topic.")
    ] = MOST_CONCEPTS,
    force: Force = False,
) -> None:  # fmt: skip
    """Draw an ontology, with a colour for each kind of relation."""
    check_target(out, PICTURES, force)
    ontologies.draw_ontology(ontologies.read_ontology(file), out, most=most)
    _say_written(out)


def _about(read: Ontology, topic: str | None) -> Ontology:
    """The ontology with the topic concept that was asked for."""
    if topic is None:
        return read
    if topic not in read:
        raise SettingsError(f"--topic {topic!r} is no concept of {read.name!r}; see: "
                            "scenthound ontology show FILE.")  # fmt: skip
    return replace(read, topic=topic)


def _write(written: Ontology, out: Path) -> None:
    for finding in filter(is_serious, ontologies.check_ontology(written)):
        print_warning(finding.sentence)
    ontologies.write_ontology(written, out)
    _say_written(out)


def _say_written(path: Path) -> None:
    notices().print(plain(f"wrote {path}"), soft_wrap=True)


def check_target(path: Path, suffixes: Sequence[str], force: bool) -> None:
    """Find out before anything is read that nothing could be written there."""
    if path.suffix.lower() not in suffixes:
        known = ", ".join(suffixes)
        raise SettingsError(f"{path}: give a file name that ends in one of: {known}.")
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no folder {path.parent}; make it first.")
    if path.exists() and not force:
        raise SettingsError(f"{path} is there already; give another name, or --force.")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        reason = error.strerror or "cannot be written to"
        raise SettingsError(f"{path}: no file can be written to {path.parent} ({reason}); give "
                            "another folder.") from None  # fmt: skip

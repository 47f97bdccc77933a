"""``scenthound ontology``: show, check, convert, merge and draw the concepts of a topic."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import typer
from rich.text import Text

from scenthound.cli import screen as ui
from scenthound.cli.options import AS_JSON, FORCE, argument, option
from scenthound.core.errors import SettingsError
from scenthound.output.figure import SUFFIXES as PICTURES
from scenthound.output.ontologies import read_ontology, write_ontology
from scenthound.output.ontology_drawing import MOST_CONCEPTS, draw_ontology
from scenthound.papers.ontologies.checks import find_problems, merge_ontologies
from scenthound.papers.ontologies.files import SUFFIXES as FILES
from scenthound.papers.ontologies.files import ontology_text
from scenthound.papers.ontologies.model import Kind, Ontology, concept_levels

_LONGEST = 60
"""Characters of a label."""
_REPORTED = 10
"""Relations that did not fit which are printed one by one."""
_OUT = "File to write: .owl, .ttl, .rdf or .txt."


def facts(ontology: Ontology) -> dict[str, object]:
    """All of an ontology, as JSON."""
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


def _summary(ontology: Ontology) -> str:
    depth = max(concept_levels(ontology).values(), default=0)
    kinds = Counter(relation.kind for relation in ontology.relations)
    described = ", ".join(f"{kinds[kind]:,} {kind.value}" for kind in Kind if kinds[kind])
    relations = ui.counted(len(ontology.relations), "relation") + (
        f" ({described})" if described else ""
    )
    about = (
        "no topic concept"
        if ontology.topic is None
        else f"topic {ui.cut(ontology.topic, _LONGEST)!r}"
    )
    concepts, layers = ui.counted(len(ontology), "concept"), ui.counted(depth, "level")
    return f"{concepts}, {layers}, {relations}; {about}."


ontology = typer.Typer(
    name="ontology",
    help="Learn, look at and change the concepts of a topic and their relations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
ONTOLOGY_FILE = argument("FILE", "OWL (.owl), SKOS (.ttl, .rdf) or indented text (.txt).")
TOPIC_CONCEPT = option("LABEL", "Label of the topic concept.", "--topic")


@ontology.command()
def show(file: Path = ONTOLOGY_FILE, as_json: bool = AS_JSON) -> None:
    """Show an ontology as indented text, with kinds of relations and origins of concepts."""
    read, console = read_ontology(file), ui.output()
    if as_json:
        ui.print_json(facts(read), indent=1)
    else:
        for line in (*ontology_text(read).splitlines(), "", _summary(read)):
            ui.say(line, console)


@ontology.command()
def check(file: Path = ONTOLOGY_FILE) -> None:
    """Look for cycles, unconnected and duplicate concepts.

    The exit code is 1 where the ontology cannot be used.
    """
    read, console = read_ontology(file), ui.output()
    findings = find_problems(read)
    for finding in findings:
        style = "bold red" if finding.is_serious else "yellow"
        word = Text(f"{finding.severity.value}: ", style)
        console.print(Text.assemble(word, ui.plain(finding.sentence)), soft_wrap=True)
    if any(finding.is_serious for finding in findings):
        console.print("It cannot be used as it is.")
        raise ui.CommandExit(ui.FAILED)
    ui.say(f"It can be used: {_summary(read)}", console)


@ontology.command()
def convert(
    file: Path = ONTOLOGY_FILE,
    out: Path = argument("OUT", _OUT),
    topic: str | None = TOPIC_CONCEPT,
    force: bool = FORCE,
) -> None:
    """Write an ontology in another file format.

    The ending of the name says which: OWL, SKOS or indented text.
    """
    ui.check_target(out, suffixes=FILES, force=force)
    _write(read_ontology(file), topic, out)


@ontology.command()
def merge(
    files: list[Path] = argument(
        "FILE", "Ontologies, two or more; name and topic come from the first."
    ),
    out: Path = option("OUT", _OUT, default=...),
    topic: str | None = TOPIC_CONCEPT,
    force: bool = FORCE,
) -> None:
    """Merge ontologies into one.

    Concepts of the same label become one concept. A relation that would close a cycle is left out.
    """
    if len(files) < 2:
        raise SettingsError("one ontology is nothing to merge; give two files or more.")
    ui.check_target(out, suffixes=FILES, force=force)
    merged = merge_ontologies(*(read_ontology(file) for file in files))
    for each in merged.left_out[:_REPORTED]:
        child, parent = (
            ui.cut(each.relation.child, _LONGEST),
            ui.cut(each.relation.parent, _LONGEST),
        )
        relation = f"{child!r} {each.relation.kind.value} {parent!r}"
        ui.print_warning(f"{relation} was left out: {each.reason}.")
    if (more := len(merged.left_out) - _REPORTED) > 0:
        ui.print_warning(f"{ui.counted(more, 'more relation')} did not fit and were left out.")
    _write(merged.ontology, topic, out)


@ontology.command()
def draw(
    file: Path = ONTOLOGY_FILE,
    out: Path = option("PICTURE", "File to draw: .svg, .png or .pdf.", default=...),
    most: int = option(
        "N",
        "Most concepts to draw; those nearest to the topic are drawn.",
        default=MOST_CONCEPTS,
        min=1,
    ),
    force: bool = FORCE,
) -> None:
    """Draw an ontology, with a colour for each kind of relation."""
    ui.check_target(out, suffixes=PICTURES, force=force)
    draw_ontology(read_ontology(file), out, most=most)
    ui.say(f"wrote {out}")


def _write(written: Ontology, topic: str | None, out: Path) -> None:
    """Write an ontology, with another topic concept if one is given."""
    if topic is not None:
        if topic not in written:
            raise SettingsError(
                f"--topic {topic!r} is no concept of {written.name!r}; see: scenthound ontology "
                "show FILE."
            )
        written = replace(written, topic=topic)
    for finding in find_problems(written):
        if finding.is_serious:
            ui.print_warning(finding.sentence)
    write_ontology(written, out)
    ui.say(f"wrote {out}")

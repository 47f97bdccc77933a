"""``scenthound ontology``: the concepts of a topic: shown, checked, converted, merged and drawn."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.cli.ending import ToldExit
from scenthound.cli.ontology_view import facts, print_findings, print_ontology, say_left_out
from scenthound.cli.screen import notices, output, plain, say_warning
from scenthound.core.errors import SettingsError
from scenthound.experiments.figure_file import SUFFIXES as PICTURES
from scenthound.experiments.ontology_drawing import MOST
from scenthound.ontology.checking import is_serious
from scenthound.ontology.files import SUFFIXES as FILES
from scenthound.ontology.model import Ontology

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
    read = api.read_ontology(file, warn=say_warning)
    if as_json:
        typer.echo(json.dumps(facts(read), indent=1))
    else:
        print_ontology(read, output())


@ontology.command()
def check(file: OntologyFile) -> None:
    """Look for circles, lost and doubled concepts.

    The exit code is 1 where something is serious and the ontology cannot be used.
    """
    read = api.read_ontology(file, warn=say_warning)
    findings = api.check_ontology(read)
    print_findings(read, findings, output())
    if any(map(is_serious, findings)):
        raise ToldExit(SERIOUS)


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
    read = api.read_ontology(file, warn=say_warning)
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
    merged = api.merge_ontologies(*(api.read_ontology(file, warn=say_warning) for file in files))
    say_left_out(merged)
    _write(_about(merged.ontology, topic), out)


@ontology.command()
def draw(
    file: OntologyFile,
    out: Annotated[Path, typer.Option(metavar="PICTURE", help="File to draw: .svg, .png or .pdf.",
                                      show_default=False)],
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Concepts to draw, those nearest to the topic.")
    ] = MOST,
    force: Force = False,
) -> None:  # fmt: skip
    """Draw an ontology, with a colour for each kind of relation."""
    check_target(out, PICTURES, force)
    api.draw_ontology(api.read_ontology(file, warn=say_warning), out, most=most)
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
    for finding in filter(is_serious, api.check_ontology(written)):
        say_warning(finding.sentence)
    api.write_ontology(written, out)
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

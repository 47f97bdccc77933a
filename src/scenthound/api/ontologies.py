"""Ontologies from Python: read, write, check, merge and draw them."""

from __future__ import annotations

from pathlib import Path

from scenthound.api.arguments import check_given_path, check_number
from scenthound.api.shared import warn_caller
from scenthound.experiments import ontology_drawing, ontology_file
from scenthound.experiments.topic_reading import Warn
from scenthound.ontology import checking, files, merging
from scenthound.ontology.checking import Finding
from scenthound.ontology.merging import Merged
from scenthound.ontology.model import Ontology


def read_ontology(path: str | Path, *, warn: Warn | None = None) -> Ontology:
    """The ontology in a file: OWL, SKOS or indented text.

    Parameters
    ----------
    path : what is in the file counts; a name that ends in ``.txt`` is indented text.
    warn : hears what of the file was left out; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    OntologyError
        It cannot be read, or holds no concept.
    SettingsError
        rdflib, which comes with ``scenthound[ontology]``, is missing.
    """
    check_given_path("path", path)
    return files.read_ontology(path, warn or warn_caller)


def write_ontology(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology, whole or not at all; a file that is there is replaced.

    Parameters
    ----------
    ontology : also one without concepts; :func:`read_ontology` refuses those.
    path : its ending says what is written: ``.owl`` OWL, ``.ttl`` and ``.rdf`` SKOS, ``.txt``
        indented text.

    Raises
    ------
    OntologyError
        It cannot be written there.
    """
    check_given_path("path", path)
    ontology_file.write_ontology(ontology, path)


def check_ontology(ontology: Ontology) -> list[Finding]:
    """What is wrong with an ontology, the serious first; nothing where all is well."""
    return checking.check(ontology)


def merge_ontologies(*ontologies: Ontology) -> Merged:
    """One ontology from several, and the relations that did not fit; one is merged with none.

    Raises
    ------
    OntologyError
        None was given.
    """
    return merging.merge(*ontologies)


def draw_ontology(
    ontology: Ontology, path: str | Path, *, most: int = ontology_drawing.MOST
) -> None:
    """Draw an ontology to a ``.png``, ``.svg`` or ``.pdf`` file.

    Parameters
    ----------
    ontology : what to draw.
    path : where to; its ending says which kind of picture.
    most : concepts to draw, those nearest to the topic concept.

    Raises
    ------
    InputError
        It cannot be drawn there.
    """
    check_given_path("path", path)
    check_number("most", most, whole=True)
    ontology_drawing.draw_ontology(ontology, path, most=most)

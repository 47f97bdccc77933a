"""Ontologies as files: OWL, SKOS and indented text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import OntologyError
from scenthound.core.extras import require
from scenthound.ontology.model import Ontology
from scenthound.ontology.text_file import ontology_text, parse_ontology_text

if TYPE_CHECKING:
    from rdflib import Graph

Warn = Callable[[str], None]

INSTALL = "pip install 'scenthound[ontology]'"
TEXT, OWL_XML, SKOS_TURTLE, SKOS_XML = ".txt", ".owl", ".ttl", ".rdf"
SUFFIXES = (OWL_XML, SKOS_TURTLE, SKOS_XML, TEXT)
"""What an ontology can be written to."""
_LARGEST = 50_000_000
_MARKUP = ("<", "@prefix", "@base")
"""How other kinds of files begin."""
_NAMED = 6
"""Kinds of things left out that are named."""


def read_ontology(path: str | Path, warn: Warn) -> Ontology:
    """The ontology in a file; it has at least one concept and is not checked further.

    Parameters
    ----------
    path : indented text where its name ends in ``.txt``; else OWL or SKOS, in RDF/XML or Turtle,
        as its content tells.
    warn : hears what of the file was left out. Imports are not followed.

    OntologyError says why the file cannot be used.
    """
    path = Path(path)
    try:
        ontology, left_out = _parsed(
            _content(path), path, lambda said: warn(f"ontology file {path}: {said}")
        )
    except OntologyError as error:
        raise OntologyError(f"ontology file {path}: {error}") from None
    if left_out:
        warn(f"ontology file {path}: left out: {_listed(left_out)}.")
    return ontology


def ontology_bytes(ontology: Ontology, suffix: str) -> bytes:
    """The content of a file; the same ontology gives the same bytes.

    Parameters
    ----------
    ontology : what to write; texts lose what XML cannot hold.
    suffix : one of ``SUFFIXES``; OntologyError for any other.
    """
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise OntologyError(f"give a file name that ends in one of: {known}.")
    if suffix == TEXT:
        return ontology_text(ontology).encode()
    syntax = "turtle" if suffix == SKOS_TURTLE else "xml"
    return _graph(ontology, suffix).serialize(format=syntax, encoding="utf-8")


def _content(path: Path) -> bytes:
    try:
        if not path.is_file() and path.exists():
            raise OntologyError("it is not a file; give the name of a file.")
        if path.stat().st_size > _LARGEST:
            raise OntologyError(f"it has more than {_LARGEST // 10**6} MB; give a smaller one.")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise OntologyError(
            f"{reason}; give the path of an .owl, .ttl, .rdf or .txt file."
        ) from None


def _parsed(data: bytes, path: Path, warn: Warn) -> tuple[Ontology, Counter[str]]:
    if not data.strip():
        raise OntologyError("it is empty; give one with concepts.")
    if path.suffix.lower() == TEXT:
        ontology, left_out = parse_ontology_text(_text(data), path.stem, warn), Counter[str]()
    else:
        ontology, left_out = _read_graph(data, path.stem)
    if not len(ontology):
        raise OntologyError("it has no concept, class or SKOS concept; give one that has.")
    return ontology, left_out


def _text(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise OntologyError("it is not UTF-8 text; save it as UTF-8.") from None
    if "\0" in text:
        raise OntologyError("it is not a text; give an indented text, or name it by its kind.")
    if text.lstrip().startswith(_MARKUP):
        raise OntologyError(
            "it is no indented text, but XML, HTML or Turtle; name an ontology by its kind: .owl, "
            ".rdf or .ttl."
        )
    return text


def _need_rdflib() -> None:
    require("rdflib", "reading and writing OWL and SKOS", INSTALL)


def _read_graph(data: bytes, name: str) -> tuple[Ontology, Counter[str]]:
    _need_rdflib()
    from scenthound.ontology.owl_reading import has_owl, read_owl
    from scenthound.ontology.rdf_loading import load_graph
    from scenthound.ontology.skos_reading import has_skos, read_skos

    graph = load_graph(data)
    return read_skos(graph, name) if has_skos(graph) > has_owl(graph) else read_owl(graph, name)


def _graph(ontology: Ontology, suffix: str) -> Graph:
    _need_rdflib()
    from scenthound.ontology.owl_writing import owl_graph
    from scenthound.ontology.skos_writing import skos_graph

    return owl_graph(ontology) if suffix == OWL_XML else skos_graph(ontology)


def _listed(left_out: Counter[str]) -> str:
    named = [f"{name} ({count:,})" for name, count in left_out.most_common(_NAMED)]
    more = len(left_out) - len(named)
    return "; ".join([*named, *([f"and {more:,} other kinds of things"] if more else [])])

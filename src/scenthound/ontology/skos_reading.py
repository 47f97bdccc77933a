"""SKOS, of our own or of others: a thesaurus as an ontology."""

from __future__ import annotations

from collections import Counter

from rdflib import RDF, SKOS, Graph, URIRef
from rdflib.term import Node

from scenthound.ontology.model import Kind, Ontology
from scenthound.ontology.rdf_gathering import Gathering
from scenthound.ontology.rdf_names import ISO_THES, KIND_NAMES, property_of, readable

_UPWARDS: tuple[tuple[URIRef, Kind], ...] = (
    *((property_of(kind), kind) for kind in KIND_NAMES),
    (ISO_THES.broaderPartitive, Kind.PART_OF),
    (ISO_THES.broaderGeneric, Kind.IS_A),
    (ISO_THES.broaderInstantial, Kind.IS_A),
    (SKOS.broader, Kind.IS_A),
)
"""From a child to its parent, the most exact first: what is said first of a pair counts."""
_DOWNWARDS: tuple[tuple[URIRef, Kind], ...] = (
    (ISO_THES.narrowerPartitive, Kind.PART_OF),
    (ISO_THES.narrowerGeneric, Kind.IS_A),
    (ISO_THES.narrowerInstantial, Kind.IS_A),
    (SKOS.narrower, Kind.IS_A),
)


def has_skos(graph: Graph) -> int:
    """How many SKOS concepts there are."""
    return sum(1 for _ in graph.subjects(RDF.type, SKOS.Concept)) or sum(
        1 for _ in graph.subjects(SKOS.broader)
    )


def read_skos(graph: Graph, name: str) -> tuple[Ontology, Counter[str]]:
    """The ontology in a SKOS file, and how much was left out of what, in words.

    Parameters
    ----------
    graph : the file.
    name : of the ontology, unless the file gives one.
    """
    gathering = Gathering(graph)
    gathering.add_concepts(_concepts(graph))
    _relate(gathering)
    for node in gathering.nodes:
        for text in readable(graph.objects(node, SKOS.altLabel)):
            gathering.add_synonym(text, node)
    heads = graph.subjects(RDF.type, SKOS.ConceptScheme)
    return gathering.ontology(name, heads), gathering.left_out


def _concepts(graph: Graph) -> dict[Node, None]:
    found = dict.fromkeys(graph.subjects(RDF.type, SKOS.Concept))
    for used, _ in (*_UPWARDS, *_DOWNWARDS):
        for pair in graph.subject_objects(used):
            found.update(dict.fromkeys(pair))
    return found


def _relate(gathering: Gathering) -> None:
    graph, nodes = gathering.graph, gathering.nodes
    exact, plain = _UPWARDS[:-1], _UPWARDS[-1:]
    for node in nodes:
        for used, kind in exact:
            for other in graph.objects(node, used):
                gathering.relate(node, other, kind)
    for node in nodes:
        for used, kind in _DOWNWARDS:
            for other in graph.objects(node, used):
                gathering.relate(other, node, kind)
        for used, kind in plain:
            for other in graph.objects(node, used):
                gathering.relate(node, other, kind)
    for node in nodes:
        for other in graph.objects(node, SKOS.related):
            gathering.relate(node, other, Kind.COORDINATE, loose=True)

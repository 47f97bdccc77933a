"""SKOS: a thesaurus as an ontology, and an ontology as a thesaurus."""

from __future__ import annotations

from collections import Counter

from rdflib import DCTERMS, RDF, RDFS, SKOS, Graph, Literal, URIRef
from rdflib.term import Node

from scenthound.papers.olmoaco import rdf
from scenthound.papers.olmoaco.ontology import Kind, Ontology, Relation, one_line

_UPWARDS: tuple[tuple[URIRef, Kind], ...] = (
    *((rdf.property_of(kind), kind) for kind in rdf.KIND_NAMES),
    (rdf.ISO_THES.broaderPartitive, Kind.PART_OF),
    (rdf.ISO_THES.broaderGeneric, Kind.IS_A),
    (rdf.ISO_THES.broaderInstantial, Kind.IS_A),
    (SKOS.broader, Kind.IS_A),
)
"""From a child to its parent, the most exact first: what is said first of a pair counts."""
_DOWNWARDS: tuple[tuple[URIRef, Kind], ...] = (
    (rdf.ISO_THES.narrowerPartitive, Kind.PART_OF),
    (rdf.ISO_THES.narrowerGeneric, Kind.IS_A),
    (rdf.ISO_THES.narrowerInstantial, Kind.IS_A),
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
    gathering = rdf.OntologyBuilder(graph)
    gathering.add_concepts(_concepts(graph))
    _relate(gathering)
    for node in gathering.nodes:
        for text in rdf.readable(graph.objects(node, SKOS.altLabel)):
            gathering.add_synonym(text, node)
    heads = graph.subjects(RDF.type, SKOS.ConceptScheme)
    return gathering.ontology(name, heads), gathering.left_out


def _concepts(graph: Graph) -> dict[Node, None]:
    found = dict.fromkeys(graph.subjects(RDF.type, SKOS.Concept))
    for used, _ in (*_UPWARDS, *_DOWNWARDS):
        for pair in graph.subject_objects(used):
            found.update(dict.fromkeys(pair))
    return found


def _relate(gathering: rdf.OntologyBuilder) -> None:
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


_PREFIXES = {"rdf": RDF, "rdfs": RDFS, "skos": SKOS, "dcterms": DCTERMS} | {
    "isothes": rdf.ISO_THES,
    "scenthound": rdf.OURS,
}


def skos_graph(ontology: Ontology) -> Graph:
    """The ontology as triples: is-a as broader, and the other kinds by two properties each.

    One is exact, so that nothing is lost: broaderPartitive of ISO 25964, or one of our own. The
    other is the nearest of SKOS itself, which every tool understands.
    """
    graph, base = rdf.ontology_graph(ontology, SKOS.ConceptScheme, _PREFIXES)
    graph.bind("", f"{base}#")
    for root in ontology.roots:
        graph.add((URIRef(base), SKOS.hasTopConcept, rdf.concept_name(base, root)))
    for concept in ontology.concepts:
        node = rdf.concept_name(base, concept.label)
        graph.add((node, RDF.type, SKOS.Concept))
        graph.add((node, SKOS.prefLabel, Literal(one_line(concept.label))))
        graph.add((node, SKOS.inScheme, URIRef(base)))
        if one_line(concept.origin):
            graph.add((node, rdf.ORIGIN, Literal(one_line(concept.origin))))
    for relation in ontology.relations:
        _add_relation(graph, base, relation)
    return graph


def _add_relation(graph: Graph, base: str, relation: Relation) -> None:
    child, parent = (rdf.concept_name(base, label) for label in (relation.child, relation.parent))
    if relation.kind is Kind.PART_OF:
        graph.add((child, rdf.ISO_THES.broaderPartitive, parent))
    elif relation.kind is not Kind.IS_A:
        graph.add((child, rdf.property_of(relation.kind), parent))
    if relation.kind in (Kind.IS_A, Kind.PART_OF):
        graph.add((child, SKOS.broader, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((parent, SKOS.altLabel, Literal(one_line(relation.child))))
    else:
        graph.add((child, SKOS.related, parent))

"""An ontology as SKOS, for tools that know thesauri."""

from __future__ import annotations

from rdflib import DCTERMS, RDF, RDFS, SKOS, Graph, Literal, URIRef

from scenthound.ontology.cleaning import one_line
from scenthound.ontology.model import Kind, Ontology, Relation
from scenthound.ontology.rdf_loading import new_graph
from scenthound.ontology.rdf_names import (
    ISO_THES,
    ORIGIN,
    OURS,
    TOPIC_CONCEPT,
    base_of,
    concept_name,
    property_of,
)

_PREFIXES = (
    ("rdf", RDF), ("rdfs", RDFS), ("skos", SKOS), ("dcterms", DCTERMS), ("isothes", ISO_THES),
    ("scenthound", OURS),
)  # fmt: skip


def skos_graph(ontology: Ontology) -> Graph:
    """The ontology as triples: is-a as broader, and the other kinds by two properties each.

    One is exact, so that nothing is lost: broaderPartitive of ISO 25964, or one of our own. The
    other is the nearest of SKOS itself, which every tool understands.
    """
    graph = new_graph()
    for prefix, space in _PREFIXES:
        graph.bind(prefix, space)
    base = base_of(ontology.name)
    graph.bind("", f"{base}#")
    _add_head(graph, ontology, base)
    for concept in ontology.concepts:
        node = concept_name(base, concept.label)
        graph.add((node, RDF.type, SKOS.Concept))
        graph.add((node, SKOS.prefLabel, Literal(one_line(concept.label))))
        graph.add((node, SKOS.inScheme, URIRef(base)))
        if one_line(concept.origin):
            graph.add((node, ORIGIN, Literal(one_line(concept.origin))))
    for relation in ontology.relations:
        _add_relation(graph, base, relation)
    return graph


def _add_head(graph: Graph, ontology: Ontology, base: str) -> None:
    head = URIRef(base)
    graph.add((head, RDF.type, SKOS.ConceptScheme))
    graph.add((head, RDFS.label, Literal(one_line(ontology.name))))
    if ontology.topic is not None:
        known = ontology.topic in ontology
        topic = concept_name(base, ontology.topic) if known else Literal(one_line(ontology.topic))
        graph.add((head, TOPIC_CONCEPT, topic))
    for root in ontology.roots:
        graph.add((head, SKOS.hasTopConcept, concept_name(base, root)))


def _add_relation(graph: Graph, base: str, relation: Relation) -> None:
    child, parent = (concept_name(base, label) for label in (relation.child, relation.parent))
    if relation.kind is Kind.PART_OF:
        graph.add((child, ISO_THES.broaderPartitive, parent))
    elif relation.kind is not Kind.IS_A:
        graph.add((child, property_of(relation.kind), parent))
    if relation.kind in (Kind.IS_A, Kind.PART_OF):
        graph.add((child, SKOS.broader, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((parent, SKOS.altLabel, Literal(one_line(relation.child))))
    else:
        graph.add((child, SKOS.related, parent))

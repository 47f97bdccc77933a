"""An ontology as OWL, which Protege opens."""

from __future__ import annotations

from rdflib import DCTERMS, OWL, RDF, RDFS, BNode, Graph, Literal, URIRef

from scenthound.ontology.cleaning import one_line
from scenthound.ontology.model import Kind, Ontology, Relation
from scenthound.ontology.rdf_loading import new_graph
from scenthound.ontology.rdf_names import (
    KIND_NAMES,
    ORIGIN,
    OURS,
    TOPIC_CONCEPT,
    base_of,
    concept_name,
    property_of,
    words_of,
)

_PREFIXES = (
    ("rdf", RDF), ("rdfs", RDFS), ("owl", OWL), ("dcterms", DCTERMS), ("scenthound", OURS),
)  # fmt: skip
_RESTRICTIONS = (Kind.PART_OF, Kind.INDUCED_BY, Kind.COORDINATE)


def owl_graph(ontology: Ontology) -> Graph:
    """The ontology as triples: is-a as subClassOf, synonym as equivalentClass.

    The other kinds are restrictions, ``partOf some storm``, that a class is a subclass of.
    """
    graph = new_graph()
    for prefix, space in _PREFIXES:
        graph.bind(prefix, space)
    base = base_of(ontology.name)
    _add_head(graph, ontology, base)
    for concept in ontology.concepts:
        node = concept_name(base, concept.label)
        graph.add((node, RDF.type, OWL.Class))
        graph.add((node, RDFS.label, Literal(one_line(concept.label))))
        if one_line(concept.origin):
            graph.add((node, ORIGIN, Literal(one_line(concept.origin))))
    for number, relation in enumerate(ontology.relations):
        _add_relation(graph, base, relation, number)
    return graph


def _add_head(graph: Graph, ontology: Ontology, base: str) -> None:
    head = URIRef(base)
    graph.add((head, RDF.type, OWL.Ontology))
    graph.add((head, RDFS.label, Literal(one_line(ontology.name))))
    if ontology.topic is not None:
        known = ontology.topic in ontology
        topic = concept_name(base, ontology.topic) if known else Literal(one_line(ontology.topic))
        graph.add((head, TOPIC_CONCEPT, topic))
    for used, label in ((TOPIC_CONCEPT, "topic concept"), (ORIGIN, "source")):
        graph.add((used, RDF.type, OWL.AnnotationProperty))
        graph.add((used, RDFS.label, Literal(label)))
    for kind in _RESTRICTIONS:
        graph.add((property_of(kind), RDF.type, OWL.ObjectProperty))
        graph.add((property_of(kind), RDFS.label, Literal(words_of(KIND_NAMES[kind]).lower())))


def _add_relation(graph: Graph, base: str, relation: Relation, number: int) -> None:
    child, parent = (concept_name(base, label) for label in (relation.child, relation.parent))
    if relation.kind is Kind.IS_A:
        graph.add((child, RDFS.subClassOf, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((child, OWL.equivalentClass, parent))
    else:
        restriction = BNode(f"r{number}")  # a fixed name: the same ontology is the same file
        graph.add((child, RDFS.subClassOf, restriction))
        graph.add((restriction, RDF.type, OWL.Restriction))
        graph.add((restriction, OWL.onProperty, property_of(relation.kind)))
        graph.add((restriction, OWL.someValuesFrom, parent))

"""OWL and SKOS as ontologies, and ontologies for Protege and for tools of thesauri."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from scenthound.papers.ontologies import rdf
from scenthound.papers.ontologies.model import Kind, Ontology, Relation, one_line

ISO_THES = Namespace("http://purl.org/iso25964/skos-thes#")
"""ISO 25964, which distinguishes kinds of skos:broader."""
_CLASS_KINDS = (OWL.Class, RDFS.Class)
_STANDARD = tuple(map(str, (OWL, RDF, RDFS, "http://www.w3.org/2001/XMLSchema#")))
_EXACT_SYNONYM = URIRef("http://www.geneontology.org/formats/oboInOwl#hasExactSynonym")
_DOWN, _UP = False, True
_KINDS = {
    name: (kind, upwards)
    for kind, upwards, names in (
        (Kind.PART_OF, _UP, "part of|is part of|bfo 0000050"),
        (Kind.PART_OF, _DOWN, "has part|bfo 0000051"),
        (Kind.INDUCED_BY, _UP, "induced by|is induced by|caused by|is caused by"),
        (Kind.INDUCED_BY, _DOWN, "induces|causes"),
        (Kind.SYNONYM, _UP, "synonym of"),
        (Kind.COORDINATE, _UP, "coordinate term of|related to"),
    )
    for name in names.split("|")
}
"""Names of properties that are understood, and whether they lead up or down."""
_PROPERTIES = {
    Kind.SYNONYM: rdf.OURS.synonymOf,
    Kind.INDUCED_BY: rdf.OURS.inducedBy,
    Kind.PART_OF: rdf.OURS.partOf,
    Kind.COORDINATE: rdf.OURS.coordinateTermOf,
}
"""Our property for each kind of relation but is-a, which the standards have."""
_NARROWER = (
    (ISO_THES.narrowerPartitive, Kind.PART_OF),
    (ISO_THES.narrowerGeneric, Kind.IS_A),
    (ISO_THES.narrowerInstantial, Kind.IS_A),
    (SKOS.narrower, Kind.IS_A),
)
_BROADER = (
    *((used, kind) for kind, used in _PROPERTIES.items()),
    (ISO_THES.broaderPartitive, Kind.PART_OF),
    (ISO_THES.broaderGeneric, Kind.IS_A),
    (ISO_THES.broaderInstantial, Kind.IS_A),
)
"""From a child to its parent, more exactly than skos:broader: the first of a pair counts."""


def read_rdf(data: bytes, name: str) -> tuple[Ontology, Counter[str]]:
    """Return the ontology in an OWL or SKOS file, and how often what was left out.

    ``name`` is the ontology's, unless the file gives one.
    """
    graph = rdf.load_graph(data)
    builder = rdf.OntologyBuilder(graph)

    def count(used: URIRef, *values: URIRef) -> int:
        return sum(len(list(graph.subjects(used, value))) for value in values or (None,))

    of_skos = count(RDF.type, SKOS.Concept) or count(SKOS.broader)
    if of_skos > (count(RDF.type, *_CLASS_KINDS) or count(RDFS.subClassOf)):
        _read_skos(builder)
        other_names, whole = [SKOS.altLabel], SKOS.ConceptScheme
    else:
        _read_owl(builder)
        other_names, whole = [SKOS.altLabel, _EXACT_SYNONYM], OWL.Ontology
    for node in builder.labels:
        for each in other_names:
            for text in rdf.readable(graph.objects(node, each)):
                builder.add_synonym(text, node)
    return builder.ontology(name, graph.subjects(RDF.type, whole)), builder.left_out


def _read_skos(builder: rdf.OntologyBuilder) -> None:
    graph = builder.graph
    nodes = dict.fromkeys(graph.subjects(RDF.type, SKOS.Concept))
    for used, _ in (*_BROADER, (SKOS.broader, None), *_NARROWER):
        for pair in graph.subject_objects(used):
            nodes.update(dict.fromkeys(pair))
    builder.add_concepts(nodes)
    for node in builder.labels:
        for used, kind in _BROADER:
            for other in graph.objects(node, used):
                builder.relate(node, other, kind)
    for node in builder.labels:
        for used, kind in _NARROWER:
            for other in graph.objects(node, used):
                builder.relate(other, node, kind)
        for other in graph.objects(node, SKOS.broader):
            builder.relate(node, other, Kind.IS_A)
    for node in builder.labels:
        for other in graph.objects(node, SKOS.related):
            builder.relate(node, other, Kind.COORDINATE, loose=True)


def _read_owl(builder: rdf.OntologyBuilder) -> None:
    graph = builder.graph
    builder.add_concepts(_classes(graph, builder.left_out))
    for node in builder.labels:
        _relate_class(builder, node)
    # Classes related as if they were individuals, which some files do.
    for used in dict.fromkeys(graph.predicates(unique=True)):
        own = isinstance(used, URIRef) and not str(used).startswith(_STANDARD)
        if own and (meaning := _meaning(graph, used)) is not None:
            for node, other in graph.subject_objects(used):
                _relate(builder, node, other, *meaning)
    individuals = set(graph.subjects(RDF.type, OWL.NamedIndividual)) - builder.labels.keys()
    unnamed = [node for node in graph.subjects(RDFS.subClassOf) if isinstance(node, BNode)]
    imports = list(graph.objects(None, OWL.imports))
    builder.left_out += Counter({
        "individuals": len(individuals),
        "imports, which are not followed": len(imports),
        "axioms on expressions without a name": len(unnamed),
    })  # fmt: skip


def _classes(graph: Graph, left_out: Counter[str]) -> Iterator[Node]:
    declared = (node for kind in _CLASS_KINDS for node in graph.subjects(RDF.type, kind))
    below = (node for pair in graph.subject_objects(RDFS.subClassOf) for node in pair)
    same = (node for pair in graph.subject_objects(OWL.equivalentClass) for node in pair)
    for node in dict.fromkeys((*declared, *below, *same)):
        if isinstance(node, URIRef) and not str(node).startswith(_STANDARD):
            flags = (str(flag).lower() for flag in graph.objects(node, OWL.deprecated))
            if any(flag in ("true", "1") for flag in flags):
                left_out["deprecated classes"] += 1
            else:
                yield node


def _relate_class(builder: rdf.OntologyBuilder, node: Node) -> None:
    graph = builder.graph
    for parent in graph.objects(node, RDFS.subClassOf):
        _relate_expression(builder, node, parent)
    for same in graph.objects(node, OWL.equivalentClass):
        union = graph.value(same, OWL.unionOf)
        if isinstance(same, URIRef):
            builder.relate(node, same, Kind.SYNONYM, loose=True)
        elif union is None:
            _relate_expression(builder, node, same)
        else:
            for member in _members(graph, union):
                builder.relate(member, node, Kind.IS_A)


def _relate(
    builder: rdf.OntologyBuilder, node: Node, other: Node, kind: Kind, upwards: bool
) -> None:
    child, parent = (node, other) if upwards else (other, node)
    builder.relate(child, parent, kind, loose=kind in (Kind.COORDINATE, Kind.SYNONYM))


def _relate_expression(builder: rdf.OntologyBuilder, node: Node, start: Node) -> None:
    """Relate a class to those that a class expression names.

    Intersections are understood, and ``partOf some storm``; the rest is counted.
    """
    graph = builder.graph
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if isinstance(here, URIRef):
            _relate(builder, node, here, Kind.IS_A, _UP)
            continue
        members = _members(graph, graph.value(here, OWL.intersectionOf))
        waiting.extend(member for member in members if member not in seen)
        seen.update(members)
        if members:
            continue
        used, filler = graph.value(here, OWL.onProperty), graph.value(here, OWL.someValuesFrom)
        if used is None or not isinstance(filler, URIRef):
            builder.left_out["class expressions that are not understood"] += 1
        elif (meaning := _meaning(graph, used)) is not None:
            _relate(builder, node, filler, *meaning)
        else:
            name = rdf.label_of(graph, used) or "without a name"
            builder.left_out[f'restrictions on the property "{name[:60]}"'] += 1


def _meaning(graph: Graph, used: Node) -> tuple[Kind, bool] | None:
    """The kind of relation of a property, and whether it leads up; None if not understood."""
    if isinstance(used, BNode):
        inverse = graph.value(used, OWL.inverseOf)
        found = _meaning(graph, inverse) if isinstance(inverse, URIRef) else None
        return None if found is None else (found[0], not found[1])
    texts = (rdf.label_of(graph, used), rdf.words_of_iri(used))
    names = (rdf.words_of(name).lower() for name in texts)
    return next((_KINDS[name] for name in names if name in _KINDS), None)


def _members(graph: Graph, start: Node | None) -> list[Node]:
    """The members of an RDF list; none of one that contains itself."""
    with suppress(ValueError):
        return list(graph.items(start)) if start is not None else []
    return []


# Writing.

_PREFIXES = {"rdf": RDF, "rdfs": RDFS, "dcterms": DCTERMS, "scenthound": rdf.OURS}


def rdf_graph(ontology: Ontology, skos: bool) -> Graph:
    """Return the ontology as triples, of SKOS or of OWL.

    OWL: is-a is subClassOf, synonym equivalentClass, and the other kinds are restrictions,
    ``partOf some storm``. SKOS: is-a is broader, and every other kind has two properties: an
    exact one (broaderPartitive of ISO 25964, or our own), and the nearest one of SKOS itself.
    """
    base = f"urn:scenthound:ontology:{_local_name(ontology.name) or 'unnamed'}"

    def name(label: str) -> URIRef:
        return URIRef(f"{base}#{_local_name(label)}")

    graph, head = rdf.new_graph(), URIRef(base)
    own = {"skos": SKOS, "isothes": ISO_THES, "": f"{base}#"} if skos else {"owl": OWL}
    for prefix, space in {**_PREFIXES, **own}.items():
        graph.bind(prefix, space)
    graph.add((head, RDF.type, SKOS.ConceptScheme if skos else OWL.Ontology))
    graph.add((head, RDFS.label, Literal(one_line(ontology.name))))
    if (topic := ontology.topic) is not None:
        value = name(topic) if topic in ontology else Literal(one_line(topic))
        graph.add((head, rdf.TOPIC_CONCEPT, value))
    if skos:
        for root in ontology.roots:
            graph.add((head, SKOS.hasTopConcept, name(root)))
    else:
        _declare_properties(graph)
    for concept in ontology.concepts:
        node, label = name(concept.label), Literal(one_line(concept.label))
        graph.add((node, RDF.type, SKOS.Concept if skos else OWL.Class))
        graph.add((node, SKOS.prefLabel if skos else RDFS.label, label))
        if skos:
            graph.add((node, SKOS.inScheme, head))
        if one_line(concept.origin):
            graph.add((node, DCTERMS.source, Literal(one_line(concept.origin))))
    for number, relation in enumerate(ontology.relations):
        child, parent = name(relation.child), name(relation.parent)
        if skos:
            _add_skos(graph, relation, child, parent)
        else:
            _add_owl(graph, relation, child, parent, number)
    return graph


def _local_name(label: str) -> str:
    """Return a label as the end of an IRI: letters of any script stay."""
    blanks = one_line(label).replace(" ", "_")
    return re.sub(r"[^\w.~-]", lambda found: f"%{found[0].encode().hex().upper()}", blanks)


def _declare_properties(graph: Graph) -> None:
    for used, label in ((rdf.TOPIC_CONCEPT, "topic concept"), (DCTERMS.source, "source")):
        graph.add((used, RDF.type, OWL.AnnotationProperty))
        graph.add((used, RDFS.label, Literal(label)))
    for kind in (Kind.PART_OF, Kind.INDUCED_BY, Kind.COORDINATE):
        graph.add((_PROPERTIES[kind], RDF.type, OWL.ObjectProperty))
        words = rdf.words_of_iri(_PROPERTIES[kind]).lower()
        graph.add((_PROPERTIES[kind], RDFS.label, Literal(words)))


def _add_owl(graph: Graph, relation: Relation, child: Node, parent: Node, number: int) -> None:
    if relation.kind is Kind.IS_A:
        graph.add((child, RDFS.subClassOf, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((child, OWL.equivalentClass, parent))
    else:
        restriction = BNode(f"r{number}")  # a fixed name: the same ontology is the same file
        graph.add((child, RDFS.subClassOf, restriction))
        graph.add((restriction, RDF.type, OWL.Restriction))
        graph.add((restriction, OWL.onProperty, _PROPERTIES[relation.kind]))
        graph.add((restriction, OWL.someValuesFrom, parent))


def _add_skos(graph: Graph, relation: Relation, child: Node, parent: Node) -> None:
    if relation.kind is Kind.PART_OF:
        graph.add((child, ISO_THES.broaderPartitive, parent))
    elif relation.kind is not Kind.IS_A:
        graph.add((child, _PROPERTIES[relation.kind], parent))
    if relation.kind in (Kind.IS_A, Kind.PART_OF):
        graph.add((child, SKOS.broader, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((parent, SKOS.altLabel, Literal(one_line(relation.child))))
    else:
        graph.add((child, SKOS.related, parent))

"""OWL: which classes and axioms of a file become concepts and relations, and how an ontology is
written for Protege.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from scenthound.papers.olmoaco import rdf
from scenthound.papers.olmoaco.ontology import Kind, Ontology, Relation, one_line

_CLASS_KINDS = (OWL.Class, RDFS.Class)
_STANDARD = tuple(map(str, (OWL, RDF, RDFS, "http://www.w3.org/2001/XMLSchema#")))
_EXACT_SYNONYM = URIRef("http://www.geneontology.org/formats/oboInOwl#hasExactSynonym")
_OTHER_NAMES = (SKOS.altLabel, _EXACT_SYNONYM)
_DOWN, _UP = False, True
_KINDS = {
    "part of": (Kind.PART_OF, _UP),
    "is part of": (Kind.PART_OF, _UP),
    "bfo 0000050": (Kind.PART_OF, _UP),
    "has part": (Kind.PART_OF, _DOWN),
    "bfo 0000051": (Kind.PART_OF, _DOWN),
    "induced by": (Kind.INDUCED_BY, _UP),
    "is induced by": (Kind.INDUCED_BY, _UP),
    "caused by": (Kind.INDUCED_BY, _UP),
    "is caused by": (Kind.INDUCED_BY, _UP),
    "induces": (Kind.INDUCED_BY, _DOWN),
    "causes": (Kind.INDUCED_BY, _DOWN),
    "synonym of": (Kind.SYNONYM, _UP),
    "coordinate term of": (Kind.COORDINATE, _UP),
    "related to": (Kind.COORDINATE, _UP),
}
"""Names of properties that are understood, and whether they lead up or down."""
_AT_LEAST = (OWL.minQualifiedCardinality, OWL.qualifiedCardinality)
_MOST_MEMBERS = 10_000
Found = tuple[Node, Kind, bool]
"""A class that an expression names, how it is related, and whether it stands above."""


def has_owl(graph: Graph) -> int:
    """How many classes there are."""
    return sum(1 for kind in _CLASS_KINDS for _ in graph.subjects(RDF.type, kind)) or sum(
        1 for _ in graph.subject_objects(RDFS.subClassOf)
    )


def read_owl(graph: Graph, name: str) -> tuple[Ontology, Counter[str]]:
    """The ontology in an OWL file, and how much was left out of what, in words.

    Parameters
    ----------
    graph : the file.
    name : of the ontology, unless the file gives one.
    """
    gathering = rdf.OntologyBuilder(graph)
    gathering.add_concepts(_classes(graph, gathering.left_out))
    for node in gathering.nodes:
        _relate_class(gathering, node)
    _relate_by_properties(gathering)
    for node in gathering.nodes:
        for each in _OTHER_NAMES:
            for text in rdf.readable(graph.objects(node, each)):
                gathering.add_synonym(text, node)
    _count_the_rest(graph, gathering)
    return gathering.ontology(name, graph.subjects(RDF.type, OWL.Ontology)), gathering.left_out


def _classes(graph: Graph, left_out: Counter[str]) -> Iterator[Node]:
    declared = (node for kind in _CLASS_KINDS for node in graph.subjects(RDF.type, kind))
    below = (node for pair in graph.subject_objects(RDFS.subClassOf) for node in pair)
    same = (node for pair in graph.subject_objects(OWL.equivalentClass) for node in pair)
    for node in dict.fromkeys((*declared, *below, *same)):
        if isinstance(node, URIRef) and not str(node).startswith(_STANDARD):
            if any(
                str(flag).lower() in ("true", "1") for flag in graph.objects(node, OWL.deprecated)
            ):
                left_out["deprecated classes"] += 1
            else:
                yield node


def _relate_class(gathering: rdf.OntologyBuilder, node: Node) -> None:
    graph = gathering.graph
    for parent in graph.objects(node, RDFS.subClassOf):
        for other, kind, upwards in _expression(gathering, parent):
            _relate(gathering, node, other, kind, upwards)
    for same in graph.objects(node, OWL.equivalentClass):
        if isinstance(same, URIRef):
            gathering.relate(node, same, Kind.SYNONYM, loose=True)
            continue
        for member in _members(graph, graph.value(same, OWL.unionOf)):
            gathering.relate(member, node, Kind.IS_A)
        if graph.value(same, OWL.unionOf) is None:
            for other, kind, upwards in _expression(gathering, same):
                _relate(gathering, node, other, kind, upwards)


def _relate(
    gathering: rdf.OntologyBuilder, node: Node, other: Node, kind: Kind, upwards: bool
) -> None:
    child, parent = (node, other) if upwards else (other, node)
    gathering.relate(child, parent, kind, loose=kind in (Kind.COORDINATE, Kind.SYNONYM))


def _expression(gathering: rdf.OntologyBuilder, start: Node) -> Iterator[Found]:
    """The classes that a class expression names as what something is, or is a part of."""
    graph = gathering.graph
    seen, waiting = {start}, [start]
    while waiting:
        node = waiting.pop()
        if isinstance(node, URIRef):
            yield node, Kind.IS_A, _UP
            continue
        members = _members(graph, graph.value(node, OWL.intersectionOf))
        if members:
            waiting.extend(member for member in members if member not in seen)
            seen.update(members)
        else:
            yield from _restriction(gathering, node)


def _restriction(gathering: rdf.OntologyBuilder, node: Node) -> Iterator[Found]:
    """``partOf some storm``, or ``min 1``; anything else is counted."""
    graph = gathering.graph
    used, filler = graph.value(node, OWL.onProperty), _filler(graph, node)
    if used is None or not isinstance(filler, URIRef):
        gathering.left_out["class expressions that are not understood"] += 1
        return
    meaning = _meaning(graph, used)
    if meaning is None:
        name = rdf.label_of(graph, used) or "without a name"
        gathering.left_out[f'restrictions on the property "{name[:60]}"'] += 1
        return
    yield filler, *meaning


def _filler(graph: Graph, node: Node) -> Node | None:
    """The class of which a restriction wants at least one; None where it wants something else."""
    counts = (graph.value(node, each) for each in _AT_LEAST)
    if any(count is not None and str(count).lstrip("0").isdigit() for count in counts):
        return graph.value(node, OWL.onClass)
    return graph.value(node, OWL.someValuesFrom)


def _meaning(graph: Graph, used: Node) -> tuple[Kind, bool] | None:
    """What a property says, and whether it leads up; None where it is not understood."""
    if isinstance(used, BNode):
        inverse = graph.value(used, OWL.inverseOf)
        found = _meaning(graph, inverse) if isinstance(inverse, URIRef) else None
        return None if found is None else (found[0], not found[1])
    texts = (rdf.label_of(graph, used), rdf.words_of_iri(used))
    names = (rdf.words_of(name).lower() for name in texts)
    return next((_KINDS[name] for name in names if name in _KINDS), None)


def _relate_by_properties(gathering: rdf.OntologyBuilder) -> None:
    """Classes that are related as if they were individuals, which some files do."""
    graph = gathering.graph
    for used in dict.fromkeys(graph.predicates(unique=True)):
        if not isinstance(used, URIRef) or str(used).startswith(_STANDARD):
            continue
        meaning = _meaning(graph, used)
        if meaning is not None:
            for node, other in graph.subject_objects(used):
                _relate(gathering, node, other, *meaning)


def _members(graph: Graph, start: Node | None) -> list[Node]:
    """The members of an RDF list; none for None. One that bites its tail ends there."""
    found: list[Node] = []
    seen: set[Node] = set()
    here = start
    while here is not None and here not in seen and len(found) < _MOST_MEMBERS:
        seen.add(here)
        member = graph.value(here, RDF.first)
        if member is not None:
            found.append(member)
        here = graph.value(here, RDF.rest)
    return found


def _count_the_rest(graph: Graph, gathering: rdf.OntologyBuilder) -> None:
    individuals = {
        node for node in graph.subjects(RDF.type, OWL.NamedIndividual) if node not in gathering
    }
    counts = {
        "individuals": len(individuals),
        "imports, which are not followed": sum(1 for _ in graph.objects(None, OWL.imports)),
        "axioms on expressions without a name": sum(
            isinstance(node, BNode) for node in graph.subjects(RDFS.subClassOf)
        ),
    }
    gathering.left_out.update({name: count for name, count in counts.items() if count})


_PREFIXES = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "dcterms": DCTERMS, "scenthound": rdf.OURS}
_RESTRICTIONS = (Kind.PART_OF, Kind.INDUCED_BY, Kind.COORDINATE)


def owl_graph(ontology: Ontology) -> Graph:
    """The ontology as triples: is-a as subClassOf, synonym as equivalentClass.

    The other kinds are restrictions, ``partOf some storm``, that a class is a subclass of.
    """
    graph, base = rdf.ontology_graph(ontology, OWL.Ontology, _PREFIXES)
    for used, label in ((rdf.TOPIC_CONCEPT, "topic concept"), (rdf.ORIGIN, "source")):
        graph.add((used, RDF.type, OWL.AnnotationProperty))
        graph.add((used, RDFS.label, Literal(label)))
    for kind in _RESTRICTIONS:
        graph.add((rdf.property_of(kind), RDF.type, OWL.ObjectProperty))
        words = rdf.words_of(rdf.KIND_NAMES[kind]).lower()
        graph.add((rdf.property_of(kind), RDFS.label, Literal(words)))
    for concept in ontology.concepts:
        node = rdf.concept_name(base, concept.label)
        graph.add((node, RDF.type, OWL.Class))
        graph.add((node, RDFS.label, Literal(one_line(concept.label))))
        if one_line(concept.origin):
            graph.add((node, rdf.ORIGIN, Literal(one_line(concept.origin))))
    for number, relation in enumerate(ontology.relations):
        _add_relation(graph, base, relation, number)
    return graph


def _add_relation(graph: Graph, base: str, relation: Relation, number: int) -> None:
    child, parent = (rdf.concept_name(base, label) for label in (relation.child, relation.parent))
    if relation.kind is Kind.IS_A:
        graph.add((child, RDFS.subClassOf, parent))
    elif relation.kind is Kind.SYNONYM:
        graph.add((child, OWL.equivalentClass, parent))
    else:
        restriction = BNode(f"r{number}")  # a fixed name: the same ontology is the same file
        graph.add((child, RDFS.subClassOf, restriction))
        graph.add((restriction, RDF.type, OWL.Restriction))
        graph.add((restriction, OWL.onProperty, rdf.property_of(relation.kind)))
        graph.add((restriction, OWL.someValuesFrom, parent))

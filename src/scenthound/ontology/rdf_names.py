"""Names in RDF: ours for what no standard has, and labels of what others wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from rdflib import DC, DCTERMS, RDFS, SKOS, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from scenthound.ontology.cleaning import one_line
from scenthound.ontology.model import Kind

OURS = Namespace("urn:scenthound:vocabulary#")
"""Properties of our own."""
TOPIC_CONCEPT = OURS.topicConcept
ISO_THES = Namespace("http://purl.org/iso25964/skos-thes#")
"""ISO 25964, which tells the kinds of skos:broader apart."""
ORIGIN = DCTERMS.source
KIND_NAMES = {
    Kind.SYNONYM: "synonymOf",
    Kind.INDUCED_BY: "inducedBy",
    Kind.PART_OF: "partOf",
    Kind.COORDINATE: "coordinateTermOf",
}
_LABELS = (RDFS.label, SKOS.prefLabel)
_TITLES = (RDFS.label, DCTERMS.title, DC.title, SKOS.prefLabel)
_ORIGINS = (DCTERMS.source, DC.source)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_LOCAL = re.compile(r"[^\w.~-]")


def property_of(kind: Kind) -> URIRef:
    """Our property for a kind of relation; there is none for is-a, which the standards have."""
    return OURS[KIND_NAMES[kind]]


def base_of(name: str) -> str:
    """The name that all concepts of an ontology begin with."""
    return f"urn:scenthound:ontology:{_local(name) or 'unnamed'}"


def concept_name(base: str, label: str) -> URIRef:
    """The IRI of a concept."""
    return URIRef(f"{base}#{_local(label)}")


def _local(label: str) -> str:
    """A label as the end of an IRI: letters of any script stay."""
    blanks = one_line(label).replace(" ", "_")
    return _NOT_LOCAL.sub(lambda found: f"%{found[0].encode().hex().upper()}", blanks)


def label_of(graph: Graph, node: Node) -> str:
    """What a node is called, in English if possible, or the end of its IRI; "" for neither."""
    return _best_text(graph, node, _LABELS) or words_of_iri(node)


def title_of(graph: Graph, node: Node) -> str:
    """What a whole ontology is called; "" where nobody said."""
    return _best_text(graph, node, _TITLES)


def origin_of(graph: Graph, node: Node) -> str:
    """Where a concept comes from; "" where nobody said."""
    return "; ".join(one_line(str(text)) for each in _ORIGINS for text in graph.objects(node, each))


def _best_text(graph: Graph, node: Node, properties: Sequence[URIRef]) -> str:
    """The first of a node's texts, of the first property that has any; "" where none has."""
    for each in properties:
        texts = readable(graph.objects(node, each))
        if texts:
            return texts[0]
    return ""


def readable(values: Iterable[Node]) -> list[str]:
    """Of texts in many languages the English ones, or those of no language, or all."""
    found: dict[int, list[str]] = {}
    for value in values:
        if isinstance(value, Literal) and one_line(str(value)):
            found.setdefault(_foreignness(value.language), []).append(one_line(str(value)))
    return found[min(found)] if found else []


def _foreignness(language: str | None) -> int:
    if language is None:
        return 1
    return 0 if language.lower().partition("-")[0] == "en" else 2


def words_of(name: str) -> str:
    """The words of a name such as ``hasPart``, ``Storm_surge`` or ``storm-surge``."""
    return one_line(_HUMP.sub(" ", name).replace("_", " ").replace("-", " "))


def words_of_iri(node: Node) -> str:
    """The words at the end of an IRI; "" for a node without one."""
    if not isinstance(node, URIRef):
        return ""
    return words_of(unquote(re.split(r"[#/:]", node.rstrip("#/:"))[-1]))

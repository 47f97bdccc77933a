"""RDF files written by others: safe loading, names and labels, and the builder that turns triples
into an ontology.
"""

from __future__ import annotations

import codecs
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import unquote
from xml.parsers import expat
from xml.sax import SAXParseException

from rdflib import DC, DCTERMS, RDF, RDFS, SKOS, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from scenthound.core.errors import OntologyError, error_text
from scenthound.papers.olmoaco.ontology import (
    Concept,
    Kind,
    Ontology,
    Relation,
    find_cycles,
    normalise_label,
    one_line,
    parents_by_label,
    topological_ranks,
)

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


# RDF files of strangers. Nothing is fetched, and no entity is more than an abbreviation.


_MOST_ENTITY = 1_000
_MOST_EXPANDED = 200_000_000
"""Characters that abbreviations may stand for in all."""
_XML = re.compile(rb"\s*<(?:[?!]|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?(?:[\s/>]|$))")
_HTML = re.compile(rb"\s*<!doctype\s+html|\s*<html[\s>]", re.IGNORECASE)
_OTHER_SYNTAX = re.compile(rb"\s*(?:Prefix\s*[:(]|Ontology\s*[:(]|format-version:)")
"""The Manchester and functional syntaxes of OWL, and OBO."""
_BAD_TURTLE = re.compile(r"at line (\d+) of <.*?>:\s*Bad syntax \((.*?)\) at \^", re.DOTALL)
_UTF_16_XML = tuple(mark + "<".encode(f"utf-16-{end}") for mark, end in (
    (codecs.BOM_UTF16_LE, "le"), (codecs.BOM_UTF16_BE, "be"), (b"", "le"), (b"", "be"),
))  # fmt: skip
_HEAD = 4_096
_SAVE_AS = "save it as RDF/XML or Turtle, in Protege by File > Save as"


class _RootReached(Exception):  # noqa: N818  no error: the part that is looked at ends here
    pass


def load_graph(data: bytes) -> Graph:
    """The triples of an RDF/XML or Turtle file.

    OntologyError, without the name of the file, where it is anything else, or dangerous.
    """
    head = _without_mark(data[:_HEAD])
    root = _root(data) if _is_xml(head) else ""
    if _HTML.match(head) or root.lower() == "html":
        raise OntologyError("it is a web page, not an ontology; download the ontology itself.")
    if _OTHER_SYNTAX.match(head) or root == "Ontology":
        raise OntologyError(f"it is in a syntax that is not read here; {_SAVE_AS}.")
    return _parsed(data, "xml") if _is_xml(head) else _parsed(_as_utf_8(data), "turtle")


def new_graph() -> Graph:
    """A graph that keeps triples in the order they come, so that a file gives one ontology."""
    return Graph(store="SimpleMemory", bind_namespaces="none")


def ontology_graph(
    ontology: Ontology, kind: URIRef, prefixes: Mapping[str, Any]
) -> tuple[Graph, str]:
    """A graph that says what the ontology as a whole is, and the IRI its concepts begin with."""
    graph, base = new_graph(), base_of(ontology.name)
    for prefix, space in prefixes.items():
        graph.bind(prefix, space)
    head = URIRef(base)
    graph.add((head, RDF.type, kind))
    graph.add((head, RDFS.label, Literal(one_line(ontology.name))))
    if ontology.topic is not None:
        known = ontology.topic in ontology
        topic = concept_name(base, ontology.topic) if known else Literal(one_line(ontology.topic))
        graph.add((head, TOPIC_CONCEPT, topic))
    return graph, base


def _is_xml(head: bytes) -> bool:
    return _XML.match(head) is not None or head.startswith(_UTF_16_XML)


def _without_mark(data: bytes) -> bytes:
    return data.removeprefix(codecs.BOM_UTF8)


def _as_utf_8(data: bytes) -> bytes:
    """Turtle knows no other encoding; what Windows calls Unicode is read all the same."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    return _without_mark(data)


def _parsed(data: bytes, syntax: str) -> Graph:
    graph = new_graph()
    try:
        with _silent():
            graph.parse(BytesIO(data), format=syntax, publicID="urn:scenthound:file")
    except SAXParseException as error:
        place = f"line {error.getLineNumber()}: {error_text(Exception(error.getMessage()))}"
        raise OntologyError(f"it is not valid XML ({place}); {_SAVE_AS}.") from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  what a parser makes of any bytes is its own affair
        name = "RDF/XML" if syntax == "xml" else "Turtle"
        raise OntologyError(f"it is not valid {name} ({_reason(error)}); {_SAVE_AS}.") from None
    return graph


def _reason(error: Exception) -> str:
    """What a parser says; of Turtle without the bytes around, which it shows as Python does."""
    found = _BAD_TURTLE.search(str(error))
    return f"line {found[1]}: {found[2]}" if found else error_text(error)


@contextmanager
def _silent() -> Iterator[None]:
    """rdflib logs and warns about IRIs and dates that do not concern us."""
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _root(data: bytes) -> str:
    """The name of the first element; "" where the XML before it is broken, which the parser tells.

    OntologyError for entities that load files or multiply. Plain ones, by which older tools
    abbreviate names, are allowed.
    """
    longest, root = 0, ""

    def declared(
        name: str, parameter: bool, value: str | None, base: str | None, system: str | None,
        public: str | None, notation: str | None,
    ) -> None:  # fmt: skip
        nonlocal longest
        del name, base, system, public, notation
        # An external one has no value.
        if parameter or value is None or "&" in value or len(value) > _MOST_ENTITY:
            raise OntologyError("its XML entities are not safe to read; save it without a DTD.")
        longest = max(longest, len(value))

    def started(name: str, attributes: dict[str, str]) -> None:
        nonlocal root
        del attributes
        root = name
        raise _RootReached

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler = started
    with suppress(_RootReached, expat.ExpatError):
        parser.Parse(data, True)
    if data.count(b"&") * longest > _MOST_EXPANDED:
        raise OntologyError("its XML entities stand for too much text; save it without a DTD.")
    return root


Pair = tuple[str, str]
"""Labels of a child and its parent."""


@dataclass
class OntologyBuilder:
    """Concepts and relations so far.

    Parameters
    ----------
    graph : the file.
    left_out : how much of what was not understood, in words.
    """

    graph: Graph
    left_out: Counter[str] = field(default_factory=Counter)
    _labels: dict[Node, str] = field(default_factory=dict)
    _concepts: dict[str, Concept] = field(default_factory=dict)
    _firm: dict[Pair, Kind] = field(default_factory=dict)
    _loose: dict[Pair, Kind] = field(default_factory=dict)

    def add_concepts(self, nodes: Iterable[Node]) -> None:
        """Nodes that are concepts; those of one label become one."""
        for node in dict.fromkeys(nodes):
            if node in self._labels:
                continue
            label = normalise_label(label_of(self.graph, node))
            if not label:
                self.left_out["nodes without a name"] += 1
            elif label in self._concepts:
                self.left_out["concepts of the same label as another, which became one"] += 1
                self._labels[node] = label
            else:
                self._labels[node] = label
                self._concepts[label] = Concept(label, origin_of(self.graph, node))

    @property
    def nodes(self) -> list[Node]:
        """The nodes that are concepts, in the order of the file."""
        return list(self._labels)

    def __contains__(self, node: Node) -> bool:
        return node in self._labels

    def label(self, node: Node) -> str:
        """What a concept is called here."""
        return self._labels[node]

    def relate(self, child: Node, parent: Node, kind: Kind, loose: bool = False) -> None:
        """Relate two nodes; nothing happens where one is no concept, or the two are related.

        ``loose`` : it may be turned round where it would close a circle. The order of the two
        says little where others wrote the file.
        """
        if child in self._labels and parent in self._labels:
            self._relate(self._labels[child], self._labels[parent], kind, loose)

    def add_synonym(self, label: str, parent: Node) -> None:
        """Another name of a concept, as a concept of its own below it."""
        label, above_it = normalise_label(label), self._labels[parent]
        if not label or label == above_it:
            return
        known = label in self._concepts
        self._concepts.setdefault(label, Concept(label))
        self._relate(label, above_it, Kind.SYNONYM, loose=known)

    def ontology(self, name: str, heads: Iterable[Node]) -> Ontology:
        """All of it; ``heads`` are the nodes that stand for the ontology as a whole."""
        heads = list(heads)
        titles = (title_of(self.graph, head) for head in heads)
        title = next(filter(None, titles), name)
        topics = (topic for head in heads for topic in self.graph.objects(head, TOPIC_CONCEPT))
        topic = next((self._topic(each) for each in topics), None)
        return Ontology(title, tuple(self._concepts.values()), self._relations(), topic)

    def _topic(self, node: Node) -> str:
        if isinstance(node, Literal):
            return str(node)
        return self._labels.get(node) or label_of(self.graph, node)

    def _relate(self, child: str, parent: str, kind: Kind, loose: bool) -> None:
        if child == parent:
            self.left_out["relations of a concept to itself"] += 1
        elif loose:
            if (parent, child) not in self._loose:
                self._loose.setdefault((child, parent), kind)
        else:
            self._firm.setdefault((child, parent), kind)

    def _relations(self) -> tuple[Relation, ...]:
        firm = [Relation(*pair, kind) for pair, kind in self._firm.items()]
        loose = [
            Relation(child, parent, kind)
            for (child, parent), kind in self._loose.items()
            if (child, parent) not in self._firm and (parent, child) not in self._firm
        ]
        return orient_relations(firm, loose)


def orient_relations(firm: list[Relation], loose: list[Relation]) -> tuple[Relation, ...]:
    """All relations; where there is a circle, the loose ones turned so that they close none.

    Examples
    --------
    >>> firm, loose = [Relation("b", "a")], [Relation("a", "b", Kind.COORDINATE)]
    >>> [(each.child, each.parent) for each in orient_relations(firm, loose)]
    [('b', 'a'), ('b', 'a')]
    """
    together = (*firm, *loose)
    if next(find_cycles(parents_by_label(together)), None) is None:
        return together
    order = topological_ranks(parents_by_label(firm))
    lowest = len(order)

    def upwards(relation: Relation) -> Relation:
        child, parent = relation.child, relation.parent
        places = order.get(child, lowest), order.get(parent, lowest)
        # What has no firm relation is below all that has one; among themselves, by label.
        if (places[0], child) < (places[1], parent):
            return Relation(parent, child, relation.kind)
        return relation

    return (*firm, *map(upwards, loose))

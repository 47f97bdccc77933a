"""RDF files of others: safe loading, names and labels, the builder of an ontology."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import unquote
from xml.parsers import expat
from xml.sax import SAXParseException

from rdflib import DC, DCTERMS, RDFS, SKOS, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from scenthound.core.errors import OntologyError, error_text, silent_loggers
from scenthound.papers.ontologies.model import (
    Concept,
    Kind,
    Ontology,
    Relation,
    find_cycle,
    normalise_label,
    one_line,
    parents_by_label,
    topological_ranks,
)

OURS = Namespace("urn:scenthound:vocabulary#")
"""Properties of our own."""
TOPIC_CONCEPT = OURS.topicConcept
_LABELS = (RDFS.label, SKOS.prefLabel)
_TITLES = (RDFS.label, DCTERMS.title, DC.title, SKOS.prefLabel)
_ORIGINS = (DCTERMS.source, DC.source)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def label_of(graph: Graph, node: Node) -> str:
    """Return the name of a node, in English if possible, or the end of its IRI."""
    return _best_text(graph, node, _LABELS) or words_of_iri(node)


def _best_text(graph: Graph, node: Node, properties: Sequence[URIRef]) -> str:
    found = (text for each in properties for text in readable(graph.objects(node, each))[:1])
    return next(found, "")


def readable(values: Iterable[Node]) -> list[str]:
    """Of texts in many languages the English ones, or else those of no language, or else all."""
    found: dict[int, list[str]] = {}
    for value in values:
        if isinstance(value, Literal) and (text := one_line(str(value))):
            language = value.language
            english = language is not None and language.lower().partition("-")[0] == "en"
            found.setdefault(0 if english else 1 if language is None else 2, []).append(text)
    return found[min(found)] if found else []


def words_of(name: str) -> str:
    """Return the words of a name such as ``hasPart``, ``Storm_surge`` or ``storm-surge``."""
    return one_line(_HUMP.sub(" ", name).replace("_", " ").replace("-", " "))


def words_of_iri(node: Node) -> str:
    """Return the words at the end of an IRI; "" for a node without one."""
    if not isinstance(node, URIRef):
        return ""
    return words_of(unquote(re.split(r"[#/:]", node.rstrip("#/:"))[-1]))


# Files of strangers. Nothing is fetched, and XML entities only abbreviate.

_MOST_ENTITY = 1_000
_MOST_EXPANDED = 200_000_000
"""Characters that all entities of a file may expand to."""
_XML = re.compile(rb"\s*<(?:[?!]|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?(?:[\s/>]|$))")
_HTML = re.compile(rb"\s*<!doctype\s+html", re.IGNORECASE)
_BAD_TURTLE = re.compile(r"at line (\d+) of <.*?>:\s*Bad syntax \((.*?)\) at \^", re.DOTALL)
_UTF_16_XML = (b"\xff\xfe<\0", b"\xfe\xff\0<")
_HEAD = 4_096
_SAVE_AS = "save it as RDF/XML or Turtle, in Protege by File > Save as"


class _RootReached(Exception):  # noqa: N818  no error: the part that is looked at ends here
    pass


def load_graph(data: bytes) -> Graph:
    """Return the triples of an RDF/XML or Turtle file.

    OntologyError, without the name of the file, where it is anything else, or dangerous.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if _XML.match(data[:_HEAD]) is None and not data.startswith(_UTF_16_XML):
        return _parse(data, "turtle")
    root = _xml_root(data)
    if root.lower() == "html" or _HTML.match(data):
        raise OntologyError("it is a web page, not an ontology; download the ontology itself.")
    if root == "Ontology":
        raise OntologyError(f"it is in a syntax that is not read here; {_SAVE_AS}.")
    return _parse(data, "xml")


def new_graph() -> Graph:
    """Return a graph that keeps the order of its triples, so that a file gives one ontology."""
    return Graph(store="SimpleMemory", bind_namespaces="none")


def _parse(data: bytes, syntax: str) -> Graph:
    graph = new_graph()
    try:
        # rdflib logs and warns about IRIs and dates that do not concern us.
        with silent_loggers("rdflib"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph.parse(BytesIO(data), format=syntax, publicID="urn:scenthound:file")
    except SAXParseException as error:
        place = f"line {error.getLineNumber()}: {error_text(Exception(error.getMessage()))}"
        raise OntologyError(f"it is not valid XML ({place}); {_SAVE_AS}.") from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  the parser may raise anything on hostile bytes
        name = "RDF/XML" if syntax == "xml" else "Turtle"
        found = _BAD_TURTLE.search(str(error))  # without the bytes around the place
        reason = f"line {found[1]}: {found[2]}" if found else error_text(error)
        raise OntologyError(f"it is not valid {name} ({reason}); {_SAVE_AS}.") from None
    return graph


def _xml_root(data: bytes) -> str:
    """Return the name of the first element; "" where the XML before it is broken.

    OntologyError for entities that load files or multiply. Plain ones, by which older tools
    abbreviate names, are allowed.
    """
    longest, root = 0, ""

    def declared(name: str, parameter: bool, value: str | None, *_: str | None) -> None:
        nonlocal longest
        del name
        # An external one has no value.
        if parameter or value is None or "&" in value or len(value) > _MOST_ENTITY:
            raise OntologyError("its XML entities are not safe to read; save it without a DTD.")
        longest = max(longest, len(value))

    def started(name: str, _: dict[str, str]) -> None:
        nonlocal root
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


@dataclass
class OntologyBuilder:
    """Concepts and relations of a graph; ``left_out`` counts what is not understood, by name."""

    graph: Graph
    left_out: Counter[str] = field(default_factory=Counter)
    labels: dict[Node, str] = field(default_factory=dict)
    """The nodes that are concepts, in the order of the file."""
    _concepts: dict[str, Concept] = field(default_factory=dict)
    _firm: dict[tuple[str, str], Kind] = field(default_factory=dict)
    """By labels of child and parent."""
    _loose: dict[tuple[str, str], Kind] = field(default_factory=dict)

    def add_concepts(self, nodes: Iterable[Node]) -> None:
        """Add nodes that are concepts; those of one label become one."""
        for node in dict.fromkeys(nodes):
            if not (label := normalise_label(label_of(self.graph, node))):
                self.left_out["nodes without a name"] += 1
                continue
            self.labels[node] = label
            texts = (text for each in _ORIGINS for text in self.graph.objects(node, each))
            origin = "; ".join(one_line(str(text)) for text in texts)
            self._concepts.setdefault(label, Concept(label, origin))

    def relate(self, child: Node, parent: Node, kind: Kind, loose: bool = False) -> None:
        """Relate two nodes, unless one is no concept or the two are related already.

        A ``loose`` relation may be reversed where it would close a cycle: its direction says
        little in files of others.
        """
        if child in self.labels and parent in self.labels:
            self._relate(self.labels[child], self.labels[parent], kind, loose)

    def add_synonym(self, label: str, parent: Node) -> None:
        """Add another name of a concept, as a concept of its own below it."""
        label, above = normalise_label(label), self.labels[parent]
        if label and label != above:
            known = label in self._concepts
            self._concepts.setdefault(label, Concept(label))
            self._relate(label, above, Kind.SYNONYM, loose=known)

    def ontology(self, name: str, heads: Iterable[Node]) -> Ontology:
        """Return the ontology; ``heads`` are the nodes that stand for it as a whole."""
        heads = list(heads)
        title = next(filter(None, (_best_text(self.graph, head, _TITLES) for head in heads)), name)
        topics = (topic for head in heads for topic in self.graph.objects(head, TOPIC_CONCEPT))
        topic = next((self._topic(each) for each in topics), None)
        firm = [Relation(*pair, kind) for pair, kind in self._firm.items()]
        loose = [
            Relation(child, parent, kind)
            for (child, parent), kind in self._loose.items()
            if (child, parent) not in self._firm and (parent, child) not in self._firm
        ]
        return Ontology(title, tuple(self._concepts.values()), orient_relations(firm, loose), topic)

    def _topic(self, node: Node) -> str:
        if isinstance(node, Literal):
            return str(node)
        return self.labels.get(node) or label_of(self.graph, node)

    def _relate(self, child: str, parent: str, kind: Kind, loose: bool) -> None:
        if child == parent:
            return
        if not loose:
            self._firm.setdefault((child, parent), kind)
        elif (parent, child) not in self._loose:
            self._loose.setdefault((child, parent), kind)


def orient_relations(firm: list[Relation], loose: list[Relation]) -> tuple[Relation, ...]:
    """Return all relations; if there is a cycle, the loose ones are turned so that they close none.

    Examples
    --------
    >>> firm, loose = [Relation("b", "a")], [Relation("a", "b", Kind.COORDINATE)]
    >>> [(each.child, each.parent) for each in orient_relations(firm, loose)]
    [('b', 'a'), ('b', 'a')]
    """
    if not find_cycle(parents_by_label((*firm, *loose))):
        return (*firm, *loose)
    ranks = topological_ranks(parents_by_label(firm))
    lowest = len(ranks)

    def upwards(relation: Relation) -> Relation:
        child, parent = relation.child, relation.parent
        # What has no firm relation is below all that has one; among themselves, by label.
        if (ranks.get(child, lowest), child) < (ranks.get(parent, lowest), parent):
            return Relation(parent, child, relation.kind)
        return relation

    return (*firm, *map(upwards, loose))

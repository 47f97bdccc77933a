"""RDF files of strangers. Nothing is fetched, and no entity is more than an abbreviation."""

from __future__ import annotations

import codecs
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from xml.parsers import expat
from xml.sax import SAXParseException

from rdflib import Graph

from scenthound.core.errors import OntologyError
from scenthound.core.extras import complaint

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
        place = f"line {error.getLineNumber()}: {complaint(Exception(error.getMessage()))}"
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
    return f"line {found[1]}: {found[2]}" if found else complaint(error)


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

"""Ontologies as indented text: one concept a line, below the line above that is indented less.

::

    # ontology: Storms
    # topic: storm
    storm
      tropical cyclone ; WordNet
        typhoon
        eye (part-of)
      flood (induced-by)

What is no is-a has its kind in brackets; the origin follows `` ; ``. A concept with several
parents is written again below each. What would be misread stands in quotes, as in JSON.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import OntologyError, require_library
from scenthound.papers.olmoaco.ontology import (
    Concept,
    Kind,
    Ontology,
    Relation,
    normalise_label,
    one_line,
)

if TYPE_CHECKING:
    from rdflib import Graph


_STEP = "  "
_DEEPEST = 40
"""Levels of indentation that are written; what is below begins at the margin again."""
_KINDS = {re.sub(r"\W", "", kind.value): kind for kind in Kind}
_LINE = re.compile(
    r'(?P<label>"(?:[^"\\]|\\.)*"|.*?)'
    rf"(?:\s+\((?P<kind>{'|'.join(kind.value.replace('-', '[-_ ]?') for kind in Kind)})\))?"
    r"(?:\s+;\s+(?P<origin>.*))?$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s(\([^()]*\))$")
_BRACKETS_LISTED = 3
"""Brackets that a warning lists."""
_HEADER = re.compile(r"#\s*(ontology|topic)\s*:(.*)", re.IGNORECASE)
_INDENTATION = re.compile(r"[\t \u00a0\u3000]*")


def ontology_text(ontology: Ontology) -> str:
    """An ontology as indented text; only the headers for one without concepts."""
    lines = [f"# ontology: {_safe(one_line(ontology.name))}"]
    if ontology.topic is not None:
        lines.append(f"# topic: {_safe(one_line(ontology.topic))}")
    return "\n".join([*lines, *_lines(ontology), ""])


def _ignore(said: str) -> None:
    """Nobody listens."""
    del said


def parse_ontology_text(text: str, name: str, warn: Callable[[str], None] = _ignore) -> Ontology:
    """The ontology that a text describes; without concepts for an empty one.

    Parameters
    ----------
    text : with line ends of any system.
    name : of the ontology, unless the text gives one.
    warn : hears what stands in brackets like a kind and is none.

    OntologyError names the line where the indentation cannot be understood.
    """
    reading = _Reading(name)
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        reading.take(number, line)
    if reading.brackets:
        warn(_no_kinds(list(reading.brackets)))
    return reading.ontology()


def _no_kinds(brackets: list[str]) -> str:
    kinds = ", ".join(kind.value for kind in Kind)
    more = ", ..." if len(brackets) > _BRACKETS_LISTED else ""
    what = "is no relation" if len(brackets) == 1 else "are no relations"
    return (
        f"{', '.join(brackets[:_BRACKETS_LISTED])}{more} {what}, and part of the "
        "label; relations are: "
        f"{kinds}. A label with brackets can be put in quotes."
    )


def _lines(ontology: Ontology) -> Iterator[str]:
    """Every concept with what is below it, depth first; below the second mention nothing."""
    written: set[str] = set()
    for start in (*ontology.roots, *ontology.labels):  # the latter: what is only on circles
        waiting = [start] if start not in written else []
        while waiting:
            yield from _tree(ontology, waiting.pop(), written, waiting)


def _tree(ontology: Ontology, start: str, written: set[str], too_deep: list[str]) -> Iterator[str]:
    stack: list[tuple[int, str, Kind]] = [(0, start, Kind.IS_A)]
    expanded_again = start in written
    while stack:
        depth, label, kind = stack.pop()
        first = label not in written
        written.add(label)
        yield _STEP * depth + _line(ontology[label], kind, with_origin=first)
        if not (first or (expanded_again and not depth)):
            continue
        below = [each for each in ontology.children[label] if each.child in ontology]
        if depth < _DEEPEST:
            stack.extend((depth + 1, each.child, each.kind) for each in reversed(below))
        elif below:
            too_deep.append(label)


def _line(concept: Concept, kind: Kind, with_origin: bool) -> str:
    label = one_line(concept.label)
    label = _quoted(label) if _BRACKETS.search(label) else _safe(label)
    suffix = "" if kind is Kind.IS_A else f" ({kind.value})"
    origin = one_line(concept.origin) if with_origin else ""
    return label + suffix + (f" ; {_safe(origin)}" if origin else "")


def _safe(text: str) -> str:
    """The text, in quotes where it would be read as something else."""
    found = _LINE.match(text)
    misread = found is None or found["label"] != text or text[:1] in ("", '"', "#")
    return _quoted(text) if misread else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquoted(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    return text


@dataclass
class _Reading:
    """What has been read so far."""

    name: str
    topic: str | None = None
    origins: dict[str, str] = field(default_factory=dict)
    relations: dict[Relation, None] = field(default_factory=dict)
    brackets: dict[str, None] = field(default_factory=dict)
    open_lines: list[tuple[int, str]] = field(default_factory=list)
    indented_with: str = ""

    def take(self, number: int, line: str) -> None:
        """One line, with its number in the file."""
        content = line.strip()
        if content.startswith("#"):
            self._take_header(content)
        elif content:
            self._take_concept(self._width(number, line), content)

    def ontology(self) -> Ontology:
        """All of it."""
        concepts = tuple(Concept(label, origin) for label, origin in self.origins.items())
        return Ontology(self.name, concepts, tuple(self.relations), self.topic)

    def _take_header(self, content: str) -> None:
        found = _HEADER.match(content)
        if found is None:
            return  # a comment
        if found[1].lower() == "ontology":
            self.name = _unquoted(found[2])
        elif found[2].strip():
            self.topic = _unquoted(found[2])

    def _take_concept(self, width: int, content: str) -> None:
        found = _LINE.match(content)
        assert found is not None  # it matches every line
        label = normalise_label(_unquoted(found["label"]))
        if not label:
            return
        if odd := _BRACKETS.search(found["label"]):
            self.brackets[odd[1]] = None
        kind = _KINDS[re.sub(r"[\W_]", "", (found["kind"] or Kind.IS_A.value).lower())]
        self.origins[label] = self.origins.get(label) or _unquoted(found["origin"] or "")
        while self.open_lines and self.open_lines[-1][0] >= width:
            self.open_lines.pop()
        if self.open_lines:
            self.relations[Relation(label, self.open_lines[-1][1], kind)] = None
        self.open_lines.append((width, label))

    def _width(self, number: int, line: str) -> int:
        indentation = _INDENTATION.match(line)[0]  # type: ignore[index]  # may be empty, is there
        blank = "\t" if "\t" in indentation else " " if indentation else ""
        if "\t" in indentation and indentation.strip("\t"):
            raise OntologyError(f"line {number} begins with tabs and blanks; use one of them.")
        if blank and self.indented_with and blank != self.indented_with:
            raise OntologyError(
                f"line {number} is indented with {'tabs' if blank == chr(9) else 'blanks'} and "
                "earlier lines are not; use one of them."
            )
        self.indented_with = self.indented_with or blank
        return len(indentation)


Warn = Callable[[str], None]
INSTALL = "pip install 'scenthound[ontology]'"
TEXT, OWL_XML, SKOS_TURTLE, SKOS_XML = ".txt", ".owl", ".ttl", ".rdf"
SUFFIXES = (OWL_XML, SKOS_TURTLE, SKOS_XML, TEXT)
"""What an ontology can be written to."""
_LARGEST = 50_000_000
_MARKUP = ("<", "@prefix", "@base")
"""How other kinds of files begin."""
_KINDS_LISTED = 6
"""Kinds of things left out that are named."""


def read_ontology(path: str | Path, warn: Warn) -> Ontology:
    """The ontology in a file; it has at least one concept and is not checked further.

    Parameters
    ----------
    path : indented text where its name ends in ``.txt``; else OWL or SKOS, in RDF/XML or Turtle,
        as its content tells.
    warn : hears what of the file was left out. Imports are not followed.

    OntologyError says why the file cannot be used.
    """
    path = Path(path)
    try:
        ontology, left_out = _parsed(
            _content(path), path, lambda said: warn(f"ontology file {path}: {said}")
        )
    except OntologyError as error:
        raise OntologyError(f"ontology file {path}: {error}") from None
    if left_out:
        warn(f"ontology file {path}: left out: {_listed(left_out)}.")
    return ontology


def ontology_bytes(ontology: Ontology, suffix: str) -> bytes:
    """The content of a file; the same ontology gives the same bytes.

    Parameters
    ----------
    ontology : what to write; texts lose what XML cannot hold.
    suffix : one of ``SUFFIXES``; OntologyError for any other.
    """
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise OntologyError(f"give a file name that ends in one of: {known}.")
    if suffix == TEXT:
        return ontology_text(ontology).encode()
    syntax = "turtle" if suffix == SKOS_TURTLE else "xml"
    return _graph(ontology, suffix).serialize(format=syntax, encoding="utf-8")


def _content(path: Path) -> bytes:
    try:
        if not path.is_file() and path.exists():
            raise OntologyError("it is not a file; give the name of a file.")
        if path.stat().st_size > _LARGEST:
            raise OntologyError(f"it has more than {_LARGEST // 10**6} MB; give a smaller one.")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise OntologyError(
            f"{reason}; give the path of an .owl, .ttl, .rdf or .txt file."
        ) from None


def _parsed(data: bytes, path: Path, warn: Warn) -> tuple[Ontology, Counter[str]]:
    if not data.strip():
        raise OntologyError("it is empty; give one with concepts.")
    if path.suffix.lower() == TEXT:
        ontology, left_out = parse_ontology_text(_text(data), path.stem, warn), Counter[str]()
    else:
        ontology, left_out = _read_graph(data, path.stem)
    if not len(ontology):
        raise OntologyError("it has no concept, class or SKOS concept; give one that has.")
    return ontology, left_out


def _text(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise OntologyError("it is not UTF-8 text; save it as UTF-8.") from None
    if "\0" in text:
        raise OntologyError("it is not a text; give an indented text, or name it by its kind.")
    if text.lstrip().startswith(_MARKUP):
        raise OntologyError(
            "it is no indented text, but XML, HTML or Turtle; name an ontology by its kind: .owl, "
            ".rdf or .ttl."
        )
    return text


def _need_rdflib() -> None:
    require_library("rdflib", "reading and writing OWL and SKOS", INSTALL)


def _read_graph(data: bytes, name: str) -> tuple[Ontology, Counter[str]]:
    _need_rdflib()
    from scenthound.papers.olmoaco.owl import has_owl, read_owl
    from scenthound.papers.olmoaco.rdf import load_graph
    from scenthound.papers.olmoaco.skos import has_skos, read_skos

    graph = load_graph(data)
    return read_skos(graph, name) if has_skos(graph) > has_owl(graph) else read_owl(graph, name)


def _graph(ontology: Ontology, suffix: str) -> Graph:
    _need_rdflib()
    from scenthound.papers.olmoaco.owl import owl_graph
    from scenthound.papers.olmoaco.skos import skos_graph

    return owl_graph(ontology) if suffix == OWL_XML else skos_graph(ontology)


def _listed(left_out: Counter[str]) -> str:
    named = [f"{name} ({count:,})" for name, count in left_out.most_common(_KINDS_LISTED)]
    more = len(left_out) - len(named)
    return "; ".join([*named, *([f"and {more:,} other kinds of things"] if more else [])])

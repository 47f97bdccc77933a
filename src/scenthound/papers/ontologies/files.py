"""Ontologies as indented text: one concept a line, below the line above that is indented less.

::

    # ontology: Storms
    # topic: storm
    storm
      tropical cyclone ; WordNet
        typhoon
        eye (part-of)
      flood (induced-by)

A kind other than is-a stands in brackets; the origin follows `` ; ``. A concept with several
parents is written again below each. A text that would be misread stands in quotes, as in JSON.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scenthound.core.errors import OntologyError, require_library, warn_caller
from scenthound.papers.ontologies.model import (
    Concept,
    Kind,
    Ontology,
    Relation,
    normalise_label,
    one_line,
)

_STEP = "  "
_DEEPEST = 40
"""Levels of indentation that are written; deeper concepts begin at the margin again."""
_KINDS = {re.sub(r"\W", "", kind.value): kind for kind in Kind}
_LINE = re.compile(
    r'(?P<label>"(?:[^"\\]|\\.)*"|.*?)'
    rf"(?:\s+\((?P<kind>{'|'.join(kind.value.replace('-', '[-_ ]?') for kind in Kind)})\))?"
    r"(?:\s+;\s+(?P<origin>.*))?$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s(\([^()]*\))$")
_HEADER = re.compile(r"#\s*(ontology|topic)\s*:(.*)", re.IGNORECASE)


def ontology_text(ontology: Ontology) -> str:
    """Return an ontology as indented text."""
    lines = [f"# ontology: {_safe(one_line(ontology.name))}"]
    if ontology.topic is not None:
        lines.append(f"# topic: {_safe(one_line(ontology.topic))}")
    written: set[str] = set()
    for start in (*ontology.roots, *ontology.labels):  # the latter: what is only on cycles
        waiting = [start] if start not in written else []
        while waiting:
            lines += _tree(ontology, waiting.pop(), written, waiting)
    return "\n".join([*lines, ""])


def _tree(ontology: Ontology, start: str, written: set[str], too_deep: list[str]) -> Iterator[str]:
    """Yield a concept with what is below it, depth first; below a second mention nothing."""
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
    """Return the text, in quotes where it would be misread."""
    found = _LINE.match(text)
    misread = found is None or found["label"] != text or text[:1] in ("", '"', "#")
    return _quoted(text) if misread else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquoted(text: str) -> str:
    text = text.strip()
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def parse_ontology_text(text: str, name: str, where: str = "the text") -> Ontology:
    """Return the ontology that a text describes; ``name`` is its name unless the text gives one.

    Brackets that look like a kind and are none are a warning, which begins with ``where``.
    OntologyError names the line where the indentation cannot be understood.
    """
    topic, origins, relations, odd = None, dict[str, str](), dict[Relation, None](), list[str]()
    above: list[tuple[int, str]] = []  # the lines that are still open: indentation and label
    indented_with: set[bool] = set()
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if content.startswith("#"):
            found = _HEADER.match(content)  # None for a comment
            if found and found[1].lower() == "ontology":
                name = _unquoted(found[2])
            elif found:
                topic = _unquoted(found[2]) or topic
            continue
        indentation = line[: line.index(content)]
        indented_with |= {character == "\t" for character in indentation}
        if len(indented_with) > 1:
            raise OntologyError(
                f"line {number} is indented with tabs and blanks, or otherwise than earlier lines; "
                "use one of them."
            )
        label, kind, origin, brackets = _read_line(content)
        if not label:
            continue
        odd += brackets
        origins[label] = origins.get(label) or origin
        while above and above[-1][0] >= len(indentation):
            above.pop()
        if above:
            relations[Relation(label, above[-1][1], kind)] = None
        above.append((len(indentation), label))
    if odd:
        warn_caller(
            f"{where}: no relation, and part of the label: {', '.join(dict.fromkeys(odd))}; "
            f"relations are: {', '.join(kind.value for kind in Kind)}. A label with brackets can "
            "be put in quotes."
        )
    return Ontology(name, tuple(map(Concept, origins, origins.values())), tuple(relations), topic)


def _read_line(content: str) -> tuple[str, Kind, str, list[str]]:
    """The label on a line, its kind, its origin, and brackets in the label that are no kind."""
    found = _LINE.match(content)
    assert found is not None  # it matches every line
    kind = _KINDS[re.sub(r"[\W_]", "", (found["kind"] or Kind.IS_A.value).lower())]
    label, origin = _unquoted(found["label"]), _unquoted(found["origin"] or "")
    return normalise_label(label), kind, origin, _BRACKETS.findall(found["label"])


# Files of any kind: indented text by its name, OWL and SKOS by content.

INSTALL = "pip install 'scenthound[ontology]'"
TEXT, OWL_XML, SKOS_TURTLE, SKOS_XML = ".txt", ".owl", ".ttl", ".rdf"
SUFFIXES = (OWL_XML, SKOS_TURTLE, SKOS_XML, TEXT)
"""What an ontology can be written to."""
_LARGEST = 50_000_000
_MOST_REPORTED = 6
"""Kinds of things left out that a warning names."""


def read_ontology(path: str | Path) -> Ontology:
    """Return the ontology in a file; it has at least one concept and is not checked further.

    A file whose name ends in ``.txt`` is indented text; any other is OWL or SKOS, in RDF/XML or
    Turtle, whatever its name. What was left out is a warning. Imports are not followed.
    OntologyError says why the file cannot be used.
    """
    path, left_out = Path(path), Counter[str]()
    try:
        data = _content(path)
        if path.suffix.lower() == TEXT:
            ontology = parse_ontology_text(_decoded(data), path.stem, f"ontology file {path}")
        else:
            require_library("rdflib", "reading and writing OWL and SKOS", INSTALL)
            from scenthound.papers.ontologies.owl_skos import read_rdf

            ontology, left_out = read_rdf(data, path.stem)
        if not len(ontology):
            raise OntologyError("it has no concept, class or SKOS concept; give one that has.")
    except OntologyError as error:
        raise OntologyError(f"ontology file {path}: {error}") from None
    if left_out:
        named = [f"{name} ({count:,})" for name, count in left_out.most_common(_MOST_REPORTED)]
        if more := len(left_out) - len(named):
            named.append(f"and {more:,} other kinds of things")
        warn_caller(f"ontology file {path}: left out: {'; '.join(named)}.")
    return ontology


def ontology_bytes(ontology: Ontology, suffix: str) -> bytes:
    """Return the content of a file of this suffix; the same ontology gives the same bytes.

    Characters that XML cannot hold are replaced. OntologyError for an unknown suffix.
    """
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        raise OntologyError(f"give a file name that ends in one of: {', '.join(SUFFIXES)}.")
    if suffix == TEXT:
        return ontology_text(ontology).encode()
    require_library("rdflib", "reading and writing OWL and SKOS", INSTALL)
    from scenthound.papers.ontologies.owl_skos import rdf_graph

    syntax = "turtle" if suffix == SKOS_TURTLE else "xml"
    return rdf_graph(ontology, suffix != OWL_XML).serialize(format=syntax, encoding="utf-8")


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            raise OntologyError(f"it has more than {_LARGEST // 10**6} MB; give a smaller one.")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise OntologyError(
            f"{reason}; give the path of an .owl, .ttl, .rdf or .txt file."
        ) from None
    if not data.strip():
        raise OntologyError("it is empty; give one with concepts.")
    return data


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OntologyError("it is not UTF-8 text; save it as UTF-8.") from None
    if "\0" in text or text.lstrip().startswith(("<", "@prefix", "@base")):
        raise OntologyError(
            "it is no indented text, but XML, HTML or Turtle; name an ontology by its kind: .owl, "
            ".rdf or .ttl."
        )
    return text

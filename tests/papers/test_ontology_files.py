"""Nothing is lost on the way through a file, and bad files are reported in one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from papers.ontology_building import STORMS, ontologies, same
from scenthound.core.errors import OntologyError, SettingsError
from scenthound.output.ontologies import write_ontology
from scenthound.papers.ontologies.files import SUFFIXES, ontology_bytes, read_ontology
from scenthound.papers.ontologies.model import Concept, Ontology

QUIETLY = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def there_and_back(ontology: Ontology, path: Path) -> Ontology:
    write_ontology(ontology, path)
    return read_ontology(path)


def refusal(path: Path, content: bytes | str) -> str:
    """What is said of a file, without its name; one sentence."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(OntologyError) as reported:
        read_ontology(path)
    message = str(reported.value)
    assert message.startswith(f"ontology file {path}: ") and message.endswith(".")
    assert "\n" not in message and len(message) < 400
    return message.removeprefix(f"ontology file {path}: ")


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(ontology=ontologies())
@QUIETLY
def test_a_round_trip_gives_the_same_ontology(
    tmp_path: Path, suffix: str, ontology: Ontology
) -> None:
    assert same(there_and_back(ontology, tmp_path / f"o{suffix}"), ontology)


def test_a_file_is_read_in_the_same_order_and_without_what_no_file_can_hold(tmp_path: Path) -> None:
    write_ontology(STORMS, tmp_path / "o.owl")
    first, second = (read_ontology(tmp_path / "o.owl") for _ in range(2))
    assert first == second and first.labels == STORMS.labels
    odd = Ontology("a\x00b", (Concept("c\x07 \ud800", "x\n\ty"),))
    for suffix in SUFFIXES:
        read = there_and_back(odd, tmp_path / f"o{suffix}")
        assert read.name == "a\ufffdb"
        assert read.concepts == (Concept("c\ufffd \ufffd", "x y"),)


def test_what_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=r"one of: \.owl, \.ttl, \.rdf, \.txt\.$"):
        write_ontology(STORMS, tmp_path / "o.docx")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OntologyError, match="No such file or directory; give a path"):
        write_ontology(STORMS, tmp_path / "no" / "o.owl")


def test_content_counts_more_than_the_ending_and_the_encoding(tmp_path: Path) -> None:
    """SKOS or OWL, XML or Turtle: whatever the file is called."""
    for written, called in ((".ttl", ".owl"), (".owl", ".ttl"), (".rdf", ".xml"), (".owl", "")):
        path = tmp_path / f"o{called}"
        path.write_bytes(ontology_bytes(STORMS, written))
        assert same(read_ontology(path), STORMS)
    # byte order marks and UTF-16
    for suffix in SUFFIXES:
        for encoding in ["utf-8-sig"] if suffix in (".ttl", ".txt") else ["utf-8-sig", "utf-16"]:
            declared = encoding.removesuffix("-sig")
            text = ontology_bytes(STORMS, suffix).decode().replace('"utf-8"', f'"{declared}"')
            path = tmp_path / f"o{suffix}"
            path.write_bytes(text.encode(encoding))
            assert same(read_ontology(path), STORMS)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with (tmp_path / "large.owl").open("wb") as file:
        file.truncate(50_000_001)
    for path, words in (
        (tmp_path / "no.owl", "No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "file" / "o.owl", "Not a directory"),
        (tmp_path / "large.owl", "more than 50 MB"),
    ):
        with pytest.raises(OntologyError, match=words):
            read_ontology(path)
    for content in ["", " \n", "\n# a comment\n"]:
        for suffix in SUFFIXES:
            assert refusal(tmp_path / f"o{suffix}", content)
    for text in ["<?xml version='1.0'?><rdf:RDF/>", "\n <!doctype html><p>x", "@prefix a: <b> .\n"]:
        path = tmp_path / "o.txt"
        path.write_text(text)
        with pytest.raises(OntologyError, match=r"o.txt: it is no indented text, but XML"):
            read_ontology(path)


RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<!DOCTYPE html><html><body>Not found", "web page"),
        ("<!doctype html><p>Not found", "web page"),
        ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "web page"),
        ("<rdf:RDF", "not valid XML"),
        (f"{RDF}</rdf:RDF>", "no concept"),
        (f"{RDF}<a>", "not valid XML (line 1"),
        ("<?xml version='1.0'?><a><b/></a>", "no concept"),
        ("<?xml version='1.0'?><Ontology xmlns='http://www.w3.org/2002/07/owl#'/>", "RDF/XML"),
        ("Prefix(:=<urn:x#>)\nOntology(<urn:x>)", "Save as"),
        ("format-version: 1.2\n[Term]\nid: x:1\n", "Save as"),
        ("<Html><head>", "web page"),
        ("hello world", "not valid Turtle (line 1: "),
        ("\x00\x01\x02", "not valid Turtle"),
        ("@prefix : <urn:x#> .\n" + ":a :b " + "[ :c " * 20_000, "not valid Turtle"),
        ("@prefix : <urn:x#> .\n:a :b :c .", "no concept"),
    ],
)
def test_what_is_no_ontology(tmp_path: Path, content: str, words: str) -> None:
    assert words in refusal(tmp_path / "o.owl", content)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def test_entities_that_load_or_multiply_are_refused(tmp_path: Path) -> None:
    for entities in [
        f'<!ENTITY l0 "ha">{LAUGHS}',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd">%x;',
        f'<!ENTITY x "{"a" * 2000}">',
    ]:
        document = f"<?xml version='1.0'?><!DOCTYPE rdf:RDF [{entities}]>{RDF}&l9;&x;</rdf:RDF>"
        assert "not safe" in refusal(tmp_path / "o.owl", document)
    entity = f'<!DOCTYPE rdf:RDF [<!ENTITY x "{"a" * 1000}">]>'
    assert "too much" in refusal(tmp_path / "o.owl", entity + RDF + "&x;" * 200_001 + "</rdf:RDF>")


def test_nothing_is_fetched_and_abbreviations_of_older_tools_are_read(tmp_path: Path) -> None:
    """Nothing listens there: fetching the DTD would fail."""
    written = ontology_bytes(STORMS, ".owl").decode()
    doctype = '<!DOCTYPE rdf:RDF SYSTEM "http://127.0.0.1:1/x.dtd">\n<rdf:RDF'
    path = tmp_path / "o.owl"
    path.write_text(written.replace("<rdf:RDF", doctype))
    assert same(read_ontology(path), STORMS)
    owl = "http://www.w3.org/2002/07/owl#"
    path = tmp_path / "o.owl"
    path.write_text(
        f'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [<!ENTITY owl "{owl}" >]>\n'
        f'{RDF}<rdf:Description rdf:about="urn:x#StormSurge">'
        '<rdf:type rdf:resource="&owl;Class"/></rdf:Description></rdf:RDF>'
    )
    assert read_ontology(path).labels == ("storm surge",)


def test_without_the_library_it_is_reported_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_ontology(STORMS, tmp_path / "o.owl")
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(
        SettingsError, match=r"rdflib; install it with: pip install 'scenthound\[on"
    ):
        read_ontology(tmp_path / "o.owl")
    write_ontology(STORMS, tmp_path / "o.txt")
    assert same(read_ontology(tmp_path / "o.txt"), STORMS)

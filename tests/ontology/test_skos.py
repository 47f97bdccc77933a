"""SKOS that others wrote, and what ours looks like to them."""

from __future__ import annotations

from pathlib import Path

from rdflib import SKOS, Graph, Literal, URIRef

from ontology.ontology_building import STORMS
from scenthound.ontology.checking import check, is_serious
from scenthound.ontology.files import ontology_bytes, read_ontology
from scenthound.ontology.model import Ontology

HEAD = """
@prefix : <http://example.org/storms/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix iso: <http://purl.org/iso25964/skos-thes#> .
@prefix dct: <http://purl.org/dc/terms/> .
"""


def read(folder: Path, text: str) -> Ontology:
    (folder / "storms.ttl").write_text(HEAD + text)
    return read_ontology(folder / "storms.ttl", lambda _: None)


def relations(ontology: Ontology) -> set[tuple[str, str, str]]:
    return {(each.child, each.kind.value, each.parent) for each in ontology.relations}


def test_a_thesaurus_of_others(tmp_path: Path) -> None:
    found = read(tmp_path, """
        : a skos:ConceptScheme ; dct:title "Weather"@en .
        :1 a skos:Concept ; skos:prefLabel "Storms"@en, "Stürme"@de ; skos:narrower :2 ;
            skos:altLabel "Tempests"@en ; dct:source "a book" .
        :2 a skos:Concept ; skos:prefLabel "typhoons" ; skos:broader :1 .
        :3 a skos:Concept ; skos:prefLabel "eyes" ; iso:broaderPartitive :2 ; skos:broader :2 .
        :4 skos:prefLabel "floods" ; skos:broader :1 ; skos:related :2 .
        :2 skos:related :4 .
        """)  # fmt: skip
    assert (found.name, found.topic, found["storms"].origin) == ("Weather", None, "a book")
    assert relations(found) - {("floods", "coordinate-term-of", "typhoons")} == {
        ("typhoons", "is-a", "storms"),
        ("tempests", "synonym", "storms"),
        ("eyes", "part-of", "typhoons"),
        ("floods", "is-a", "storms"),
    } | (relations(found) & {("typhoons", "coordinate-term-of", "floods")})
    assert len(found.relations) == 5


def test_relatedness_never_closes_a_circle(tmp_path: Path) -> None:
    """a is below b, b is related to c, c is below d, d is related to a: one has to turn."""
    found = read(tmp_path, """
        :a skos:prefLabel "a" ; skos:broader :b . :b skos:prefLabel "b" ; skos:related :c .
        :c skos:prefLabel "c" ; skos:broader :d . :d skos:prefLabel "d" ; skos:related :a .
        """)  # fmt: skip
    assert len(found.relations) == 4
    assert not any(map(is_serious, check(found)))


def test_ours_as_others_see_it() -> None:
    graph = Graph().parse(data=ontology_bytes(STORMS, ".ttl"), format="turtle")
    base = "urn:scenthound:ontology:Storms"
    names = {each: URIRef(f"{base}#{each}") for each in STORMS.labels}
    assert (names["typhoon"], SKOS.broader, names["storm"]) in graph
    assert (names["eye"], SKOS.broader, names["typhoon"]) in graph
    assert (names["storm"], SKOS.altLabel, Literal("tempest")) in graph
    assert (names["flood"], SKOS.related, names["storm"]) in graph
    assert set(graph.objects(URIRef(base), SKOS.hasTopConcept)) == {names["storm"]}

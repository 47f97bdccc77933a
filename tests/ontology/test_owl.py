"""OWL that others wrote, and what ours looks like to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, Graph, URIRef

from ontology.ontology_building import STORMS
from scenthound.ontology.checking import check
from scenthound.ontology.files import ontology_bytes, read_ontology
from scenthound.ontology.model import Kind, Ontology

HEAD = """
@prefix : <http://example.org/storms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
<http://example.org/storms> a owl:Ontology .
"""


class Read:
    """An ontology written in Turtle, and what was said of it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.told: list[str] = []
        (folder / "storms.ttl").write_text(HEAD + text)
        self.ontology: Ontology = read_ontology(folder / "storms.ttl", self.told.append)

    @property
    def relations(self) -> set[tuple[str, str, str]]:
        return {(each.child, each.kind.value, each.parent) for each in self.ontology.relations}


def test_labels_are_english_or_untagged_or_the_end_of_the_name(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :a a owl:Class ; rdfs:label "Sturm"@de, "storm"@en .
        :b a owl:Class ; rdfs:label "Flut"@de, "flood" .
        :c a owl:Class ; rdfs:label "Wind"@de .
        :StormSurge_zone a owl:Class .
        <http://example.org/HTTPServer/> a rdfs:Class .
        <http://example.org/high-water%20mark> a owl:Class .
        :d a owl:Class ; skos:prefLabel "eye" .
        """)  # fmt: skip
    assert set(read.ontology.labels) == {
        "storm", "flood", "wind", "storm surge zone", "http server", "high water mark", "eye",
    }  # fmt: skip
    assert (read.ontology.name, read.ontology.topic, read.told) == ("storms", None, [])


def test_subclasses_and_what_is_above_all(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :typhoon rdfs:subClassOf :storm . :storm rdfs:subClassOf owl:Thing .
        """)  # fmt: skip
    assert set(read.ontology.labels) == {"storm", "typhoon"}
    assert read.relations == {("typhoon", "is-a", "storm")} and read.told == []


def some(used: str, filler: str) -> str:
    return f"[ a owl:Restriction ; owl:onProperty {used} ; owl:someValuesFrom {filler} ]"


@pytest.mark.parametrize(
    ("used", "relation"),
    [
        (":partOf", ("eye", "part-of", "storm")),
        (":is_part_of", ("eye", "part-of", "storm")),
        ("obo:BFO_0000050", ("eye", "part-of", "storm")),
        (":hasPart", ("storm", "part-of", "eye")),
        ("obo:BFO_0000051", ("storm", "part-of", "eye")),
        ("[ owl:inverseOf :hasPart ]", ("eye", "part-of", "storm")),
        (":causedBy", ("eye", "induced-by", "storm")),
        (":causes", ("storm", "induced-by", "eye")),
        (":relatedTo", ("eye", "coordinate-term-of", "storm")),
        (":p17", ("eye", "part-of", "storm")),
        (":teilVon", ("eye", "part-of", "storm")),
    ],
)
def test_restrictions_on_properties_that_are_understood(
    tmp_path: Path, used: str, relation: tuple[str, str, str]
) -> None:
    labels = ':p17 rdfs:label "part of"@en . :teilVon rdfs:label "Teil von"@de, "Part Of"@en-GB .'
    read = Read(
        tmp_path, f":storm a owl:Class . :eye rdfs:subClassOf {some(used, ':storm')} . {labels}"
    )
    assert read.relations == {relation} and read.told == []


@pytest.mark.parametrize(("count", "understood"), [("1", True), ("02", True), ("0", False)])
@pytest.mark.parametrize("used", ["minQualifiedCardinality", "qualifiedCardinality"])
def test_at_least_one_is_some(tmp_path: Path, used: str, count: str, understood: bool) -> None:
    wanted = f'owl:{used} "{count}" ; owl:onClass :storm'
    restriction = f"[ a owl:Restriction ; owl:onProperty :partOf ; {wanted} ]"
    read = Read(tmp_path, f":storm a owl:Class . :eye rdfs:subClassOf {restriction} .")
    assert (read.relations == {("eye", "part-of", "storm")}) is understood
    assert (read.told == []) is understood


def test_intersections_and_unions(tmp_path: Path) -> None:
    read = Read(tmp_path, f"""
        :eyewall owl:equivalentClass
            [ a owl:Class ; owl:intersectionOf (:cloud {some(":partOf", ":storm")}) ] .
        :disaster owl:equivalentClass [ a owl:Class ; owl:unionOf (:flood :fire) ] .
        :cloud a owl:Class . :storm a owl:Class . :flood a owl:Class . :fire a owl:Class .
        """)  # fmt: skip
    assert read.relations == {
        ("eyewall", "is-a", "cloud"),
        ("eyewall", "part-of", "storm"),
        ("flood", "is-a", "disaster"),
        ("fire", "is-a", "disaster"),
    }
    assert read.told == []


def test_what_is_not_understood_is_counted(tmp_path: Path) -> None:
    read = Read(tmp_path, f"""
        <http://example.org/storms> owl:imports <http://127.0.0.1:1/other.owl> .
        :storm a owl:Class ; rdfs:subClassOf {some(":locatedIn", ":sea")},
            [ a owl:Restriction ; owl:onProperty :partOf ; owl:allValuesFrom :sea ] .
        :sea a owl:Class . :old a owl:Class ; owl:deprecated true .
        :katrina a owl:NamedIndividual, :storm . :storm a owl:NamedIndividual .
        [ a owl:Class ; owl:complementOf :sea ] rdfs:subClassOf :storm .
        """)  # fmt: skip
    assert set(read.ontology.labels) == {"storm", "sea"} and read.relations == set()
    (told,) = read.told
    for words in (
        'restrictions on the property "located In" (1)',
        "class expressions that are not understood (1)",
        "imports, which are not followed (1)",
        "deprecated classes (1)",
        "individuals (1)",
        "axioms on expressions without a name (1)",
    ):
        assert words in told


def test_classes_of_one_label_become_one(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :a a owl:Class ; rdfs:label "Storm" . :b rdfs:subClassOf :a ; rdfs:label "storm" .
        :c rdfs:subClassOf :b ; rdfs:label "typhoon" .
        """)  # fmt: skip
    assert read.relations == {("typhoon", "is-a", "storm")}
    assert (
        "concepts of the same label as another, which became one (1)" in read.told[0]
        and "to itself" in read.told[0]
    )


def test_other_names_are_synonyms_below(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :storm a owl:Class ; skos:altLabel "Tempest"@en, "Sturm"@de .
        :flood a owl:Class ; oio:hasExactSynonym "inundation", "flood" .
        """)  # fmt: skip
    assert read.relations == {
        ("tempest", "synonym", "storm"),
        ("inundation", "synonym", "flood"),
    }


def test_equivalence_said_twice_is_no_circle(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :storm owl:equivalentClass :tempest . :tempest owl:equivalentClass :storm .
        :gale rdfs:subClassOf :storm . :storm owl:equivalentClass :gale .
        """)  # fmt: skip
    assert len(read.relations) == 2
    assert [each.sentence for each in check(read.ontology) if "circle" in each.sentence] == []


def test_circles_are_read_so_that_they_can_be_told(tmp_path: Path) -> None:
    read = Read(tmp_path, ":a rdfs:subClassOf :b . :b rdfs:subClassOf :a .")
    assert 'there is a circle, "a" below "b" below "a"' in check(read.ontology)[0].sentence


def test_lists_and_expressions_that_bite_their_tail_end(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :a a owl:Class ; rdfs:subClassOf _:x . _:x owl:intersectionOf _:l .
        _:l rdf:first _:x ; rdf:rest _:l . _:l rdf:first :b . :b a owl:Class .
        """)  # fmt: skip
    assert set(read.ontology.labels) == {"a", "b"}


def test_classes_related_like_individuals(tmp_path: Path) -> None:
    read = Read(tmp_path, ":eye a owl:Class ; :partOf :storm . :storm a owl:Class .")
    assert read.relations == {("eye", "part-of", "storm")}


def test_ours_as_others_see_it() -> None:
    graph = Graph().parse(data=ontology_bytes(STORMS, ".owl"), format="xml")
    base = "urn:scenthound:ontology:Storms"
    names = {each: URIRef(f"{base}#{each}") for each in STORMS.labels}
    assert (URIRef(base), RDF.type, OWL.Ontology) in graph
    assert set(graph.subjects(RDF.type, OWL.Class)) == set(names.values())
    assert (names["typhoon"], RDFS.subClassOf, names["storm"]) in graph
    assert (names["tempest"], OWL.equivalentClass, names["storm"]) in graph
    (restriction,) = graph.objects(names["eye"], RDFS.subClassOf)
    assert (restriction, RDF.type, OWL.Restriction) in graph
    assert (restriction, OWL.someValuesFrom, names["typhoon"]) in graph
    used = graph.value(restriction, OWL.onProperty)
    assert (used, RDF.type, OWL.ObjectProperty) in graph
    assert str(graph.value(used, RDFS.label)) == "part of"
    kinds = {Kind.PART_OF, Kind.INDUCED_BY, Kind.COORDINATE}
    assert len(set(graph.subjects(RDF.type, OWL.ObjectProperty))) == len(kinds)

"""What is wrong with an ontology is found, and several ontologies become one."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import networkx  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import OWL, RDF, RDFS, SKOS, Graph, Literal, URIRef

from papers.ontology_building import STORMS, STORMS_TEXT, ontologies, ontology, same
from scenthound.core.errors import OntologyError, ScenthoundWarning
from scenthound.papers.ontologies import checks, model
from scenthound.papers.ontologies.checks import find_problems, merge_ontologies
from scenthound.papers.ontologies.files import (
    ontology_bytes,
    ontology_text,
    parse_ontology_text,
    read_ontology,
)
from scenthound.papers.ontologies.model import Concept, Kind, Ontology, Relation

EDGES = st.lists(st.tuples(*(st.sampled_from("abcdefg"),) * 2), max_size=14)


def sentences(found: Ontology, is_serious: bool) -> list[str]:
    return [each.sentence for each in find_problems(found) if each.is_serious is is_serious]


def serious(found: Ontology) -> str:
    (sentence,) = sentences(found, True)
    with pytest.raises(OntologyError) as reported:
        checks.require_valid(found)
    assert str(reported.value) == f'ontology "{found.name}": {sentence}'
    return sentence


def test_notes_do_not_refuse_an_ontology() -> None:
    assert find_problems(STORMS) == [] and checks.require_valid(STORMS) is STORMS
    found = ontology(("storms", "storm"), alone=("lonely", "storm-s", "gas", "glass", "glas"))
    reported = sentences(found, False)
    assert [each for each in find_problems(found) if each.is_serious] == []
    assert reported[0].startswith("no concept is marked")
    assert reported[1:] == [
        '"storms" and "storm" and "storm-s" are perhaps one concept; keep one of them.'
    ]
    assert checks.require_valid(found) is found
    found = ontology(("b", "a"), ("b", "c"), topic="a", alone=tuple("fghijklm"))
    (lost,) = sentences(found, False)
    assert '"f", "g", "h", "i", "j" and 3 more' in lost


def test_what_is_serious() -> None:
    assert serious(Ontology("empty")).startswith("it has no concept")
    assert '"storm" is not among' in serious(ontology(("b", "a"), topic="storm"))
    found = ontology(("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), topic="a")
    assert '"a" below "b" below "c" below "a"' in serious(found)
    assert serious(ontology(("a", "a"), topic="a")).startswith('there is a circle, "a" below "a"')
    found = ontology(*((f"c{n}", f"c{(n + 1) % 50}") for n in range(50)), topic="c0")
    assert '"c4" below "..." below "c45"' in serious(found)
    twice = Ontology("x", (Concept("a"), Concept("A"), Concept(" ")), (Relation("a", "b"),), "a")
    assert sentences(twice, True) == [
        "concepts without a label: 1; give each a label, or remove it.",
        'more than one concept has the label "a"; keep one of each.',
        'relations lead to "b", which are no concepts; add or remove them.',
    ]


@given(EDGES)
@settings(max_examples=30)
def test_circles_ancestors_and_ranks(edges: list[tuple[str, str]]) -> None:
    """Circles are found where there are any, ancestors reached, ranks larger below."""
    graph = networkx.DiGraph(edges)
    parents = model.parents_by_label(Relation(*edge) for edge in edges)
    circle = model.find_cycle(parents)
    assert (circle == ()) == networkx.is_directed_acyclic_graph(graph)
    ends = zip(circle, (*circle[1:], *circle[:1]), strict=True)
    assert all(graph.has_edge(*edge) for edge in ends) and len(set(circle)) == len(circle)
    for label in graph:
        assert model.ancestors(label, parents) == {label, *networkx.descendants(graph, label)}
    assert model.ancestors("nobody", parents) == {"nobody"}
    order = model.topological_ranks(parents)
    on_circles = {node for part in networkx.simple_cycles(graph) for node in part}
    below = {n for node in on_circles for n in networkx.ancestors(graph, node)} | on_circles
    assert set(order) == set(graph) - below
    assert all(order[low] > order[high] for low, high in edges if low in order)


def test_levels_and_walks() -> None:
    found = ontology(("b", "a"), ("c", "b"), ("c", "a"), ("y", "x"), ("x", "y"))
    assert model.concept_levels(found) == {"a": 1, "b": 2, "c": 2, "y": 1, "x": 2}
    assert model.concept_levels(Ontology("empty")) == {}
    # Walks are loops, not recursions.
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(2_000)), topic="c0")
    assert find_problems(chain) == []
    assert model.shortest_paths(chain, "c0")["c2000"][0] == 2_000
    assert model.concept_levels(chain)["c2000"] == 2_001


def test_merging() -> None:
    first = Ontology("one", (Concept("storm", "a book"), Concept("eye")), topic="storm")
    second = Ontology("two", (Concept("Storm", "WordNet"), Concept("eye"), Concept("sea")))
    both = merge_ontologies(first, second, second).ontology
    assert both.concepts == (Concept("storm", "a book; WordNet"), Concept("eye"), Concept("sea"))
    assert (both.name, both.topic) == ("one", "storm")
    # what would close a circle is left out
    first, second = ontology(("b", "a"), ("c", "b")), ontology(("a", "c"), ("d", "c"), ("d", "a"))
    merged = merge_ontologies(first, second)
    assert merged.left_out == (
        checks.DroppedRelation(Relation("a", "c"), "it would close a circle"),
    )
    assert set(merged.ontology.relations) == {
        Relation("b", "a"), Relation("c", "b"), Relation("d", "c"), Relation("d", "a"),
    }  # fmt: skip
    # the first kind of a pair counts
    part = Relation("b", "a", Kind.PART_OF)
    first = ontology(("b", "a"))
    merged = merge_ontologies(first, replace(first, relations=(part,)))
    assert merged.left_out == (checks.DroppedRelation(part, "the two are already related as is-a"),)
    assert merged.ontology.relations == (Relation("b", "a"),)
    # relations that lead nowhere are left out
    with pytest.raises(OntologyError, match="at least one"):
        merge_ontologies()
    merged = merge_ontologies(ontology(alone=("a",)), ontology(alone=("b",), topic="b"))
    assert merged.ontology.topic == "b"
    lost = Ontology("x", (Concept("a"),), (Relation("a", "b"), Relation("a", "a")))
    assert [each.reason for each in merge_ontologies(lost).left_out] == [
        "it leads to no concept", "it would close a circle",
    ]  # fmt: skip
    first = ontology(*((f"c{n + 1}", f"c{n}") for n in range(500)))
    second = ontology(*((f"c{n + 1}", f"c{n // 2}") for n in range(500)))
    merged = merge_ontologies(first, second)
    assert merged.left_out == () and len(merged.ontology) == 501


@given(ontologies(), ontologies())
@settings(deadline=None, max_examples=20)
def test_any_two_merge_into_one_without_circles(first: Ontology, second: Ontology) -> None:
    merged = merge_ontologies(first, second)
    assert model.find_cycle(model.parents_by_label(merged.ontology.relations)) == ()
    assert set(merged.ontology.labels) == {*first.labels, *second.labels}
    assert set(first.relations) <= set(merged.ontology.relations)
    left = {each.relation for each in merged.left_out}
    assert set(second.relations) <= {*merged.ontology.relations, *left}


# OWL and SKOS that others wrote, indented text, and what ours looks like to others.


HEAD = """
@prefix : <http://example.org/storms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix iso: <http://purl.org/iso25964/skos-thes#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
<http://example.org/storms> a owl:Ontology .
"""


class Read:
    """An ontology written in Turtle, and what was said of it."""

    def __init__(self, folder: Path, text: str) -> None:
        (folder / "storms.ttl").write_text(HEAD + text)
        with warnings.catch_warnings(record=True, action="always") as caught:
            self.ontology: Ontology = read_ontology(folder / "storms.ttl")
        self.reported = [str(each.message) for each in caught]

    @property
    def relations(self) -> set[tuple[str, str, str]]:
        return {(each.child, each.kind.value, each.parent) for each in self.ontology.relations}


def test_labels_of_classes(tmp_path: Path) -> None:
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
    assert (read.ontology.name, read.ontology.topic, read.reported) == ("storms", None, [])
    read = Read(tmp_path, """
        :a a owl:Class ; rdfs:label "Storm" . :b rdfs:subClassOf :a ; rdfs:label "storm" .
        :c rdfs:subClassOf :b ; rdfs:label "typhoon" .
        """)  # fmt: skip
    assert read.relations == {("typhoon", "is-a", "storm")}


def some(used: str, filler: str) -> str:
    return f"[ a owl:Restriction ; owl:onProperty {used} ; owl:someValuesFrom {filler} ]"


def test_restrictions_on_properties_that_are_understood(tmp_path: Path) -> None:
    for used, relation in [
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
    ]:
        read = Read(tmp_path, f"""
            :storm a owl:Class . :eye rdfs:subClassOf {some(used, ":storm")} .
            :p17 rdfs:label "part of"@en . :teilVon rdfs:label "Teil von"@de, "Part Of"@en-GB .
            """)  # fmt: skip
        assert read.relations == {relation} and read.reported == []


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        (f""":eyewall owl:equivalentClass
            [ a owl:Class ; owl:intersectionOf (:cloud {some(":partOf", ":storm")}) ] .
        :disaster owl:equivalentClass [ a owl:Class ; owl:unionOf (:flood :fire) ] .
        :cloud a owl:Class . :storm a owl:Class . :flood a owl:Class . :fire a owl:Class .""",
        {("eyewall", "is-a", "cloud"), ("eyewall", "part-of", "storm"),
         ("flood", "is-a", "disaster"), ("fire", "is-a", "disaster")}),
        (""":storm a owl:Class ; skos:altLabel "Tempest"@en, "Sturm"@de .
        :flood a owl:Class ; oio:hasExactSynonym "inundation", "flood" .""",
        {("tempest", "synonym", "storm"), ("inundation", "synonym", "flood")}),
        # as if they were individuals
        (":eye a owl:Class ; :partOf :storm . :storm a owl:Class .",
        {("eye", "part-of", "storm")}),
    ],
    ids=["intersections and unions", "other names", "classes related like individuals"],
)  # fmt: skip
def test_relations_of_classes(
    tmp_path: Path, text: str, relations: set[tuple[str, str, str]]
) -> None:
    read = Read(tmp_path, text)
    assert read.relations == relations and read.reported == []


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
    (reported,) = read.reported
    for words in (
        'restrictions on the property "located In" (1)',
        "class expressions that are not understood (1)",
        "imports, which are not followed (1)",
        "deprecated classes (1)",
        "individuals (1)",
        "axioms on expressions without a name (1)",
    ):
        assert words in reported


def test_circles_that_others_wrote(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        :storm owl:equivalentClass :tempest . :tempest owl:equivalentClass :storm .
        :gale rdfs:subClassOf :storm . :storm owl:equivalentClass :gale .
        """)  # fmt: skip
    assert len(read.relations) == 2
    assert [
        each.sentence for each in find_problems(read.ontology) if "circle" in each.sentence
    ] == []
    # lists and expressions that bite their tail end
    read = Read(tmp_path, """
        :a a owl:Class ; rdfs:subClassOf _:x . _:x owl:intersectionOf _:l .
        _:l rdf:first _:x ; rdf:rest _:l . _:l rdf:first :b . :b a owl:Class .
        """)  # fmt: skip
    assert set(read.ontology.labels) == {"a", "b"}


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


def test_a_thesaurus_of_others(tmp_path: Path) -> None:
    read = Read(tmp_path, """
        : a skos:ConceptScheme ; dct:title "Weather"@en .
        :1 a skos:Concept ; skos:prefLabel "Storms"@en, "Stürme"@de ; skos:narrower :2 ;
            skos:altLabel "Tempests"@en ; dct:source "a book" .
        :2 a skos:Concept ; skos:prefLabel "typhoons" ; skos:broader :1 .
        :3 a skos:Concept ; skos:prefLabel "eyes" ; iso:broaderPartitive :2 ; skos:broader :2 .
        :4 skos:prefLabel "floods" ; skos:broader :1 ; skos:related :2 .
        :2 skos:related :4 .
        """)  # fmt: skip
    found = read.ontology
    assert (found.name, found.topic, found["storms"].origin) == ("Weather", None, "a book")
    related = {("floods", "coordinate-term-of", "typhoons")}
    turned = {("typhoons", "coordinate-term-of", "floods")}
    assert len(found.relations) == 5 and read.relations & (related | turned)
    assert read.relations - related - turned == {
        ("typhoons", "is-a", "storms"),
        ("tempests", "synonym", "storms"),
        ("eyes", "part-of", "typhoons"),
        ("floods", "is-a", "storms"),
    }
    # a is below b, b is related to c, c is below d, d is related to a: one has to turn.
    read = Read(tmp_path, """
        :a skos:prefLabel "a" ; skos:broader :b . :b skos:prefLabel "b" ; skos:related :c .
        :c skos:prefLabel "c" ; skos:broader :d . :d skos:prefLabel "d" ; skos:related :a .
        """)  # fmt: skip
    assert len(read.relations) == 4
    assert not any(each.is_serious for each in find_problems(read.ontology))


def test_ours_as_others_see_it_of_skos() -> None:
    graph = Graph().parse(data=ontology_bytes(STORMS, ".ttl"), format="turtle")
    base = "urn:scenthound:ontology:Storms"
    names = {each: URIRef(f"{base}#{each}") for each in STORMS.labels}
    assert (names["typhoon"], SKOS.broader, names["storm"]) in graph
    assert (names["eye"], SKOS.broader, names["typhoon"]) in graph
    assert (names["storm"], SKOS.altLabel, Literal("tempest")) in graph
    assert (names["flood"], SKOS.related, names["storm"]) in graph
    assert set(graph.objects(URIRef(base), SKOS.hasTopConcept)) == {names["storm"]}


def pairs(read: Ontology) -> set[tuple[str, str]]:
    return {(each.child, each.parent) for each in read.relations}


def test_indented_text_and_back() -> None:
    assert ontology_text(STORMS) == STORMS_TEXT
    assert same(parse_ontology_text(STORMS_TEXT, "x"), STORMS)
    for end in ["\r\n", "\r"]:
        assert same(parse_ontology_text(STORMS_TEXT.replace("\n", end), "x"), STORMS)
    tabs = STORMS_TEXT.replace("  ", "\t").replace("storm\n\t", "storm\n\n# a comment\n\t", 1)
    assert same(parse_ontology_text(tabs, "x"), STORMS)
    # circles survive
    circle = ontology(("a", "b"), ("b", "a"), ("c", "c"))
    assert same(parse_ontology_text(ontology_text(circle), "x"), circle)
    # a long chain does not fill the disk with blanks
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(2_000)))
    text = ontology_text(chain)
    assert len(text) < 500_000
    assert same(parse_ontology_text(text, "x"), chain)


def test_indents() -> None:
    """An odd dedent is below the last line with less; tabs among blanks are refused."""
    assert pairs(parse_ontology_text("a\n    b\n  c\n d\ne\n", "x")) == {
        ("b", "a"), ("c", "a"), ("d", "a"),
    }  # fmt: skip
    assert pairs(parse_ontology_text("  a\n  b\n", "x")) == set()
    for text, line in [("a\n\tb\n  c\n", 3), ("a\n  b\n\tc", 3), ("a\n \tb", 2)]:
        with pytest.raises(OntologyError, match=f"^line {line} .*use one of them"):
            parse_ontology_text(text, "x")


def test_kinds_in_brackets_and_what_is_none() -> None:
    for kind in ["part-of", "Part of", "PART_OF", "partof"]:
        text = f"storm\n  eye ({kind})\n  crane (bird)"
        with pytest.warns(ScenthoundWarning, match=r"x.txt: no relation, .* label: \(bird\); "):
            read = parse_ontology_text(text, "x", "x.txt")
        assert read.relations == (
            Relation("eye", "storm", Kind.PART_OF),
            Relation("crane (bird)", "storm"),
        )
    text = 'storm\n  y (unknown-kind)\n  "crane (bird)"\n  eye (part-of) ; said (twice)\n'
    first = r"^the text: no relation, .* label: \(unknown-kind\); relations are: syn"
    with pytest.warns(ScenthoundWarning, match=first):
        read = parse_ontology_text(text, "x")
    assert read.labels == ("storm", "y (unknown-kind)", "crane (bird)", "eye")
    assert '"y (unknown-kind)"' in ontology_text(read)  # what is written is not reported again
    parse_ontology_text(ontology_text(read), "x")
    # quotes keep what would be misread
    read = parse_ontology_text('"# 1"\n  "a ; b" (part-of) ; "\\"x"\n  "open\n', "x")
    assert read.labels == ("# 1", "a ; b", '"open')
    assert read["a ; b"].origin == '"x'

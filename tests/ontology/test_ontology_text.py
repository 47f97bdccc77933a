"""Ontologies as indented text."""

from __future__ import annotations

import pytest

from ontology.ontology_building import STORMS, ontology, same
from scenthound.core.errors import OntologyError
from scenthound.ontology.model import Kind, Ontology, Relation
from scenthound.ontology.text_file import ontology_text, parse_ontology_text

STORMS_TEXT = """\
# ontology: Storms
# topic: storm
storm
  typhoon ; keyword
    eye (part-of)
    hurricane (coordinate-term-of)
  flood (induced-by) ; WordNet
  tempest (synonym)
  hurricane
"""


def pairs(read: Ontology) -> set[tuple[str, str]]:
    return {(each.child, each.parent) for each in read.relations}


def test_what_is_written() -> None:
    assert ontology_text(STORMS) == STORMS_TEXT
    assert same(parse_ontology_text(STORMS_TEXT, "x"), STORMS)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems(end: str) -> None:
    assert same(parse_ontology_text(STORMS_TEXT.replace("\n", end), "x"), STORMS)


def test_tabs_and_comments_and_empty_lines() -> None:
    tabs = STORMS_TEXT.replace("  ", "\t").replace("storm\n\t", "storm\n\n# a comment\n\t", 1)
    assert same(parse_ontology_text(tabs, "x"), STORMS)


def test_a_text_without_headers() -> None:
    read = parse_ontology_text("Storm\n  Storm_surge\n", "mine")
    assert (read.name, read.topic, read.labels) == ("mine", None, ("storm", "storm surge"))


def test_an_odd_dedent_is_below_the_last_line_with_less() -> None:
    assert pairs(parse_ontology_text("a\n    b\n  c\n d\ne\n", "x")) == {
        ("b", "a"), ("c", "a"), ("d", "a"),
    }  # fmt: skip
    assert pairs(parse_ontology_text("  a\n  b\n", "x")) == set()


@pytest.mark.parametrize(
    ("text", "line"), [("a\n\tb\n  c\n", 3), ("a\n  b\n\tc", 3), ("a\n \tb", 2)]
)
def test_tabs_among_blanks_are_told_with_the_line(text: str, line: int) -> None:
    with pytest.raises(OntologyError, match=f"^line {line} .*use one of them"):
        parse_ontology_text(text, "x")


@pytest.mark.parametrize("kind", ["part-of", "Part of", "PART_OF", "partof"])
def test_kinds_may_be_written_in_many_ways(kind: str) -> None:
    read = parse_ontology_text(f"storm\n  eye ({kind})\n  crane (bird)", "x")
    assert read.relations == (
        Relation("eye", "storm", Kind.PART_OF),
        Relation("crane (bird)", "storm"),
    )


def test_brackets_that_are_no_kind_are_told() -> None:
    told: list[str] = []
    text = 'storm\n  y (unknown-kind)\n  "crane (bird)"\n  eye (part-of) ; said (twice)\n'
    read = parse_ontology_text(text, "x", told.append)
    assert read.labels == ("storm", "y (unknown-kind)", "crane (bird)", "eye")
    assert len(told) == 1 and told[0].startswith(
        "(unknown-kind) is no relation, and part of the label; relations are: synonym, induced-by, "
    )
    assert '"y (unknown-kind)"' in ontology_text(read)  # what is written is not told of again
    parse_ontology_text(ontology_text(read), "x", told.append)
    parse_ontology_text("a (1)\nb (2)\nc (3)\nd (4)\n", "x", told.append)
    assert len(told) == 2 and told[1].startswith("(1), (2), (3), ... are no relations, ")


def test_quotes_keep_what_would_be_misread() -> None:
    read = parse_ontology_text('"# 1"\n  "a ; b" (part-of) ; "\\"x"\n  "open\n', "x")
    assert read.labels == ("# 1", "a ; b", '"open')
    assert read["a ; b"].origin == '"x'


def test_circles_survive() -> None:
    circle = ontology(("a", "b"), ("b", "a"), ("c", "c"))
    assert same(parse_ontology_text(ontology_text(circle), "x"), circle)


def test_a_long_chain_does_not_fill_the_disk_with_blanks() -> None:
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(5_000)))
    text = ontology_text(chain)
    assert len(text) < 500_000
    assert same(parse_ontology_text(text, "x"), chain)


def test_an_empty_ontology_is_its_headers() -> None:
    assert ontology_text(Ontology("nothing")) == "# ontology: nothing\n"
    assert len(parse_ontology_text("", "x")) == 0

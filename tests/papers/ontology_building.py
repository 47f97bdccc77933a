"""Ontologies and formal contexts for tests, written by hand or drawn at random."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from scenthound.papers.olmoaco.formal_context import FormalContext
from scenthound.papers.ontologies.model import Concept, Kind, Ontology, Relation, normalise_label

STORMS = Ontology(
    "Storms",
    (
        Concept("storm"),
        Concept("typhoon", "keyword"),
        Concept("eye"),
        Concept("flood", "WordNet"),
        Concept("tempest"),
        Concept("hurricane"),
    ),
    (
        Relation("typhoon", "storm"),
        Relation("eye", "typhoon", Kind.PART_OF),
        Relation("flood", "storm", Kind.INDUCED_BY),
        Relation("tempest", "storm", Kind.SYNONYM),
        Relation("hurricane", "typhoon", Kind.COORDINATE),
        Relation("hurricane", "storm"),
    ),
    "storm",
)

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

Edge = tuple[str, str]


def ontology(*edges: Edge, topic: str | None = None, alone: tuple[str, ...] = ()) -> Ontology:
    """One with is-a relations from child to parent, and concepts without any."""
    labels = dict.fromkeys((*(end for edge in edges for end in edge), *alone))
    relations = tuple(Relation(*edge) for edge in edges)
    return Ontology("test", tuple(map(Concept, labels)), relations, topic)


def same(first: Ontology, second: Ontology) -> bool:
    """Do both say the same, in whatever order?"""

    def printed(each: Ontology) -> tuple[object, ...]:
        return each.name, set(each.concepts), set(each.relations), each.topic

    return printed(first) == printed(second)


def table_one() -> FormalContext:
    """The worked formal context of the paper (olmoaco Table 1)."""
    crosses = ["x..xxx", "xxx...", "..x.x.", "x....x", "xxxxx."]
    return context_of(crosses, [f"term {number}" for number in range(1, 7)])


def context_of(rows: list[str], terms: list[str]) -> FormalContext:
    texts = tuple(f"doc {number}" for number in range(1, len(rows) + 1))
    crosses = np.array([[sign == "x" for sign in row] for row in rows], np.bool_)
    return FormalContext(texts, tuple(terms), crosses)


_LETTERS = st.characters(
    exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
) | st.sampled_from(' "#;()-_$\\&<>%:')
_TEXTS = st.text(_LETTERS, max_size=12).map(lambda text: " ".join(text.split()))
_ODD = ("# a", "a ; b", "a (part-of)", '"', "(synonym)", "; x", "a (is-a)", "\u53f0\u98ce", "a\\")


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Sound ones: no circle, one relation for a pair. Labels are any text."""
    labels = draw(
        st.lists(
            (_TEXTS | st.sampled_from(_ODD)).map(normalise_label).filter(bool),
            min_size=1,
            max_size=8,
            unique=True,
        )
    )
    pairs = [(low, high) for high in range(len(labels)) for low in range(high + 1, len(labels))]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    relations = tuple(
        Relation(labels[low], labels[high], draw(st.sampled_from(Kind))) for low, high in chosen
    )
    concepts = tuple(Concept(label, draw(_TEXTS)) for label in labels)
    topic = draw(st.none() | st.sampled_from(labels))
    return Ontology(draw(_TEXTS.filter(bool)), concepts, relations, topic)

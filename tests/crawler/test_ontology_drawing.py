"""Pictures of ontologies are written, repeat exactly, and survive any label."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.ontology_building import STORMS, ontology
from scenthound.core.errors import InputError
from scenthound.output.ontology_drawing import draw_ontology, nearest, tree_layout
from scenthound.papers.ontologies.model import Concept, Ontology

HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800"]


def texts(path: Path) -> list[str]:
    return re.findall(r">([^<>]*)</text>", path.read_text())


def test_the_suffix_says_what_is_written(tmp_path: Path) -> None:
    cases: list[tuple[str, bytes]] = [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")]
    for suffix, start in cases:
        for name in ("one", "two"):
            draw_ontology(STORMS, tmp_path / f"{name}.{suffix}")
        written = (tmp_path / f"one.{suffix}").read_bytes()
        assert written.startswith(start) and written == (tmp_path / f"two.{suffix}").read_bytes()


def test_labels_kinds_and_the_topic_are_in_the_picture(tmp_path: Path) -> None:
    draw_ontology(STORMS, tmp_path / "o.svg")
    found = texts(tmp_path / "o.svg")
    kinds = ["is-a", "part-of", "synonym", "induced-by", "coordinate-term-of"]
    assert sorted(found) == sorted(["Storms", *STORMS.labels, *kinds])
    assert "#ffe9a8" in (tmp_path / "o.svg").read_text()


def test_the_nearest_concepts_are_drawn_and_the_others_counted(tmp_path: Path) -> None:
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(9)), topic="c5", alone=("x",))
    assert set(nearest(chain, 3).labels) == {"c4", "c5", "c6"}
    draw_ontology(chain, tmp_path / "o.svg", most=3, title="Chain")
    assert "3 of 11 concepts, those nearest to the topic" in texts(tmp_path / "o.svg")
    assert {"Chain", "c5"} <= set(texts(tmp_path / "o.svg"))


def test_without_a_topic_the_first_root_is_in_the_middle() -> None:
    assert set(nearest(ontology(("b", "a"), ("c", "b"), ("y", "x")), 2).labels) == {"a", "b"}


@pytest.mark.parametrize("suffix", ["svg"])
def test_any_label_can_be_drawn(tmp_path: Path, suffix: str) -> None:
    odd = Ontology(HOSTILE[0], tuple(map(Concept, HOSTILE)), topic=HOSTILE[1])
    draw_ontology(odd, tmp_path / f"o.{suffix}")
    assert (tmp_path / f"o.{suffix}").stat().st_size > 1_000


def test_empty_circular_and_very_deep_ones(tmp_path: Path) -> None:
    for odd in (
        Ontology("empty"),
        ontology(("a", "b"), ("b", "a"), ("c", "c")),
        ontology(*((f"c{n + 1}", f"c{n}") for n in range(499))),
    ):
        draw_ontology(odd, tmp_path / "o.png", most=500)
        assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    cases: list[tuple[str, int, str]] = [
        ("o.gif", 9, r"\.svg, \.png, \.pdf"),
        ("no/o.svg", 9, "No such"),
        ("o.svg", 501, "1 to 500"),
        ("o.svg", 0, "1 to 500"),
    ]
    for name, most, words in cases:
        with pytest.raises(InputError, match=words):
            draw_ontology(STORMS, tmp_path / name, most=most)
        assert list(tmp_path.iterdir()) == []


@given(st.lists(st.tuples(*(st.sampled_from("abcdefg"),) * 2), max_size=14))
def test_no_two_concepts_have_one_place(edges: list[tuple[str, str]]) -> None:
    places = tree_layout(ontology(*edges))
    for column in {place.column for place in places.values()}:
        rows = sorted(place.row for place in places.values() if place.column == column)
        gaps = [low - high for high, low in pairwise(rows)]
        assert all(gap >= 1.0 for gap in gaps) and rows[0] >= 0.0


def test_places_worked_out_by_hand() -> None:
    """storm has two leaves and a tree of one leaf below it."""
    places = tree_layout(ontology(("a", "storm"), ("b", "storm"), ("c", "b"), ("d", "storm")))
    assert places == {"a": (1, 0.0), "storm": (0, 1.0), "b": (1, 1.0), "c": (2, 1.0), "d": (1, 2.0)}

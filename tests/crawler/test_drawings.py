"""Pictures of graphs, lattices and ontologies, and graphs as GraphML: exact, and of any word."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from papers.ontology_building import STORMS, context_of, ontology, table_one
from scenthound.core.errors import InputError
from scenthound.output.plots.figure import shorten_label
from scenthound.output.plots.lattice import draw_lattice, drawn_part, levels_of, places_of
from scenthound.output.plots.ontology import draw_ontology, nearest, tree_layout
from scenthound.output.plots.topic_graph import (
    as_networkx,
    best_connected,
    draw_graph,
    strongest_pairs,
    write_graph,
)
from scenthound.papers.olmoaco.formal_context import FormalContext, concept_lattice
from scenthound.papers.ontologies.model import Concept, Ontology
from scenthound.papers.sdvsm import DisambiguationGraph
from scenthound.text.terms import Vocabulary
from similarity.bag_building import graph

read_graphml = import_module("networkx").read_graphml
Draw = Callable[..., Any]
HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800"]
HOSTILE_EDGES = {(0, n): n / 10 for n in range(1, len(HOSTILE))}
TABLE_ONE = concept_lattice(table_one())


def storm_graph() -> DisambiguationGraph:
    names = ["sea", "storm", "wind", "dike"]
    return graph(names, {(0, 1): 0.5, (1, 2): 0.25, (0, 3): 0.1}, [1], Vocabulary())


def hostile_context() -> FormalContext:
    rows = ["".join("x" if j <= i else "." for j in range(len(HOSTILE))) for i in range(3)]
    context = context_of(rows, HOSTILE)
    return FormalContext(tuple(HOSTILE[:3]), context.attributes, context.incidence)


def texts(path: Path) -> list[str]:
    return re.findall(r">([^<>]*)</text>", path.read_text("utf-8"))


EACH = pytest.mark.parametrize(
    ("draw", "drawn", "hostile"),
    [
        (draw_graph, storm_graph(), graph(HOSTILE, HOSTILE_EDGES, [0], Vocabulary())),
        (draw_lattice, TABLE_ONE, concept_lattice(hostile_context())),
        (draw_ontology, STORMS, Ontology("$x^2$", tuple(map(Concept, HOSTILE)), topic=HOSTILE[1])),
    ],
    ids=["graph", "lattice", "ontology"],
)


@EACH
def test_the_suffix_says_what_is_written_and_other_suffixes_and_places_are_refused(
    draw: Draw, drawn: object, hostile: object, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"o\.gif; give a .* in one of: \.svg, \.png, \.pdf"):
        draw(drawn, tmp_path / "o.gif")
    with pytest.raises(InputError, match="No such file or directory; give a path to write to"):
        draw(drawn, tmp_path / "no" / "o.svg")
    assert list(tmp_path.iterdir()) == []
    for suffix, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")):
        for name in ("one", "two"):
            draw(drawn, tmp_path / f"{name}.{suffix}")
        written = (tmp_path / f"one.{suffix}").read_bytes()
        assert written.startswith(start)
        assert written == (tmp_path / f"two.{suffix}").read_bytes()


@EACH
def test_any_word_can_be_drawn(draw: Draw, drawn: object, hostile: object, tmp_path: Path) -> None:
    for suffix in ("svg", "png"):
        draw(hostile, tmp_path / f"hostile.{suffix}", title=HOSTILE[0])
        assert (tmp_path / f"hostile.{suffix}").stat().st_size > 1_000
    assert "<svg>" not in (tmp_path / "hostile.svg").read_text()


def test_a_picture_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Figure, path: Path, **_: object) -> None:
        Path(path).write_text("half")
        raise OSError(28, "No space left on device")

    picture = tmp_path / "graph.png"
    picture.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(Figure, "savefig", full)
        with pytest.raises(InputError, match=r"graph\.png: No space left on device"):
            draw_graph(storm_graph(), picture)
    assert picture.read_text() == "old"
    draw_graph(storm_graph(), picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [picture]


def test_labels_and_titles_are_short_and_visible(tmp_path: Path) -> None:
    assert shorten_label("storm surge") == "storm surge"
    assert shorten_label("a\x00\u202eb") == "a\ufffd\ufffdb"
    assert shorten_label("w" * 90) == "w" * 23 + "\u2026"
    draw_graph(storm_graph(), tmp_path / "graph.svg", title="\x00" + "w" * 200)
    assert "\ufffd" + "w" * 88 + "\u2026" in texts(tmp_path / "graph.svg")


# Graphs


def circle_widths(picture: str) -> list[float]:
    """Widths of the circles drawn, in the order of the file: clear ones, ambiguous, legend."""
    collections = re.findall(r'<g id="PathCollection_\d+">.*?</g>\n', picture, re.DOTALL)
    paths = [path for group in collections for path in re.findall(r'<path[^>]* d="([^"]*)"', group)]
    xs = [[float(x) for x in re.findall(r"(-?[\d.]+) -?[\d.]+ ?\n", path)] for path in paths]
    return [max(x) - min(x) for x in xs]


def test_a_graph_shows_terms_colours_and_how_well_they_are_connected(tmp_path: Path) -> None:
    """Areas are 60 + 540 * share square points, of the sums 0.6, 0.25 and 0.1 (clear) and 0.75."""
    draw_graph(storm_graph(), tmp_path / "graph.svg")
    assert {"storm", "ambiguous (1)", "clear (3)"} <= set(texts(tmp_path / "graph.svg"))
    picture = (tmp_path / "graph.svg").read_text()
    assert "#d95f02" in picture
    areas = [60 + 540 * total / 0.75 for total in (0.6, 0.25, 0.1, 0.75)] + [120.0, 120.0]
    assert np.square(circle_widths(picture)) == pytest.approx(areas, rel=1e-3)


def test_weights_decide_between_equals_and_each_node_shows_its_strongest_edges() -> None:
    """a and b go together, c and d with nothing; terms weigh 1, 2, 3 and 4.

    With one edge each: 0 and 1 choose each other, 2 chooses 0, and 3 has none.
    """
    pairs = graph(["a", "b", "c", "d"], {(0, 1): 0.5}, [], Vocabulary())
    expected = {1: [1], 2: [0, 1], 3: [0, 1, 3], 9: [0, 1, 2, 3]}
    assert {most: best_connected(pairs, most).tolist() for most in expected} == expected
    degrees = np.array([[0, 0.9, 0.5, 0], [0.9, 0, 0.4, 0], [0.5, 0.4, 0, 0], [0, 0, 0, 0]])
    assert strongest_pairs(degrees, 1) == [(0, 1), (0, 2)]
    assert strongest_pairs(degrees, 3) == [(0, 1), (0, 2), (1, 2)]


# Lattices


def test_a_lattice_shows_its_terms_and_texts_in_levels(tmp_path: Path) -> None:
    """Top, three single terms, four pairs of them, two texts, bottom; a child is below."""
    draw_lattice(TABLE_ONE, tmp_path / "lattice.svg", title="Table 1")
    picture = (tmp_path / "lattice.svg").read_text()
    for text in ("Table 1", "term 1", "term 6", "doc 1", "doc 5", "#3b6fb6"):
        assert text in picture
    levels = levels_of(len(TABLE_ONE.concepts), TABLE_ONE.covers)
    assert [levels.count(level) for level in range(5)] == [1, 3, 4, 2, 1]
    places = places_of(levels, TABLE_ONE.covers)
    assert len({tuple(place) for place in places.tolist()}) == len(TABLE_ONE.concepts)
    assert all(places[upper, 1] > places[lower, 1] for upper, lower in TABLE_ONE.covers)


def test_of_a_large_lattice_what_has_a_label_is_drawn() -> None:
    concepts, covers = drawn_part(TABLE_ONE, 10)
    assert len(concepts) == 9 and all(each.objects or each.attributes for each in concepts)
    pairs = {tuple(sorted((concepts[u].attributes, concepts[v].attributes))) for u, v in covers}
    assert ((0,), (5,)) in pairs
    assert len(drawn_part(TABLE_ONE, 3)[0]) == 3
    assert drawn_part(TABLE_ONE, 11) == (TABLE_ONE.concepts, TABLE_ONE.covers)


# Ontologies


def test_labels_kinds_and_the_topic_are_in_the_picture(tmp_path: Path) -> None:
    draw_ontology(STORMS, tmp_path / "o.svg")
    kinds = ["is-a", "part-of", "synonym", "induced-by", "coordinate-term-of"]
    assert sorted(texts(tmp_path / "o.svg")) == sorted(["Storms", *STORMS.labels, *kinds])
    assert "#ffe9a8" in (tmp_path / "o.svg").read_text()


def test_the_nearest_concepts_are_drawn_and_the_others_counted(tmp_path: Path) -> None:
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(9)), topic="c5", alone=("x",))
    assert set(nearest(chain, 3).labels) == {"c4", "c5", "c6"}
    draw_ontology(chain, tmp_path / "o.svg", most=3, title="Chain")
    counted = "3 of 11 concepts, those nearest to the topic"
    assert {counted, "Chain", "c5"} <= set(texts(tmp_path / "o.svg"))
    without_topic = ontology(("b", "a"), ("c", "b"), ("y", "x"))
    assert set(nearest(without_topic, 2).labels) == {"a", "b"}  # the first root is in the middle
    for most in (0, 501):
        with pytest.raises(InputError, match="1 to 500"):
            draw_ontology(STORMS, tmp_path / "none.svg", most=most)


def test_empty_circular_and_very_deep_ones(tmp_path: Path) -> None:
    for odd in (
        Ontology("empty"),
        ontology(("a", "b"), ("b", "a"), ("c", "c")),
        ontology(*((f"c{n + 1}", f"c{n}") for n in range(499))),
    ):
        draw_ontology(odd, tmp_path / "o.png", most=500)
        assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


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


# GraphML, which other programs read


def test_nodes_and_edges_come_back_and_what_xml_cannot_hold_is_replaced(tmp_path: Path) -> None:
    built = graph(["sea", "storm", "wind"], {(0, 1): 0.5, (1, 2): 0.25}, [1], Vocabulary())
    write_graph(built, tmp_path / "graph.graphml")
    read = read_graphml(tmp_path / "graph.graphml")
    indicators = {"TR": 3.0, "TP": 4.0, "TI": 5.0}
    judged = {"ambiguity": 16.0, "ambiguous": True}
    assert read.nodes["n1"] == {"term": "storm", "weight": 2.0, **indicators, **judged}
    assert read.nodes["n0"]["ambiguous"] is False
    edges = {(a, b): data["cd"] for a, b, data in read.edges(data=True)}
    assert edges == {("n0", "n1"): 0.5, ("n1", "n2"): 0.25}
    hostile = ["a\x00b", "<b>&\"'", "\x1b[31m", "lone \ud800", "]]>", "\ufffe"]
    drawn = as_networkx(graph(hostile, {}, [], Vocabulary()))
    terms = [term for _, term in drawn.nodes(data="term")]
    assert terms == ["a\ufffdb", "<b>&\"'", "\ufffd[31m", "lone \ufffd", "]]>", "\ufffd"]


@given(st.lists(st.text(max_size=8), min_size=1, max_size=3, unique=True))
def test_graphml_can_hold_any_word(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.graphml"
    write_graph(graph(names, {}, [0], Vocabulary()), path)
    assert len(read_graphml(path)) == len(names)


def test_graphml_is_written_to_a_file_or_through_a_link(tmp_path: Path) -> None:
    lone = graph(["a"], {}, [], Vocabulary())
    for path in (tmp_path / "no" / "graph.graphml", tmp_path):
        with pytest.raises(InputError, match="give a path to write to"):
            write_graph(lone, path)
    assert not list(tmp_path.iterdir())
    link = tmp_path / "link.graphml"
    link.symlink_to(tmp_path / "graph.graphml")
    write_graph(lone, link)
    assert link.is_symlink()
    assert len(read_graphml(tmp_path / "graph.graphml")) == 1

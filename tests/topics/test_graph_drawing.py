"""Pictures are written, repeat exactly, and survive any word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import InputError
from scenthound.text.vocabulary import Vocabulary
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.graph_drawing import draw_graph, layout, shown, strongest_pairs
from topics.bag_building import graph

HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800"]


def storms() -> DisambiguationGraph:
    names = ["sea", "storm", "wind", "dike"]
    return graph(names, {(0, 1): 0.5, (1, 2): 0.25, (0, 3): 0.1}, [1], Vocabulary())


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")]
)
def test_the_suffix_says_what_is_written(tmp_path: Path, suffix: str, start: bytes) -> None:
    for name in ("one", "two"):
        draw_graph(storms(), tmp_path / f"{name}.{suffix}")
    written = (tmp_path / f"one.{suffix}").read_bytes()
    assert written.startswith(start)
    assert written == (tmp_path / f"two.{suffix}").read_bytes()


def test_terms_and_colours_are_in_the_picture(tmp_path: Path) -> None:
    draw_graph(storms(), tmp_path / "graph.svg")
    picture = (tmp_path / "graph.svg").read_text()
    for text in (">storm</text>", ">ambiguous (1)</text>", ">clear (3)</text>", "#d95f02"):
        assert text in picture


def test_only_the_heaviest_terms_are_shown(tmp_path: Path) -> None:
    """Weights are 1, 2, 3 and 4 in the order of the names."""
    draw_graph(storms(), tmp_path / "graph.svg", most=2)
    picture = (tmp_path / "graph.svg").read_text()
    assert ">wind</text>" in picture and ">dike</text>" in picture
    assert ">storm</text>" not in picture and ">sea</text>" not in picture


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_any_word_can_be_drawn(tmp_path: Path, suffix: str) -> None:
    edges = {(0, n): n / 10 for n in range(1, len(HOSTILE))}
    draw_graph(graph(HOSTILE, edges, [0], Vocabulary()), tmp_path / f"graph.{suffix}")
    assert (tmp_path / f"graph.{suffix}").stat().st_size > 1_000


@pytest.mark.parametrize("names", [[], ["storm"]])
def test_hardly_anything_to_draw(tmp_path: Path, names: list[str]) -> None:
    draw_graph(graph(names, {}, [], Vocabulary()), tmp_path / "graph.png")
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_each_node_shows_its_strongest_edges() -> None:
    """With one each: 0 and 1 choose each other, 2 chooses 0, and 3 has none."""
    degrees = np.array([[0, 0.9, 0.5, 0], [0.9, 0, 0.4, 0], [0.5, 0.4, 0, 0], [0, 0, 0, 0]])
    assert strongest_pairs(degrees, 1) == [(0, 1), (0, 2)]
    assert strongest_pairs(degrees, 3) == [(0, 1), (0, 2), (1, 2)]


def test_what_goes_together_lies_together() -> None:
    degrees = np.kron(np.eye(2), np.ones((4, 4))) - np.eye(8)
    places = layout(degrees, seed=1)
    centres = places.reshape(2, 4, 2).mean(axis=1)
    spread = np.abs(places.reshape(2, 4, 2) - centres[:, None]).max()
    assert spread < np.linalg.norm(centres[0] - centres[1])
    assert (layout(degrees, seed=1) == places).all()


def test_labels_are_short_and_visible() -> None:
    assert shown("storm surge") == "storm surge"
    assert shown("a\x00\u202eb") == "a\ufffd\ufffdb"
    assert shown("w" * 90) == "w" * 23 + "\u2026"


def test_other_suffixes_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.png, \.svg, \.pdf"):
        draw_graph(storms(), tmp_path / "graph.gif")
    with pytest.raises(InputError, match="give a path to write to"):
        draw_graph(storms(), tmp_path / "no" / "graph.png")

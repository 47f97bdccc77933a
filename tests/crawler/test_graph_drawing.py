"""Pictures are written, repeat exactly, and survive any word."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from scenthound.core.errors import InputError
from scenthound.output.figure import shorten_label
from scenthound.output.graph_drawing import best_connected, draw_graph, strongest_pairs
from scenthound.papers.sdvsm import DisambiguationGraph
from scenthound.text.terms import Vocabulary
from similarity.bag_building import graph

HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800"]


def storms() -> DisambiguationGraph:
    names = ["sea", "storm", "wind", "dike"]
    return graph(names, {(0, 1): 0.5, (1, 2): 0.25, (0, 3): 0.1}, [1], Vocabulary())


def test_the_suffix_says_what_is_written(tmp_path: Path) -> None:
    cases: list[tuple[str, bytes]] = [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")]
    for suffix, start in cases:
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


def test_weights_decide_between_equals() -> None:
    """a and b go together, c and d with nothing; terms weigh 1, 2, 3 and 4."""
    pairs = graph(["a", "b", "c", "d"], {(0, 1): 0.5}, [], Vocabulary())
    assert [best_connected(pairs, most).tolist() for most in (1, 2, 3, 9)] == [
        [1], [0, 1], [0, 1, 3], [0, 1, 2, 3]
    ]  # fmt: skip


def circle_widths(picture: str) -> list[float]:
    """Widths of the circles drawn, in the order of the file: clear ones, ambiguous, legend."""
    collections = re.findall(r'<g id="PathCollection_\d+">.*?</g>\n', picture, re.DOTALL)
    paths = [path for group in collections for path in re.findall(r'<path[^>]* d="([^"]*)"', group)]
    xs = [[float(x) for x in re.findall(r"(-?[\d.]+) -?[\d.]+ ?\n", path)] for path in paths]
    return [max(x) - min(x) for x in xs]


def test_a_node_is_as_large_as_its_degrees_and_the_legend_is_even(tmp_path: Path) -> None:
    """60 + 540 * share square points, of the sums 0.6, 0.25 and 0.1 (clear) and 0.75."""
    draw_graph(storms(), tmp_path / "graph.svg")
    widths = circle_widths((tmp_path / "graph.svg").read_text())
    areas = [60 + 540 * total / 0.75 for total in (0.6, 0.25, 0.1, 0.75)] + [120.0, 120.0]
    assert np.square(widths) == pytest.approx(areas, rel=1e-3)


def test_a_title_is_short_and_visible(tmp_path: Path) -> None:
    draw_graph(storms(), tmp_path / "graph.svg", title="\x00" + "w" * 200)
    picture = (tmp_path / "graph.svg").read_text("utf-8")
    assert ">\ufffd" + "w" * 88 + "\u2026</text>" in picture


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
            draw_graph(storms(), picture)
    assert picture.read_text() == "old"
    draw_graph(storms(), picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [picture]


@pytest.mark.parametrize("suffix", ["svg"])
def test_any_word_can_be_drawn(tmp_path: Path, suffix: str) -> None:
    edges = {(0, n): n / 10 for n in range(1, len(HOSTILE))}
    draw_graph(graph(HOSTILE, edges, [0], Vocabulary()), tmp_path / f"graph.{suffix}")
    assert (tmp_path / f"graph.{suffix}").stat().st_size > 1_000


def test_each_node_shows_its_strongest_edges() -> None:
    """With one each: 0 and 1 choose each other, 2 chooses 0, and 3 has none."""
    degrees = np.array([[0, 0.9, 0.5, 0], [0.9, 0, 0.4, 0], [0.5, 0.4, 0, 0], [0, 0, 0, 0]])
    assert strongest_pairs(degrees, 1) == [(0, 1), (0, 2)]
    assert strongest_pairs(degrees, 3) == [(0, 1), (0, 2), (1, 2)]


def test_labels_are_short_and_visible() -> None:
    assert shorten_label("storm surge") == "storm surge"
    assert shorten_label("a\x00\u202eb") == "a\ufffd\ufffdb"
    assert shorten_label("w" * 90) == "w" * 23 + "\u2026"


def test_other_suffixes_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf"):
        draw_graph(storms(), tmp_path / "graph.gif")
    with pytest.raises(InputError, match="give a path to write to"):
        draw_graph(storms(), tmp_path / "no" / "graph.png")

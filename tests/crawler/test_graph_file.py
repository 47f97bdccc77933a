"""GraphML that other programs can read, whatever the crawled words hold."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.output.graph_drawing import as_networkx, write_graph
from scenthound.text.terms import Vocabulary
from similarity.bag_building import graph

read_graphml = import_module("networkx").read_graphml


def test_nodes_and_edges_come_back(tmp_path: Path) -> None:
    built = graph(["sea", "storm", "wind"], {(0, 1): 0.5, (1, 2): 0.25}, [1], Vocabulary())
    write_graph(built, tmp_path / "graph.graphml")
    read = read_graphml(tmp_path / "graph.graphml")
    assert dict(read.nodes(data=True))["n1"] == {
        "term": "storm",
        "weight": 2.0,
        "TR": 3.0,
        "TP": 4.0,
        "TI": 5.0,
        "ambiguity": 16.0,
        "ambiguous": True,
    }
    assert read.nodes["n0"]["ambiguous"] is False
    edges = {(a, b): data["cd"] for a, b, data in read.edges(data=True)}
    assert edges == {("n0", "n1"): 0.5, ("n1", "n2"): 0.25}


@settings(max_examples=30)
@given(st.lists(st.text(max_size=8), min_size=1, max_size=3, unique=True))
def test_any_word_can_be_written(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.graphml"
    built = graph(names, {}, [0], Vocabulary())
    write_graph(built, path)
    assert len(read_graphml(path)) == len(names)


def test_what_xml_cannot_hold_is_replaced() -> None:
    hostile = ["a\x00b", "<b>&\"'", "\x1b[31m", "lone \ud800", "]]>", "\ufffe"]
    drawn = as_networkx(graph(hostile, {}, [], Vocabulary()))
    terms = [term for _, term in drawn.nodes(data="term")]
    assert terms == ["a\ufffdb", "<b>&\"'", "\ufffd[31m", "lone \ufffd", "]]>", "\ufffd"]


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give a path to write to"):
        write_graph(graph(["a"], {}, [], Vocabulary()), tmp_path / "no" / "graph.graphml")
    with pytest.raises(InputError, match="give a path to write to"):
        write_graph(graph(["a"], {}, [], Vocabulary()), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.graphml"
    link.symlink_to(tmp_path / "graph.graphml")
    write_graph(graph(["a"], {}, [], Vocabulary()), link)
    assert link.is_symlink()
    assert len(read_graphml(tmp_path / "graph.graphml")) == 1

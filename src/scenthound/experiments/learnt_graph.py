"""The disambiguation graph that a crawl has learnt, out of its folder."""

from __future__ import annotations

from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.core.protocols import State, StateValue
from scenthound.store.folder import CrawlFolder
from scenthound.text.vocabulary import Vocabulary
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.graph_building import graph_of_state

GRAPH_STRATEGIES = ("sdvsm", "soft-sdvsm")
"""The strategies that learn a graph."""
_DAMAGE = (KeyError, AssertionError, ValueError, TypeError, OverflowError)
"""What a state of another making gives."""


def learnt_graph(path: Path, topic: Topic) -> DisambiguationGraph:
    """The graph of the crawl in the folder ``path``.

    Raises
    ------
    FolderError
        There is no crawl, it is about another topic, or it has learnt no graph.
    """
    folder = _opened(path)
    order = folder.order()
    about = order.get("topic")
    name = about.get("name") if isinstance(about, dict) else None
    if name != topic.name:
        raise FolderError(
            f"the crawl in {path} is about {name!r}, not {topic.name!r}; give the topic's own."
        )
    saved = _within(folder.load_state(), "scorer", "graph", "graph")
    if saved is None:
        known = " or ".join(GRAPH_STRATEGIES)
        raise FolderError(
            f"{path} holds no disambiguation graph: its strategy {order.get('strategy')!r} learns "
            f"none; give a crawl by {known}."
        )
    return _graph(saved, folder.state_path)


def _opened(path: Path) -> CrawlFolder:
    """The crawl folder; one that only holds crawls is told from one that holds nothing."""
    within = sorted(path.glob("*/*/crawl.json")) or sorted(path.glob("*/crawl.json"))
    if within and not (path / "crawl.json").exists():
        raise FolderError(
            f"{path} is a folder of crawls; give the folder of one, such as {within[0].parent}."
        )
    return CrawlFolder.open(path)


def _within(state: State, *keys: str) -> State | None:
    """What is saved under these keys, one in the other; None where there is nothing."""
    found: StateValue = state
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _graph(saved: State, path: Path) -> DisambiguationGraph:
    try:
        graph = graph_of_state(saved, Vocabulary())
        _check_sizes(graph)
    except _DAMAGE:
        raise FolderError(f"{path} is damaged: its graph cannot be read; crawl again.") from None
    return graph


def _check_sizes(graph: DisambiguationGraph) -> None:
    n = len(graph)
    each = (graph.nodes.weights, graph.nodes.occurrences, graph.ambiguity, graph.ambiguous)
    fits = all(array.shape == (n,) for array in each) and graph.indicators.shape == (n, 3)
    if not fits or graph.cooccurrence.shape != (n, n) or graph.companions.shape != (n, n):
        raise ValueError

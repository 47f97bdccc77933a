"""The disambiguation graph of a topic: before a crawl, and as one has learned it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from scenthound.core.errors import FolderError
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.protocols import State, StateValue
from scenthound.papers.ambiguity import Ambiguity
from scenthound.papers.disambiguation import DisambiguationGraph, graph_of_state
from scenthound.papers.sdvsm import GraphPlan, LearningGraph
from scenthound.storage.folder import CrawlFolder
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Vocabulary, Weights

GRAPH_STRATEGIES = ("sdvsm", "soft-sdvsm")
"""The strategies that learn a graph."""

LEARNERS = " or ".join(GRAPH_STRATEGIES)

_DAMAGE = (KeyError, AssertionError, ValueError, TypeError, OverflowError)
"""What a state of another making gives."""


class NoIndicators:
    """Nothing is ambiguous: with no irrelevant page, a rare term looks like an ambiguous one."""

    def judge(self, indicators: Weights) -> Ambiguity:
        """An ambiguity of 0 for every term."""
        return Ambiguity(np.zeros(len(indicators)), np.zeros(len(indicators), np.bool_))


def first_graph(profile: TopicProfile, analyzer: Analyzer) -> DisambiguationGraph:
    """The terms and co-occurrence of sdvsm before the first page is fetched.

    Example pages are taken as relevant. Without one there are no edges.
    """
    return LearningGraph(profile, analyzer, GraphPlan(criterion=NoIndicators())).graph


def learned_graph(path: Path, topic: Topic) -> DisambiguationGraph:
    """The graph of the crawl in the folder ``path``.

    Raises
    ------
    FolderError
        There is no crawl, it is about another topic, or it has learned no graph.
    """
    folder = _opened(path, topic)
    order = folder.order()
    if not _is_about(order, topic):
        about = order.get("topic")
        name = about.get("name") if isinstance(about, dict) else None
        raise FolderError(
            f"the crawl in {path} is about {name!r}, not {topic.name!r}; give the topic's own."
        )
    saved = _within(folder.load_state(), "scorer", "graph", "graph")
    if saved is None:
        raise FolderError(
            f"{path} holds no disambiguation graph: its strategy {order.get('strategy')!r} learns "
            f"none; give a crawl by {LEARNERS}."
        )
    return _graph(saved, folder.state_path)


def _opened(path: Path, topic: Topic) -> CrawlFolder:
    """The crawl folder; a folder of crawls is another error than one that holds nothing."""
    if path.is_file():
        raise FolderError(f"{path} is a file; give the folder of a crawl, which holds crawl.json.")
    within = sorted(path.glob("*/*/crawl.json")) or sorted(path.glob("*/crawl.json"))
    if within and not (path / "crawl.json").exists():
        fitting = next(_with_graph((found.parent for found in within), topic), None)
        give = f"one about {topic.name!r} by {LEARNERS}" if fitting is None else f"one: {fitting}"
        raise FolderError(f"{path} is a folder of crawls; give the folder of {give}.")
    return CrawlFolder.open(path)


def _with_graph(folders: Iterable[Path], topic: Topic) -> Iterator[Path]:
    """Those of crawls about the topic that learn a graph; what cannot be read is passed over."""
    for folder in folders:
        with suppress(FolderError):
            order = CrawlFolder.open(folder).order()
            if _is_about(order, topic) and order.get("strategy") in GRAPH_STRATEGIES:
                yield folder


def _is_about(order: Mapping[str, object], topic: Topic) -> bool:
    about = order.get("topic")
    return isinstance(about, dict) and about.get("name") == topic.name


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

"""The disambiguation graph of a topic, before a crawl and as one has learned it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.core.model import Topic
from scenthound.core.protocols import State, StateValue
from scenthound.crawler.argument_checks import check_topic, load_lexicon
from scenthound.crawler.topic_reading import opened_archive, read_topic_profile
from scenthound.papers.ambiguity import Ambiguity
from scenthound.papers.sdvsm import DisambiguationGraph, GraphPlan, LearningGraph, graph_of_state
from scenthound.storage.archive import Archive
from scenthound.storage.folder import CrawlFolder
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Vocabulary, Weights

GRAPH_STRATEGIES = ("sdvsm", "soft-sdvsm")
"""The strategies that learn a graph."""

LEARNERS = " or ".join(GRAPH_STRATEGIES)

_DAMAGE = (AttributeError, KeyError, ValueError, TypeError, OverflowError)
"""Errors of reading a state that another program wrote."""


def topic_graph(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    crawl: str | Path | None = None,
    wordnet: str | Path | None = None,
) -> DisambiguationGraph:
    """Return the topic's disambiguation graph: as a crawl has learned it, or before any crawl.

    Parameters
    ----------
    topic : what the graph is about.
    archive : where example pages are; not with ``crawl``.
    crawl : folder of a crawl that has learned a graph. By default it is the graph of sdvsm before
        a crawl: two terms of each example page and the keywords. All example pages are taken as
        relevant; no other page is known, so no term is called ambiguous.
    wordnet : a WordNet folder to use instead of the one that is shipped; not with ``crawl``.
    """
    check_topic(topic)
    if crawl is not None:
        unused = {"archive": archive, "wordnet": wordnet}
        names = [name for name, value in unused.items() if value is not None]
        if names:
            raise SettingsError(
                f"the graph of a crawl comes out of its folder and {' and '.join(names)} would not "
                "be read; give the crawl alone."
            )
        return learned_graph(Path(crawl), topic)
    lexicon = load_lexicon(wordnet)
    with opened_archive(archive) as opened:
        profile = read_topic_profile(topic, opened, wordnet=lexicon)
    if not topic.examples:
        warn_caller(f"{topic}: there is no example page, so its graph has no edges before a crawl")
    analyzer = Analyzer(topic.language, lexicon, topic.keywords)
    return LearningGraph(profile, analyzer, GraphPlan(criterion=NoIndicators())).graph


class NoIndicators:
    """Nothing is ambiguous: with no irrelevant page, a rare term looks like an ambiguous one."""

    def judge(self, indicators: Weights) -> Ambiguity:
        """Return an ambiguity of 0 for every term."""
        return Ambiguity(np.zeros(len(indicators)), np.zeros(len(indicators), np.bool_))


def learned_graph(path: Path, topic: Topic) -> DisambiguationGraph:
    """Read the graph of the crawl in the folder ``path``.

    FolderError where there is no crawl, it is about another topic, or it has learned no graph.
    """
    folder = _opened_crawl(path, topic)
    crawl_spec = folder.crawl_spec()
    if not _is_about(crawl_spec, topic):
        about = crawl_spec.get("topic")
        name = about.get("name") if isinstance(about, dict) else None
        raise FolderError(
            f"the crawl in {path} is about {name!r}, not {topic.name!r}; give the topic's own."
        )
    saved: StateValue = folder.load_state()
    for key in ("scorer", "graph", "graph"):
        saved = saved.get(key) if isinstance(saved, dict) else None
    if not isinstance(saved, dict):
        raise FolderError(
            f"{path} holds no disambiguation graph: its strategy {crawl_spec.get('strategy')!r} "
            f"learns none; give a crawl by {LEARNERS}."
        )
    return _read_graph(saved, folder.state_path)


def _opened_crawl(path: Path, topic: Topic) -> CrawlFolder:
    """Open the crawl folder; of a folder of crawls, name one that fits."""
    if path.is_file():
        raise FolderError(f"{path} is a file; give the folder of a crawl, which holds crawl.json.")
    within = sorted(path.glob("*/*/crawl.json")) or sorted(path.glob("*/crawl.json"))
    if within and not (path / "crawl.json").exists():
        give = f"one about {topic.name!r} by {LEARNERS}"
        for found in reversed(within):
            with suppress(FolderError):  # those that cannot be read do not fit
                crawl_spec = CrawlFolder.open(found.parent).crawl_spec()
                if _is_about(crawl_spec, topic) and crawl_spec.get("strategy") in GRAPH_STRATEGIES:
                    give = f"one: {found.parent}"
        raise FolderError(f"{path} is a folder of crawls; give the folder of {give}.")
    return CrawlFolder.open(path)


def _is_about(crawl_spec: Mapping[str, object], topic: Topic) -> bool:
    """Whether a crawl is about this topic, by its spec."""
    about = crawl_spec.get("topic")
    return isinstance(about, dict) and about.get("name") == topic.name


def _read_graph(saved: State, path: Path) -> DisambiguationGraph:
    """Rebuild a saved graph; FolderError where the state does not fit together."""
    try:
        graph = graph_of_state(saved, Vocabulary())
        n = len(graph)
        each = (graph.nodes.weights, graph.nodes.occurrences, graph.ambiguity, graph.ambiguous)
        fits = all(array.shape == (n,) for array in each) and graph.indicators.shape == (n, 3)
        if not fits or graph.cooccurrence.shape != (n, n) or graph.companions.shape != (n, n):
            raise ValueError
    except _DAMAGE:
        raise FolderError(f"{path} is damaged: its graph cannot be read; crawl again.") from None
    return graph

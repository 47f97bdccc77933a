"""Scenthound: a focused web crawler. Tell it a topic, it brings back the pages."""

from importlib.metadata import version

from scenthound.api import (
    ScenthoundWarning,
    corpus_rows,
    crawl,
    draw_sample,
    explain,
    export,
    find_seeds,
    pause,
    replay,
    resume,
    scope_test,
    score,
    stop,
    topic_graph,
    try_scope,
    understand,
    unpause,
)
from scenthound.assessment.sampling import Sample
from scenthound.assessment.score import Score
from scenthound.core.errors import InputError, ScenthoundError
from scenthound.core.model import Topic
from scenthound.corpus.exporting import Exported
from scenthound.experiments.graph_drawing import draw_graph
from scenthound.experiments.graph_file import write_graph
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.result import Run
from scenthound.explanation.model import Explanation
from scenthound.live.options import CrawlOptions
from scenthound.live.status import Status, Watcher
from scenthound.live.trial import Verdict
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.file import read_topic
from scenthound.topics.understanding import Understanding

__version__ = version("scenthound")

__all__ = [
    "CATALOGUE",
    "CrawlOptions",
    "DisambiguationGraph",
    "Explanation",
    "Exported",
    "InputError",
    "Labels",
    "Recipe",
    "Run",
    "Sample",
    "ScenthoundError",
    "ScenthoundWarning",
    "Score",
    "Status",
    "Topic",
    "Understanding",
    "Verdict",
    "Watcher",
    "__version__",
    "corpus_rows",
    "crawl",
    "draw_graph",
    "draw_sample",
    "explain",
    "export",
    "find_seeds",
    "pause",
    "read_labels",
    "read_topic",
    "replay",
    "resume",
    "scope_test",
    "score",
    "stop",
    "topic_graph",
    "try_scope",
    "understand",
    "unpause",
    "write_graph",
]

"""Scenthound: a focused web crawler. Tell it a topic, it brings back the pages."""

from importlib.metadata import version

from scenthound.api import (
    ScenthoundWarning,
    TunedTopic,
    cached_vectors,
    clear_cache,
    corpus_rows,
    crawl,
    draw_sample,
    explain,
    export,
    find_seeds,
    pause,
    read_links,
    read_weights,
    replay,
    resume,
    scope_test,
    score,
    stop,
    topic_graph,
    try_scope,
    tune,
    tune_links,
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
from scenthound.store.vector_cache_report import CachedVectors
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.weights import LinkWeights
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.file import read_topic
from scenthound.topics.understanding import Understanding
from scenthound.tuning.figures import Drawn, draw_tuning
from scenthound.tuning.links import TrainingLinks
from scenthound.tuning.result import Tuning

__version__ = version("scenthound")

__all__ = [
    "CATALOGUE",
    "CachedVectors",
    "CrawlOptions",
    "DisambiguationGraph",
    "Drawn",
    "Explanation",
    "Exported",
    "InputError",
    "Labels",
    "LinkWeights",
    "Recipe",
    "Run",
    "Sample",
    "ScenthoundError",
    "ScenthoundWarning",
    "Score",
    "Status",
    "Topic",
    "TrainingLinks",
    "TunedTopic",
    "Tuning",
    "Understanding",
    "Verdict",
    "Watcher",
    "__version__",
    "cached_vectors",
    "clear_cache",
    "corpus_rows",
    "crawl",
    "draw_graph",
    "draw_sample",
    "draw_tuning",
    "explain",
    "export",
    "find_seeds",
    "pause",
    "read_labels",
    "read_links",
    "read_topic",
    "read_weights",
    "replay",
    "resume",
    "scope_test",
    "score",
    "stop",
    "topic_graph",
    "try_scope",
    "tune",
    "tune_links",
    "understand",
    "unpause",
    "write_graph",
]

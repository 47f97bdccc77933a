"""Scenthound: a focused web crawler. Tell it a topic, it brings back the pages."""

from importlib.metadata import version

from scenthound.api import ScenthoundWarning, replay, topic_graph, understand
from scenthound.core.errors import InputError, ScenthoundError
from scenthound.core.model import Topic
from scenthound.experiments.graph_drawing import draw_graph
from scenthound.experiments.graph_file import write_graph
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.result import Run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.file import read_topic
from scenthound.topics.understanding import Understanding

__version__ = version("scenthound")

__all__ = [
    "CATALOGUE",
    "DisambiguationGraph",
    "InputError",
    "Labels",
    "Recipe",
    "Run",
    "ScenthoundError",
    "ScenthoundWarning",
    "Topic",
    "Understanding",
    "__version__",
    "draw_graph",
    "read_labels",
    "read_topic",
    "replay",
    "topic_graph",
    "understand",
    "write_graph",
]

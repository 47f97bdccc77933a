"""Scenthound: a focused web crawler. Tell it a topic, it brings back the pages."""

from importlib.metadata import version

from scenthound.api import ScenthoundWarning, replay
from scenthound.core.errors import InputError, ScenthoundError
from scenthound.core.model import Topic
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.result import Run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.topics.file import read_topic

__version__ = version("scenthound")

__all__ = [
    "CATALOGUE",
    "InputError",
    "Labels",
    "Recipe",
    "Run",
    "ScenthoundError",
    "ScenthoundWarning",
    "Topic",
    "__version__",
    "read_labels",
    "read_topic",
    "replay",
]

"""Scenthound from Python: give it a topic, and an archive or the web; it gives back a run."""

from scenthound.api.archives import replay, topic_graph, understand
from scenthound.api.assessment import draw_sample, score
from scenthound.api.explanations import explain
from scenthound.api.export import corpus_rows, export
from scenthound.api.live import crawl, pause, resume, stop, unpause
from scenthound.api.scope import scope_test, try_scope
from scenthound.api.seeds import find_seeds
from scenthound.api.shared import DEFAULT_STRATEGY, ScenthoundWarning

__all__ = [
    "DEFAULT_STRATEGY",
    "ScenthoundWarning",
    "corpus_rows",
    "crawl",
    "draw_sample",
    "explain",
    "export",
    "find_seeds",
    "pause",
    "replay",
    "resume",
    "scope_test",
    "score",
    "stop",
    "topic_graph",
    "try_scope",
    "understand",
    "unpause",
]

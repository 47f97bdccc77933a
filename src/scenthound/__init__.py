"""Scenthound: a focused web crawler. Tell it a topic, it brings back the pages."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

# Names are imported when they are asked for: a process that only downloads, or reads one page
# after another, has no use for most of them, and would wait for all.
if TYPE_CHECKING:
    from scenthound.api import (
        ScenthoundWarning,
        TunedTopic,
        bench_web,
        cache_report,
        check_ontology,
        clear_cache,
        compare,
        corpus_rows,
        crawl,
        crawl_status,
        draw_ontology,
        draw_sample,
        explain,
        export,
        find_seeds,
        forget_shared,
        join_crawl,
        learn_ontology,
        merge,
        merge_ontologies,
        pause,
        pause_workers,
        read_links,
        read_ontology,
        read_weights,
        replay,
        report,
        resume,
        resume_workers,
        scope_test,
        score,
        score_urls,
        serve_dashboard,
        share_crawl,
        shared_overview,
        stop,
        stop_workers,
        topic_graph,
        try_scope,
        tune,
        tune_links,
        understand,
        unpause,
        write_ontology,
    )
    from scenthound.assessment.sampling import Sample
    from scenthound.assessment.score import Score
    from scenthound.comparison.results_file import Comparison
    from scenthound.comparison.score_card import ScoreCard
    from scenthound.core.errors import InputError, ScenthoundError
    from scenthound.core.model import Topic
    from scenthound.corpus.exporting import Exported
    from scenthound.corpus.merging import Merged
    from scenthound.distributed.overview import Overview
    from scenthound.experiments.cache_folder import CacheReport
    from scenthound.experiments.graph_drawing import draw_graph
    from scenthound.experiments.graph_file import write_graph
    from scenthound.experiments.labels import Labels, read_labels
    from scenthound.experiments.result import Run
    from scenthound.explanation.model import Explanation
    from scenthound.live.options import CrawlOptions
    from scenthound.live.status import Status, Watcher
    from scenthound.live.trial import Verdict
    from scenthound.ontology.model import Ontology
    from scenthound.ontology_learning.learned import Learned
    from scenthound.ontology_learning.plan import LearningPlan
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
    "CacheReport",
    "Comparison",
    "CrawlOptions",
    "DisambiguationGraph",
    "Drawn",
    "Explanation",
    "Exported",
    "InputError",
    "Labels",
    "Learned",
    "LearningPlan",
    "LinkWeights",
    "Merged",
    "Ontology",
    "Overview",
    "Recipe",
    "Run",
    "Sample",
    "ScenthoundError",
    "ScenthoundWarning",
    "Score",
    "ScoreCard",
    "Status",
    "Topic",
    "TrainingLinks",
    "TunedTopic",
    "Tuning",
    "Understanding",
    "Verdict",
    "Watcher",
    "__version__",
    "bench_web",
    "cache_report",
    "check_ontology",
    "clear_cache",
    "compare",
    "corpus_rows",
    "crawl",
    "crawl_status",
    "draw_graph",
    "draw_ontology",
    "draw_sample",
    "draw_tuning",
    "explain",
    "export",
    "find_seeds",
    "forget_shared",
    "join_crawl",
    "learn_ontology",
    "merge",
    "merge_ontologies",
    "pause",
    "pause_workers",
    "read_labels",
    "read_links",
    "read_ontology",
    "read_topic",
    "read_weights",
    "replay",
    "report",
    "resume",
    "resume_workers",
    "scope_test",
    "score",
    "score_urls",
    "serve_dashboard",
    "share_crawl",
    "shared_overview",
    "stop",
    "stop_workers",
    "topic_graph",
    "try_scope",
    "tune",
    "tune_links",
    "understand",
    "unpause",
    "write_graph",
    "write_ontology",
]

_PLACES = {
    "Sample": "assessment.sampling",
    "Score": "assessment.score",
    "Comparison": "comparison.results_file",
    "ScoreCard": "comparison.score_card",
    "InputError": "core.errors",
    "ScenthoundError": "core.errors",
    "Topic": "core.model",
    "Exported": "corpus.exporting",
    "Merged": "corpus.merging",
    "Overview": "distributed.overview",
    "CacheReport": "experiments.cache_folder",
    "draw_graph": "experiments.graph_drawing",
    "write_graph": "experiments.graph_file",
    "Labels": "experiments.labels",
    "read_labels": "experiments.labels",
    "Run": "experiments.result",
    "Explanation": "explanation.model",
    "CrawlOptions": "live.options",
    "Status": "live.status",
    "Watcher": "live.status",
    "Verdict": "live.trial",
    "Ontology": "ontology.model",
    "Learned": "ontology_learning.learned",
    "LearningPlan": "ontology_learning.plan",
    "CATALOGUE": "strategies.catalogue",
    "Recipe": "strategies.ingredients",
    "LinkWeights": "strategies.weights",
    "DisambiguationGraph": "topics.disambiguation",
    "read_topic": "topics.file",
    "Understanding": "topics.understanding",
    "Drawn": "tuning.figures",
    "draw_tuning": "tuning.figures",
    "TrainingLinks": "tuning.links",
    "Tuning": "tuning.result",
}
"""Where a name of ours is; what is not listed is in ``api``."""


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # for a type checker there are no other names than these

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"scenthound.{_PLACES.get(name, 'api')}"), name)
        globals()[name] = found
        return found

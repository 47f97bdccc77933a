"""Scenthound: a focused web crawler. Give it a topic, it brings back the pages."""

import warnings
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

# Names are imported when they are asked for: a process that only downloads, or reads one page
# after another, has no use for most of them, and would wait for all.
if TYPE_CHECKING:
    from scenthound.core.crawl_loop import Strategy
    from scenthound.core.errors import InputError, ScenthoundError, ScenthoundWarning
    from scenthound.core.model import Topic
    from scenthound.core.protocols import Policy, Scorer
    from scenthound.crawler.metrics import Result
    from scenthound.crawler.options import CrawlOptions
    from scenthound.crawler.replay import replay
    from scenthound.evaluation.compare import compare
    from scenthound.evaluation.tune import tune
    from scenthound.output.crawls import Crawl, crawl, open_crawl, resume
    from scenthound.output.explain.explain import explain
    from scenthound.output.export.export import export
    from scenthound.output.report.report import report
    from scenthound.similarity.topic_file import read_topic
    from scenthound.strategies.catalogue import list_strategies

    def __getattr__(name: str) -> Any: ...  # the names of version 0.1


__version__ = version("scenthound")

__all__ = [
    "Crawl",
    "CrawlOptions",
    "InputError",
    "Policy",
    "Result",
    "ScenthoundError",
    "ScenthoundWarning",
    "Scorer",
    "Strategy",
    "Topic",
    "__version__",
    "compare",
    "crawl",
    "explain",
    "export",
    "list_strategies",
    "open_crawl",
    "read_topic",
    "replay",
    "report",
    "resume",
    "tune",
]

_NAMES = {
    "core.crawl_loop": "Strategy",
    "core.errors": "InputError ScenthoundError ScenthoundWarning",
    "core.model": "Topic",
    "core.protocols": "Policy Scorer",
    "crawler.options": "CrawlOptions",
    "crawler.replay": "replay",
    "crawler.metrics": "Result",
    "evaluation.compare": "compare",
    "evaluation.tune": "tune",
    "output.crawls": "Crawl crawl open_crawl resume",
    "output.explain.explain": "explain",
    "output.export.export": "export",
    "output.report.report": "report",
    "similarity.topic_file": "read_topic",
    "strategies.catalogue": "list_strategies",
}
"""The names that each module defines; ``NAME=OTHER`` where it is called otherwise there."""

_OLD_NAMES = {
    "crawler.argument_checks": "read_weights",
    "crawler.caches": "CacheReport cache_report clear_cache",
    "crawler.control": "Status Watcher crawl_status pause stop unpause",
    "crawler.job": "scope_test",
    "crawler.metrics": "Labels Run=Result read_labels",
    "crawler.scope": "Verdict try_scope",
    "crawler.seeds.finder": "find_seeds",
    "crawler.shared.crawls": "forget_shared join_crawl pause_workers resume_workers "
    "share_crawl shared_overview stop_workers",
    "crawler.topics.summary": "Understanding=TopicSummary topic_graph understand",
    "evaluation.judging": "draw_sample score",
    "evaluation.results": "Comparison",
    "evaluation.sampling": "Sample",
    "evaluation.score_card": "ScoreCard bench_web score_urls",
    "evaluation.scoring": "Score",
    "evaluation.training_links": "TrainingLinks read_links",
    "evaluation.tune": "TunedTopic tune_links",
    "evaluation.tuning_result": "Tuning",
    "frontier.redis.crawl_status": "Overview=SharedCrawlStatus",
    "output.dashboard.server": "serve_dashboard",
    "output.explain.explanation": "Explanation",
    "output.export.export": "Exported corpus_rows merge",
    "output.plots.topic_graph": "draw_graph write_graph",
    "output.ontologies": "learn_ontology read_ontology write_ontology",
    "output.plots.ontology": "draw_ontology",
    "output.plots.tuning": "Drawn draw_tuning",
    "papers.olmoaco.learner": "Learned=LearningResult LearningPlan",
    "papers.ontologies.checks": "check_ontology=find_problems merge_ontologies",
    "papers.ontologies.model": "Ontology",
    "papers.sdvsm": "DisambiguationGraph",
    "storage.merge": "Merged",
    "strategies.catalogue": "CATALOGUE",
    "strategies.spec": "LinkWeights Recipe=StrategySpec",
}
"""Those that version 0.1 offered here; they work for one more release, with a warning."""


def _places(names: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Module and attribute of each name."""
    pairs = [
        (module, each.partition("=")) for module, line in names.items() for each in line.split()
    ]
    return {name: (f"scenthound.{module}", other or name) for module, (name, _, other) in pairs}


_PLACES, _OLD_PLACES = _places(_NAMES), _places(_OLD_NAMES)


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        place = _PLACES.get(name) or _OLD_PLACES.get(name)
        if place is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = place
        if name in _OLD_PLACES:
            message = f"scenthound.{name} has moved: use {module}.{attribute}."
            warnings.warn(message, DeprecationWarning, stacklevel=2)
        found = getattr(import_module(module), attribute)
        globals()[name] = found
        return found

"""Scenthound: a focused web crawler. Give it a topic, it brings back the pages."""

import warnings
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

# Names are imported when they are asked for: a process that only downloads, or reads one page
# after another, has no use for most of them, and would wait for all.
if TYPE_CHECKING:
    from scenthound.core.crawl import Strategy
    from scenthound.core.errors import InputError, ScenthoundError, ScenthoundWarning
    from scenthound.core.model import Topic
    from scenthound.core.protocols import Policy, Scorer
    from scenthound.crawler.options import CrawlOptions
    from scenthound.crawler.replay import replay
    from scenthound.crawler.results import Run as Result
    from scenthound.evaluation.compare import compare
    from scenthound.evaluation.tune import tune
    from scenthound.output.crawls import Crawl, crawl, open_crawl, resume
    from scenthound.output.explain import explain
    from scenthound.output.export import export
    from scenthound.output.report import report
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

_PLACES = {
    "Crawl": "output.crawls:Crawl",
    "CrawlOptions": "crawler.options:CrawlOptions",
    "InputError": "core.errors:InputError",
    "Policy": "core.protocols:Policy",
    "Result": "crawler.results:Run",
    "ScenthoundError": "core.errors:ScenthoundError",
    "ScenthoundWarning": "core.errors:ScenthoundWarning",
    "Scorer": "core.protocols:Scorer",
    "Strategy": "core.crawl:Strategy",
    "Topic": "core.model:Topic",
    "compare": "evaluation.compare:compare",
    "crawl": "output.crawls:crawl",
    "explain": "output.explain:explain",
    "export": "output.export:export",
    "list_strategies": "strategies.catalogue:list_strategies",
    "open_crawl": "output.crawls:open_crawl",
    "read_topic": "similarity.topic_file:read_topic",
    "replay": "crawler.replay:replay",
    "report": "output.report:report",
    "resume": "output.crawls:resume",
    "tune": "evaluation.tune:tune",
}
"""Where each name is defined: module and attribute."""

_PLACES_OF_OLD_NAMES = {
    "CATALOGUE": "strategies.catalogue:CATALOGUE",
    "CacheReport": "crawler.caches:CacheReport",
    "Comparison": "evaluation.results:Comparison",
    "DisambiguationGraph": "papers.sdvsm:DisambiguationGraph",
    "Drawn": "output.tuning_figures:Drawn",
    "Explanation": "output.explanation:Explanation",
    "Exported": "output.export:Exported",
    "Labels": "crawler.metrics:Labels",
    "Learned": "papers.olmoaco.learner:LearningResult",
    "LearningPlan": "papers.olmoaco.learner:LearningPlan",
    "LinkWeights": "strategies.spec:LinkWeights",
    "Merged": "storage.merge:Merged",
    "Ontology": "papers.ontologies.model:Ontology",
    "Overview": "frontier.redis.crawl_status:SharedCrawlStatus",
    "Recipe": "strategies.spec:StrategySpec",
    "Run": "crawler.results:Run",
    "Sample": "evaluation.sampling:Sample",
    "Score": "evaluation.scoring:Score",
    "ScoreCard": "evaluation.score_card:ScoreCard",
    "Status": "crawler.status:Status",
    "TrainingLinks": "evaluation.training_links:TrainingLinks",
    "TunedTopic": "evaluation.tune:TunedTopic",
    "Tuning": "evaluation.tuning_result:Tuning",
    "Understanding": "crawler.topic_summary:TopicSummary",
    "Verdict": "crawler.scope:Verdict",
    "Watcher": "crawler.status:Watcher",
    "bench_web": "evaluation.score_card:bench_web",
    "cache_report": "crawler.caches:cache_report",
    "check_ontology": "papers.ontologies.checks:find_problems",
    "clear_cache": "crawler.caches:clear_cache",
    "corpus_rows": "output.export:corpus_rows",
    "crawl_status": "crawler.status:crawl_status",
    "draw_graph": "output.graph_drawing:draw_graph",
    "draw_ontology": "output.ontology_drawing:draw_ontology",
    "draw_sample": "evaluation.judging:draw_sample",
    "draw_tuning": "output.tuning_figures:draw_tuning",
    "find_seeds": "crawler.seeds:find_seeds",
    "forget_shared": "crawler.shared_crawls:forget_shared",
    "join_crawl": "crawler.shared_crawls:join_crawl",
    "learn_ontology": "output.ontologies:learn_ontology",
    "merge": "output.export:merge",
    "merge_ontologies": "papers.ontologies.checks:merge_ontologies",
    "pause": "crawler.control:pause",
    "pause_workers": "crawler.shared_crawls:pause_workers",
    "read_labels": "crawler.metrics:read_labels",
    "read_links": "evaluation.training_links_file:read_links",
    "read_ontology": "output.ontologies:read_ontology",
    "read_weights": "evaluation.tune:read_weights",
    "resume_workers": "crawler.shared_crawls:resume_workers",
    "scope_test": "crawler.job:scope_test",
    "score": "evaluation.judging:score",
    "score_urls": "evaluation.score_card:score_urls",
    "serve_dashboard": "output.dashboard.server:serve_dashboard",
    "share_crawl": "crawler.shared_crawls:share_crawl",
    "shared_overview": "crawler.shared_crawls:shared_overview",
    "stop": "crawler.control:stop",
    "stop_workers": "crawler.shared_crawls:stop_workers",
    "topic_graph": "crawler.topic_graph:topic_graph",
    "try_scope": "crawler.scope:try_scope",
    "tune_links": "evaluation.tune:tune_links",
    "understand": "crawler.topic_summary:understand",
    "unpause": "crawler.control:unpause",
    "write_graph": "output.graph_drawing:write_graph",
    "write_ontology": "output.ontologies:write_ontology",
}
"""Names that version 0.1 offered here; they work for one more release, with a warning."""


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        place = _PLACES.get(name) or _PLACES_OF_OLD_NAMES.get(name)
        if place is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = place.partition(":")
        if name in _PLACES_OF_OLD_NAMES:
            message = f"scenthound.{name} has moved: use scenthound.{module}.{attribute}."
            warnings.warn(message, DeprecationWarning, stacklevel=2)
        found = getattr(import_module(f"scenthound.{module}"), attribute)
        globals()[name] = found
        return found

"""Scenthound from Python: give it a topic, and an archive or the web; it gives back a run."""

from scenthound.api.archives import replay, topic_graph, understand
from scenthound.api.assessment import draw_sample, score
from scenthound.api.benchmark import FIRST_WEB, bench_web, score_urls
from scenthound.api.cache import cache_report, clear_cache
from scenthound.api.comparison import compare
from scenthound.api.dashboards import serve_dashboard
from scenthound.api.explanations import explain
from scenthound.api.export import corpus_rows, export
from scenthound.api.live import crawl, pause, resume, stop, unpause
from scenthound.api.merging import merge
from scenthound.api.ontologies import (
    check_ontology,
    draw_ontology,
    merge_ontologies,
    read_ontology,
    write_ontology,
)
from scenthound.api.ontology_learning import learn_ontology
from scenthound.api.reports import report
from scenthound.api.scope import scope_test, try_scope
from scenthound.api.seeds import find_seeds
from scenthound.api.shared import DEFAULT_STRATEGY, ScenthoundWarning
from scenthound.api.sharing import (
    forget_shared,
    join_crawl,
    pause_workers,
    resume_workers,
    share_crawl,
    shared_overview,
    stop_workers,
)
from scenthound.api.status import crawl_status
from scenthound.api.tuning import TunedTopic, read_links, read_weights, tune, tune_links

__all__ = [
    "DEFAULT_STRATEGY",
    "FIRST_WEB",
    "ScenthoundWarning",
    "TunedTopic",
    "bench_web",
    "cache_report",
    "check_ontology",
    "clear_cache",
    "compare",
    "corpus_rows",
    "crawl",
    "crawl_status",
    "draw_ontology",
    "draw_sample",
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
    "read_links",
    "read_ontology",
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
    "write_ontology",
]

"""Replays from Python: ``replay``, ``understand`` and ``topic_graph``, with their arguments
checked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.options import SIMILARITY, ReplayOptions
from scenthound.core.parameters import Value
from scenthound.crawler.arguments import (
    check_labels,
    check_parameters,
    check_path,
    check_required_path,
    check_topic,
    check_weights,
    load_lexicon,
    load_weights,
    strategy_spec,
)
from scenthound.crawler.caches import cache_choice
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay import OnPage, run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.crawler.result import Run
from scenthound.crawler.run_caches import open_equipment
from scenthound.crawler.scope import exclude_advice
from scenthound.crawler.topic_graph import first_graph, learned_graph
from scenthound.crawler.topic_reading import Warn, read_topic_profile
from scenthound.crawler.topic_summary import TopicSummary, summarize_topic
from scenthound.papers.disambiguation import DisambiguationGraph
from scenthound.papers.olmoaco.ontology import Ontology
from scenthound.papers.olmoaco.topic_ontology import read_topic_ontology
from scenthound.similarity.text_models import TERMS
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import DEFAULT_STRATEGY
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.text.analyzer import Analyzer


def replay(
    archive: str | Path,
    topic: Topic,
    strategy: str | StrategySpec = DEFAULT_STRATEGY,
    *,
    budget: int | str | None = None,
    labels: str | Path | Labels | None = None,
    random_seed: int = 0,
    parameters: Mapping[str, Value] | None = None,
    count_missing: bool = False,
    judge: str = SIMILARITY,
    threshold: float | None = None,
    out: str | Path | None = None,
    wordnet: str | Path | None = None,
    pdf: bool = False,
    weights: str | Path | LinkWeights | None = None,
    inlinks: str | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    on_page: OnPage | None = None,
    warn: Warn | None = None,
) -> Run:
    """Crawl an archive as if it were the web.

    Parameters
    ----------
    archive : WARC file, WACZ file, or a folder of either or of HTML files.
    topic : what to look for; see :func:`read_topic` for topic files.
    strategy : a name from ``scenthound strategies``, or a spec of your own.
    budget : pages to fetch, or a multiple of the labelled pages such as ``"2x"``. By default
        ``"2x"`` with labels and 1,000 pages without.
    labels : human labels, to measure against; strategies never see them.
    random_seed : of the random generator. Same seed, same archive, same order.
    parameters : the strategy's, by name.
    count_missing : charge the budget for links that lead out of the archive.
    judge : what tells relevant pages: "similarity" to the example pages, or the concepts of the
        topic's "ontology"; one is learned from the example pages if the topic names none.
    threshold : similarity from which the judge calls a page relevant; calibrated by default. With
        an ontology the relevance that a page must exceed.
    out : folder to write the crawl to; it must not hold one already.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    pdf : are PDF documents pages too? Needs the extra ``[pdf]``.
    weights : what each text of a link weighs, or the file that says so, instead of the strategy's
        own; see :func:`tune`. A strategy that learns weights begins with them.
    inlinks : how several links to a page count, "max", "mean" or "last", instead of the strategy's
        own way.
    cache : folder where vectors of words and texts are kept between runs; "none" for none. By
        default ``~/.cache/scenthound``. Strategies without vectors do not touch it.
    cache_limit : how large the cache grows: bytes, or a size such as "2GB".
    on_page : called with the event of every page.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    check_topic(topic)
    check_required_path("archive", archive)
    check_path("out", out)
    check_labels(labels)
    check_parameters(parameters)
    check_weights(weights)
    options = ReplayOptions.given(
        budget=budget, random_seed=random_seed, count_missing=count_missing, judge=judge,
        threshold=threshold, wordnet=wordnet, pdf=pdf, inlinks=inlinks, cache=cache,
        cache_limit=cache_limit,
    )  # fmt: skip
    spec = strategy_spec(strategy)
    if labels is not None and not isinstance(labels, Labels):
        labels = read_labels(Path(labels))
    plan = replay_plan([(spec, spec.check(parameters or {}))], options, labels, weights)
    tell = warn or warn_caller
    for advice in exclude_advice(topic):
        tell(advice)
    choice = cache_choice(options.cache, options.cache_limit)
    with open_equipment(choice, tell) as equipment, open_archive(Path(archive)) as opened:
        (job,) = dataclasses.replace(plan, equipment=equipment).jobs(opened, [topic], tell)
        job = job if out is None else dataclasses.replace(job, out=Path(out))
        return run_job(opened, job, on_page)


def replay_plan(
    strategies: Sequence[tuple[StrategySpec, Mapping[str, Value]]],
    options: ReplayOptions,
    labels: Labels | None = None,
    weights: str | Path | LinkWeights | None = None,
    out: Path | None = None,
) -> ReplayPlan:
    """The plan that the options of a replay mean; ``weights`` are in place of theirs."""
    return ReplayPlan(
        strategies=strategies,
        labels=labels,
        budget=options.budget,
        seed=options.random_seed,
        count_missing=options.count_missing,
        judge=options.judge,
        threshold=options.threshold,
        out=out,
        wordnet=load_lexicon(options.wordnet, warn_caller),
        pdf=options.pdf,
        weights=load_weights(options.weights if weights is None else weights),
        inlinks=options.inlinks,
    )


def understand(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    wordnet: str | Path | None = None,
    *,
    crawl: str | Path | None = None,
    terms: int = TERMS,
    warn: Warn | None = None,
) -> TopicSummary:
    """The topic as the program understands it, before anything is crawled.

    Parameters
    ----------
    topic : what to read.
    archive : where example pages are; without one those given as addresses are left out.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    crawl : folder of a crawl that has learned which words are ambiguous. Before a crawl no
        irrelevant page is known, and no word is called ambiguous.
    terms : how many of the heaviest are reported, of the 40 that a crawler takes.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    check_topic(topic)
    tell, lexicon = warn or warn_caller, load_lexicon(wordnet, warn or warn_caller)
    ontology = _named_ontology(topic, tell)
    graph = None if crawl is None else learned_graph(Path(crawl), topic)
    with _archive_opened(archive) as opened:
        briefing = read_topic_profile(topic, opened, tell, wordnet=lexicon, by_meaning=True)
    return summarize_topic(
        briefing,
        Analyzer(topic.language, lexicon, topic.keywords),
        graph,
        ontology=ontology,
        graph_origin=None if crawl is None else f"learned by the crawl in {crawl}",
        examples_given=len(set(topic.examples)),
        most=terms,
    )


def _named_ontology(topic: Topic, warn: Warn) -> Ontology | None:
    """Read before any page is, so that what is wrong with it is reported first."""
    words = TopicProfile(topic.name, topic.keywords, (), topic.language, topic.ontology)
    return read_topic_ontology(words, warn)


def topic_graph(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    crawl: str | Path | None = None,
    wordnet: str | Path | None = None,
    *,
    warn: Warn | None = None,
) -> DisambiguationGraph:
    """The topic's disambiguation graph: as a crawl has learned it, or before any crawl.

    Parameters
    ----------
    topic : what the graph is about.
    archive : where example pages are; not with ``crawl``.
    crawl : folder of a crawl that has learned a graph. By default it is the graph of sdvsm before
        a crawl: two terms of each example page and the keywords. All example pages are taken as
        relevant; no other page is known, so no term is called ambiguous.
    wordnet : a WordNet folder to use instead of the one that is shipped; not with ``crawl``.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    check_topic(topic)
    if crawl is not None:
        _reject_unused(archive=archive, wordnet=wordnet)
        return learned_graph(Path(crawl), topic)
    tell, lexicon = warn or warn_caller, load_lexicon(wordnet, warn or warn_caller)
    with _archive_opened(archive) as opened:
        briefing = read_topic_profile(topic, opened, tell, wordnet=lexicon)
    if not topic.examples:
        tell(f"{topic}: there is no example page, so its graph has no edges before a crawl")
    return first_graph(briefing, Analyzer(topic.language, lexicon, topic.keywords))


def _reject_unused(**given: object) -> None:
    """What is given and would not be looked at must not seem to have counted."""
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise SettingsError(
            f"the graph of a crawl comes out of its folder and {' and '.join(names)} would not be "
            "read; give the crawl alone."
        )


@contextmanager
def _archive_opened(archive: str | Path | Archive | None) -> Iterator[Archive | None]:
    """The archive; one that is open already stays open."""
    if archive is None or isinstance(archive, Archive):
        yield archive
    else:
        with open_archive(Path(archive)) as opened:
            yield opened

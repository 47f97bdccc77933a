"""Archives from Python: replay one, and look at a topic before and after."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scenthound.api.arguments import (
    check_given_path,
    check_inlinks,
    check_judge_name,
    check_labels,
    check_parameters,
    check_path,
    check_topic,
    check_weights,
    known_recipe,
)
from scenthound.api.shared import (
    DEFAULT_STRATEGY,
    chosen_cache,
    load_lexicon,
    load_weights,
    warn_caller,
)
from scenthound.archive import Archive, open_archive
from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Topic
from scenthound.core.parameters import Value
from scenthound.experiments.equipping import equipped
from scenthound.experiments.jobs import Plan
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.learnt_graph import first_graph, learnt_graph
from scenthound.experiments.result import Run
from scenthound.experiments.runner import OnPage, run
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.live.scoping import exclude_advice
from scenthound.ontology.model import Ontology
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.ontologies import given_ontology
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import TERMS
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.understanding import Understanding, understand_topic


def replay(
    archive: str | Path,
    topic: Topic,
    strategy: str | Recipe = DEFAULT_STRATEGY,
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
    strategy : a name from ``scenthound strategies``, or a recipe of your own.
    budget : pages to fetch, or a multiple of the labelled pages such as ``"2x"``. By default
        ``"2x"`` with labels and 1,000 pages without.
    labels : human labels, to measure against; strategies never see them.
    random_seed : of the random generator. Same seed, same archive, same order.
    parameters : the strategy's, by name.
    count_missing : charge the budget for links that lead out of the archive.
    judge : what tells relevant pages: "similarity" to the example pages, or the concepts of the
        topic's "ontology"; one is learnt from the example pages if the topic names none.
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
    check_given_path("archive", archive)
    check_path("out", out)
    check_path("wordnet", wordnet)
    check_labels(labels)
    check_parameters(parameters)
    check_weights(weights)
    check_inlinks(inlinks)
    check_judge_name(judge)
    choice = chosen_cache(cache, cache_limit)
    recipe = known_recipe(strategy)
    if labels is not None and not isinstance(labels, Labels):
        labels = read_labels(Path(labels))
    plan = Plan(
        strategies=[(recipe, recipe.check(parameters or {}))],
        labels=labels,
        budget=None if budget is None else str(budget),
        seed=random_seed,
        count_missing=count_missing,
        judge=judge,
        threshold=threshold,
        wordnet=load_lexicon(wordnet, warn or warn_caller),
        pdf=pdf,
        weights=load_weights(weights),
        inlinks=inlinks,
    )
    tell = warn or warn_caller
    for advice in exclude_advice(topic):
        tell(advice)
    with equipped(choice, tell) as equipment, open_archive(Path(archive)) as opened:
        (job,) = dataclasses.replace(plan, equipment=equipment).jobs(opened, [topic], tell)
        return run(opened, job if out is None else dataclasses.replace(job, out=Path(out)), on_page)


def understand(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    wordnet: str | Path | None = None,
    *,
    crawl: str | Path | None = None,
    terms: int = TERMS,
    warn: Warn | None = None,
) -> Understanding:
    """The topic as the program understands it, before anything is crawled.

    Parameters
    ----------
    topic : what to read.
    archive : where example pages are; without one those given as addresses are left out.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    crawl : folder of a crawl that has learnt which words are ambiguous. Before a crawl no
        irrelevant page is known, and no word is called ambiguous.
    terms : how many of the heaviest are told, of the 40 that a crawler takes.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    check_topic(topic)
    tell, lexicon = warn or warn_caller, load_lexicon(wordnet, warn or warn_caller)
    ontology = _named_ontology(topic, tell)
    graph = None if crawl is None else learnt_graph(Path(crawl), topic)
    with _opened(archive) as opened:
        briefing = read_briefing(topic, opened, tell, wordnet=lexicon, by_meaning=True)
    return understand_topic(
        briefing,
        Analyzer(topic.language, lexicon, topic.keywords),
        graph,
        ontology=ontology,
        graph_origin=None if crawl is None else f"learnt by the crawl in {crawl}",
        examples_given=len(set(topic.examples)),
        most=terms,
    )


def _named_ontology(topic: Topic, warn: Warn) -> Ontology | None:
    """Read before any page is, so that what is wrong with it is told first."""
    words = Briefing(topic.name, topic.keywords, (), topic.language, topic.ontology)
    return given_ontology(words, warn)


def topic_graph(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    crawl: str | Path | None = None,
    wordnet: str | Path | None = None,
    *,
    warn: Warn | None = None,
) -> DisambiguationGraph:
    """The topic's disambiguation graph: as a crawl has learnt it, or before any crawl.

    Parameters
    ----------
    topic : what the graph is about.
    archive : where example pages are; not with ``crawl``.
    crawl : folder of a crawl that has learnt a graph. By default it is the graph of sdvsm before
        a crawl: two terms of each example page and the keywords. All example pages are taken as
        relevant; no other page is known, so no term is called ambiguous.
    wordnet : a WordNet folder to use instead of the one that is shipped; not with ``crawl``.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    check_topic(topic)
    if crawl is not None:
        _refuse_unread(archive=archive, wordnet=wordnet)
        return learnt_graph(Path(crawl), topic)
    tell, lexicon = warn or warn_caller, load_lexicon(wordnet, warn or warn_caller)
    with _opened(archive) as opened:
        briefing = read_briefing(topic, opened, tell, wordnet=lexicon)
    if not topic.examples:
        tell(f"{topic}: there is no example page, so its graph has no edges before a crawl")
    return first_graph(briefing, Analyzer(topic.language, lexicon, topic.keywords))


def _refuse_unread(**given: object) -> None:
    """What is given and would not be looked at must not seem to have counted."""
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise SettingsError(
            f"the graph of a crawl comes out of its folder and {' and '.join(names)} would not be "
            "read; give the crawl alone."
        )


@contextmanager
def _opened(archive: str | Path | Archive | None) -> Iterator[Archive | None]:
    """The archive; one that is open already stays open."""
    if archive is None or isinstance(archive, Archive):
        yield archive
    else:
        with open_archive(Path(archive)) as opened:
            yield opened

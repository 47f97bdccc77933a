"""A topic as the program reads it: its terms, their senses, and what is ambiguous by the
disambiguation graph of a crawl.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.protocols import State, StateValue
from scenthound.crawler.argument_checks import check_topic, load_lexicon
from scenthound.crawler.topics.reading import opened_archive, read_topic_profile
from scenthound.papers.ambiguity import Flags
from scenthound.papers.olmoaco.topic_ontology import read_topic_ontology
from scenthound.papers.ontologies.model import Ontology
from scenthound.papers.sdvsm import DisambiguationGraph, GraphPlan, LearningGraph, graph_of_state
from scenthound.similarity.text_models import TERMS
from scenthound.similarity.topic_senses import (
    ConceptNames,
    KeywordSenses,
    Sense,
    fitting_sense,
    read_keyword,
    senses_of,
    topic_terms,
    unknown_terms,
)
from scenthound.similarity.word_similarity import (
    MIN_KNOWN_NOUNS,
    SupportedSenses,
    TaxonomySimilarity,
)
from scenthound.storage.archive import Archive
from scenthound.storage.folder import CrawlFolder
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Vocabulary, Weights


@dataclass(frozen=True, slots=True)
class TopicTerm:
    """A term of the topic.

    Parameters
    ----------
    term : base form or phrase.
    weight : in the topic's vector.
    senses : how many WordNet knows; 0 for a word it does not know as a noun.
    vouched : how many of them another term of the topic supports; None where the topic has too
        few known words for that, and all of them count.
    sense : the one that fits the other terms best; None where none fits.
    """

    term: str
    weight: float
    senses: int
    vouched: int | None
    sense: Sense | None


@dataclass(frozen=True, slots=True)
class DisambiguationTerm:
    """A term that shows what an ambiguous one means, and their co-occurrence degree."""

    term: str
    degree: float


@dataclass(frozen=True, slots=True)
class AmbiguousTerm:
    """A term that may mean something else, and its disambiguation terms, strongest first."""

    term: str
    ambiguity: float
    companions: tuple[DisambiguationTerm, ...]


@dataclass(frozen=True, slots=True)
class TopicOntology:
    """The ontology that a topic names: its file, how many concepts, and the one it is about."""

    file: str
    concepts: int
    about: str | None


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A topic as the program understands it.

    Parameters
    ----------
    name, language : the topic's.
    reading : how texts of that language are read, in words: stems, stop words, ...
    wordnet : version and origin of the WordNet; None for a language it does not describe.
    keywords : as WordNet reads them.
    examples : example pages that were read.
    examples_given : example pages that the topic names.
    vouching : has the topic enough known words to support senses of one another?
    terms : the heaviest first.
    unknown : the terms that WordNet does not know, shown or not.
    ambiguous : from the disambiguation graph of a crawl; none before one.
    graph_origin : what that graph was learned from, in words; None before a crawl.
    ontology : the one that the topic names; None where it names none.
    """

    name: str
    language: str
    reading: str
    wordnet: str | None
    keywords: tuple[KeywordSenses, ...]
    examples: int
    examples_given: int
    vouching: bool
    terms: tuple[TopicTerm, ...]
    unknown: tuple[str, ...]
    ambiguous: tuple[AmbiguousTerm, ...]
    graph_origin: str | None
    ontology: TopicOntology | None = None

    def to_json(self) -> dict[str, object]:
        """Return the summary as JSON."""
        return asdict(self)


def understand(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    wordnet: str | Path | None = None,
    *,
    crawl: str | Path | None = None,
    terms: int = TERMS,
) -> TopicSummary:
    """Return the topic as the program understands it, before anything is crawled.

    Parameters
    ----------
    topic : what to read.
    archive : where example pages are; without one those given as addresses are left out.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    crawl : folder of a crawl that has learned which words are ambiguous. Before a crawl no
        irrelevant page is known, and no word is called ambiguous.
    terms : how many of the heaviest are reported, of the 40 that a crawler takes.
    """
    check_topic(topic)
    lexicon = load_lexicon(wordnet)
    # Read before any page is, so that problems with the ontology are reported first.
    words = TopicProfile(topic.name, topic.keywords, (), topic.language, topic.ontology)
    ontology = read_topic_ontology(words)
    graph = None if crawl is None else learned_graph(Path(crawl), topic)
    with opened_archive(archive) as opened:
        profile = read_topic_profile(topic, opened, wordnet=lexicon, by_meaning=True)
    return summarize_topic(
        profile,
        Analyzer(topic.language, lexicon, topic.keywords),
        graph,
        ontology=ontology,
        graph_origin=None if crawl is None else f"learned by the crawl in {crawl}",
        examples_given=len(set(topic.examples)),
        most=terms,
    )


def summarize_topic(
    profile: TopicProfile,
    analyzer: Analyzer,
    graph: DisambiguationGraph | None = None,
    *,
    ontology: Ontology | None = None,
    graph_origin: str | None = None,
    examples_given: int,
    most: int = TERMS,
) -> TopicSummary:
    """Summarize a topic; the arguments are those that :class:`TopicSummary` describes.

    ``most`` terms are shown. Their meaning is worked out over the terms that a crawler takes, so it
    is the same however few are shown.
    """
    if most < 1:
        raise SettingsError(f"a topic of {most} terms tells nothing; give 1 or more.")
    weights = topic_terms(profile, analyzer)
    wordnet = analyzer.wordnet
    unknown = unknown_terms(weights, analyzer)
    vouching = len(weights) - len(unknown) >= MIN_KNOWN_NOUNS
    named = None
    if ontology is not None:
        named = TopicOntology(profile.ontology or "", len(ontology), ontology.topic)
    return TopicSummary(
        name=profile.name,
        language=profile.language,
        reading=analyzer.rules.described,
        wordnet=None if wordnet is None else f"{wordnet.version}, {wordnet.origin}",
        keywords=tuple(read_keyword(keyword, analyzer) for keyword in profile.keywords),
        examples=len(profile.examples),
        examples_given=examples_given,
        vouching=vouching,
        terms=_terms(weights, analyzer, vouching)[:most],
        unknown=unknown,
        ambiguous=() if graph is None else ambiguous_terms(graph),
        graph_origin=graph_origin,
        ontology=named,
    )


def _terms(
    weights: Mapping[str, float], analyzer: Analyzer, vouching: bool
) -> tuple[TopicTerm, ...]:
    """Return the terms with their WordNet senses."""
    if analyzer.wordnet is None:
        return tuple(TopicTerm(term, weight, 0, None, None) for term, weight in weights.items())
    similarity = TaxonomySimilarity(analyzer.wordnet.nouns)
    names = ConceptNames(analyzer.wordnet.nouns)
    vouched = SupportedSenses(similarity).senses(list(weights))
    found = []
    for (term, weight), fitting in zip(weights.items(), vouched, strict=True):
        concept = fitting_sense(similarity, term, weights, fitting)
        sense = None if concept is None else names.sense(concept, term)
        count = len(fitting) if vouching else None
        found.append(TopicTerm(term, weight, senses_of(term, analyzer), count, sense))
    return tuple(found)


def ambiguous_terms(graph: DisambiguationGraph) -> tuple[AmbiguousTerm, ...]:
    """Return the ambiguous terms of a graph, the most ambiguous first."""
    rows = [
        AmbiguousTerm(name, float(graph.ambiguity[row]), disambiguation_terms_of(graph, row))
        for row, name in enumerate(graph.nodes.names)
        if graph.ambiguous[row]
    ]
    return tuple(sorted(rows, key=lambda each: (-each.ambiguity, each.term)))


def disambiguation_terms_of(graph: DisambiguationGraph, row: int) -> tuple[DisambiguationTerm, ...]:
    """Return the disambiguation terms of one term, strongest first; none for a clear term.

    One of degree 0 was never seen beside the term and is left out.
    """
    degrees = graph.cooccurrence[row].tolist()
    chosen = graph.companions[row].tolist()
    found = [
        DisambiguationTerm(name, degree)
        for name, degree, is_companion in zip(graph.nodes.names, degrees, chosen, strict=True)
        if is_companion and degree > 0.0
    ]
    return tuple(sorted(found, key=lambda each: (-each.degree, each.term)))


GRAPH_STRATEGIES = ("sdvsm", "soft-sdvsm")
"""The strategies that learn a graph."""

LEARNERS = " or ".join(GRAPH_STRATEGIES)

_DAMAGE = (AttributeError, KeyError, ValueError, TypeError, OverflowError)
"""Errors of reading a state that another program wrote."""


def topic_graph(
    topic: Topic,
    archive: str | Path | Archive | None = None,
    crawl: str | Path | None = None,
    wordnet: str | Path | None = None,
) -> DisambiguationGraph:
    """Return the topic's disambiguation graph: as a crawl has learned it, or before any crawl.

    Parameters
    ----------
    topic : what the graph is about.
    archive : where example pages are; not with ``crawl``.
    crawl : folder of a crawl that has learned a graph. By default it is the graph of sdvsm before
        a crawl: two terms of each example page and the keywords. All example pages are taken as
        relevant; no other page is known, so no term is called ambiguous.
    wordnet : a WordNet folder to use instead of the one that is shipped; not with ``crawl``.
    """
    check_topic(topic)
    if crawl is not None:
        unused = {"archive": archive, "wordnet": wordnet}
        names = [name for name, value in unused.items() if value is not None]
        if names:
            raise SettingsError(
                f"the graph of a crawl comes out of its folder and {' and '.join(names)} would not "
                "be read; give the crawl alone."
            )
        return learned_graph(Path(crawl), topic)
    lexicon = load_lexicon(wordnet)
    with opened_archive(archive) as opened:
        profile = read_topic_profile(topic, opened, wordnet=lexicon)
    if not topic.examples:
        warn_caller(f"{topic}: there is no example page, so its graph has no edges before a crawl")
    analyzer = Analyzer(topic.language, lexicon, topic.keywords)
    return LearningGraph(profile, analyzer, GraphPlan(criterion=NoIndicators())).graph


class NoIndicators:
    """Nothing is ambiguous: with no irrelevant page, a rare term looks like an ambiguous one."""

    def judge(self, indicators: Weights) -> tuple[Weights, Flags]:
        """Return an ambiguity of 0 for every term."""
        return np.zeros(len(indicators)), np.zeros(len(indicators), np.bool_)


def learned_graph(path: Path, topic: Topic) -> DisambiguationGraph:
    """Read the graph of the crawl in the folder ``path``.

    FolderError where there is no crawl, it is about another topic, or it has learned no graph.
    """
    folder = _opened_crawl(path, topic)
    crawl_spec = folder.crawl_spec()
    if not _is_about(crawl_spec, topic):
        about = crawl_spec.get("topic")
        name = about.get("name") if isinstance(about, dict) else None
        raise FolderError(
            f"the crawl in {path} is about {name!r}, not {topic.name!r}; give the topic's own."
        )
    saved: StateValue = folder.load_state()
    for key in ("scorer", "graph", "graph"):
        saved = saved.get(key) if isinstance(saved, dict) else None
    if not isinstance(saved, dict):
        raise FolderError(
            f"{path} holds no disambiguation graph: its strategy {crawl_spec.get('strategy')!r} "
            f"learns none; give a crawl by {LEARNERS}."
        )
    return _read_graph(saved, folder.state_path)


def _opened_crawl(path: Path, topic: Topic) -> CrawlFolder:
    """Open the crawl folder; of a folder of crawls, name one that fits."""
    if path.is_file():
        raise FolderError(f"{path} is a file; give the folder of a crawl, which holds crawl.json.")
    within = sorted(path.glob("*/*/crawl.json")) or sorted(path.glob("*/crawl.json"))
    if within and not (path / "crawl.json").exists():
        give = f"one about {topic.name!r} by {LEARNERS}"
        for found in reversed(within):
            with suppress(FolderError):  # those that cannot be read do not fit
                crawl_spec = CrawlFolder.open(found.parent).crawl_spec()
                if _is_about(crawl_spec, topic) and crawl_spec.get("strategy") in GRAPH_STRATEGIES:
                    give = f"one: {found.parent}"
        raise FolderError(f"{path} is a folder of crawls; give the folder of {give}.")
    return CrawlFolder.open(path)


def _is_about(crawl_spec: Mapping[str, object], topic: Topic) -> bool:
    """Whether a crawl is about this topic, by its spec."""
    about = crawl_spec.get("topic")
    return isinstance(about, dict) and about.get("name") == topic.name


def _read_graph(saved: State, path: Path) -> DisambiguationGraph:
    """Rebuild a saved graph; FolderError where the state does not fit together."""
    try:
        graph = graph_of_state(saved, Vocabulary())
        n = len(graph)
        each = (graph.nodes.weights, graph.nodes.occurrences, graph.ambiguity, graph.ambiguous)
        fits = all(array.shape == (n,) for array in each) and graph.indicators.shape == (n, 3)
        if not fits or graph.cooccurrence.shape != (n, n) or graph.companions.shape != (n, n):
            raise ValueError
    except _DAMAGE:
        raise FolderError(f"{path} is damaged: its graph cannot be read; crawl again.") from None
    return graph

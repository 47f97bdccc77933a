"""The semantic disambiguation graph (sdvsm Eq. 9-16 and 20), and the text model behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from scenthound.core.model import Document, TopicProfile
from scenthound.core.parameters import check_at_least, check_name
from scenthound.core.protocols import State
from scenthound.papers.ambiguity import (
    MOST_PAGES,
    RESULTS,
    Criterion,
    Flags,
    FuzzyCriterion,
    PageCollection,
    cooccurrence,
    topic_indicators,
)
from scenthound.similarity.judge import DEFAULT_THRESHOLD, calibrated_threshold
from scenthound.similarity.text_models import (
    MERGED,
    TOPIC_TERMS,
    Cosine,
    Form,
    TopicModel,
    keyword_text,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.page_index import PageIndex, occurrences
from scenthound.text.terms import Bag, Bags, Numbers, Vocabulary, Weights

IDFS = ("literal", "smooth")
PER_PAGE = 2


@dataclass(frozen=True, eq=False)
class GraphTerms:
    """The nodes of a graph, in the order in which they were chosen.

    ``weights`` is the largest TF-IDF weight of each term on any example page, ``occurrences`` how
    often each occurs in the training texts, N_k of Eq. 11; at least 1.
    """

    numbers: Numbers
    names: tuple[str, ...]
    weights: Weights
    occurrences: Numbers


def inverse_document_frequency(pages: int, containing: Numbers, form: str = "literal") -> Weights:
    """Return how informative a term is that so many of the pages contain.

    ``literal`` is Eq. 9, ``log(NS / Ni)``, with a term of no page counted as one of one page: 0 for
    a term of every page, so the topic's own name can weigh nothing. ``smooth`` is ours, ``log((NS +
    1) / (Ni + 1)) + 1``: never 0.
    """
    check_name("inverse document frequency", form, IDFS)
    if form == "smooth":
        return np.log((pages + 1) / (containing + 1.0)) + 1.0
    return np.log(max(pages, 1) / np.maximum(containing, 1.0))


def chosen_terms(
    examples: Sequence[Bag], vocabulary: Vocabulary, per_page: int, idf: str = "literal"
) -> list[int]:
    """Return the ``per_page`` heaviest terms of each page that were not chosen before (Eq. 9).

    The paper takes two of each page and does not say what happens when pages agree; here the page's
    list is followed down to the next new term. Of equal weights the more frequent term goes first,
    then the alphabet decides.
    """
    chosen: dict[int, None] = {}
    for page in examples:
        weights = _weights(page, page.ids, examples, idf)
        names = vocabulary.terms(page.ids.tolist())
        listed = zip(-weights, (-page.counts).tolist(), names, page.ids.tolist(), strict=True)
        new = [number for *_, number in sorted(listed) if number not in chosen]
        chosen |= dict.fromkeys(new[:per_page])
    return list(chosen)


def graph_terms(
    examples: Sequence[Bag],
    keywords: Bag,
    vocabulary: Vocabulary,
    *,
    per_page: int = PER_PAGE,
    idf: str = "literal",
) -> GraphTerms:
    """Return the terms that stand for a topic.

    Ours: the terms of the keywords join, because Eq. 9 gives 0 to a word of every example page,
    which the topic's own name often is. The keywords are then one more training text. A keyword of
    no example page weighs ``f / f_max`` of that text.
    """
    check_at_least(1, per_page=per_page)
    chosen = chosen_terms(examples, vocabulary, per_page, idf)
    by_name = sorted(keywords.ids.tolist(), key=vocabulary.term)
    numbers = np.array(list(dict.fromkeys([*chosen, *by_name])), np.int32)
    weights = [_weights(page, numbers, examples, idf) for page in examples]
    counts = sum((occurrences(text, numbers) for text in [*examples, keywords]), start=numbers * 0)
    unseen = _frequencies(examples, numbers) == 0
    return GraphTerms(
        numbers,
        tuple(vocabulary.terms(numbers.tolist())),
        np.where(
            unseen, _shares(keywords, numbers), np.max([*weights, np.zeros(len(numbers))], axis=0)
        ),
        counts,
    )


def _weights(page: Bag, terms: Numbers, examples: Sequence[Bag], idf: str) -> Weights:
    """Eq. 9: ``w = f / f_max * idf`` of the terms on a page."""
    containing = _frequencies(examples, terms)
    return _shares(page, terms) * inverse_document_frequency(len(examples), containing, idf)


def _shares(text: Bag, terms: Numbers) -> Weights:
    """``f / f_max`` of the terms in a text; 0 in an empty one."""
    return occurrences(text, terms) / np.max(text.counts, initial=1)


def _frequencies(texts: Sequence[Bag], terms: Numbers) -> Numbers:
    """In how many texts does each term occur?"""
    return sum((np.sign(occurrences(text, terms)) for text in texts), start=terms * 0)


# The graph (sdvsm Eq. 16 and 20). Nodes are topic terms, edges their co-occurrence degrees. An
# ambiguous term counts on a page only beside the terms that it goes with on pages of the topic.

RULES = ("removal", "evidence")
_ROUNDING = 1e-12


def disambiguation_terms(
    cooccurrence: Weights, ambiguous: Flags, threshold: float | None = None
) -> Flags:
    """Return row by row the disambiguation terms of each ambiguous term (Eq. 16).

    Those whose co-occurrence degree reaches ``threshold``, or (None) the mean of the term's degrees
    with all others. A term is not its own companion; a clear term needs none.
    """
    others = ~np.eye(len(ambiguous), dtype=np.bool_)
    means = cooccurrence.sum(axis=1) / max(len(ambiguous) - 1, 1)
    bar = means - _ROUNDING if threshold is None else np.full(len(ambiguous), threshold)
    return others & ambiguous[:, None] & (cooccurrence >= bar[:, None])


def mean_degrees(cooccurrence: Weights, chosen: Flags) -> Weights:
    """Return the mean of each row over its chosen columns; 0 where none is chosen."""
    numbers = np.maximum(chosen.sum(axis=1), 1)
    means: Weights = np.where(chosen, cooccurrence, 0.0).sum(axis=1) / numbers
    return means


def removed_terms(cooccurrence: Weights, companions: Flags, bars: Weights, present: Flags) -> Flags:
    """Return which terms mean something else on a page with the terms ``present`` (Eq. 20).

    Those whose mean degree with the companions on the page is below their bar. Without any
    companion on the page Eq. 20 divides by zero; the mean is then 0 (ours), so the term goes,
    unless the bar is 0 as well. A flaw of the paper's rule stands as it is: one weak companion
    beside strong ones pulls the mean down.
    """
    means = mean_degrees(cooccurrence, companions & present[None, :])
    return present & (means < bars - _ROUNDING)


def topic_evidence(cooccurrence: Weights, companions: Flags, present: Flags, few: int) -> Weights:
    """Return how far each term means the topic on a page with the terms ``present``, in [0, 1].

    Ours: the degrees of its companions on the page, together, over those of its ``few`` strongest
    companions; 1 when they are reached, and where no degree is above 0. More companions on the page
    never lower it.
    """
    degrees = np.where(companions, cooccurrence, 0.0)
    expected = -np.sort(-degrees, axis=1)[:, :few].sum(axis=1)
    found = degrees @ present.astype(np.float64)
    return np.where(expected > 0.0, np.minimum(1.0, found / np.maximum(expected, 1e-300)), 1.0)


@dataclass(frozen=True, eq=False)
class DisambiguationGraph:
    """Topic terms, what they go with, and which of them are ambiguous.

    Parameters
    ----------
    nodes : the topic terms.
    cooccurrence : degree of each pair; symmetric, 0 on the diagonal.
    indicators : TR, TP and TI of each term.
    ambiguity : how ambiguous each term is.
    ambiguous : which terms are taken for ambiguous.
    companions : row by row, the disambiguation terms of each ambiguous term.
    rule : what :meth:`factors` gives, ``removal`` (the paper's) or ``evidence`` (ours).
    few : companions that are full evidence.
    """

    nodes: GraphTerms
    cooccurrence: Weights
    indicators: Weights
    ambiguity: Weights
    ambiguous: Flags
    companions: Flags
    rule: str = "removal"
    few: int = 3

    def __post_init__(self) -> None:
        check_name("rule of a disambiguation graph", self.rule, RULES)

    def __len__(self) -> int:
        return len(self.nodes.names)

    @cached_property
    def companion_mean(self) -> Weights:
        """T_P of Eq. 20: each ambiguous term's mean degree over all its companions; else 0."""
        return mean_degrees(self.cooccurrence, self.companions)

    def factors(self, page: Bag) -> tuple[Numbers, Weights]:
        """Return ambiguous terms of the page, and what to multiply how often each occurs by.

        0 or 1 by the rule ``removal``, anything between by ``evidence``. Every other term counts in
        full.
        """
        present = occurrences(page, self.nodes.numbers) > 0
        chosen = present & self.ambiguous
        if self.rule == "removal":
            removed = removed_terms(
                self.cooccurrence, self.companions, self.companion_mean, present
            )
            factors = 1.0 - removed.astype(np.float64)
        else:
            factors = topic_evidence(self.cooccurrence, self.companions, present, self.few)
        return self.nodes.numbers[chosen], factors[chosen]


@dataclass(frozen=True)
class GraphPlan:
    """How a graph is built. The defaults are the paper's (sdvsm).

    Parameters
    ----------
    per_page : topic terms taken from each example page.
    idf : ``literal`` or ``smooth`` inverse document frequency of the terms.
    results : pages looked at for a query; None for all.
    ti : form of the topic importance, ``literal`` or ``share``.
    criterion : what makes a term ambiguous.
    rule : what becomes of it, ``removal`` or ``evidence``.
    threshold : T_cd of Eq. 16; None for the mean of each term's degrees.
    """

    per_page: int = PER_PAGE
    idf: str = "literal"
    results: int | None = RESULTS
    ti: str = "literal"
    criterion: Criterion = field(default_factory=FuzzyCriterion)
    rule: str = "removal"
    threshold: float | None = None

    def __post_init__(self) -> None:
        # Asked only where there are example pages, but said at once.
        check_name("inverse document frequency", self.idf, IDFS)


def build_graph(
    nodes: GraphTerms,
    collection: PageCollection,
    is_relevant: Callable[[Bag], bool],
    plan: GraphPlan | None = None,
    seed: int = 0,
) -> DisambiguationGraph:
    """Return the graph of a topic as the collection shows it now (sdvsm Eq. 10-16).

    ``is_relevant`` says whether a fetched page is about the topic; example pages are. ``seed``
    decides which pages are looked at for a pair.
    """
    plan = plan or GraphPlan()
    index = PageIndex(collection.pages, nodes.numbers)
    held = index.counts[index.rows(nodes.numbers)].sum(axis=0) > 0
    # Pages without a topic term are not asked about: nothing finds them.
    sure = len(collection.examples)
    relevant = np.array(
        [
            number < sure or bool(held[number] and is_relevant(page))
            for number, page in enumerate(collection.pages)
        ],
        np.bool_,
    )
    degrees = cooccurrence(index, nodes.numbers, relevant, results=plan.results, seed=seed)
    indicators = topic_indicators(
        index, nodes.numbers, nodes.occurrences, relevant, results=plan.results, ti=plan.ti
    )
    values, flags = plan.criterion.judge(indicators)
    companions = disambiguation_terms(degrees, flags, plan.threshold)
    return DisambiguationGraph(nodes, degrees, indicators, values, flags, companions, plan.rule)


_ARRAYS, _FLAGS = ("cooccurrence", "indicators", "ambiguity"), ("ambiguous", "companions")


def graph_state(graph: DisambiguationGraph) -> State:
    """Return all of a graph, with its terms as words: numbers differ from run to run."""
    nodes = graph.nodes
    return {
        "names": list(nodes.names),
        "weights": nodes.weights,
        "occurrences": nodes.occurrences,
        **{key: getattr(graph, key) for key in (*_ARRAYS, *_FLAGS, "rule", "few")},
    }


def graph_of_state(state: State, vocabulary: Vocabulary) -> DisambiguationGraph:
    """Return the graph that :func:`graph_state` saved, in the numbers of this run."""
    words = tuple(map(str, state["names"]))
    numbers = np.array([vocabulary.number(word) for word in words], np.int32)
    weights, times = state["weights"].astype(np.float64), state["occurrences"].astype(np.int32)
    arrays: dict[str, Any] = {key: state[key].astype(np.float64) for key in _ARRAYS}
    flags: dict[str, Any] = {key: state[key].astype(np.bool_) for key in _FLAGS}
    nodes = GraphTerms(numbers, words, weights, times)
    return DisambiguationGraph(nodes, **arrays, **flags, rule=state["rule"], few=state["few"])


_REBUILT_GROWTH = 4
"""The graph is built again when the pages have grown by one in so many."""


class LearningGraph:
    """A graph over the example pages and the pages fetched so far, rebuilt as they grow."""

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, plan: GraphPlan, seed: int = 0
    ) -> None:
        examples = [analyzer.page_bag(example) for example in profile.examples]
        examples = [bag for bag in examples if len(bag)]
        keywords = analyzer.bag(keyword_text(profile.keywords))
        self._vocabulary = analyzer.vocabulary
        self._plan = plan
        self._seed = seed
        self._nodes = graph_terms(
            examples, keywords, analyzer.vocabulary, per_page=plan.per_page, idf=plan.idf
        )
        self._pages = PageCollection(analyzer.vocabulary, examples, MOST_PAGES, seed)
        self.rebuild(lambda _: True)

    def add(self, page: Bag) -> bool:
        """Add a fetched page; return whether it is time to :meth:`rebuild`."""
        self._pages.add(page)
        return self._pages.fetched >= self._fresh_until

    def rebuild(self, is_relevant: Callable[[Bag], bool]) -> None:
        """Build the graph over the pages as they are now."""
        fetched = self._pages.fetched
        self._fresh_until = fetched + max(1, fetched // _REBUILT_GROWTH)
        self.graph = build_graph(self._nodes, self._pages, is_relevant, self._plan, self._seed)

    def state(self) -> State:
        """Return the pages and the graph."""
        return {
            "pages": self._pages.state(),
            "graph": graph_state(self.graph),
            "fresh_until": self._fresh_until,
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._pages.restore(state["pages"])
        self.graph = graph_of_state(state["graph"], self._vocabulary)
        self._fresh_until = state["fresh_until"]


class DisambiguatedModel(TopicModel):
    """A topic model behind a semantic disambiguation graph (sdvsm Eq. 20).

    On a page where "python" stands without the terms that accompany it on pages of the topic, it is
    left out of the page's text and of the texts of its links. The paper splits the pages it
    searches into relevant and irrelevant ones by VSM and does not say where; here the line is the
    5th percentile of the example pages' own similarity to the topic.

    Parameters
    ----------
    profile, analyzer, form, most, by : as for :class:`TopicModel`.
    plan : how the graph is built.
    seed : of the graph's samples of pages.
    links_too : are the page's links read as the page is? The paper speaks of the page's terms
        alone; its anchors are among them.
    """

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        form: Form,
        plan: GraphPlan,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        seed: int = 0,
        links_too: bool = True,
    ) -> None:
        super().__init__(profile, analyzer, form, most, by)
        self._links_too = links_too
        self._learning = LearningGraph(profile, analyzer, plan, seed)

    def learn(self, document: Document) -> None:
        """Count the page, and let the graph grow with it."""
        super().learn(document)
        if self._learning.add(self._analyzer.page_bag(document)):
            cosine = Cosine()
            cosine.take(self.topic.ids, self.topic.weights)
            own = [self._vsm(cosine, bag) for bag in self.topic.examples if len(bag)]
            threshold = calibrated_threshold(own) or DEFAULT_THRESHOLD
            self._learning.rebuild(lambda page: self._vsm(cosine, page) >= threshold)

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return the similarity of each text, where ambiguous terms of the page weigh less."""
        bags = self._analyzer.reader(page).bags(texts)
        weights = self.weights(bags)
        affected = bags.of_texts([self._links_too or text == page.full for text in texts])
        ids, factors = self._learning.graph.factors(self._analyzer.page_bag(page))
        for id_, factor in zip(ids.tolist(), factors.tolist(), strict=True):
            weights[affected & (bags.ids == id_)] *= factor
        found: list[float] = self.form.similarities(bags, weights).tolist()
        return found

    def _vsm(self, cosine: Cosine, page: Bag) -> float:
        bags = Bags([page])
        return float(cosine.similarities(bags, self.weights(bags))[0])

    def state(self) -> State:
        """Return document frequencies, topic, and the graph."""
        return {**super().state(), "graph": self._learning.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._learning.restore(state["graph"])

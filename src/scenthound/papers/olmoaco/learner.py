"""An ontology learned from texts, in the seven steps of olmoaco section 2.5 and one of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from scenthound.core.errors import OntologyError
from scenthound.core.options import Options, Part, option, whole_within
from scenthound.papers.olmoaco import word_topics
from scenthound.papers.olmoaco.formal_context import ConceptLattice, FormalContext, concept_lattice
from scenthound.papers.olmoaco.nouns import noun_counts
from scenthound.papers.olmoaco.skeleton import (
    Draft,
    Proposal,
    Review,
    accept_all,
    restrict_thesaurus,
    skeleton,
)
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.olmoaco.statements import StatedRelation, stated_relations
from scenthound.papers.olmoaco.terms import candidate_terms
from scenthound.papers.olmoaco.wordnet_neighbours import (
    GAMMA,
    NeighbourFinder,
    known_relations,
    neighbour_proposals,
)
from scenthound.papers.ontologies.model import Ontology, normalise_label
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import Rules

Progress = Callable[[str, int, int], None]
"""Called with the step, how much of it is done, and of how much."""
STEPS = (
    "terms", "skeleton", "WordNet neighbours", "WordNet relations", "nouns of the pages",
    "topics of the pages", "pairs of words", "what the texts say",
)  # fmt: skip
"""Steps 1, 2, 3 (two parts), 5, 6 and 7 of the paper, and one of ours; step 4 is the search for
pages, which are given here."""
TERMS, SKELETON, NEIGHBOURS, RELATIONS, NOUNS, TOPICS, PAIRS, STATEMENTS = STEPS


class ReviewEnded(Exception):  # noqa: N818  a wish, not an error
    """A review raises this where somebody wants to end: what was accepted is kept."""


def no_progress(*_: object) -> None:
    """Ignore the progress."""


MOST_CONCEPTS = 5_000
"""More than this nobody reads, and every page of a crawl is compared with all of them."""
_Count = Annotated[int, whole_within(1, MOST_CONCEPTS)]


class LearningPlan(Options):
    """How an ontology is learned; the same plan and texts give the same ontology."""

    concepts: Annotated[_Count, option("Maximum number of concepts.", "N")] = 100
    terms: Annotated[_Count, option("Maximum number of terms.", "N")] = 60
    gamma: Annotated[Part, option("Similarity of neighbours in WordNet. 1 for none.", "S")] = GAMMA
    topics: Annotated[
        int,
        whole_within(0, 200),
        option("Number of topics of the pages' nouns; 0 finds the best number.", "N"),
    ] = word_topics.DEFAULT_TOPICS
    support: Annotated[
        Part, option("Least share of the topics that have both words of a pair.", "S")
    ] = word_topics.SUPPORT
    confidence: Annotated[
        Part, option("Least share of topics with one word that have the other too.", "C")
    ] = word_topics.CONFIDENCE
    seed: Annotated[
        int, whole_within(0, 2**32 - 1), option("Seed of the random generator.", "N")
    ] = 0
    words: Annotated[_Count, option("Maximum number of words of a topic.", "N")] = 10
    least: Annotated[_Count, option("Occurrences that a term must have.", "N")] = 2


def topic_concept(name: str, keywords: Sequence[str], rules: Rules) -> str:
    """Return the label of a topic's concept: its name, or the first keyword that equals it.

    "storm" and the topic "storms" would else be two concepts; ``rules`` say which words are forms
    of one.
    """
    label = normalise_label(name.replace("-", " ")) or "topic"
    own = rules.bases(label)
    alike = (normalise_label(word) for word in keywords if rules.bases(word) == own)
    return next(alike, label) if own else label


@dataclass(frozen=True)
class LearningResult:
    """An ontology with what it was learned from.

    Parameters
    ----------
    ontology : concepts and relations that were accepted.
    context : which text has which term (step 2).
    topics : the words of each topic of the pages (step 6).
    pairs : words that go together (step 7).
    stated : relations that texts state, those that were accepted.
    notes : what was left out or not found, in sentences.
    complete : whether all steps were done.
    """

    ontology: Ontology
    context: FormalContext
    topics: tuple[word_topics.WordTopic, ...] = ()
    pairs: tuple[word_topics.Pair, ...] = ()
    stated: tuple[StatedRelation, ...] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True

    @cached_property
    def lattice(self) -> ConceptLattice:
        """The concept lattice of the context."""
        return concept_lattice(self.context)

    @property
    def origins(self) -> dict[str, int]:
        """Number of concepts that each step has brought, in order of the steps."""
        words = Counter(concept.origin.partition(" ")[0] for concept in self.ontology.concepts)
        return {step: words[word] for word, step in _STEPS.items() if words[word]}


_STEPS = {
    "the": "the topic",
    "keyword": "keywords",
    "in": "terms of the texts",
    "WordNet:": "WordNet",
    "topics": "pairs of words",
}
"""First word of an origin -> name of the step."""
_WORDNET_SHARE = 0.75
"""Part of the concepts still free that WordNet may fill; the rest is for pairs of words."""


class Learner:
    """Learns an ontology; the same texts and plan give the same one, in any process.

    Parameters
    ----------
    name : of the topic; see :func:`topic_concept`.
    keywords : of the topic; they go below its concept.
    papers : texts for the skeleton (steps 1 to 3); without any, the pages serve.
    pages : texts whose nouns extend it (steps 5 to 7).
    analyzer : its language and WordNet are used; its vocabulary does not change.
    plan : the numbers of the steps.
    review : decides on each proposal; may raise :class:`ReviewEnded`.
    progress : called with the step, what is done of it, and the total.
    thesaurus : its relations between terms replace those of the lattice (step 2).
    """

    def __init__(
        self,
        name: str,
        keywords: Sequence[str],
        papers: Sequence[Source],
        pages: Sequence[Source],
        analyzer: Analyzer,
        plan: LearningPlan | None = None,
        review: Review = accept_all,
        progress: Progress = no_progress,
        thesaurus: Ontology | None = None,
    ) -> None:
        self._plan = plan or LearningPlan()
        self._keywords = tuple(word for word in keywords if word.strip())
        self._papers = papers or pages
        self._pages = pages or papers
        self._analyzer = Analyzer(analyzer.language, analyzer.wordnet, self._keywords)
        self._progress = progress
        self._thesaurus = thesaurus
        self._topic = topic_concept(name, self._keywords, self._analyzer.rules)
        self._draft = Draft(name, self._topic, review, self._plan.concepts)
        nothing = FormalContext((), (), np.zeros((0, 0), np.bool_))
        self._result = LearningResult(self._draft.ontology(), nothing, complete=False)
        self._notes: list[str] = []

    def learn(self) -> LearningResult:
        """Do all steps; after an exception :meth:`so_far` returns what was accepted."""
        texts = (f"{s.title}\n{s.abstract}\n{s.body}" for s in (*self._papers, *self._pages))
        if not self._keywords and not any(len(self._analyzer.bag(text)) for text in texts):
            raise OntologyError(
                "there is nothing to learn from: no keyword, and no word in the texts; "
                "give the topic keywords, or texts with --pages or --papers."
            )
        word_topics.require_learning()
        try:
            self._build_skeleton()
            self._add_neighbours()
            self._read_pages()
            self._add_statements()
            self._result = replace(self._result, complete=True)
        except ReviewEnded:
            self._notes.append("the review was ended; what was accepted until then is kept.")
        return self.so_far()

    def so_far(self) -> LearningResult:
        """Return what has been accepted until now."""
        return replace(self._result, ontology=self._draft.ontology(), notes=tuple(self._notes))

    def _build_skeleton(self) -> None:
        """Steps 1 and 2."""
        self._progress(TERMS, 0, 1)
        candidates = candidate_terms(
            self._papers, self._analyzer,
            least=self._plan.least, most=self._plan.terms, keywords=self._keywords,
        )  # fmt: skip
        self._progress(TERMS, 1, 1)
        names = tuple(source.name for source in self._papers)
        context = FormalContext(names, candidates.terms, candidates.counts > 0)
        self._result = replace(self._result, context=context)
        if len(self._papers) == 1:
            self._notes.append("one text gives no order of its terms: all are below the topic.")
        elif not candidates.terms:
            self._notes.append("no term was found in titles, abstracts and first words.")
        known = self._known(candidates.terms)
        found = skeleton(context, self._draft, self._keywords, known)
        self._offer(SKELETON, found, len(self._keywords) + len(candidates.terms))

    def _known(self, terms: Sequence[str]) -> Ontology | None:
        """Return what the thesaurus says of the terms, where there is one."""
        if self._thesaurus is None:
            return None
        labels = (self._topic, *self._keywords, *terms)
        found = restrict_thesaurus(self._thesaurus, labels, self._analyzer.rules)
        if not found.relations:
            self._notes.append("the thesaurus relates no two terms of the texts; it adds nothing.")
        return found

    def _add_neighbours(self) -> None:
        """Step 3."""
        wordnet = self._analyzer.wordnet
        if wordnet is None:
            self._notes.append("WordNet is English, so its neighbours (step 3) are left out.")
            return
        counts: Counter[str] = Counter()
        for each in dict.fromkeys((*self._papers, *self._pages)):
            counts.update(self._analyzer.count(f"{each.title}\n{each.abstract}\n{each.body}"))
        around = NeighbourFinder(wordnet.nouns, counts, self._plan.gamma)
        room = round(_WORDNET_SHARE * max(0, self._plan.concepts - len(self._draft)))
        found = neighbour_proposals(around, self._draft.labels, self._topic, self._keywords)
        self._offer(NEIGHBOURS, found, room, grown=room)
        senses = around.senses(self._draft.labels)
        self._offer(RELATIONS, known_relations(wordnet.nouns, senses), len(senses))

    def _read_pages(self) -> None:
        """Steps 5 to 7."""
        plan = self._plan
        self._progress(NOUNS, 0, 1)
        counts = noun_counts(self._pages, self._analyzer)
        self._progress(NOUNS, 1, 1)
        self._progress(TOPICS, 0, 1)
        topics = word_topics.word_topics(counts, plan.topics, plan.words, plan.seed)
        self._progress(TOPICS, 1, 1)
        pairs: Sequence[word_topics.Pair] = ()
        if len(topics) >= word_topics.MIN_TOPICS:
            pairs = word_topics.strong_pairs(topics, plan.support, plan.confidence)
        if not pairs:
            self._notes.append(word_topics.no_pairs_reason(topics, plan.support, plan.confidence))
        self._result = replace(self._result, topics=topics, pairs=tuple(pairs))
        self._offer(PAIRS, word_topics.pair_proposals(self._draft, pairs), len(pairs))

    def _add_statements(self) -> None:
        """What the texts say themselves of the concepts; ours."""
        wordnet = self._analyzer.wordnet
        if wordnet is None:
            self._notes.append("what texts say of their concepts is only understood in English.")
            return
        self._progress(STATEMENTS, 0, 1)
        texts = dict.fromkeys((*self._papers, *self._pages))
        found = stated_relations(texts, self._draft.labels, self._analyzer.rules, wordnet)
        total = max(1, len(found))
        for done, relation in enumerate(found):
            self._progress(STATEMENTS, done, total)
            if self._draft.offer(relation.proposal):
                self._result = replace(self._result, stated=(*self._result.stated, relation))
        self._progress(STATEMENTS, total, total)

    def _offer(
        self, step: str, proposals: Iterable[Proposal], total: int, grown: int | None = None
    ) -> None:
        """Offer about ``total`` proposals, or until the draft has ``grown`` by so many concepts.

        They are drawn one by one: what was dropped may change what is proposed next.
        """
        total = max(1, total)  # a bar of nothing is never full
        limit = None if grown is None else len(self._draft) + grown
        self._progress(step, 0, total)
        for done, proposal in enumerate(proposals, 1):
            if limit is not None and len(self._draft) >= limit:
                break
            self._draft.offer(proposal)
            self._progress(step, min(done, total), total)
        self._progress(step, total, total)

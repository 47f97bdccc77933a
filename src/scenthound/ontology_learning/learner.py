"""An ontology learnt from texts, in the seven steps of olmoaco section 2.5 and one of ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scenthound.core.errors import OntologyError
from scenthound.ontology.model import Ontology
from scenthound.ontology_learning.association import Pair, strong_pairs
from scenthound.ontology_learning.context import FormalContext
from scenthound.ontology_learning.extra import require_learning
from scenthound.ontology_learning.learned import Learned
from scenthound.ontology_learning.naming import topic_concept
from scenthound.ontology_learning.neighbours import Neighbourhood
from scenthound.ontology_learning.page_nouns import noun_counts, word_counts
from scenthound.ontology_learning.pairs_step import FEWEST_TOPICS, no_pairs, pair_proposals
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.proposals import Draft, Proposal, Review, accept_all
from scenthound.ontology_learning.said_step import Said, said_relations
from scenthound.ontology_learning.skeleton import skeleton
from scenthound.ontology_learning.source import Source
from scenthound.ontology_learning.steps import (
    NEIGHBOURS,
    NOUNS,
    PAIRS,
    RELATIONS,
    SAID,
    SKELETON,
    TERMS,
    TOPICS,
    Enough,
    Progress,
    silent,
)
from scenthound.ontology_learning.terms import candidate_terms
from scenthound.ontology_learning.thesaurus import thesaurus_of
from scenthound.ontology_learning.word_topics import WordTopic, word_topics
from scenthound.ontology_learning.wordnet_step import known_relations, neighbour_proposals
from scenthound.text.analyzer import Analyzer

_OF_THE_ROOM = 0.75
"""Part of the concepts still free that WordNet may fill; the rest is for pairs of words."""


def learn_ontology(
    name: str,
    keywords: Sequence[str],
    papers: Sequence[Source],
    pages: Sequence[Source],
    analyzer: Analyzer,
    plan: LearningPlan | None = None,
    *,
    review: Review = accept_all,
    progress: Progress = silent,
    thesaurus: Ontology | None = None,
) -> Learned:
    """Learn an ontology; the same texts and plan give the same one, in any process.

    Parameters
    ----------
    name : of the topic; hyphens and underscores are blanks in the label of its concept, which is
        that of a keyword where one reads the same ("storm" of "storms").
    keywords : of the topic; they go below its concept.
    papers : texts for the skeleton (steps 1 to 3); without any, the pages serve.
    pages : texts whose nouns extend it (steps 5 to 7).
    analyzer : its language and WordNet are used; its vocabulary is not touched.
    plan : the numbers of the steps.
    review : is asked about each proposal; may raise :class:`Enough`.
    progress : is told how far it is.
    thesaurus : its relations between terms are taken before those of the lattice (step 2).

    Raises
    ------
    OntologyError
        There are no keywords, and no word in the texts.
    """
    learner = Learner(
        name, keywords, papers, pages, analyzer, plan, review, progress, thesaurus
    )  # fmt: skip
    return learner.learn()


class Learner:
    """Learns one ontology, and can be asked at any time for what there is so far.

    Parameters are those of :func:`learn_ontology`.
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
        progress: Progress = silent,
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
        self._context = FormalContext((), (), np.zeros((0, 0), np.bool_))
        self._topics: tuple[WordTopic, ...] = ()
        self._pairs: tuple[Pair, ...] = ()
        self._said: list[Said] = []
        self._notes: list[str] = []
        self._complete = False

    def learn(self) -> Learned:
        """Do all steps; the work can be broken off by an exception, and :meth:`so_far` asked."""
        self._refuse_nothing()
        require_learning()
        try:
            self._build_skeleton()
            self._ask_wordnet()
            self._read_pages()
            self._heed_texts()
            self._complete = True
        except Enough:
            self._notes.append("the review was ended; what was accepted until then is kept.")
        return self.so_far()

    def so_far(self) -> Learned:
        """What has been accepted until now."""
        return Learned(
            self._draft.ontology(), self._context, self._topics, self._pairs, tuple(self._said),
            tuple(self._notes), self._complete,
        )  # fmt: skip

    def _refuse_nothing(self) -> None:
        texts = (f"{s.title}\n{s.abstract}\n{s.body}" for s in (*self._papers, *self._pages))
        if not self._keywords and not any(len(self._analyzer.bag(text)) for text in texts):
            raise OntologyError(
                "there is nothing to learn from: no keyword, and no word in the texts; "
                "give the topic keywords, or texts with --pages or --papers."
            )

    def _build_skeleton(self) -> None:
        """Steps 1 and 2."""
        self._progress(TERMS, 0, 1)
        candidates = candidate_terms(
            self._papers, self._analyzer,
            least=self._plan.least, most=self._plan.terms, keywords=self._keywords,
        )  # fmt: skip
        self._progress(TERMS, 1, 1)
        self._context = FormalContext.of_candidates(candidates, self._papers)
        if len(self._papers) == 1:
            self._notes.append("one text gives no order of its terms: all are below the topic.")
        elif not candidates.terms:
            self._notes.append("no term was found in titles, abstracts and first words.")
        found = skeleton(
            self._context, self._topic, self._keywords, self._known(candidates.terms), self._draft
        )
        self._offer(SKELETON, found, len(self._keywords) + len(candidates.terms))

    def _known(self, terms: Sequence[str]) -> Ontology | None:
        """What the thesaurus says of the terms, where there is one."""
        if self._thesaurus is None:
            return None
        labels, rules = (self._topic, *self._keywords, *terms), self._analyzer.rules
        found = thesaurus_of(self._thesaurus, labels, rules.split, rules.base)
        if not found.relations:
            self._notes.append("the thesaurus relates no two terms of the texts; it adds nothing.")
        return found

    def _ask_wordnet(self) -> None:
        """Step 3."""
        wordnet = self._analyzer.wordnet
        if wordnet is None:
            self._notes.append("WordNet is English, so its neighbours (step 3) are left out.")
            return
        counts = word_counts((*self._papers, *self._pages), self._analyzer)
        around = Neighbourhood(wordnet.nouns, counts, self._plan.gamma)
        room = round(_OF_THE_ROOM * max(0, self._plan.concepts - len(self._draft)))
        found = neighbour_proposals(around, self._draft.labels, self._topic, self._keywords)
        self._offer(NEIGHBOURS, found, room, grown=room)
        senses = around.senses(self._draft.labels)
        self._offer(RELATIONS, known_relations(around.surroundings, senses), len(senses))

    def _read_pages(self) -> None:
        """Steps 5 to 7."""
        self._progress(NOUNS, 0, 1)
        counts = noun_counts(self._pages, self._analyzer)
        self._progress(NOUNS, 1, 1)
        self._progress(TOPICS, 0, 1)
        plan = self._plan
        self._topics = word_topics(counts, plan.topics, plan.words, plan.seed)
        self._progress(TOPICS, 1, 1)
        if len(self._topics) >= FEWEST_TOPICS:
            self._pairs = tuple(strong_pairs(self._topics, plan.support, plan.confidence))
        if not self._pairs:
            self._notes.append(no_pairs(self._topics, plan.support, plan.confidence))
        self._offer(PAIRS, pair_proposals(self._draft, self._pairs), len(self._pairs))

    def _heed_texts(self) -> None:
        """What the texts say themselves of the concepts; ours."""
        if self._analyzer.wordnet is None:
            self._notes.append("what texts say of their concepts is only understood in English.")
            return
        self._progress(SAID, 0, 1)
        texts = dict.fromkeys((*self._papers, *self._pages))
        found = said_relations(texts, self._draft.labels, self._analyzer)
        total = max(1, len(found))
        for done, said in enumerate(found):
            self._progress(SAID, done, total)
            if self._draft.offer(said.proposal):
                self._said.append(said)
        self._progress(SAID, total, total)

    def _offer(
        self, step: str, proposals: Iterable[Proposal], total: int, grown: int | None = None
    ) -> None:
        """Offer all, or until the draft has ``grown``; about ``total`` are expected.

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

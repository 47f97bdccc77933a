"""The ontology of a topic, named or learned, and the text model over it (olmoaco Eq. 4-8)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scenthound.core.errors import OntologyError, ScenthoundWarning, warn_caller
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.core.protocols import State, TermCounts
from scenthound.papers.concept_model import OVER_GROUPS, ConceptModel
from scenthound.papers.olmoaco.concept_similarity import EQUAL, concept_similarities
from scenthound.papers.olmoaco.learner import Learner, LearningPlan
from scenthound.papers.olmoaco.sources import source_of
from scenthound.papers.olmoaco.word_topics import require_learning
from scenthound.papers.ontologies.checks import require_valid
from scenthound.papers.ontologies.files import read_ontology
from scenthound.papers.ontologies.model import Concept, Kind, Ontology, Relation, ancestors
from scenthound.text.analyzer import Analyzer

MAX_CONCEPTS = 100
"""Concepts of an ontology that is learned unattended; the one of the paper has 97."""


def read_topic_ontology(profile: TopicProfile) -> Ontology | None:
    """Return the ontology that the topic names; None where it names none.

    OntologyError where it cannot be read, is empty, has a cycle, or does not say what it is about.
    """
    if profile.ontology is None:
        return None
    ontology = read_ontology(Path(profile.ontology))
    try:
        known = require_valid(with_topic_concept(ontology, profile))
    except OntologyError as error:
        raise OntologyError(f"ontology file {profile.ontology}: {error}") from None
    if ontology.topic is None:
        warn_caller(
            f"the ontology {profile.ontology} does not say which concept it is about; "
            f"{known.topic!r} is taken; mark another with: scenthound ontology convert --topic"
        )
    return known


def check_topic_ontology(topic: Topic) -> None:
    """Check the ontology of a topic before anything is fetched.

    OntologyError for one that cannot be used, SettingsError where one would have to be learned and
    a library for that is missing.
    """
    words = TopicProfile(topic.name, topic.keywords, (), topic.language, topic.ontology)
    with warnings.catch_warnings():  # they come when the ontology is used
        warnings.simplefilter("ignore", ScenthoundWarning)
        names_one = read_topic_ontology(words) is not None
    if not names_one:
        require_learning()


def learn_topic_ontology(
    profile: TopicProfile, analyzer: Analyzer, concepts: int = MAX_CONCEPTS
) -> Ontology:
    """Return an ontology learned from the example pages and keywords, unattended.

    The same topic gives the same ontology. One of fewer than two example pages is poor, which is
    a warning.
    """
    pages = [source_of(f"example {n}", page) for n, page in enumerate(profile.examples, start=1)]
    plan = LearningPlan(concepts=concepts)
    learned = Learner(profile.name, profile.keywords, [], pages, analyzer, plan).learn()
    if len(pages) < 2:
        few = "one example page" if pages else "no example page"
        warn_caller(
            f"{profile.name}: the ontology is learned from {few} and has "
            f"{len(learned.ontology)} concepts; more pages, or your own file, give a better one"
        )
    return learned.ontology


def topic_weights(ontology: Ontology, factors: tuple[float, ...] = EQUAL) -> Mapping[str, float]:
    """Return the weight of each concept (olmoaco Eq. 4): its similarity to the topic concept.

    In the order of the alphabet, so that sums over them do not depend on the file's order.
    """
    if ontology.topic is None:
        raise OntologyError(f"the ontology {ontology.name!r} does not say what it is about.")
    return dict(sorted(concept_similarities(ontology, ontology.topic, factors).items()))


def with_topic_concept(ontology: Ontology, profile: TopicProfile) -> Ontology:
    """Return the ontology with a topic concept: its own, or the first that the topic's words name.

    Without either, the root with the most concepts below it.
    """
    if ontology.topic is not None or not ontology.concepts:
        return ontology
    words = (profile.name.replace("-", " "), *profile.keywords)
    named = next((word for word in words if word in ontology), None)
    downwards = {
        label: [relation.child for relation in relations]
        for label, relations in ontology.children.items()
    }
    topic = named or max(
        ontology.roots or ontology.labels, key=lambda root: len(ancestors(root, downwards))
    )
    return replace(ontology, topic=topic)


_WARN_AFTER = 20
"""Pages without any concept after which a warning is due."""


class OntologyModel:
    """Relevance of texts by the topic's ontology (olmoaco Eq. 4-8), read or learned when needed.

    Parameters
    ----------
    profile, analyzer : of the topic.
    concepts : maximum size of a learned ontology.
    factors : see :func:`topic_weights`.
    norm : see :func:`~scenthound.papers.concept_model.page_weights`.
    """

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, concepts: int = MAX_CONCEPTS,
        factors: tuple[float, ...] = EQUAL, norm: str = OVER_GROUPS,
    ) -> None:  # fmt: skip
        self._profile, self._analyzer = profile, analyzer
        self._concepts, self._factors, self._norm = concepts, factors, norm
        self._ontology: Ontology | None = None
        self._model: ConceptModel | None = None
        self._named = 0
        self._shares = False

    @property
    def ontology(self) -> Ontology:
        """The ontology; read or learned now, if it was not before."""
        if self._ontology is None:
            self._ontology = read_topic_ontology(self._profile) or learn_topic_ontology(
                self._profile, self._analyzer, self._concepts
            )
        return self._ontology

    def prepare(self) -> None:
        """Learn the ontology, or check whether it fits the topic."""
        model, given = self.model, self._profile.ontology
        examples = self._profile.examples if given else ()
        if examples and not any(map(model.concepts_on, examples)):
            warn_caller(
                f"no concept of the ontology {given} is named on an example page; is it "
                "about this topic?"
            )

    @property
    def model(self) -> ConceptModel:
        """The text model."""
        if self._model is None:
            weights = topic_weights(self.ontology, self._factors)
            self._model = ConceptModel(weights, self._analyzer, self._norm)
            if self._shares:
                self._model.share()
        return self._model

    def share(self) -> None:
        """Keep separate from now on what is counted here, for other workers."""
        self._shares = True
        if self._model is not None:
            self._model.share()

    def local_counts(self) -> TermCounts:
        """Return the counts since the last call."""
        return TermCounts() if self._model is None else self._model.local_counts()

    def add_counts(self, tally: TermCounts) -> None:
        """Add counts of other workers."""
        self.model.add_counts(tally)

    def total_counts(self) -> TermCounts:
        """Return all counts but those kept separate here."""
        return self.model.total_counts()

    def replace_counts(self, tally: TermCounts) -> None:
        """Replace all counts but those kept separate here."""
        self.model.replace_counts(tally)

    def learn(self, document: Document) -> None:
        """Learn from a page that was fetched."""
        self.model.learn(document)
        self._named += bool(self.model.concepts_on(document))
        if not self._named and self.model.pages == _WARN_AFTER:
            warn_caller(
                f"none of the first {_WARN_AFTER} pages names a concept of the ontology "
                f"{self.ontology.name!r}, so nothing steers the crawl; look at it with: "
                "scenthound ontology show"
            )

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return the relevance of each text of the page, in [0, 1]."""
        return self.model.similarities(texts, page)

    def state(self) -> State:
        """Return the ontology and the counts of its concepts; empty before it is learned."""
        if self._model is None:
            return {}
        ontology = self.ontology
        return {
            "name": ontology.name,
            "topic": ontology.topic,
            "labels": list(ontology.labels),
            "origins": [concept.origin for concept in ontology.concepts],
            "relations": [[r.child, r.parent, r.kind.value] for r in ontology.relations],
            "named": self._named,
            "model": self._model.state(),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned, with that ontology, whatever its file says now."""
        if not state:
            return
        concepts = map(Concept, state["labels"], state["origins"])
        relations = (
            Relation(child, parent, Kind(kind)) for child, parent, kind in state["relations"]
        )
        self._ontology = Ontology(state["name"], tuple(concepts), tuple(relations), state["topic"])
        self._named = state["named"]
        self._model = None
        self.model.restore(state["model"])

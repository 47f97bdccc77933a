"""The ontology of a topic: the one that the topic names, or one learnt from its example pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from scenthound.core.errors import OntologyError
from scenthound.core.model import Briefing, Topic
from scenthound.ontology.checking import checked
from scenthound.ontology.files import read_ontology
from scenthound.ontology.model import Ontology
from scenthound.ontology.similarity import EQUAL, concept_similarities
from scenthound.ontology_learning.extra import require_learning
from scenthound.ontology_learning.learner import learn_ontology
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.sources import source_of
from scenthound.text.analyzer import Analyzer

Warn = Callable[[str], None]
CONCEPTS = 100
"""Concepts of an ontology that is learnt unattended; the one of the paper has 97."""


def given_ontology(briefing: Briefing, warn: Warn) -> Ontology | None:
    """The ontology that the topic names; None where it names none.

    Raises
    ------
    OntologyError
        It cannot be read, is empty, has a circle, or does not say what it is about.
    """
    if briefing.ontology is None:
        return None
    ontology = read_ontology(Path(briefing.ontology), warn)
    try:
        known = checked(with_topic(ontology, briefing))
    except OntologyError as error:
        raise OntologyError(f"ontology file {briefing.ontology}: {error}") from None
    if ontology.topic is None:
        warn(
            f"the ontology {briefing.ontology} does not say which concept it is about; "
            f"{known.topic!r} is taken; mark another with: scenthound ontology convert --topic"
        )
    return known


def refuse_ontology(topic: Topic) -> None:
    """What is wrong with the ontology of a topic is told before anything is fetched.

    OntologyError for one that cannot be used, SettingsError where one would have to be learnt and a
    library for that is missing.
    """
    words = Briefing(topic.name, topic.keywords, (), topic.language, topic.ontology)
    if given_ontology(words, lambda _: None) is None:
        require_learning()


def learnt_ontology(
    briefing: Briefing, analyzer: Analyzer, warn: Warn, concepts: int = CONCEPTS
) -> Ontology:
    """An ontology from the example pages and keywords, with nobody asked.

    The same topic gives the same ontology. A topic with one example page, or none, gives a poor
    one, and ``warn`` is told.
    """
    pages = [source_of(f"example {n}", page) for n, page in enumerate(briefing.examples, start=1)]
    plan = LearningPlan(concepts=concepts)
    learnt = learn_ontology(briefing.name, briefing.keywords, [], pages, analyzer, plan)
    if len(pages) < 2:
        few = "one example page" if pages else "no example page"
        warn(
            f"{briefing.name}: the ontology is learnt from {few} and has "
            f"{len(learnt.ontology)} concepts; more pages, or a file of your own, make a better one"
        )
    return learnt.ontology


def topic_ontology(briefing: Briefing, analyzer: Analyzer, warn: Warn) -> Ontology:
    """The ontology that the topic names, or else one learnt from its example pages."""
    given = given_ontology(briefing, warn)
    return learnt_ontology(briefing, analyzer, warn) if given is None else given


def topic_weights(ontology: Ontology, factors: tuple[float, ...] = EQUAL) -> Mapping[str, float]:
    """The weight of each concept in the topic (olmoaco Eq. 4): its similarity to the topic's.

    In the order of the alphabet, so that sums over them do not depend on the file's order.
    """
    if ontology.topic is None:
        raise OntologyError(f"the ontology {ontology.name!r} does not say what it is about.")
    return dict(sorted(concept_similarities(ontology, ontology.topic, factors).items()))


def with_topic(ontology: Ontology, briefing: Briefing) -> Ontology:
    """The ontology with a topic concept: its own, or else the first that the topic's words name.

    Without either, the root with the most concepts below it.
    """
    if ontology.topic is not None or not ontology.concepts:
        return ontology
    words = (briefing.name.replace("-", " "), *briefing.keywords)
    named = next((word for word in words if word in ontology), None)
    topic = named or max(
        ontology.roots or ontology.labels, key=lambda root: len(_below(ontology, root))
    )
    return Ontology(ontology.name, ontology.concepts, ontology.relations, topic)


def _below(ontology: Ontology, label: str) -> set[str]:
    """All concepts below one, at any depth."""
    found: set[str] = set()
    waiting = [label]
    while waiting:
        new = {relation.child for relation in ontology.children[waiting.pop()]} - found
        found |= new
        waiting.extend(new)
    return found

"""Text models by concepts: those of an ontology, or the subject words alone (olmoaco).

Parameters that both have:

* ``norm``: what the largest frequency in olmoaco Eq. 5 is taken over, "word": the groups of tags in
  which the word stands, as it is printed; or "group": the words of that group.

Parameters of ``ontology``:

* ``concepts``: how many an ontology may have that is learned from the example pages; one that the
  topic names is taken as it is;
* ``factors``: weights of distance, density, depth, coincidence and relation in the similarity of
  two concepts (olmoaco Eq. 3), five numbers that add up to 1.
"""

from __future__ import annotations

from functools import partial

from scenthound.core.errors import OntologyError, SettingsError, UnknownNameError
from scenthound.core.model import TopicProfile
from scenthound.papers.concept_model import NORMS, OVER_GROUPS, ConceptModel
from scenthound.papers.link_priority import TextModel
from scenthound.papers.olmoaco.concept_similarity import check_weights
from scenthound.papers.olmoaco.ontology import Ontology
from scenthound.papers.olmoaco.ontology_files import Warn
from scenthound.papers.olmoaco.topic_ontology import (
    MAX_CONCEPTS,
    OntologyModel,
    learn_topic_ontology,
    read_topic_ontology,
    topic_weights,
)
from scenthound.papers.olmoaco.word_topics import require_learning
from scenthound.similarity.topic_vectors import merged_vector
from scenthound.strategies.spec import StrategyContext
from scenthound.text.weights import DocumentFrequencies

ONTOLOGY = "ontology"
"""The extra that brings rdflib, scikit-learn, concepts and efficient-apriori."""
EQUAL_FACTORS = "0.2 0.2 0.2 0.2 0.2"
SUBJECT_WORDS = 20
"""Words that stand for the subject of a topic without keywords."""


def ontology(
    context: StrategyContext, *, norm: str = OVER_GROUPS, concepts: int = MAX_CONCEPTS,
    factors: str = EQUAL_FACTORS,
) -> TextModel:  # fmt: skip
    """Relevance by the topic's ontology; one is learned from the example pages if it names none."""
    _known_norm(norm)
    shares = five_factors(factors)
    if concepts < 2:
        raise SettingsError(f"an ontology of {concepts} concepts is none; give 2 or more.")
    profile, analyzer = context.profile, context.analyzer
    warn = context.equipment.warn

    def model(known: Ontology) -> ConceptModel:
        return ConceptModel(topic_weights(known, shares), analyzer, norm)

    try:
        given = read_topic_ontology(profile, warn)
    except OntologyError as error:  # raised by prepare(): a resumed crawl has its own ontology
        return OntologyModel(partial(_raise, error), model, warn)
    if given is None:
        require_learning()
        return OntologyModel(
            partial(learn_topic_ontology, profile, analyzer, warn, concepts), model, warn
        )
    return OntologyModel(given, model, warn, partial(_check_examples, given, profile, warn))


def _check_examples(
    given: Ontology, profile: TopicProfile, warn: Warn, model: ConceptModel
) -> None:
    """Warn where an ontology seems to be about another topic."""
    count = len(profile.examples)
    if count and not any(map(model.concepts_on, profile.examples)):
        of = f"the {count} example pages" if count > 1 else "the example page"
        warn(
            f"no concept of the ontology {given.name!r} ({profile.ontology}) is named on {of}; "
            "is it about this topic?"
        )


def _raise(error: OntologyError) -> Ontology:
    raise error


def subject_words(context: StrategyContext, *, norm: str = OVER_GROUPS) -> TextModel:
    """Relevance by the subject words, all alike: the keywords of the topic.

    olmoaco compares its crawler with one without an ontology and does not say what that reads;
    equal weights in place of Eq. 4 are ours. Without keywords the heaviest terms of the example
    pages are the subject words.
    """
    _known_norm(norm)
    words = [word for word in context.profile.keywords if word.strip()]
    return ConceptModel(dict.fromkeys(words or _heaviest(context), 1.0), context.analyzer, norm)


def five_factors(text: str) -> tuple[float, ...]:
    """The five numbers of a text such as "0.2 0.2 0.2 0.2 0.2"; SettingsError for any other."""
    try:
        numbers = tuple(map(float, text.replace(",", " ").split()))
    except ValueError:
        numbers = ()
    if len(numbers) != 5:
        raise SettingsError(
            f"factors are five numbers such as {EQUAL_FACTORS!r} (distance, density, depth, "
            f"coincidence, relation), not {text!r}."
        )
    check_weights(numbers)
    return numbers


def _heaviest(context: StrategyContext) -> list[str]:
    analyzer = context.analyzer
    frequencies = DocumentFrequencies(analyzer.vocabulary)
    bags = [analyzer.page_bag(page) for page in context.profile.examples]
    ids, _ = merged_vector(bags, frequencies, SUBJECT_WORDS, analyzer.vocabulary)
    return analyzer.vocabulary.terms(ids.tolist())


def _known_norm(norm: str) -> None:
    if norm not in NORMS:
        raise UnknownNameError("norm", norm, NORMS)

"""The judge that a crawl asks for by name: similarity to the example pages, or an ontology.

A judge by an ontology needs the weights of its concepts. They are found once, before the first
fetch, since the ontology may have to be learnt; then they stay with the crawl, in its folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing, Topic
from scenthound.experiments.topic_reading import Warn
from scenthound.ontology_learning.extra import require_learning
from scenthound.relevance.concept_model import ConceptModel
from scenthound.relevance.judge import SimilarityJudge
from scenthound.relevance.judge_names import ONTOLOGY, check_judge
from scenthound.relevance.ontology_judge import OntologyJudge
from scenthound.store.concepts_file import NAME, read_concepts, write_concepts
from scenthound.strategies.ontologies import (
    given_ontology,
    learnt_ontology,
    refuse_ontology,
    topic_weights,
)
from scenthound.text.analyzer import Analyzer

PageJudge = SimilarityJudge | OntologyJudge
Concepts = Mapping[str, float]
"""The weight of each concept in the topic, by label (olmoaco Eq. 4)."""


def judge_of(
    name: str, briefing: Briefing, analyzer: Analyzer, threshold: float | None, warn: Warn
) -> PageJudge:
    """The judge of that name, for a topic.

    Parameters
    ----------
    name : one of ``relevance.judge_names.JUDGES``; UnknownNameError for any other.
    briefing : the topic's words, its example texts and its ontology.
    analyzer : reads texts.
    threshold : from where on a page is relevant; None to calibrate it from the examples.
    warn : is told that an ontology is learnt, and what is amiss with one that is given.

    Raises
    ------
    OntologyError
        The topic's ontology cannot be used, or none can be learnt.
    """
    return judge_by(judge_concepts(name, briefing, analyzer, warn), briefing, analyzer, threshold)


def judge_by(
    concepts: Concepts | None, briefing: Briefing, analyzer: Analyzer, threshold: float | None
) -> PageJudge:
    """A judge by these concepts; by similarity to the example pages where there are none."""
    if concepts is None:
        return SimilarityJudge(briefing, analyzer, threshold)
    return OntologyJudge(concepts, briefing, analyzer, threshold)


def judge_concepts(
    name: str, briefing: Briefing, analyzer: Analyzer, warn: Warn
) -> Concepts | None:
    """What the judge of that name has to know beforehand; None for one that needs no ontology.

    The ontology is the one that the topic names, or else learnt from the example pages.
    """
    check_judge(name)
    if name != ONTOLOGY:
        return None
    ontology = given_ontology(briefing, warn)
    if ontology is not None:
        concepts = topic_weights(ontology)
        _tell_unnamed(concepts, briefing, analyzer, warn)
        return concepts
    require_learning()
    warn(
        f"topic {briefing.name!r} names no ontology, so the judge learns one from its keywords and "
        f"example pages ({len(briefing.examples)}); name one in the topic to judge by that"
    )
    return topic_weights(learnt_ontology(briefing, analyzer, warn))


def folder_concepts(
    folder: Path, name: str, briefing: Briefing, analyzer: Analyzer, warn: Warn
) -> Concepts | None:
    """As :func:`judge_concepts`: those that a crawl's folder keeps, or else found and kept now."""
    check_judge(name)
    if name != ONTOLOGY:
        return None
    kept = read_concepts(folder)
    if kept is not None:
        return kept
    found = judge_concepts(name, briefing, analyzer, warn)
    assert found is not None
    write_concepts(folder, found)
    return found


def kept_concepts(folder: Path, name: str) -> Concepts | None:
    """Those that a crawl was judged by, to judge its pages again; FolderError where they are gone.

    None for a judge that needs no ontology.
    """
    check_judge(name)
    if name != ONTOLOGY:
        return None
    kept = read_concepts(folder)
    if kept is None:
        raise FolderError(f"{folder / NAME} is gone, so what the crawl was judged by is unknown.")
    return kept


def refuse_judge(name: str, topic: Topic) -> None:
    """What is wrong with a judge is told before anything is fetched.

    UnknownNameError for a name that there is not, OntologyError for an ontology that cannot be
    used, SettingsError where one would have to be learnt and a library for that is missing.
    """
    check_judge(name)
    if name == ONTOLOGY:
        refuse_ontology(topic)


def _tell_unnamed(concepts: Concepts, briefing: Briefing, analyzer: Analyzer, warn: Warn) -> None:
    """An ontology of another subject would call no page relevant, without a word."""
    model = ConceptModel(concepts, analyzer)
    if briefing.examples and not any(map(model.named_on, briefing.examples)):
        warn(
            f"topic {briefing.name!r}: none of its {len(briefing.examples)} example pages names a "
            f"concept of the ontology {briefing.ontology}; is it about this topic?"
        )

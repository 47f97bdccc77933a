"""The relevance judge of a crawl, by name (similarity or ontology), and the ontology that its
folder keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scenthound.core.command_options import ONTOLOGY
from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.model import TopicProfile
from scenthound.core.protocols import Scorer
from scenthound.papers.concept_model import ConceptModel, OntologyJudge
from scenthound.papers.olmoaco.objectives import HasOntology
from scenthound.papers.olmoaco.topic_ontology import (
    learn_topic_ontology,
    read_topic_ontology,
    topic_weights,
)
from scenthound.papers.olmoaco.word_topics import require_learning
from scenthound.papers.ontologies.files import ontology_text
from scenthound.similarity.judge import SimilarityJudge
from scenthound.storage.files import os_errors_as, write_bytes
from scenthound.storage.state import CONCEPTS_NAME, read_concepts, write_concepts
from scenthound.text.analyzer import Analyzer

PageJudge = SimilarityJudge | OntologyJudge

Concepts = Mapping[str, float]
"""The weight of each concept in the topic, by label (olmoaco Eq. 4)."""


def judge_with_concepts(
    concepts: Concepts | None, profile: TopicProfile, analyzer: Analyzer, threshold: float | None
) -> PageJudge:
    """Return a judge by these concepts, or without any by similarity to the example pages.

    ``threshold`` is the least similarity of a relevant page; None to calibrate it.
    """
    if concepts is None:
        return SimilarityJudge(profile, analyzer, threshold)
    return OntologyJudge(concepts, profile, analyzer, threshold)


def build_judge(
    name: str, profile: TopicProfile, analyzer: Analyzer, threshold: float | None
) -> PageJudge:
    """Return the judge of that name for a topic; see the two functions below."""
    concepts = judge_concepts(name, profile, analyzer)
    return judge_with_concepts(concepts, profile, analyzer, threshold)


def judge_concepts(name: str, profile: TopicProfile, analyzer: Analyzer) -> Concepts | None:
    """Return the concepts that the judge of that name needs; None for one without an ontology.

    The ontology is the one that the topic names, or else learned from the example pages.
    OntologyError where it cannot be used, or none can be learned.
    """
    if name != ONTOLOGY:
        return None
    ontology = read_topic_ontology(profile)
    if ontology is not None:
        concepts = topic_weights(ontology)
        model = ConceptModel(concepts, analyzer)
        # An ontology of another subject would call no page relevant, without a word.
        if profile.examples and not any(map(model.concepts_on, profile.examples)):
            warn_caller(
                f"topic {profile.name!r}: none of its {len(profile.examples)} example pages names "
                f"a concept of the ontology {profile.ontology}; is it about this topic?"
            )
        return concepts
    require_learning()
    warn_caller(
        f"topic {profile.name!r} names no ontology, so the judge learns one from its keywords and "
        f"example pages ({len(profile.examples)}); name one in the topic to judge by that"
    )
    return topic_weights(learn_topic_ontology(profile, analyzer))


def load_or_learn_concepts(
    folder: Path, name: str, profile: TopicProfile, analyzer: Analyzer
) -> Concepts | None:
    """Return :func:`judge_concepts`: those in a crawl's folder, or else made and written there."""
    found: Concepts | None = read_concepts(folder) if name == ONTOLOGY else None
    if found is None and (found := judge_concepts(name, profile, analyzer)) is not None:
        write_concepts(folder, found)
    return found


def stored_concepts(folder: Path, name: str) -> Concepts | None:
    """Return the concepts that a crawl was judged by; FolderError where they are gone.

    None for a judge that needs no ontology.
    """
    if name != ONTOLOGY:
        return None
    found: Concepts | None = read_concepts(folder)
    if found is None:
        raise FolderError(
            f"{folder / CONCEPTS_NAME} is gone, so what the crawl was judged by is unknown."
        )
    return found


ONTOLOGY_NAME = "ontology.txt"


def save_ontology(scorer: Scorer, profile: TopicProfile, folder: Path | None) -> None:
    """Write the ontology of a scorer, if it has one, to the folder of its crawl.

    A learned one is a warning too, since the user has not seen it. Call this when the crawl has
    begun: the ontology is learned before the first fetch.
    """
    ontology = scorer.ontology if isinstance(scorer, HasOntology) else None
    if ontology is None:
        return
    path = None if folder is None else folder / ONTOLOGY_NAME
    if path is not None:
        with os_errors_as(FolderError, f"{path} cannot be written"):
            write_bytes(path, ontology_text(ontology).encode())
    if profile.ontology is None:
        pages = len(profile.examples)
        source = f"{pages} example page{'' if pages == 1 else 's'}" if pages else "keywords"
        where = "" if path is None else f", kept in {path}"
        warn_caller(
            f"{profile.name}: learned an ontology of {len(ontology)} concepts from {source}{where}"
        )

"""The relevance judge of a crawl, by name (similarity or ontology), and the ontology that its
folder keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.options import ONTOLOGY, check_judge
from scenthound.core.protocols import Scorer
from scenthound.crawler.topic_reading import Warn
from scenthound.papers.concept_model import ConceptModel, OntologyJudge
from scenthound.papers.olmoaco.objectives import HasOntology
from scenthound.papers.olmoaco.ontology import Ontology
from scenthound.papers.olmoaco.ontology_files import ontology_text
from scenthound.papers.olmoaco.topic_ontology import (
    check_topic_ontology,
    learn_topic_ontology,
    read_topic_ontology,
    topic_weights,
)
from scenthound.papers.olmoaco.word_topics import require_learning
from scenthound.similarity.judge import SimilarityJudge
from scenthound.storage.files import (
    CONCEPTS_NAME,
    os_errors_as,
    read_concepts,
    write_bytes,
    write_concepts,
)
from scenthound.text.analyzer import Analyzer

PageJudge = SimilarityJudge | OntologyJudge

Concepts = Mapping[str, float]
"""The weight of each concept in the topic, by label (olmoaco Eq. 4)."""


def build_judge(
    name: str, profile: TopicProfile, analyzer: Analyzer, threshold: float | None, warn: Warn
) -> PageJudge:
    """The judge of that name, for a topic.

    Parameters
    ----------
    name : one of ``similarity.judge.JUDGES``; UnknownNameError for any other.
    profile : the topic's words, its example texts and its ontology.
    analyzer : reads texts.
    threshold : from where on a page is relevant; None to calibrate it from the examples.
    warn : gets that an ontology is learned, and what is wrong with one that is given.

    Raises
    ------
    OntologyError
        The topic's ontology cannot be used, or none can be learned.
    """
    return judge_with_concepts(
        judge_concepts(name, profile, analyzer, warn), profile, analyzer, threshold
    )


def judge_with_concepts(
    concepts: Concepts | None, profile: TopicProfile, analyzer: Analyzer, threshold: float | None
) -> PageJudge:
    """A judge by these concepts; by similarity to the example pages where there are none."""
    if concepts is None:
        return SimilarityJudge(profile, analyzer, threshold)
    return OntologyJudge(concepts, profile, analyzer, threshold)


def judge_concepts(
    name: str, profile: TopicProfile, analyzer: Analyzer, warn: Warn
) -> Concepts | None:
    """What the judge of that name has to know beforehand; None for one that needs no ontology.

    The ontology is the one that the topic names, or else learned from the example pages.
    """
    check_judge(name)
    if name != ONTOLOGY:
        return None
    ontology = read_topic_ontology(profile, warn)
    if ontology is not None:
        concepts = topic_weights(ontology)
        _warn_unnamed(concepts, profile, analyzer, warn)
        return concepts
    require_learning()
    warn(
        f"topic {profile.name!r} names no ontology, so the judge learns one from its keywords and "
        f"example pages ({len(profile.examples)}); name one in the topic to judge by that"
    )
    return topic_weights(learn_topic_ontology(profile, analyzer, warn))


def load_or_learn_concepts(
    folder: Path, name: str, profile: TopicProfile, analyzer: Analyzer, warn: Warn
) -> Concepts | None:
    """As :func:`judge_concepts`: those in a crawl's folder, or else found and written there."""
    check_judge(name)
    found: Concepts | None = read_concepts(folder) if name == ONTOLOGY else None
    if found is None:
        found = judge_concepts(name, profile, analyzer, warn)
        if found is not None:
            write_concepts(folder, found)
    return found


def stored_concepts(folder: Path, name: str) -> Concepts | None:
    """Those that a crawl was judged by, to judge its pages again; FolderError where they are gone.

    None for a judge that needs no ontology.
    """
    check_judge(name)
    found: Concepts | None = read_concepts(folder) if name == ONTOLOGY else None
    if found is None and name == ONTOLOGY:
        raise FolderError(
            f"{folder / CONCEPTS_NAME} is gone, so what the crawl was judged by is unknown."
        )
    return found


def refuse_judge(name: str, topic: Topic) -> None:
    """Check a judge before anything is fetched.

    UnknownNameError for a name that there is not, OntologyError for an ontology that cannot be
    used, SettingsError where one would have to be learned and a library for that is missing.
    """
    check_judge(name)
    if name == ONTOLOGY:
        check_topic_ontology(topic)


def _warn_unnamed(
    concepts: Concepts, profile: TopicProfile, analyzer: Analyzer, warn: Warn
) -> None:
    """An ontology of another subject would call no page relevant, without a word."""
    model = ConceptModel(concepts, analyzer)
    if profile.examples and not any(map(model.concepts_on, profile.examples)):
        warn(
            f"topic {profile.name!r}: none of its {len(profile.examples)} example pages names a "
            f"concept of the ontology {profile.ontology}; is it about this topic?"
        )


# The ontology that steers a crawl: a file in its folder, and a warning where it was learned.


ONTOLOGY_NAME = "ontology.txt"


def save_ontology(scorer: Scorer, profile: TopicProfile, folder: Path | None, warn: Warn) -> None:
    """Keep the ontology that a scorer goes by; nothing is done for a scorer without one.

    Parameters
    ----------
    scorer : of a crawl that has begun: what it learns before the first fetch is learned.
    profile : the topic; where it names an ontology, none was learned.
    folder : of the crawl; None where nothing is written.
    warn : gets a summary of a learned ontology, since nobody has seen it.
    """
    ontology = scorer.ontology if isinstance(scorer, HasOntology) else None
    if ontology is None:
        return
    path = None if folder is None else folder / ONTOLOGY_NAME
    if path is not None:
        with os_errors_as(FolderError, f"{path} cannot be written"):
            write_bytes(path, ontology_text(ontology).encode())
    if profile.ontology is None:
        warn(learned_ontology_summary(ontology, profile, path))


def learned_ontology_summary(ontology: Ontology, profile: TopicProfile, path: Path | None) -> str:
    """``storms: learned an ontology of 91 concepts from 8 example pages, kept in ...``."""
    pages = len(profile.examples)
    source = "1 example page" if pages == 1 else f"{pages} example pages" if pages else "keywords"
    where = "" if path is None else f", kept in {path}"
    return f"{profile.name}: learned an ontology of {len(ontology)} concepts from {source}{where}"

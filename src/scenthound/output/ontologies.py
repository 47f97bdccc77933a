"""Ontologies from Python: read, written, or learned from texts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from scenthound.core.errors import OntologyError, SettingsError, warn_caller
from scenthound.core.model import Topic
from scenthound.crawler.argument_checks import check_path, check_topic, load_lexicon
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.papers.olmoaco.learner import (
    Learner,
    LearningPlan,
    LearningResult,
    Progress,
    no_progress,
)
from scenthound.papers.olmoaco.skeleton import Review, accept_all
from scenthound.papers.olmoaco.sources import Source, other_language, read_sources, source_of
from scenthound.papers.ontologies.files import ontology_bytes
from scenthound.papers.ontologies.files import read_ontology as read_ontology_file
from scenthound.papers.ontologies.model import Ontology
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.files import os_errors_as, write_bytes
from scenthound.storage.folder import check_required_path
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet


def read_ontology(path: str | Path) -> Ontology:
    """The ontology in a file: OWL, SKOS or indented text (``.txt``).

    What of the file is left out is a :class:`ScenthoundWarning`. OntologyError where it cannot be
    read or holds no concept, SettingsError where the extra ``scenthound[ontology]`` is missing.
    """
    check_required_path("path", path)
    return read_ontology_file(path)


def write_ontology(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology, whole or not at all; a file that is there is replaced.

    Parameters
    ----------
    ontology : what to write.
    path : its ending says how: see :data:`scenthound.papers.ontologies.files.SUFFIXES`.

    OntologyError says why it cannot be done.
    """
    check_required_path("path", path)
    path = Path(path)
    try:
        content = ontology_bytes(ontology, path.suffix)
    except OntologyError as error:
        raise OntologyError(f"cannot write {path}; {error}") from None
    with os_errors_as(OntologyError, f"ontology file {path}", "; give a path to write to"):
        write_bytes(path, content)


# Ontologies learned from Python: from a topic's examples, from pages, from papers.


def learn_ontology(topic: Topic, **options: Any) -> LearningResult:
    """Learn the concepts of a topic and how they are related (olmoaco section 2.5).

    Parameters
    ----------
    topic : its name and keywords are concepts, and its example pages are what to learn from
        where no other texts are given.
    archive : where example pages are, if they are given as addresses.
    pages : folder or file of pages to learn from instead of the examples.
    papers : files or folders of papers (BibTeX, text, HTML, PDF) for the skeleton of the ontology;
        without any, the pages serve for that too.
    thesaurus : an ontology, or a file of one (OWL, SKOS, indented text), that knows how some of
        the terms are related.
    plan : the numbers of the steps, ``LearningPlan(concepts=50)``.
    review : is asked about each proposal and says whether it is accepted; by default all are.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    on_progress : called with the step, how much of it is done, and of how much.

    What is left out is a :class:`ScenthoundWarning`.

    Raises
    ------
    OntologyError
        There is nothing to learn from, or the thesaurus cannot be read.
    SettingsError
        An argument cannot be used, or a library of ``scenthound[ontology]`` is missing.
    TopicError, ArchiveError
        The examples cannot be read.
    """
    return ontology_learner(topic, **options).learn()


def ontology_learner(
    topic: Topic,
    *,
    archive: str | Path | Archive | None = None,
    pages: str | Path | None = None,
    papers: Sequence[str | Path] = (),
    thesaurus: str | Path | Ontology | None = None,
    plan: LearningPlan | None = None,
    review: Review = accept_all,
    wordnet: str | Path | None = None,
    on_progress: Progress = no_progress,
) -> Learner:
    """Read the texts of :func:`learn_ontology`, for a learner that has not begun.

    Its ``learn`` does the work; where that is broken off, ``so_far`` gives what there is.
    """
    check_topic(topic)
    check_path("pages", pages)
    if isinstance(papers, str | Path) or not isinstance(papers, Sequence):
        raise SettingsError('papers takes a list of files, such as ["papers.bib"].')
    for paper in papers:
        check_required_path("papers", paper)
    if not isinstance(archive, Archive):
        check_path("archive", archive)
    if archive is not None and pages is not None:
        raise SettingsError("archive and pages are two sources of pages; give one of them.")
    if plan is not None and not isinstance(plan, LearningPlan):
        raise SettingsError("plan takes LearningPlan(...), such as LearningPlan(concepts=50).")
    if thesaurus is not None and not isinstance(thesaurus, Ontology):
        thesaurus = read_ontology(thesaurus)
    lexicon = load_lexicon(wordnet)
    found = _pages(topic, archive, pages, bool(papers), lexicon)
    texts = read_sources([Path(paper) for paper in papers]) if papers else []
    note = other_language([*found, *texts], topic.language)
    if note is not None:
        warn_caller(f"{topic}: {note}")
    analyzer = Analyzer(topic.language, lexicon, topic.keywords)
    return Learner(
        topic.name, topic.keywords, texts, found, analyzer, plan, review, on_progress, thesaurus
    )


def _pages(
    topic: Topic,
    archive: str | Path | Archive | None,
    pages: str | Path | None,
    have_papers: bool,
    wordnet: WordNet | None,
) -> list[Source]:
    """The pages that were given, or else the topic's examples; papers alone will do as well."""
    if pages is not None:
        return read_sources([Path(pages)])
    if archive is None and have_papers:
        return []
    with ExitStack() as stack:
        if isinstance(archive, str | Path):  # one that is open already stays open
            archive = stack.enter_context(open_archive(Path(archive)))
        examples = read_topic_profile(topic, archive, wordnet=wordnet).examples
    if not examples and not have_papers:
        raise OntologyError(
            f"{topic}: there is no example page to learn from; add examples to the topic, "
            "or give the archive that holds them, pages or papers."
        )
    return [source_of(f"example {number}", page) for number, page in enumerate(examples, 1)]

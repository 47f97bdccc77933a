"""Ontologies from Python: read, check, merge, draw and write them, and learn them from texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import OntologyError, SettingsError, warn_caller
from scenthound.core.model import Topic
from scenthound.crawler.arguments import (
    check_number,
    check_path,
    check_required_path,
    check_topic,
    load_lexicon,
)
from scenthound.crawler.topic_reading import Warn, read_topic_profile
from scenthound.output import ontology_files as ontology_file
from scenthound.papers.olmoaco import ontology_checks, ontology_files
from scenthound.papers.olmoaco.learner import (
    Learner,
    LearningPlan,
    LearningResult,
    Progress,
    no_progress,
)
from scenthound.papers.olmoaco.ontology import Ontology
from scenthound.papers.olmoaco.ontology_checks import MergeResult, Problem
from scenthound.papers.olmoaco.ontology_files import read_ontology as read_ontology_file
from scenthound.papers.olmoaco.skeleton import Review, accept_all
from scenthound.papers.olmoaco.sources import Source, other_language, read_sources, source_of
from scenthound.storage.archive import Archive, open_archive
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet


def read_ontology(path: str | Path, *, warn: Warn | None = None) -> Ontology:
    """The ontology in a file: OWL, SKOS or indented text.

    Parameters
    ----------
    path : what is in the file counts; a name that ends in ``.txt`` is indented text.
    warn : hears what of the file was left out; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    OntologyError
        It cannot be read, or holds no concept.
    SettingsError
        rdflib, which comes with ``scenthound[ontology]``, is missing.
    """
    check_required_path("path", path)
    return ontology_files.read_ontology(path, warn or warn_caller)


def write_ontology(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology, whole or not at all; a file that is there is replaced.

    Parameters
    ----------
    ontology : also one without concepts; :func:`read_ontology` refuses those.
    path : its ending says what is written: ``.owl`` OWL, ``.ttl`` and ``.rdf`` SKOS, ``.txt``
        indented text.

    Raises
    ------
    OntologyError
        It cannot be written there.
    """
    check_required_path("path", path)
    ontology_file.write_ontology(ontology, path)


def check_ontology(ontology: Ontology) -> list[Problem]:
    """What is wrong with an ontology, the serious first; nothing where all is well."""
    return ontology_checks.find_problems(ontology)


def merge_ontologies(*ontologies: Ontology) -> MergeResult:
    """One ontology from several, and the relations that did not fit; one is merged with none.

    Raises
    ------
    OntologyError
        None was given.
    """
    return ontology_checks.merge_ontologies(*ontologies)


def draw_ontology(
    ontology: Ontology, path: str | Path, *, most: int = ontology_file.MOST_CONCEPTS
) -> None:
    """Draw an ontology to a ``.png``, ``.svg`` or ``.pdf`` file.

    Parameters
    ----------
    ontology : what to draw.
    path : where to; its ending says which kind of picture.
    most : concepts to draw, those nearest to the topic concept.

    Raises
    ------
    InputError
        It cannot be drawn there.
    """
    check_required_path("path", path)
    check_number("most", most, whole=True)
    ontology_file.draw_ontology(ontology, path, most=most)


# Ontologies learned from Python: from a topic's examples, from pages, from papers.


def learn_ontology(
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
    warn: Warn | None = None,
) -> LearningResult:
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
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    OntologyError
        There is nothing to learn from, or the thesaurus cannot be read.
    SettingsError
        An argument cannot be used, or a library of ``scenthound[ontology]`` is missing.
    TopicError, ArchiveError
        The examples cannot be read.
    """
    learner = ontology_learner(
        topic, archive=archive, pages=pages, papers=papers, thesaurus=thesaurus, plan=plan,
        review=review, wordnet=wordnet, on_progress=on_progress, warn=warn,
    )  # fmt: skip
    return learner.learn()


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
    warn: Warn | None = None,
) -> Learner:
    """The texts of :func:`learn_ontology`, read, and who will learn from them.

    Its ``learn`` does the work; where that is broken off, ``so_far`` gives what there is.
    """
    check_topic(topic)
    check_path("pages", pages)
    _check_papers(papers)
    if not isinstance(archive, Archive):
        check_path("archive", archive)
    if archive is not None and pages is not None:
        raise SettingsError("archive and pages are two sources of pages; give one of them.")
    if plan is not None and not isinstance(plan, LearningPlan):
        raise SettingsError("plan takes LearningPlan(...), such as LearningPlan(concepts=50).")
    tell = warn or warn_caller
    known = _thesaurus(thesaurus, tell)
    lexicon = load_lexicon(wordnet, tell)
    found = _pages(topic, archive, pages, bool(papers), lexicon, tell)
    texts = read_sources([Path(paper) for paper in papers], tell) if papers else []
    note = other_language([*found, *texts], topic.language)
    if note is not None:
        tell(f"{topic}: {note}")
    analyzer = Analyzer(topic.language, lexicon, topic.keywords)
    return Learner(
        topic.name, topic.keywords, texts, found, analyzer, plan, review, on_progress, known
    )


def _thesaurus(given: str | Path | Ontology | None, warn: Warn) -> Ontology | None:
    if given is None or isinstance(given, Ontology):
        return given
    check_required_path("thesaurus", given)
    return read_ontology_file(given, warn)


def _pages(
    topic: Topic,
    archive: str | Path | Archive | None,
    pages: str | Path | None,
    have_papers: bool,
    wordnet: WordNet | None,
    warn: Warn,
) -> list[Source]:
    """The pages that were given, or else the topic's examples; papers alone will do as well."""
    if pages is not None:
        return read_sources([Path(pages)], warn)
    if archive is None and have_papers:
        return []
    with _opened(archive) as opened:
        examples = read_topic_profile(topic, opened, warn, wordnet=wordnet).examples
    if not examples and not have_papers:
        raise OntologyError(
            f"{topic}: there is no example page to learn from; add examples to the topic, "
            "or give the archive that holds them, pages or papers."
        )
    return [source_of(f"example {number}", page) for number, page in enumerate(examples, 1)]


def _check_papers(papers: object) -> None:
    if isinstance(papers, str | Path) or not isinstance(papers, Sequence):
        raise SettingsError('papers takes a list of files, such as ["papers.bib"].')
    for paper in papers:
        check_required_path("papers", paper)


@contextmanager
def _opened(archive: str | Path | Archive | None) -> Iterator[Archive | None]:
    """The archive; one that is open already stays open."""
    if archive is None or isinstance(archive, Archive):
        yield archive
    else:
        with open_archive(Path(archive)) as opened:
            yield opened

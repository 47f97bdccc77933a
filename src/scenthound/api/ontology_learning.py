"""Ontologies learnt from Python: from a topic's examples, from pages, from papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.api.arguments import check_given_path, check_path, check_topic
from scenthound.api.shared import load_lexicon, warn_caller
from scenthound.archive import Archive, open_archive
from scenthound.core.errors import OntologyError, SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.lexicon.wordnet import WordNet
from scenthound.ontology.files import read_ontology
from scenthound.ontology.model import Ontology
from scenthound.ontology_learning.languages import other_language
from scenthound.ontology_learning.learned import Learned
from scenthound.ontology_learning.learner import Learner
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.proposals import Review, accept_all
from scenthound.ontology_learning.sources import Source, read_sources, source_of
from scenthound.ontology_learning.steps import Progress, silent
from scenthound.text.analyzer import Analyzer


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
    on_progress: Progress = silent,
    warn: Warn | None = None,
) -> Learned:
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
    on_progress : told the step, how much of it is done, and of how much.
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
    on_progress: Progress = silent,
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
    check_given_path("thesaurus", given)
    return read_ontology(given, warn)


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
        examples = read_briefing(topic, opened, warn, wordnet=wordnet).examples
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
        check_given_path("papers", paper)


@contextmanager
def _opened(archive: str | Path | Archive | None) -> Iterator[Archive | None]:
    """The archive; one that is open already stays open."""
    if archive is None or isinstance(archive, Archive):
        yield archive
    else:
        with open_archive(Path(archive)) as opened:
            yield opened

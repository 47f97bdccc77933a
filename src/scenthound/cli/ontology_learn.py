"""``scenthound ontology learn``: an ontology from a topic's examples, from pages and papers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.progress import TaskID

from scenthound import api
from scenthound.api.ontology_learning import ontology_learner
from scenthound.cli import ontology_learn_options as options
from scenthound.cli.asking import can_ask
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.ontology import check_target
from scenthound.cli.ontology_learn_view import learnt_facts, print_learnt
from scenthound.cli.ontology_review import Reviewing
from scenthound.cli.opened_archive import opened_archive
from scenthound.cli.progress import bars
from scenthound.cli.screen import notices, output, plain, say_error, say_warning
from scenthound.core.errors import SettingsError
from scenthound.experiments.figure_file import SUFFIXES as PICTURES
from scenthound.experiments.lattice_drawing import draw_lattice
from scenthound.ontology.files import SUFFIXES as FILES
from scenthound.ontology.files import ontology_bytes
from scenthound.ontology.model import Ontology
from scenthound.ontology_learning.learned import Learned
from scenthound.ontology_learning.learner import Learner
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.proposals import accept_all
from scenthound.ontology_learning.steps import Progress
from scenthound.topics.file import read_topic

_DEFAULT = LearningPlan()


def learn(
    topic: options.TopicFile,
    out: options.OutFile,
    archive: options.ArchivePath = None,
    pages: options.PagesFolder = None,
    papers: options.PaperFiles = None,
    thesaurus: options.Thesaurus = None,
    review: options.Review = False,
    draw: options.OntologyPicture = None,
    lattice: options.LatticePicture = None,
    concepts: options.ConceptCount = _DEFAULT.concepts,
    terms: options.TermCount = _DEFAULT.terms,
    gamma: options.Gamma = _DEFAULT.gamma,
    topics: options.TopicCount = _DEFAULT.topics,
    support: options.Support = _DEFAULT.support,
    confidence: options.Confidence = _DEFAULT.confidence,
    random_seed: options.RandomSeed = _DEFAULT.seed,
    wordnet: options.WordNetFolder = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Learn the concepts of a topic from texts, and write them as an ontology.

    From the topic's examples, or from --pages; --papers give the skeleton.
    """
    plan = LearningPlan(
        terms=terms, concepts=concepts, gamma=gamma, topics=topics,
        support=support, confidence=confidence, seed=random_seed,
    )  # fmt: skip
    _check_targets(out, draw, lattice, force)
    if review and not can_ask():
        raise SettingsError("--review needs a terminal; leave it out to accept every proposal.")
    reviewing = Reviewing(notices(), notices().input) if review else None
    read = read_topic(topic)
    with opened_archive(archive) as opened, _told_steps(reviewing) as progress:
        learner = ontology_learner(
            read, archive=opened, pages=pages, papers=papers or (), thesaurus=thesaurus, plan=plan,
            review=reviewing or accept_all, wordnet=wordnet, on_progress=progress, warn=say_warning,
        )  # fmt: skip
        learned, interrupted = _learnt(learner)
    if interrupted:
        out, draw, lattice = _spared(out), draw and _spared(draw), lattice and _spared(lattice)
    _write(learned, out, draw, lattice)
    if as_json:
        typer.echo(json.dumps(learnt_facts(learned), indent=1))
    else:
        print_learnt(learned, out, topic, output())
    if interrupted:
        say_error(f"interrupted; what was learnt until then is in {out}.")
        raise ToldExit(BROKEN_OFF)


def _learnt(learner: Learner) -> tuple[Learned, bool]:
    """What was learnt, and whether Ctrl-C has ended it."""
    try:
        return learner.learn(), False
    except KeyboardInterrupt:
        return learner.so_far(), True


def _spared(path: Path) -> Path:
    """Where a part is written: beside a file that is there, which is whole."""
    return path.with_name(f"{path.stem}.partial{path.suffix}") if path.exists() else path


def _check_targets(out: Path, draw: Path | None, lattice: Path | None, force: bool) -> None:
    """Find out before anything is read that nothing could be written."""
    check_target(out, FILES, force)
    ontology_bytes(Ontology(""), out.suffix)  # is there a library that writes it?
    for picture in filter(None, (draw, lattice)):
        check_target(picture, PICTURES, force)
    if draw is not None and draw == lattice:
        raise SettingsError(f"--draw and --lattice both name {draw}; give two names.")


def _write(learned: Learned, out: Path, draw: Path | None, lattice: Path | None) -> None:
    api.write_ontology(learned.ontology, out)
    if draw is not None:
        api.draw_ontology(learned.ontology, draw)
    if lattice is not None:
        draw_lattice(learned.lattice, lattice)
    for path in filter(None, (out, draw, lattice)):
        notices().print(plain(f"wrote {path}"), soft_wrap=True)


@contextmanager
def _told_steps(reviewing: Reviewing | None) -> Iterator[Progress]:
    """A bar for each step; none where somebody is asked, who is told the step with the question."""
    if reviewing is not None:
        yield reviewing.begin
        return
    tasks: dict[str, TaskID] = {}
    with bars(notices(), quiet=False) as progress:

        def on_step(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(step, total=total, found="")
            progress.update(tasks[step], completed=done, total=total)

        yield on_step

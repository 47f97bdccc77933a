"""``scenthound ontology learn``: an ontology from a topic's examples, from pages and papers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TaskID

from scenthound import api
from scenthound.api.ontology_learning import ontology_learner
from scenthound.archive import Archive, open_archive
from scenthound.cli.asking import can_ask
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.ontology import check_target
from scenthound.cli.ontology_learn_view import learnt_facts, print_learnt
from scenthound.cli.ontology_review import Reviewing
from scenthound.cli.progress import bars, reading_bar
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
    topic: Annotated[
        Path, typer.Option("--topic", "-t", metavar="T.toml", help="Topic file.",
                           show_default=False)
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File to write: .owl, .ttl, .rdf or .txt.",
                           show_default=False)
    ],
    archive: Annotated[
        Path | None, typer.Option(metavar="ARCHIVE", help="Where the topic's example pages are.")
    ] = None,
    pages: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Pages to learn from instead of examples.")
    ] = None,
    papers: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Papers (.bib, text, HTML, PDF); may be repeated."),
    ] = None,
    thesaurus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ontology or SKOS file that relates terms.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Accept or drop each proposal.")
    ] = False,
    draw: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="Draw the ontology: .svg, .png, .pdf.")
    ] = None,
    lattice: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="Draw the concept lattice.")
    ] = None,
    concepts: Annotated[
        int, typer.Option(metavar="N", help="Concepts at most.")
    ] = _DEFAULT.concepts,
    terms: Annotated[int, typer.Option(metavar="N", help="Terms at most.")] = _DEFAULT.terms,
    gamma: Annotated[
        float, typer.Option(metavar="S", help="Similarity of neighbours in WordNet.")
    ] = _DEFAULT.gamma,
    topics: Annotated[
        int, typer.Option(metavar="N", help="Topics of the pages' nouns; 0 searches.")
    ] = _DEFAULT.topics,
    support: Annotated[
        float, typer.Option(metavar="S", help="Part of the topics that hold a pair of words.")
    ] = _DEFAULT.support,
    confidence: Annotated[
        float, typer.Option(metavar="C", help="How surely one word brings the other.")
    ] = _DEFAULT.confidence,
    random_seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="The same learns the same.")
    ] = _DEFAULT.seed,
    wordnet: Annotated[
        Path | None, typer.Option(metavar="DIR", help="WordNet folder of your own.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:  # fmt: skip
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
    with _opened(archive) as opened, _told_steps(reviewing) as progress:
        learner = ontology_learner(
            read, archive=opened, pages=pages, papers=papers or (), thesaurus=thesaurus, plan=plan,
            review=reviewing or accept_all, wordnet=wordnet, on_progress=progress, warn=say_warning,
        )  # fmt: skip
        learned, interrupted = _learnt(learner)
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
def _opened(archive: Path | None) -> Iterator[Archive | None]:
    """The archive, with a bar while it is indexed."""
    if archive is None:
        yield None
        return
    with bars(notices(), quiet=False) as progress, reading_bar(progress, archive.name) as on_bytes:
        opened = open_archive(archive, progress=on_bytes)
    with opened:
        yield opened


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

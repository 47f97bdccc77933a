"""``scenthound ontology learn``: an ontology from a topic's examples, from pages and papers, with
a review of each proposal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import TaskID

from scenthound.cli.ontology import check_target, counted, facts
from scenthound.cli.options import opened_archive
from scenthound.cli.results import INTERRUPTED_CODE, CommandExit
from scenthound.cli.screen import (
    Prompt,
    bars,
    is_interactive,
    notices,
    output,
    plain,
    print_error,
    print_warning,
    prompt_choice,
)
from scenthound.core.errors import SettingsError
from scenthound.output import ontologies
from scenthound.output.ontologies import ontology_learner
from scenthound.output.ontology_files import draw_lattice
from scenthound.output.plots import SUFFIXES as PICTURES
from scenthound.papers.olmoaco.learner import (
    Learner,
    LearningPlan,
    LearningResult,
    Progress,
    ReviewEnded,
)
from scenthound.papers.olmoaco.ontology import Ontology, concept_levels
from scenthound.papers.olmoaco.ontology_files import SUFFIXES as FILES
from scenthound.papers.olmoaco.ontology_files import ontology_bytes
from scenthound.papers.olmoaco.skeleton import Proposal, accept_all
from scenthound.similarity.topic_file import read_topic

# fmt: off
TopicFile = Annotated[
    Path,
    typer.Option("--topic", "-t", metavar="T.toml", help="Topic file.", show_default=False),
]

OutFile = Annotated[
    Path,
    typer.Option(metavar="FILE", help="File to write: .owl, .ttl, .rdf or .txt.",
                 show_default=False),
]

ArchivePath = Annotated[
    Path | None, typer.Option(metavar="ARCHIVE", help="Where the topic's example pages are.")
]

PagesFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Pages to learn from instead of examples.")
]

PaperFiles = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Papers (.bib, text, HTML, PDF); may be repeated."),
]

Thesaurus = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Ontology or SKOS file that relates terms.")
]

Review = Annotated[bool, typer.Option("--review", help="Accept or drop each proposal.")]

OntologyPicture = Annotated[
    Path | None, typer.Option(metavar="PICTURE", help="Draw the ontology: .svg, .png, .pdf.")
]

LatticePicture = Annotated[
    Path | None, typer.Option(metavar="PICTURE", help="Draw the concept lattice.")
]

ConceptCount = Annotated[int, typer.Option(metavar="N", help="Concepts at most.")]

TermCount = Annotated[int, typer.Option(metavar="N", help="Terms at most.")]

Gamma = Annotated[float, typer.Option(metavar="S", help="Similarity of neighbours in WordNet.")]

TopicCount = Annotated[
    int, typer.Option(metavar="N", help="Topics of the pages' nouns; 0 searches.")
]

Support = Annotated[
    float, typer.Option(metavar="S", help="Part of the topics that hold a pair of words.")
]

Confidence = Annotated[
    float, typer.Option(metavar="C", help="How surely one word brings the other.")
]

RandomSeed = Annotated[int, typer.Option("--seed", metavar="N", help="The same learns the same.")]

WordNetFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="WordNet folder of your own.")
]

Force = Annotated[bool, typer.Option("--force", help="Write over files.")]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

# fmt: on


# How a learned ontology is summed up on a terminal.


_LISTED = 5
"""Pairs of words, and relations, that are named."""


def learned_facts(learned: LearningResult) -> dict[str, object]:
    """The ontology and how it came about, as JSON knows it."""
    return {
        **facts(learned.ontology),
        "origins": learned.origins,
        "topics": [list(topic) for topic in learned.topics],
        "pairs": [asdict(pair) for pair in learned.pairs],
        "said": [{**asdict(said), "kind": said.kind.value} for said in learned.said],
        "notes": list(learned.notes),
        "complete": learned.complete,
    }


def print_learned(learned: LearningResult, out: Path, topic: Path, console: Console) -> None:
    """Concepts by where they come from, levels, what was found and what not, what to do next."""
    ontology = learned.ontology
    size = counted(len(ontology), "concept")
    depth = counted(max(concept_levels(ontology).values(), default=0), "level")
    relations = counted(len(ontology.relations), "relation")
    _line(console, f"{size}, {depth}, {relations}")
    _line(console, ", ".join(f"{step} {count}" for step, count in learned.origins.items()))
    _print_list(console, "strong pair", [f"{pair.first} + {pair.second}" for pair in learned.pairs])
    said = [f"{each.child} {each.kind.value} {each.parent}" for each in learned.said]
    _print_list(console, "relation", said, " that texts tell of")
    for note in learned.notes:
        print_warning(note)
    name = json.dumps(str(_relative_path(topic, out)), ensure_ascii=False)
    _line(console, f"To use it, put ontology = {name} into {topic}.")


def _print_list(console: Console, what: str, found: Sequence[str], more: str = "") -> None:
    """How many there are, and the first of them; nothing where there are none."""
    if found:
        rest = ", ..." if len(found) > _LISTED else ""
        _line(console, f"{counted(len(found), what)}{more}: {', '.join(found[:_LISTED])}{rest}")


def _relative_path(topic: Path, out: Path) -> Path:
    """A file as a topic file names it: relative to itself, or by its whole path."""
    folder, path = topic.parent.resolve(), out.resolve()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def _line(console: Console, text: str) -> None:
    console.print(plain(text), soft_wrap=True)


# ``scenthound ontology learn --review``: proposals shown one after the other, and answered.


_YES, _NO, _ALL, _SKIP, _QUIT = "yes", "no", "all", "skip", "quit"

_ANSWERS = {word[0]: word for word in (_YES, _NO, _ALL, _SKIP, _QUIT)}

_ANSWERS |= {word: word for word in (_YES, _NO, _ALL, _SKIP, _QUIT)}

_PROMPT = "  y(es), n(o), a(ll of this step), s(kip this step), q(uit), then Enter: "

_KNOWN = "  The answers are: y, n, a, s and q, or the words yes, no, all, skip and quit."


class ProposalReview:
    """Asks a person about every proposal.

    Parameters
    ----------
    screen : where proposals are shown.
    ask : how an answer is got.
    """

    def __init__(self, screen: Console, ask: Prompt) -> None:
        self._screen = screen
        self._ask = ask
        self._step, self._done, self._total = "", 0, 0
        self._for_all: bool | None = None

    def begin(self, step: str, done: int, total: int) -> None:
        """Learning tells where it is: what was said of a whole step ends with it."""
        self._done, self._total = done, total
        if step != self._step:
            self._step, self._for_all = step, None

    def __call__(self, proposal: Proposal) -> bool:
        """Is the proposal accepted? Enough is raised where somebody wants to end."""
        if self._for_all is not None:
            return self._for_all
        self._show(proposal)
        said = prompt_choice(self._typed, _PROMPT, _ANSWERS, at_end=_QUIT)
        if said == _QUIT:
            raise ReviewEnded
        if said in (_ALL, _SKIP):
            self._for_all = said == _ALL
        return said in (_YES, _ALL)

    def _typed(self, prompt: str) -> str:
        """What was typed; where that is no answer, the answers are reported."""
        typed = self._ask(prompt)
        if typed.strip().lower() not in _ANSWERS:
            self._screen.print(plain(_KNOWN), soft_wrap=True)
        return typed

    @property
    def _place(self) -> str:
        """How far the step is. What is dropped may bring further proposals: the end can move."""
        if self._done < self._total:
            return f"{self._done + 1} of {self._total} in this step"
        return f"beyond the {self._total} expected in this step"

    def _show(self, proposal: Proposal) -> None:
        relation = "" if proposal.parent is None else f" {proposal.kind.value} {proposal.parent}"
        self._screen.print()
        title = f"[{self._step}, {self._place}] {proposal.label}"
        self._screen.print(plain(title), style="bold", soft_wrap=True)
        self._screen.print(plain(f"  {proposal.label}{relation}"), soft_wrap=True)
        self._screen.print(plain(f"  {proposal.origin}"), style="dim", soft_wrap=True)


# ``scenthound ontology learn``: an ontology from a topic's examples, from pages and papers.


_DEFAULT = LearningPlan()


def learn(
    topic: TopicFile,
    out: OutFile,
    archive: ArchivePath = None,
    pages: PagesFolder = None,
    papers: PaperFiles = None,
    thesaurus: Thesaurus = None,
    review: Review = False,
    draw: OntologyPicture = None,
    lattice: LatticePicture = None,
    concepts: ConceptCount = _DEFAULT.concepts,
    terms: TermCount = _DEFAULT.terms,
    gamma: Gamma = _DEFAULT.gamma,
    topics: TopicCount = _DEFAULT.topics,
    support: Support = _DEFAULT.support,
    confidence: Confidence = _DEFAULT.confidence,
    random_seed: RandomSeed = _DEFAULT.seed,
    wordnet: WordNetFolder = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn the concepts of a topic from texts, and write them as an ontology.

    From the topic's examples, or from --pages; --papers give the skeleton.
    """
    plan = LearningPlan(
        terms=terms, concepts=concepts, gamma=gamma, topics=topics,
        support=support, confidence=confidence, seed=random_seed,
    )  # fmt: skip
    _check_targets(out, draw, lattice, force)
    if review and not is_interactive():
        raise SettingsError("--review needs a terminal; leave it out to accept every proposal.")
    reviewing = ProposalReview(notices(), notices().input) if review else None
    read = read_topic(topic)
    with opened_archive(archive) as opened, _step_progress(reviewing) as progress:
        learner = ontology_learner(
            read,
            archive=opened,
            pages=pages,
            papers=papers or (),
            thesaurus=thesaurus,
            plan=plan,
            review=reviewing or accept_all,
            wordnet=wordnet,
            on_progress=progress,
        )
        learned, interrupted = _learned(learner)
    if interrupted:
        out, draw, lattice = (
            _partial_path(out),
            draw and _partial_path(draw),
            lattice and _partial_path(lattice),
        )
    _write(learned, out, draw, lattice)
    if as_json:
        typer.echo(json.dumps(learned_facts(learned), indent=1))
    else:
        print_learned(learned, out, topic, output())
    if interrupted:
        print_error(f"interrupted; what was learnt until then is in {out}.")
        raise CommandExit(INTERRUPTED_CODE)


def _learned(learner: Learner) -> tuple[LearningResult, bool]:
    """What was learned, and whether Ctrl-C has ended it."""
    try:
        return learner.learn(), False
    except KeyboardInterrupt:
        return learner.so_far(), True


def _partial_path(path: Path) -> Path:
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


def _write(learned: LearningResult, out: Path, draw: Path | None, lattice: Path | None) -> None:
    ontologies.write_ontology(learned.ontology, out)
    if draw is not None:
        ontologies.draw_ontology(learned.ontology, draw)
    if lattice is not None:
        draw_lattice(learned.lattice, lattice)
    for path in filter(None, (out, draw, lattice)):
        notices().print(plain(f"wrote {path}"), soft_wrap=True)


@contextmanager
def _step_progress(reviewing: ProposalReview | None) -> Iterator[Progress]:
    """A bar for each step; none where somebody is asked, who sees the step."""
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
